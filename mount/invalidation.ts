/**
 * Making the kernel forget names of the mount. Main thread only: the session must keep serving meanwhile.
 * @module
 */
import { type Notifier, openNotifier } from "deno-fuse-ffi";
import type { DecodeMemory } from "./shared/decode_memory.ts";
import type { CachedName, NodeId } from "./layout/mounted_tree.ts";

/** Notifications under way at a time; each takes a thread while it waits. */
const maxAtOnce = 32;

/** Makes the kernel forget what a session no longer shows. libfuse is loaded when there is something to forget. */
export class Invalidation implements Disposable {
  readonly #memory: DecodeMemory;
  readonly #session: bigint;
  readonly #open: typeof openNotifier;
  #notifier: Notifier | undefined;
  #underWay = 0;
  #isOver = false;

  /** @param open Opens the notifier of a session by its address. */
  constructor(memory: DecodeMemory, session: bigint, open: typeof openNotifier = openNotifier) {
    this.#memory = memory;
    this.#session = session;
    this.#open = open;
  }

  /**
   * Makes the kernel forget names and the listings that they are in. Resolved when it has; at once if the session is
   * being ended, which waits for what has begun.
   * @throws {FuseProtocolError} If the kernel refuses.
   */
  async forgetNames(names: readonly CachedName[]): Promise<void> {
    const directories = new Map(names.map(({ high, low }) => [`${high} ${low}`, { high, low }]));
    await this.#notify(names, (notifier, { high, low, name }) => notifier.invalidateEntry(high, low, name));
    await this.forgetListings([...directories.values()]);
  }

  /** Makes the kernel forget the listings of directories, but not the names in them; as {@linkcode forgetNames}. */
  async forgetListings(directories: readonly NodeId[]): Promise<void> {
    await this.#notify(directories, (notifier, { high, low }) => notifier.invalidateInode(high, low));
  }

  /** Unloads libfuse, once no notification is under way. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    if (this.#underWay === 0) this.#notifier?.close();
  }

  async #notify<Item>(
    items: readonly Item[],
    notify: (notifier: Notifier, item: Item) => Promise<void>,
  ): Promise<void> {
    if (items.length === 0) return;
    const memory = this.#memory;
    memory.beginNotifying();
    this.#underWay++;
    try {
      if (!memory.mayNotify || this.#isOver) return;
      const notifier = this.#notifier ??= this.#open(this.#session);
      await inTurns(items, memory, (item) => notify(notifier, item));
    } finally {
      memory.endNotifying();
      if (--this.#underWay === 0 && this.#isOver) this.#notifier?.close();
    }
  }
}

async function inTurns<Item>(
  items: readonly Item[],
  memory: DecodeMemory,
  notify: (item: Item) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < items.length && memory.mayNotify; start += maxAtOnce) {
    // deno-lint-ignore no-await-in-loop -- as many at a time as there are threads for
    await Promise.all(items.slice(start, start + maxAtOnce).map(notify));
  }
}
