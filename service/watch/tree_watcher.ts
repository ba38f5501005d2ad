/**
 * Watches a directory with all directories below it through the kernel.
 * @module
 */
import { messageOf } from "../../formats/parts.ts";
import { changeKinds, type DirectoryChange, type DirectoryWatches } from "../../system/mod.ts";

/** Maximum number of directories listed at a time. */
const maxAtOnce = 16;
/** Maximum attempts to watch a listed directory, which may be created between the two calls. */
const maxAttempts = 5;

/** Callbacks of a tree. */
export interface TreeHost {
  /** Called with the name of the changed file in the root; null if any file may have changed, including files below. */
  onChange(name: string | null): void;
  /** Called when the root was deleted or unmounted; the tree is then closed. */
  onLost(): void;
  /** Called once if the tree cannot be watched; it is then closed. */
  onFailure(because: string): void;
}

/**
 * Watches a directory and, if recursive, each directory below it, including new ones. Links are not followed. A change
 * that adds directories is reported after they are watched, so that a refresh after the report misses nothing.
 */
export class TreeWatcher {
  readonly #watches: DirectoryWatches;
  readonly #root: string;
  readonly #isRecursive: boolean;
  readonly #host: TreeHost;
  readonly #paths = new Map<number, string>();
  readonly #numbers = new Map<string, number>();
  readonly #listener = (change: DirectoryChange) => this.#receive(change);
  /** Changes, processed in order: only then do paths refer to the directories of the changes. */
  #working: Promise<void>;
  #isClosed = false;

  /** @param root Path without links. */
  constructor(
    watches: DirectoryWatches,
    root: string,
    { isRecursive, ...host }: TreeHost & { readonly isRecursive: boolean },
  ) {
    this.#watches = watches;
    this.#root = root;
    this.#isRecursive = isRecursive;
    this.#host = host;
    this.#working = this.#walk(root);
  }

  /** Resolves when all directories that existed at the call are watched. */
  get ready(): Promise<void> {
    return this.#working;
  }

  /** Ends all watches. */
  close(): void {
    this.#isClosed = true;
    this.#forget(this.#root);
  }

  #receive({ watch, kinds, name }: DirectoryChange): void {
    if (this.#isClosed) return;
    const has = (kind: keyof typeof changeKinds) => (kinds & changeKinds[kind]) !== 0;
    if (has("overflow")) return this.#schedule(() => this.#walkAgain());
    // Deleted, unmounted, or removed for another listener.
    if (has("ignored")) return this.#schedule(() => this.#replace(watch));
    const isStructural = this.#isRecursive && has("isDirectory") && name !== "" &&
      (has("created") || has("movedTo") || has("movedFrom") || has("attributes"));
    if (!isStructural) return this.#host.onChange(this.#isRecursive ? null : name);
    this.#schedule(() => {
      const directory = this.#paths.get(watch);
      if (directory === undefined) return; // renamed meanwhile, and listed again
      const path = `${directory}/${name}`;
      if (has("movedFrom")) return this.#forget(path);
      // A directory that could not be read before may be readable now.
      if (has("attributes") && this.#numbers.has(path)) return;
      return this.#walk(path);
    });
  }

  #schedule(work: () => Promise<void> | void): void {
    this.#working = this.#working.then(async () => {
      if (this.#isClosed) return;
      await work();
      if (!this.#isClosed) this.#host.onChange(null);
    });
  }

  /** Watches the directory that is now at the path of an ended watch, if any. */
  #replace(number: number): Promise<void> | void {
    const path = this.#paths.get(number);
    if (path === undefined) return;
    this.#drop(number);
    if (path !== this.#root) return this.#walk(path);
    this.close();
    this.#host.onLost();
  }

  /** Watches the whole tree again. */
  #walkAgain(): Promise<void> {
    this.#forget(this.#root);
    return this.#walk(this.#root);
  }

  /** Watches a directory and those below it. */
  async #walk(root: string): Promise<void> {
    for (let left = [root]; left.length > 0 && !this.#isClosed;) {
      const some = left.splice(-maxAtOnce);
      // deno-lint-ignore no-await-in-loop -- a bounded number at a time
      const found = await Promise.all(some.map((path) => this.#watch(path)));
      left = left.concat(...found);
    }
  }

  /** Watches one directory, and then returns its subdirectories: later ones are reported. */
  async #watch(path: string): Promise<string[]> {
    for (let attempt = 0; attempt < maxAttempts && !this.#isClosed; attempt++) {
      // deno-lint-ignore no-await-in-loop -- one attempt after the other
      const number = await this.#watches.add(path, this.#listener);
      if (this.#isClosed) this.#watches.remove(number, this.#listener);
      else if (number >= 0) this.#keep(number, path);
      try {
        // deno-lint-ignore no-await-in-loop -- as above
        const directories = number < 0 || this.#isRecursive ? await directoriesIn(path) : [];
        if (number >= 0) return directories;
      } catch (error) {
        // Unlisted directories are not indexed either. The owner of the tree notices a missing root.
        const isGone = error instanceof Deno.errors.NotFound;
        if (number < 0 && path === this.#root && !isGone) {
          this.#fail(`the kernel cannot watch it: ${messageOf(error)}`);
        }
        return [];
      }
    }
    // A directory that can be listed can be watched, unless the kernel has reached its limit.
    this.#fail("the kernel watches no more directories for this user; raise fs.inotify.max_user_watches");
    return [];
  }

  #fail(because: string): void {
    if (this.#isClosed) return;
    this.close();
    this.#host.onFailure(because);
  }

  #keep(number: number, path: string): void {
    this.#drop(number);
    this.#paths.set(number, path);
    this.#numbers.set(path, number);
  }

  #drop(number: number): void {
    const path = this.#paths.get(number);
    this.#paths.delete(number);
    if (path !== undefined && this.#numbers.get(path) === number) this.#numbers.delete(path);
  }

  /** Ends the watches of a path and of all below it. */
  #forget(path: string): void {
    for (const [number, known] of Array.from(this.#paths)) {
      if (known !== path && !known.startsWith(`${path}/`)) continue;
      this.#drop(number);
      this.#watches.remove(number, this.#listener);
    }
  }
}

async function directoriesIn(path: string): Promise<string[]> {
  const items = await Array.fromAsync(Deno.readDir(path));
  return items.filter(({ isDirectory }) => isDirectory).map(({ name }) => `${path}/${name}`);
}
