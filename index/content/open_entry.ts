/**
 * Opens the bytes of an entry, which may be in one file, in several, or in an inner archive.
 * @module
 */
import { type ByteReader, RangesReader } from "../../formats/parts.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import { IndexedFile } from "./indexed_file.ts";

/** Opens files by their paths, or finds already open descriptors. */
export interface FileProvider {
  /**
   * Opens a file; closing the reader releases the opened file.
   * @throws {ChangedError} if the file was changed or deleted since it was indexed.
   * @throws {ReadError} if it cannot be opened.
   */
  open(file: IndexedFile): ByteReader;
}

/** Reads the address space of a source with several files, each opened when it is first read. */
class PlacedReader extends RangesReader {
  readonly #opened: Map<number, ByteReader>;

  constructor(snapshot: Snapshot, entry: number, files: FileProvider) {
    const { path, identity, byteLayout } = snapshot.sourceOf(entry);
    if (!byteLayout) throw new RangeError(`Cannot join the files of ${path}: it is one file`);
    const opened = new Map<number, ByteReader>();
    super(path, identity.mtime, byteLayout.ranges, (number) => {
      const reader = opened.get(number) ?? files.open(new IndexedFile(snapshot, entry, number));
      opened.set(number, reader);
      return reader;
    });
    this.#opened = opened;
  }

  override close(): void {
    for (const file of this.#opened.values()) file.close();
    this.#opened.clear();
  }

  override [Symbol.dispose](): void {
    this.close();
  }
}

/**
 * Opens the address space of an entry's offset.
 * @throws {ChangedError} if a file was changed or deleted since it was indexed.
 * @throws {ReadError} if a file cannot be opened.
 */
export function openEntry(snapshot: Snapshot, entry: number, files: FileProvider): ByteReader {
  if (snapshot.sourceOf(entry).byteLayout) return new PlacedReader(snapshot, entry, files);
  return files.open(new IndexedFile(snapshot, entry));
}
