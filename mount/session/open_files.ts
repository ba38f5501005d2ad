/**
 * The open files of one index: archives, which stay open up to a limit, and loose files. Each is compared with the
 * index whenever it is used, so that wrong bytes are never served.
 *
 * Each read also compares its file with the index after the bytes were read. A rename, a deletion, `chmod` and `ln`
 * change the `ctime` but no bytes: the session thread watches its open files (`system/content_watches.ts`), and a file
 * without writes remains the indexed one.
 * @module
 */
import { errnoName } from "deno-fuse-ffi";
import {
  ChangedError,
  type IndexedFile,
  isDirectorySource,
  locateEntry,
  none,
  type Snapshot,
} from "../../index/mod.ts";
import { ReadError } from "../../formats/parts.ts";
import type { ContentWatch, ContentWatches, FileCalls } from "../../system/mod.ts";
import { inlineLimit } from "../shared/decode_memory.ts";
import { descriptorBounds } from "../shared/descriptor_bounds.ts";
import type { DecompressedArchives } from "../shared/decompressed_archives.ts";
import { openingError } from "../decoding/descriptor_files.ts";

/** Key of a descriptor: source number for archives, `-1 - entry` for loose files, else a path. */
type FileKey = number | string;

/** An entry whose file is open. */
export interface OpenEntry {
  /** Descriptor of the file with its first bytes; negative if a decoder must create it first. */
  readonly descriptor: number;
  /** Difference between the offset in that file and the offset in the index. */
  readonly shift: number;
  /** Whether all of its bytes are in that file. */
  readonly isWhole: boolean;
}

/** A file that is open. */
interface OpenFile {
  readonly descriptor: number;
  readonly watch: ContentWatch | undefined;
  /** Whether it has been the indexed one since the watch began. */
  wasSame: boolean;
}

/** Opens the files of entries and keeps them open. Session thread, or a remote file system's thread. */
export class OpenFiles implements Disposable {
  readonly #snapshot: Snapshot;
  readonly #library: FileCalls;
  readonly #decompressed: DecompressedArchives;
  /** Oldest first. */
  readonly #opened = new Map<FileKey, OpenFile>();
  readonly #isBusy: (fileDescriptor: number) => boolean;
  readonly #watches: ContentWatches | undefined;
  readonly #most: number;

  /**
   * @param isBusy Whether a decoder still reads from a descriptor, which is then not closed.
   * @param watches Watches files, so that a renamed file remains the indexed one; absent if the kernel does not report
   * all changes.
   */
  constructor(
    snapshot: Snapshot,
    library: FileCalls,
    decompressed: DecompressedArchives,
    isBusy: (fileDescriptor: number) => boolean,
    watches?: ContentWatches,
  ) {
    this.#watches = watches;
    this.#most = descriptorBounds(library).opened;
    this.#decompressed = decompressed;
    this.#snapshot = snapshot;
    this.#library = library;
    this.#isBusy = isBusy;
  }

  /**
   * Opens the file with the first bytes of an entry, unless it is open.
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

  /** Returns the descriptor of an entry's archive if open, without comparing it with the index. */
  openArchive(entry: number): number | undefined {
    return this.#opened.get(this.#snapshot.sourceOf(entry).id)?.descriptor;
  }

  /** Whether more files are open than the limit, because decoders are to read them all. */
  get hasTooMany(): boolean {
    // A loose file is opened together with its directory.
    return this.#opened.size > this.#most + 1;
  }

  /** Whether a decoder still reads from one of the files. */
  get isBusy(): boolean {
    return this.#opened.values().some(({ descriptor }) => this.#isBusy(descriptor));
  }

  /** Closes everything. */
  [Symbol.dispose](): void {
    for (const [key, file] of this.#opened) this.#close(key, file);
  }

  #descriptorOf(entry: number, file: IndexedFile): number {
    const source = this.#snapshot.sourceOf(entry);
    const looseOrOwn = isDirectorySource(source) ? -1 - entry : source.id;
    const key = source.byteLayout ? file.path : looseOrOwn;
    const opened = this.#opened.get(key) ?? this.#openFile(key, file);
    this.#requireSame(key, opened, file);
    return opened.descriptor;
  }

  /** Opens a file; a loose one below the directory that was indexed. */
  #openFile(key: FileKey, { path, directory, size }: IndexedFile): OpenFile {
    // Before the directory is in use.
    if (this.#opened.size >= this.#most) this.#closeOldest();
    if (!directory) return this.#keep(key, path, this.#library.openForReading(path), this.#watches);
    const directoryKey = `directory ${directory.path}`;
    const above = this.#opened.get(directoryKey) ??
      this.#keep(directoryKey, directory.path, this.#library.openForReading(directory.path));
    this.#requireSame(directoryKey, above, directory);
    const { below, inner, isSameInner } = directory;
    const descriptor = this.#library.openBelow(above.descriptor, below);
    if (descriptor >= 0 && inner !== "" && !isSameInner(this.#library.inodeBelow(above.descriptor, inner))) {
      this.#library.close(descriptor);
      throw new ChangedError(path);
    }
    // The kernel requests a small file at once.
    return this.#keep(key, path, descriptor, size > inlineLimit ? this.#watches : undefined);
  }

  #keep(key: FileKey, path: string, descriptor: number, watches?: ContentWatches): OpenFile {
    if (descriptor < 0) throw openingError(path, -descriptor);
    const file = { descriptor, watch: watches?.add(descriptor), wasSame: false };
    this.#opened.set(key, file);
    return file;
  }

  /** Fails if a file is no longer the indexed one. A different `ctime` alone is no change if nothing was written. */
  #requireSame(key: FileKey, file: OpenFile, indexed: Pick<IndexedFile, "path" | "isSame">): void {
    const { descriptor, watch, wasSame } = file;
    const now = this.#library.information(descriptor);
    const isSame = now !== undefined && indexed.isSame(now);
    if (isSame) file.wasSame = true;
    // The kernel reports a write before a program can reset the time.
    if (isSame || (now && wasSame && watch && indexed.isSame(now, true) && !watch.mayBeWritten)) return;
    const { path } = indexed;
    const error = now
      ? new ChangedError(path)
      : new ReadError(`cannot be read: ${errnoName(this.#library.errorNumber())}`, { path });
    if (!this.#isBusy(descriptor)) this.#close(key, file);
    throw error;
  }

  #closeOldest(): void {
    for (const [key, file] of this.#opened) {
      if (!this.#isBusy(file.descriptor)) return this.#close(key, file);
    }
  }

  #close(key: FileKey, { descriptor, watch }: OpenFile): void {
    this.#opened.delete(key);
    watch?.end();
    this.#library.close(descriptor);
  }
}
