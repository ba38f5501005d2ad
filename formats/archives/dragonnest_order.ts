/**
 * Order of the two sizes in the records of a Dragon Nest pak. All tools and the game's own paks have the compressed
 * size first; a widely read description swaps them, and so may paks of tools based on it. The data decide, once per
 * archive: decompressing a member shows both sizes.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { elementAt } from "../core/cursor.ts";
import { CorruptArchiveError } from "../core/errors.ts";
import { inflatedSizes } from "../codecs/inflated_sizes.ts";

/** Sizes of the members in the order of the table. */
export interface SizePairs {
  /** Number of members. */
  readonly length: number;
  /** The first integer of each record. */
  readonly firsts: Uint32Array;
  /** The second integer of each record. */
  readonly seconds: Uint32Array;
  /** Offset of each member's data. */
  readonly offsets: Uint32Array;
}

/** Order of the sizes, as far as the members determine it. */
export interface SizeOrder {
  /** Whether the second integer is the compressed size. */
  readonly isSwapped: boolean;
  /** Whether members with two different sizes are zlib data, as far as they were tried; true if there are none. */
  readonly isZlib: boolean;
}

/** Maximum number of members that are decompressed. */
const maxTriedCount = 16;
/** Maximum size of a member that is decompressed. */
const maxTried = 64 * 1024 * 1024;

/** Returns members with two different sizes, the smallest first. */
function smallest({ length, firsts, seconds }: SizePairs): number[] {
  const weight = (index: number) => Math.max(elementAt(firsts, index), elementAt(seconds, index));
  const chosen: number[] = [];
  for (let index = 0; index < length; index++) {
    const first = elementAt(firsts, index);
    const second = elementAt(seconds, index);
    if (first === 0 || second === 0 || first === second || weight(index) > maxTried) continue;
    const isFull = chosen.length === maxTriedCount;
    if (isFull && weight(elementAt(chosen, maxTriedCount - 1)) <= weight(index)) continue;
    if (isFull) chosen.pop();
    const after = chosen.findIndex((other) => weight(other) > weight(index));
    chosen.splice(after < 0 ? chosen.length : after, 0, index);
  }
  return chosen;
}

/** Returns whether the distances between neighbouring data fit the second integers better than the first. */
function gapsFitSeconds({ length, firsts, seconds, offsets }: SizePairs): boolean {
  const byOffset = Uint32Array.from({ length }, (_, index) => index)
    .sort((left, right) => elementAt(offsets, left) - elementAt(offsets, right));
  let fits = 0;
  for (let rank = 0; rank + 1 < length; rank++) {
    const index = elementAt(byOffset, rank);
    const gap = elementAt(offsets, elementAt(byOffset, rank + 1)) - elementAt(offsets, index);
    if (gap === 0 || firsts[index] === seconds[index]) continue;
    if (gap === firsts[index]) fits++;
    if (gap === seconds[index]) fits--;
  }
  return fits < 0;
}

/**
 * Finds the order by decompressing up to sixteen of the smallest members, or by the distances between members if none
 * is zlib data.
 * @throws {CorruptArchiveError} if members contradict each other.
 */
export function sizeOrder(reader: ByteReader, pairs: SizePairs): SizeOrder {
  const tried = smallest(pairs);
  if (tried.length === 0) return { isSwapped: false, isZlib: true };
  let standard = 0;
  let swapped = 0;
  let isZlib = false;
  for (const index of tried) {
    const first = elementAt(pairs.firsts, index);
    const second = elementAt(pairs.seconds, index);
    const offset = elementAt(pairs.offsets, index);
    const larger = Math.max(first, second);
    if (offset >= reader.size) continue;
    const sizes = inflatedSizes(reader.read(offset, Math.min(larger, reader.size - offset)), larger);
    if (!sizes) continue;
    isZlib = true;
    if (sizes.consumed === first && sizes.produced === second) standard++;
    if (sizes.consumed === second && sizes.produced === first) swapped++;
  }
  if (standard > 0 && swapped > 0) {
    throw new CorruptArchiveError(
      `the file table is inconsistent: ${standard} members have their compressed size first, ${swapped} have it second`,
      { path: reader.path },
    );
  }
  return { isSwapped: swapped > 0 || (standard === 0 && gapsFitSeconds(pairs)), isZlib };
}
