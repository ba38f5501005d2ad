/**
 * The open files of one index: archives, which stay open up to a limit, and loose files. Each is compared with the
 * index whenever it is used, so that no wrong bytes are ever served.
 * @module
 */
import { errnoName } from "deno-fuse-ffi";
import { ChangedError, type IndexedFile, locateEntry } from "../../content/indexed_file.ts";
import { ReadError } from "../../formats/core/errors.ts";
import { none } from "../../index/columns/columns.ts";
import type { Snapshot } from "../../index/columns/snapshot.ts";
import { isDirectorySource } from "../../index/columns/source.ts";
import type { FileCalls } from "../../system/file_calls.ts";
import type { DecompressedArchives } from "../shared/decompressed_archives.ts";
import { openingError } from "../decoding/descriptor_files.ts";

/** Maximum number of open descriptors; the default limit of a process is 1,024. */
const maxOpen = 400;

/** Key of a descriptor: number of the source for archives, `-1 - entry` for loose files, else a path. */
type FileKey = number | string;

/** An entry whose file is open. */
export interface OpenEntry {
  /** Descriptor of the file that its bytes begin in; negative for one that a decoder must make first. */
  readonly descriptor: number;
  /** Difference between the offset in that file and the offset in the index. */
  readonly shift: number;
  /** Whether all of its bytes are in that file. */
  readonly isWhole: boolean;
}

/** Opens the files of entries and keeps them open. Session thread, or that of a remote file system. */
export class OpenFiles implements Disposable {
  readonly #snapshot: Snapshot;
  readonly #library: FileCalls;
  readonly #decompressed: DecompressedArchives;
  /** Oldest first. */
  readonly #descriptors = new Map<FileKey, number>();
  readonly #isBusy: (fileDescriptor: number) => boolean;

  /** @param isBusy Whether a decoder still reads from a descriptor; such a one is not closed. */
  constructor(
    snapshot: Snapshot,
    library: FileCalls,
    decompressed: DecompressedArchives,
    isBusy: (fileDescriptor: number) => boolean,
  ) {
    this.#decompressed = decompressed;
    this.#snapshot = snapshot;
    this.#library = library;
    this.#isBusy = isBusy;
  }

  /**
   * Opens the file that the bytes of an entry begin in, or finds it open.
   * @throws {ChangedError} if the file was changed or deleted since it was indexed.
   * @throws {ReadError} if it cannot be opened.
   */
  open(entry: number): OpenEntry {
    const { file, shift, isWhole } = locateEntry(this.#snapshot, entry);
    const descriptor = file.archive === none
      ? this.#descriptorOf(entry, file)
      : this.#decompressed.descriptorOf(this.#snapshot.sourceOf(entry), file.number);
    return { descriptor, shift, isWhole };
  }

  /** Returns the descriptor of an entry's archive if that is open, without comparing it with the index. */
  openArchive(entry: number): number | undefined {
    return this.#descriptors.get(this.#snapshot.sourceOf(entry).id);
  }

  /** Whether a decoder still reads from one of the files. */
  get isBusy(): boolean {
    return this.#descriptors.values().some((descriptor) => this.#isBusy(descriptor));
  }

  /** Closes everything. */
  [Symbol.dispose](): void {
    for (const descriptor of this.#descriptors.values()) this.#library.close(descriptor);
    this.#descriptors.clear();
  }

  #descriptorOf(entry: number, file: IndexedFile): number {
    const source = this.#snapshot.sourceOf(entry);
    const looseOrOwn = isDirectorySource(source) ? -1 - entry : source.id;
    const key = source.byteLayout ? file.path : looseOrOwn;
    const descriptor = this.#descriptors.get(key) ?? this.#openFile(key, file);
    this.#requireSame(key, descriptor, file);
    return descriptor;
  }

  /** Opens a file; a loose one below the directory that was indexed. */
  #openFile(key: FileKey, { path, directory }: IndexedFile): number {
    // Before the directory is in use.
    if (this.#descriptors.size >= maxOpen) this.#closeOldest();
    if (!directory) return this.#keep(key, path, this.#library.openForReading(path));
    const directoryKey = `directory ${directory.path}`;
    const above = this.#descriptors.get(directoryKey) ??
      this.#keep(directoryKey, directory.path, this.#library.openForReading(directory.path));
    this.#requireSame(directoryKey, above, directory);
    const { below, inner, isSameInner } = directory;
    const descriptor = this.#library.openBelow(above, below);
    if (descriptor >= 0 && inner !== "" && !isSameInner(this.#library.inodeBelow(above, inner))) {
      this.#library.close(descriptor);
      throw new ChangedError(path);
    }
    return this.#keep(key, path, descriptor);
  }

  #keep(key: FileKey, path: string, descriptor: number): number {
    if (descriptor < 0) throw openingError(path, -descriptor);
    this.#descriptors.set(key, descriptor);
    return descriptor;
  }

  #requireSame(key: FileKey, descriptor: number, indexed: Pick<IndexedFile, "path" | "isSame">): void {
    const now = this.#library.information(descriptor);
    if (now && indexed.isSame(now)) return;
    const { path } = indexed;
    const error = now
      ? new ChangedError(path)
      : new ReadError(`cannot be read: ${errnoName(this.#library.errorNumber())}`, { path });
    if (!this.#isBusy(descriptor)) this.#close(key, descriptor);
    throw error;
  }

  #closeOldest(): void {
    for (const [key, descriptor] of this.#descriptors) {
      if (!this.#isBusy(descriptor)) return this.#close(key, descriptor);
    }
  }

  #close(key: FileKey, descriptor: number): void {
    this.#descriptors.delete(key);
    this.#library.close(descriptor);
  }
}
