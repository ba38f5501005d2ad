/**
 * Archives whose bytes are not contiguous in one file: ranges of files, joined into one address space.
 * @module
 */

import { elementAt } from "./cursor.ts";
/** Consecutive ranges of files. The columns have equal lengths; addresses, offsets and `size` are bytes. */
export interface Ranges {
  /** Address of each range's first byte: ascending, the first is 0. */
  readonly starts: readonly number[];
  /** Number of the file of each range. */
  readonly files: readonly number[];
  /** Offset of each range in its file. */
  readonly offsets: readonly number[];
  /** Length of all ranges. */
  readonly size: number;
}

/** Location in a file. */
export interface FileLocation {
  /** Number of the file. */
  readonly file: number;
  /** Byte offset in the file. */
  readonly offset: number;
  /** Number of bytes from there to the end of the range. */
  readonly length: number;
}

/** Joins ranges. Ranges added so far can be read at any time. */
export class RangesBuilder implements Ranges {
  readonly starts: number[] = [];
  readonly files: number[] = [];
  readonly offsets: number[] = [];
  size = 0;

  /** Appends `length` bytes of a file; returns the address of the first. */
  add(file: number, offset: number, length: number): number {
    const address = this.size;
    if (length > 0) {
      this.starts.push(address);
      this.files.push(file);
      this.offsets.push(offset);
      this.size += length;
    }
    return address;
  }

  /** Appends a slice of `ranges`, which may be these; returns the address of the first byte. */
  addSlice(ranges: Ranges, address: number, length: number): number {
    const start = this.size;
    for (let done = 0; done < length;) {
      const location = locateInFiles(ranges, address + done);
      const count = Math.min(location.length, length - done);
      this.add(location.file, location.offset, count);
      done += count;
    }
    return start;
  }

  /** Returns the ranges, as plain data. */
  finish(): Ranges {
    const { starts, files, offsets, size } = this;
    return { starts, files, offsets, size };
  }
}

/**
 * Locates an address.
 * @throws {RangeError} if it is outside all ranges.
 */
export function locateInFiles(ranges: Ranges, address: number): FileLocation {
  const { starts, files, offsets, size } = ranges;
  if (!(address >= 0 && address < size)) throw new RangeError(`Cannot find byte ${address} of ${size}`);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (elementAt(starts, middle) <= address) low = middle;
    else high = middle - 1;
  }
  const inside = address - elementAt(starts, low);
  return {
    file: elementAt(files, low),
    offset: elementAt(offsets, low) + inside,
    length: (starts[low + 1] ?? size) - address,
  };
}

/** File with bytes of an archive: itself, another next to it (or anywhere, by its absolute path), or a decompressed member. */
export type ArchiveFile =
  | { readonly kind: "archive" }
  | { readonly kind: "part"; readonly name: string }
  | { readonly kind: "decompressed"; readonly member: number };

/** Address space of an archive's offsets, composed of files. */
export interface ArchiveLayout {
  /** Files by number; number 0 is the archive itself. */
  readonly files: readonly ArchiveFile[];
  /** Ranges of these files. */
  readonly ranges: Ranges;
}
