/**
 * Makes the kernel forget names of the mount. Main thread only: the session must keep serving meanwhile.
 *
 * A notification about a directory waits in the kernel for a lookup there, so directories are notified separately, and
 * a refresh does not wait for one in which a lookup hangs.
 * @module
 */
import { type Notifier, openNotifier } from "deno-fuse-ffi";
import { type Clock, systemClock } from "../system/mod.ts";
import type { DecodeMemory } from "./shared/decode_memory.ts";
import type { CachedName, NodeId } from "./layout/mounted_tree.ts";

/** Maximum directories in progress, and notifications per directory; each takes a thread while it waits. */
const maxDirectories = 16;
const maxOfDirectory = 2;
/** Time without any reply of the kernel after which the rest is assumed to wait for hanging lookups; milliseconds. */
const stuckAfter = 1000;

/** Makes the kernel forget names that a session no longer shows. libfuse is loaded on first use. */
export class Invalidation implements Disposable {
  readonly #memory: DecodeMemory;
  readonly #session: bigint;
  readonly #open: typeof openNotifier;
  readonly #clock: Clock;
  /** Work on directories, by id: the kernel may wait for a lookup there, which does not delay other directories. */
  readonly #working = new Map<string, Promise<void>>();
  #notifier: Notifier | undefined;
  #underWay = 0;
  /** Notifications that the kernel has processed. */
  #answered = 0;
  #isOver = false;

  /** @param open Opens the notifier of a session by its address. */
  constructor(
    memory: DecodeMemory,
    session: bigint,
    { open = openNotifier, clock = systemClock }: { readonly open?: typeof openNotifier; readonly clock?: Clock } = {},
  ) {
    this.#memory = memory;
    this.#session = session;
    this.#open = open;
    this.#clock = clock;
  }

  /**
   * Makes the kernel forget names and the listings that contain them. Resolves when it has, except for directories in
   * which a lookup hangs: these follow when it ends. Resolves at once if the session is ending, which waits for
   * notifications in progress.
   * @throws {FuseProtocolError} If the kernel refuses.
   */
  async forgetNames(names: readonly CachedName[]): Promise<void> {
    await this.#forget(Map.groupBy(names, keyOf));
  }

  /** Makes the kernel forget the listings of directories, but not the names in them; see {@linkcode forgetNames}. */
  async forgetListings(directories: readonly NodeId[]): Promise<void> {
    await this.#forget(new Map(directories.map((directory) => [keyOf(directory), []])));
  }

  /** Unloads libfuse, as soon as no notification is in progress. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    if (this.#underWay === 0) this.#notifier?.close();
  }

  async #forget(directories: ReadonlyMap<string, readonly CachedName[]>): Promise<void> {
    if (directories.size === 0) return;
    const memory = this.#memory;
    memory.beginNotifying();
    this.#underWay++;
    const left = directories.entries();
    const failures: unknown[] = [];
    const work = inParallel(maxDirectories, async () => {
      for (const [key, names] of left) {
        const turn = (this.#working.get(key) ?? Promise.resolve()).then(() => this.#forgetIn(key, names, failures));
        this.#working.set(key, turn);
        // deno-lint-ignore no-await-in-loop -- one directory after the other
        await turn;
        if (this.#working.get(key) === turn) this.#working.delete(key);
      }
    }).finally(() => {
      memory.endNotifying();
      if (--this.#underWay === 0 && this.#isOver) this.#notifier?.close();
    });
    await this.#whileMoving(work);
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Makes the kernel forget names in one directory, and finally its listing.
   * @param failures Receives errors of the kernel; no further notification begins then.
   */
  async #forgetIn(key: string, names: readonly CachedName[], failures: unknown[]): Promise<void> {
    const notify = async (begin: (notifier: Notifier) => Promise<void>) => {
      if (!this.#memory.mayNotify || this.#isOver || failures.length > 0) return;
      this.#notifier ??= this.#open(this.#session);
      await begin(this.#notifier).catch((error: unknown) => failures.push(error));
      this.#answered++;
    };
    const left = names.values();
    await inParallel(maxOfDirectory, async () => {
      // deno-lint-ignore no-await-in-loop -- one after the other
      for (const { high, low, name } of left) await notify((notifier) => notifier.invalidateEntry(high, low, name));
    });
    const [high = 0, low = 0] = key.split(" ").map(Number);
    await notify((notifier) => notifier.invalidateInode(high, low));
  }

  /** Waits for work as long as the kernel makes progress. */
  async #whileMoving(work: Promise<void>): Promise<void> {
    for (let before = -1; before !== this.#answered;) {
      before = this.#answered;
      const pause = Promise.withResolvers<boolean>();
      const cancel = this.#clock.after(stuckAfter, () => pause.resolve(false));
      // deno-lint-ignore no-await-in-loop -- one look after the other
      if (await Promise.race([work.then(() => true), pause.promise]).finally(cancel)) return;
    }
  }
}

async function inParallel(count: number, work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, work));
}

function keyOf({ high, low }: NodeId): string {
  return `${high} ${low}`;
}
