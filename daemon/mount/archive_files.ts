/**
 * The open files of the mount: archives, kept open and bounded in number, and loose files. A file that is no longer the
 * one that was indexed is refused, so that no wrong bytes are ever served.
 * @module
 */
import { filePathOf } from "../../index/which.ts";
import type { Snapshot } from "../../index/snapshot.ts";
import { isDirectorySource } from "../../index/source.ts";
import { isUnchanged } from "../../index/unchanged.ts";
import type { CLibrary } from "../native/c_library.ts";

/** Descriptors kept open at most; the usual limit of a process is 1,024. */
const mostOpen = 400;

/** Opens what entries lie in. Session thread only. */
export class ArchiveFiles implements Disposable {
  readonly #snapshot: Snapshot;
  readonly #library: CLibrary;
  /** Descriptor by key, least recently opened first: `source` for archives, `-1 - entry` for loose files. */
  readonly #open = new Map<number, number>();
  readonly #isBusy: (fileDescriptor: number) => boolean;

  /** @param isBusy Whether a decoder still reads from a descriptor; such a one is not closed. */
  constructor(snapshot: Snapshot, library: CLibrary, isBusy: (fileDescriptor: number) => boolean) {
    this.#snapshot = snapshot;
    this.#library = library;
    this.#isBusy = isBusy;
  }

  /** Descriptor of the file that holds an entry's bytes; negative if it is gone or has changed since it was indexed. */
  descriptorOf(entry: number): number {
    const source = this.#snapshot.sourceOf(entry);
    const isLoose = isDirectorySource(source);
    const key = isLoose ? -1 - entry : source.id;
    const known = this.#open.get(key);
    const descriptor = known ?? this.#openFile(key, filePathOf(source, this.#snapshot.memberOf(entry)));
    if (descriptor < 0) return descriptor;
    const now = this.#library.information(descriptor);
    if (now && isUnchanged(this.#snapshot, entry, now)) return descriptor;
    this.#forget(key);
    return -1;
  }

  /** Closes everything. */
  [Symbol.dispose](): void {
    for (const descriptor of this.#open.values()) this.#library.close(descriptor);
    this.#open.clear();
  }

  #openFile(key: number, path: string): number {
    if (this.#open.size >= mostOpen) this.#closeOldest();
    const descriptor = this.#library.openForReading(path);
    if (descriptor >= 0) this.#open.set(key, descriptor);
    return descriptor;
  }

  #closeOldest(): void {
    for (const [key, descriptor] of this.#open) {
      if (this.#isBusy(descriptor)) continue;
      this.#open.delete(key);
      this.#library.close(descriptor);
      return;
    }
  }

  #forget(key: number): void {
    const descriptor = this.#open.get(key);
    if (descriptor === undefined || this.#isBusy(descriptor)) return;
    this.#open.delete(key);
    this.#library.close(descriptor);
  }
}
