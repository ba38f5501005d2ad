/**
 * The format readers' view of an archive whose bytes lie in several files.
 * @module
 */
import { errnoName } from "deno-fuse-ffi";
import { ReadError } from "../formats/core/errors.ts";
import { requireRange } from "../formats/core/byte_reader.ts";
import { placeAt } from "../formats/core/ranges.ts";
import type { Placement } from "../index/columns/placement.ts";
import type { Source } from "../index/columns/source.ts";
import { changedSinceIndexed, isIndexedFile } from "../index/columns/unchanged.ts";
import type { CLibrary } from "../system/c_library.ts";
import { type DescribedReader, DescriptorReader } from "./descriptor_reader.ts";

/**
 * Opens a file on disk, and makes sure that it is the one that was indexed.
 * @throws {ReadError} if it is not, or cannot be opened.
 */
export function openPlaced(library: CLibrary, source: Source, placement: Placement, number: number): number {
  const file = placement.files[number];
  if (file?.kind !== "disk") throw new RangeError(`Cannot open file ${number} of ${source.path}: it is not on disk`);
  const descriptor = library.openForReading(file.path);
  const now = descriptor < 0 ? undefined : library.information(descriptor);
  if (now && isIndexedFile(file.identity, now)) return descriptor;
  if (descriptor >= 0) library.close(descriptor);
  const reason = descriptor < 0 ? `cannot be opened: ${errnoName(-descriptor)}` : changedSinceIndexed;
  throw new ReadError(reason, { path: file.path });
}

/** Reads an address space, one file of which has been opened by another; opens the other files while it is used. */
export class PlacedReader implements DescribedReader {
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
  readonly #library: CLibrary;
  readonly #source: Source;
  readonly #placement: Placement;
  readonly #given: { readonly file: number; readonly descriptor: number };
  readonly #opened = new Map<number, number>();

  /** @param given A file of the placement and its descriptor, which stays the property of whoever opened it. */
  constructor(
    library: CLibrary,
    source: Source,
    placement: Placement,
    given: { readonly file: number; readonly descriptor: number },
  ) {
    this.path = source.path;
    this.size = placement.ranges.size;
    this.mtime = source.identity.mtime;
    this.#library = library;
    this.#source = source;
    this.#placement = placement;
    this.#given = given;
  }

  read(offset: number, length: number): Uint8Array {
    requireRange(this, offset, length);
    const bytes = new Uint8Array(length);
    this.readInto(bytes, offset);
    return bytes;
  }

  readInto(bytes: Uint8Array, offset: number): void {
    for (let done = 0; done < bytes.length;) {
      const place = placeAt(this.#placement.ranges, offset + done);
      const part = bytes.subarray(done, done + Math.min(place.length, bytes.length - done));
      const placed = this.#placement.files[place.file];
      const path = placed?.kind === "disk" ? placed.path : this.path;
      const identity = { size: place.offset + place.length, mtime: this.mtime };
      new DescriptorReader(this.#library, this.#descriptorOf(place.file), path, identity).readInto(part, place.offset);
      done += part.length;
    }
  }

  fileOffset(address: number, length: number): number {
    const place = placeAt(this.#placement.ranges, address);
    return place.file === this.#given.file && place.length >= length ? place.offset : -1;
  }

  close(): void {
    for (const descriptor of this.#opened.values()) this.#library.close(descriptor);
    this.#opened.clear();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #descriptorOf(number: number): number {
    if (number === this.#given.file) return this.#given.descriptor;
    const known = this.#opened.get(number);
    if (known !== undefined) return known;
    const descriptor = openPlaced(this.#library, this.#source, this.#placement, number);
    this.#opened.set(number, descriptor);
    return descriptor;
  }
}
