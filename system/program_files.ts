/**
 * Detects changes of this program's files since the process was started. A daemon outlives updates of its program: it
 * notices them, so that old code does not handle requests for the new version.
 * @module
 */
import { openCLibrary } from "./c_library.ts";
import { bufferBytes, changeKinds, changesIn, descriptorFlags, type DirectoryChange } from "./directory_watches.ts";

const openLibrary = () => openCLibrary("inotify_init1", "inotify_add_watch_elsewhere", "read", "close");

/** IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR */
const watchedChanges = 0x2 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800 | 0x0100_0000;
/** Directories without files that a daemon loads. */
const otherDirectories = new Set(["docs", "node_modules", "tests", "tools"]);
/** Maximum age of file times in Linux, which come from its last tick; milliseconds. */
const tick = 10;

/** The files of a program, from the first call of {@linkcode ProgramFiles.haveChanged} on. */
export class ProgramFiles implements AsyncDisposable {
  readonly #root: string;
  readonly #began: number;
  readonly #buffer = new Uint8Array(bufferBytes);
  readonly #directories = new Map<number, string>();
  #library: ReturnType<typeof openLibrary> | undefined;
  #fileDescriptor = -1;
  #watching: Promise<void> | undefined;
  #hasChanged = false;

  /**
   * @param root Directory of the program, without a slash at its end.
   * @param began Time at which its files began to be loaded; milliseconds since the epoch.
   */
  constructor(root: string, began: number = performance.timeOrigin) {
    this.#root = root;
    this.#began = began;
  }

  /** Directory of the program. */
  get root(): string {
    return this.#root;
  }

  /** Whether a change has been noticed. */
  get isOld(): boolean {
    this.#hasChanged ||= this.#readChanges();
    return this.#hasChanged;
  }

  /**
   * Returns whether any file has changed since the process began. After the first call, which takes some milliseconds, it
   * costs one system call.
   */
  async haveChanged(): Promise<boolean> {
    await (this.#watching ??= this.#watch());
    // If the kernel allows this user no more watches, all files are checked each time.
    if (this.#fileDescriptor < 0 && !this.#hasChanged) await this.#look(() => Promise.resolve());
    return this.isOld;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watching;
    this.#close();
  }

  /** Watches all directories, each before its files are checked, so that no change is missed. */
  async #watch(): Promise<void> {
    const { symbols } = this.#library = openLibrary();
    this.#fileDescriptor = symbols.inotify_init1(descriptorFlags);
    await this.#look(async (directory) => {
      if (this.#fileDescriptor < 0) return;
      const path = new TextEncoder().encode(`${directory}\0`);
      const watch = await symbols.inotify_add_watch_elsewhere(this.#fileDescriptor, path, watchedChanges);
      if (watch < 0) this.#close();
      else this.#directories.set(watch, directory);
    });
  }

  #close(): void {
    if (this.#fileDescriptor >= 0) this.#library?.symbols.close(this.#fileDescriptor);
    this.#library?.close();
    this.#library = undefined;
    this.#fileDescriptor = -1;
  }

  /** Checks the times of all files, one after the other: many at once would start a thread each. */
  async #look(before: (directory: string) => Promise<void>): Promise<void> {
    const now = Date.now();
    try {
      for (const left = [this.#root]; left.length > 0 && !this.#hasChanged;) {
        const directory = left.pop() ?? "";
        // deno-lint-ignore no-await-in-loop -- see above
        await before(directory);
        for await (const { name, isDirectory } of Deno.readDir(directory)) {
          const path = `${directory}/${name}`;
          if (isDirectory && this.#isOurs(directory, name)) left.push(path);
          if (!isDirectory && isModule(name)) this.#hasChanged ||= this.#isNew(await Deno.stat(path), now);
        }
      }
    } catch {
      this.#hasChanged = true; // files were deleted meanwhile
    }
  }

  #isOurs(directory: string, name: string): boolean {
    return !name.startsWith(".") && (directory !== this.#root || !otherDirectories.has(name));
  }

  /** A future time was set by a program, or before the clock was set. */
  #isNew({ mtime, ctime }: Deno.FileInfo, now: number): boolean {
    return [mtime, ctime].some((time) =>
      time !== null && time.getTime() >= this.#began - tick && time.getTime() <= now
    );
  }

  #readChanges(): boolean {
    if (!this.#library || this.#fileDescriptor < 0) return false;
    const { read } = this.#library.symbols;
    for (;;) {
      const length = Number(read(this.#fileDescriptor, this.#buffer, BigInt(this.#buffer.length)));
      if (length <= 0) return false;
      if (changesIn(this.#buffer, length).some((change) => this.#isOfModules(change))) return true;
    }
  }

  #isOfModules({ watch, kinds, name }: DirectoryChange): boolean {
    // A change of the directory itself, or of an unknown one because changes were lost.
    if (name === "" || (kinds & changeKinds.overflow) !== 0) return true;
    if ((kinds & changeKinds.isDirectory) === 0) return isModule(name);
    const path = `${this.#directories.get(watch)}/${name}`;
    return Array.from(this.#directories.values()).includes(path);
  }
}

function isModule(name: string): boolean {
  return name.endsWith(".ts") || name.endsWith(".json");
}
