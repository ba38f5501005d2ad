/**
 * Detects writes to open files with inotify(7). Times alone are not enough: a new name, owner or mode changes the
 * `ctime` too, and programs can restore size and mtime.
 * @module
 */
import { openCLibrary } from "./c_library.ts";
import { bufferBytes, changeKinds, changesIn, descriptorFlags } from "./directory_watches.ts";

const openLibrary = () => openCLibrary("inotify_init1", "inotify_add_watch", "inotify_rm_watch", "read", "close");

/** IN_MODIFY */
const written = 0x2;

/** An open file that is watched. */
export interface ContentWatch {
  /**
   * Whether the file may have been written to since the watch began. A write in progress is not reported yet, but has
   * changed the mtime.
   */
  readonly mayBeWritten: boolean;
  /** Ends the watch; the file must still be open. */
  end(): void;
}

/** Files with the same watch number, which the kernel gives to each inode once. */
interface Watched {
  users: number;
  writes: number;
}

/** Watches of the open files of one thread. */
export class ContentWatches implements Disposable {
  readonly #library = openLibrary();
  /** Opened with the first watch; negative if the kernel gives this user no further instance. */
  #fileDescriptor: number | undefined;
  readonly #watched = new Map<number, Watched>();
  readonly #buffer = new Uint8Array(bufferBytes);

  /** Begins to watch an open file; `undefined` if the kernel cannot. */
  add(fileDescriptor: number): ContentWatch | undefined {
    const { inotify_init1, inotify_add_watch, inotify_rm_watch } = this.#library.symbols;
    const instance = this.#fileDescriptor ??= inotify_init1(descriptorFlags);
    if (instance < 0) return undefined;
    const path = new TextEncoder().encode(`/proc/self/fd/${fileDescriptor}\0`);
    const number = inotify_add_watch(instance, path, written);
    if (number < 0) return undefined;
    const known = this.#watched.get(number);
    if (known) this.#read(instance);
    const watched = known ?? { users: 0, writes: 0 };
    this.#watched.set(number, watched);
    watched.users++;
    const { writes } = watched;
    const read = () => this.#read(instance);
    return {
      get mayBeWritten() {
        read();
        return watched.writes !== writes;
      },
      end: () => {
        if (--watched.users > 0) return;
        this.#watched.delete(number);
        inotify_rm_watch(instance, number);
      },
    };
  }

  /** Ends all watches. */
  [Symbol.dispose](): void {
    if (this.#fileDescriptor !== undefined && this.#fileDescriptor >= 0) {
      this.#library.symbols.close(this.#fileDescriptor);
    }
    this.#library.close();
  }

  #read(instance: number): void {
    for (;;) {
      const { read } = this.#library.symbols;
      const length = Number(read(instance, this.#buffer, BigInt(this.#buffer.length)));
      if (length <= 0) return;
      for (const { watch, kinds } of changesIn(this.#buffer, length)) {
        const isLost = (kinds & changeKinds.overflow) !== 0;
        for (const watched of isLost ? this.#watched.values() : [this.#watched.get(watch)]) {
          if (watched && (isLost || (kinds & written) !== 0)) watched.writes++;
        }
      }
    }
  }
}
