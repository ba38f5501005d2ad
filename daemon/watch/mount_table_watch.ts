/**
 * Noticing that something was mounted or unmounted, of which no watch of a directory tells.
 * @module
 */
import type { CLibrary } from "../native/c_library.ts";

/** The kernel's table of mounts, as this process sees it. */
export class MountTableWatch implements Disposable {
  readonly #library: CLibrary;
  /** Negative where there is no such table; then nothing is noticed. */
  readonly #fileDescriptor: number;

  constructor(library: CLibrary) {
    this.#library = library;
    this.#fileDescriptor = library.openForReading("/proc/self/mountinfo");
  }

  /** Whether the table was changed since this was called last, or since the beginning. */
  hasChanged(): boolean {
    return this.#fileDescriptor >= 0 && this.#library.hasNews(this.#fileDescriptor);
  }

  [Symbol.dispose](): void {
    if (this.#fileDescriptor >= 0) this.#library.close(this.#fileDescriptor);
  }
}
