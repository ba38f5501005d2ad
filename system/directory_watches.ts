/**
 * The kernel's watches of directories, inotify(7). It never opens watched files, and blocks no shared thread.
 *
 * inotify is used through FFI: `Deno.watchFs` opens each new file, so a single named pipe would block it, and it drops
 * events.
 * @module
 */
import { openCLibrary } from "./c_library.ts";

const openLibrary = () =>
  openCLibrary(
    "inotify_init1",
    "inotify_add_watch_elsewhere",
    "inotify_rm_watch",
    "eventfd",
    "poll_elsewhere",
    "read",
    "write",
    "close",
  );

/** Bits of `mask`, as in sys/inotify.h. */
export const changeKinds = {
  attributes: 0x4,
  movedFrom: 0x40,
  movedTo: 0x80,
  created: 0x100,
  unmounted: 0x2000,
  overflow: 0x4000,
  ignored: 0x8000,
  isDirectory: 0x4000_0000,
} as const;

/** IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_DELETE_SELF */
const watchedChanges = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400;
/** IN_ONLYDIR */
const onlyDirectories = 0x0100_0000;
/** IN_NONBLOCK | IN_CLOEXEC, also EFD_NONBLOCK | EFD_CLOEXEC. */
export const descriptorFlags: number = 0o4000 | 0o2000000;
const pollIn = 1;
/** `struct inotify_event`: wd, mask, cookie, len, of 32 bits each; then the name. */
const eventHeaderBytes = 16;
/** Maximum bytes of one read of changes. */
export const bufferBytes: number = 64 * 1024;
/** Pause before waiting again after a signal has ended a wait; milliseconds. */
const pauseAfterSignal = 20;

/** An event in a watched directory. */
export interface DirectoryChange {
  /** Number of the watch; -1 if the kernel has lost changes. */
  readonly watch: number;
  /** Bits of {@linkcode changeKinds}. */
  readonly kinds: number;
  /** Name in the directory; empty for the directory itself. */
  readonly name: string;
}

/** Returns the changes that the kernel has written to the first `length` bytes of a buffer. */
export function changesIn(buffer: Uint8Array<ArrayBuffer>, length: number): DirectoryChange[] {
  const view = new DataView(buffer.buffer);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const changes: DirectoryChange[] = [];
  for (let offset = 0; offset + eventHeaderBytes <= length;) {
    const name = buffer.subarray(
      offset + eventHeaderBytes,
      offset + eventHeaderBytes + view.getUint32(offset + 12, true),
    );
    changes.push({
      watch: view.getInt32(offset, true),
      kinds: view.getUint32(offset + 4, true),
      // The kernel terminates names with zeros, and gives none for the directory itself.
      name: decoder.decode(name.subarray(0, name.indexOf(0))),
    });
    offset += eventHeaderBytes + name.length;
  }
  return changes;
}

/** Called for each change of its watches, and for each loss of changes. */
export type DirectoryListener = (change: DirectoryChange) => void;

/** The watches of one inotify instance, shared by listeners. */
export class DirectoryWatches implements AsyncDisposable {
  readonly #library: ReturnType<typeof openLibrary>;
  readonly #fileDescriptor: number;
  readonly #wakeFileDescriptor: number;
  readonly #listeners = new Map<number, Set<DirectoryListener>>();
  readonly #buffer = new Uint8Array(bufferBytes);
  readonly #waiting: Promise<void>;
  /** Resolves when no kernel call is in progress. */
  #asked: Promise<void> = Promise.resolve();
  /** Number of calls of `add` that have not returned: their results may be outdated. */
  #additions = 0;
  /** Numbers of watches that were removed during such calls. */
  readonly #removed = new Set<number>();
  #isClosed = false;

  /** @throws {Error} if the kernel gives this user no further instance, or without `--allow-ffi`. */
  constructor() {
    // Requesting the permission here would prompt the user.
    if (Deno.permissions.querySync({ name: "ffi" }).state !== "granted") {
      throw new Error("watching needs --allow-ffi");
    }
    this.#library = openLibrary();
    this.#fileDescriptor = this.#library.symbols.inotify_init1(descriptorFlags);
    if (this.#fileDescriptor < 0) {
      this.#library.close();
      throw new Error("the kernel gives this user no more watchers; raise fs.inotify.max_user_instances");
    }
    this.#wakeFileDescriptor = this.#library.symbols.eventfd(0, descriptorFlags);
    this.#waiting = this.#wait();
  }

  /**
   * Watches a directory, without its subdirectories.
   * @returns Number of the watch, the same for each path of one directory; negative if it cannot be watched.
   */
  async add(path: string, listener: DirectoryListener): Promise<number> {
    if (this.#isClosed) return -1;
    this.#additions++;
    try {
      let watch = await this.#ask(path);
      // The kernel gave this number before it removed that watch: it means nothing any more.
      // deno-lint-ignore no-await-in-loop -- until the number is a new one
      while (this.#removed.has(watch) && !this.#isClosed) watch = await this.#ask(path);
      if (watch < 0 || this.#isClosed) return -1;
      const listeners = this.#listeners.get(watch) ?? new Set();
      this.#listeners.set(watch, listeners.add(listener));
      return watch;
    } finally {
      if (--this.#additions === 0) this.#removed.clear();
    }
  }

  /** Removes a listener's watch. */
  remove(watch: number, listener: DirectoryListener): void {
    const listeners = this.#listeners.get(watch);
    if (!listeners?.delete(listener) || listeners.size > 0) return;
    this.#listeners.delete(watch);
    if (this.#additions > 0) this.#removed.add(watch);
    if (!this.#isClosed) this.#library.symbols.inotify_rm_watch(this.#fileDescriptor, watch);
  }

  /** Ends all watches. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { symbols: { write, close } } = this.#library;
    write(this.#wakeFileDescriptor, new Uint8Array(new BigUint64Array([1n]).buffer), 8n);
    await Promise.all([this.#waiting, this.#asked]);
    close(this.#fileDescriptor);
    close(this.#wakeFileDescriptor);
    this.#library.close();
  }

  #ask(path: string): Promise<number> {
    const bytes = new TextEncoder().encode(`${path}\0`);
    const mask = watchedChanges | onlyDirectories;
    const asked = this.#library.symbols.inotify_add_watch_elsewhere(this.#fileDescriptor, bytes, mask);
    this.#asked = Promise.all([this.#asked, asked]).then(() => {});
    return asked;
  }

  async #wait(): Promise<void> {
    // Two of struct pollfd: int fd, short events, short revents.
    const request = new DataView(new ArrayBuffer(16));
    request.setInt32(0, this.#fileDescriptor, true);
    request.setInt16(4, pollIn, true);
    request.setInt32(8, this.#wakeFileDescriptor, true);
    request.setInt16(12, pollIn, true);
    while (!this.#isClosed) {
      // deno-lint-ignore no-await-in-loop -- one wait after the other
      const ready = await this.#library.symbols.poll_elsewhere(request, 2n, -1);
      // deno-lint-ignore no-await-in-loop -- as above
      if (ready < 0) await new Promise((resolve) => setTimeout(resolve, pauseAfterSignal));
      else if (!this.#isClosed) this.#read();
    }
  }

  #read(): void {
    const length = Number(this.#library.symbols.read(this.#fileDescriptor, this.#buffer, BigInt(this.#buffer.length)));
    for (const change of changesIn(this.#buffer, length)) this.#report(change);
  }

  #report(change: DirectoryChange): void {
    const isLost = (change.kinds & changeKinds.overflow) !== 0;
    const listeners = isLost
      ? new Set(Array.from(this.#listeners.values()).flatMap((some) => Array.from(some)))
      : this.#listeners.get(change.watch);
    // The kernel has ended the watch; its number is not used again.
    if ((change.kinds & changeKinds.ignored) !== 0) this.#listeners.delete(change.watch);
    for (const listener of Array.from(listeners ?? [])) listener(change);
  }
}
