/**
 * Archives whose bytes do not lie in one file from its start to its end: pieces of files, joined into one address space.
 * @module
 */
import { type ByteSource, requireRange } from "./byte_source.ts";
import { ArchiveError } from "./errors.ts";

/** Pieces of files that follow each other. The columns are equally long; addresses, offsets and `size` are bytes. */
export interface Ranges {
  /** Address of each piece's first byte: ascending, the first is 0. */
  readonly starts: readonly number[];
  /** Number of the file that each piece is in. */
  readonly files: readonly number[];
  /** Where in that file each piece begins. */
  readonly offsets: readonly number[];
  /** Where the last piece ends. */
  readonly size: number;
}

/** A place in a file. */
export interface FilePlace {
  /** Number of the file. */
  readonly file: number;
  /** Byte in the file. */
  readonly offset: number;
  /** Bytes that follow it in the file before the next piece begins elsewhere. */
  readonly length: number;
}

/** Puts pieces together. */
export class RangesBuilder {
  readonly #starts: number[] = [];
  readonly #files: number[] = [];
  readonly #offsets: number[] = [];
  #size = 0;

  /** Appends `length` bytes of a file; returns the address of the first. */
  add(file: number, offset: number, length: number): number {
    const address = this.#size;
    if (length > 0) {
      this.#starts.push(address);
      this.#files.push(file);
      this.#offsets.push(offset);
      this.#size += length;
    }
    return address;
  }

  /** What was put together. */
  finish(): Ranges {
    return { starts: this.#starts, files: this.#files, offsets: this.#offsets, size: this.#size };
  }
}

/**
 * Where an address lies.
 * @throws {RangeError} if it is outside of all pieces.
 */
export function placeAt(ranges: Ranges, address: number): FilePlace {
  const { starts, files, offsets, size } = ranges;
  if (!(address >= 0 && address < size)) throw new RangeError(`Cannot find byte ${address} of ${size}`);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= address) low = middle;
    else high = middle - 1;
  }
  const inside = address - (starts[low] ?? 0);
  return {
    file: files[low] ?? 0,
    offset: (offsets[low] ?? 0) + inside,
    length: (starts[low + 1] ?? size) - address,
  };
}

/** The ranges of a piece of what other ranges make up. */
export function sliceRanges(ranges: Ranges, address: number, length: number): Ranges {
  const slice = new RangesBuilder();
  for (let done = 0; done < length;) {
    const place = placeAt(ranges, address + done);
    const count = Math.min(place.length, length - done);
    slice.add(place.file, place.offset, count);
    done += count;
  }
  return slice.finish();
}

/** Files kept open at a time by {@linkcode RangesSource}; large games have hundreds of parts. */
const mostOpenFiles = 64;

/** Reads an address space over an archive and further files, which are opened when they are first read from. */
export class RangesSource implements ByteSource {
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
  readonly #archive: ByteSource;
  readonly #ranges: Ranges;
  readonly #open: (file: number) => ByteSource;
  readonly #others = new Map<number, ByteSource>();

  /**
   * @param archive File number 0; closed together with this source.
   * @param open Opens any other file by its number; it is closed together with this source, or earlier.
   */
  constructor(archive: ByteSource, ranges: Ranges, open: (file: number) => ByteSource) {
    this.path = archive.path;
    this.mtime = archive.mtime;
    this.size = ranges.size;
    this.#archive = archive;
    this.#ranges = ranges;
    this.#open = open;
  }

  read(offset: number, length: number): Uint8Array {
    requireRange(this, offset, length);
    if (length === 0) return new Uint8Array(0);
    const first = placeAt(this.#ranges, offset);
    if (first.length >= length) return this.#file(first.file).read(first.offset, length);
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length;) {
      const place = placeAt(this.#ranges, offset + done);
      const count = Math.min(place.length, length - done);
      bytes.set(this.#file(place.file).read(place.offset, count), done);
      done += count;
    }
    return bytes;
  }

  close(): void {
    this.#archive.close();
    for (const file of this.#others.values()) file.close();
    this.#others.clear();
  }

  /** Closes the files, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  #file(number: number): ByteSource {
    if (number === 0) return this.#archive;
    const known = this.#others.get(number);
    if (known) return known;
    const [oldest] = this.#others;
    if (this.#others.size >= mostOpenFiles && oldest) {
      this.#others.delete(oldest[0]);
      oldest[1].close();
    }
    const file = this.#open(number);
    this.#others.set(number, file);
    return file;
  }
}

/** An archive in several files: their names, and how they make up its bytes. */
export interface Parts {
  /** Names of the files beside the archive; number 0 is the archive itself. */
  readonly names: readonly string[];
  /** Pieces of these files. */
  readonly ranges: Ranges;
}

/** Joins an archive with its parts. The result owns `archive`. */
export function joinParts(archive: ByteSource, { names, ranges }: Parts): ByteSource {
  return new RangesSource(archive, ranges, (number) => {
    const name = names[number] ?? "";
    const part = archive.beside?.(name);
    if (part) return part;
    throw new ArchiveError(`its part ${name} is gone`, { path: archive.path });
  });
}
