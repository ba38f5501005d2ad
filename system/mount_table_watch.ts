/**
 * Noticing that something was mounted or unmounted, which no watch of a directory reports.
 * @module
 */
import { parseMountInfo } from "./mount_table.ts";
import type { CLibrary } from "./c_library.ts";

const mountTablePath = "/proc/self/mountinfo";

/** The kernel's table of mounts, as this process sees it. */
export class MountTableWatch implements Disposable {
  readonly #library: CLibrary;
  /** Negative where there is no such table; then nothing is noticed. */
  readonly #fileDescriptor: number;
  /** Mount point of each line. */
  #lines: ReadonlyMap<string, string>;

  constructor(library: CLibrary) {
    this.#library = library;
    this.#fileDescriptor = library.openForReading(mountTablePath);
    this.#lines = this.#read();
  }

  /** Paths at which something was mounted or unmounted since this was called last, or since the beginning. */
  changes(): readonly string[] {
    if (this.#fileDescriptor < 0 || !this.#library.hasNews(this.#fileDescriptor)) return [];
    const before = this.#lines;
    this.#lines = this.#read();
    return [...missingIn(this.#lines, before), ...missingIn(before, this.#lines)];
  }

  [Symbol.dispose](): void {
    if (this.#fileDescriptor >= 0) this.#library.close(this.#fileDescriptor);
  }

  #read(): Map<string, string> {
    const records = parseMountInfo(this.#library.readText(mountTablePath));
    return new Map(records.map((record) => [JSON.stringify(record), record.mountPoint]));
  }
}

function missingIn(some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): string[] {
  return Array.from(others).filter(([line]) => !some.has(line)).map(([, mountPoint]) => mountPoint);
}
