/**
 * In which order a Dragon Nest pak keeps the sizes of its members. All tools and the game's own packs have the packed
 * size first; a widely read description has them the other way round, so a pak made after it may have too. The data
 * decide, once per archive: a member that is decompressed tells how many bytes it took and how many came out.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { CorruptArchiveError } from "../core/errors.ts";
import { inflatedSizes } from "../codecs/inflated_sizes.ts";

/** Sizes of the members as they stand in the table. */
export interface SizePairs {
  /** Number of members. */
  readonly length: number;
  /** The first integer of each record. */
  readonly firsts: Uint32Array;
  /** The second integer of each record. */
  readonly seconds: Uint32Array;
  /** Where the data of each member begin. */
  readonly offsets: Uint32Array;
}

/** What the members say about the order of their sizes. */
export interface SizeOrder {
  /** Whether the second integer is the compressed size. */
  readonly isSwapped: boolean;
  /** Whether members whose two sizes differ are zlib data, as far as they were tried; true if there are none. */
  readonly isZlib: boolean;
}

/** How many members are tried. */
const jury = 16;
/** Larger members are not tried. */
const maxTried = 64 * 1024 * 1024;

/** Members with two different sizes, the smallest of them first. */
function smallest({ length, firsts, seconds }: SizePairs): number[] {
  const weight = (index: number) => Math.max(firsts[index] ?? 0, seconds[index] ?? 0);
  const chosen: number[] = [];
  for (let index = 0; index < length; index++) {
    const first = firsts[index] ?? 0;
    const second = seconds[index] ?? 0;
    if (first === 0 || second === 0 || first === second || weight(index) > maxTried) continue;
    const isFull = chosen.length === jury;
    if (isFull && weight(chosen[jury - 1] ?? 0) <= weight(index)) continue;
    if (isFull) chosen.pop();
    let place = chosen.length;
    while (place > 0 && weight(chosen[place - 1] ?? 0) > weight(index)) place--;
    chosen.splice(place, 0, index);
  }
  return chosen;
}

/** Whether the distances between neighbouring data fit the second integers better than the first. */
function gapsFitSeconds({ length, firsts, seconds, offsets }: SizePairs): boolean {
  const byOffset = Uint32Array.from({ length }, (_, index) => index)
    .sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0));
  let fits = 0;
  for (let place = 0; place + 1 < length; place++) {
    const index = byOffset[place] ?? 0;
    const gap = (offsets[byOffset[place + 1] ?? 0] ?? 0) - (offsets[index] ?? 0);
    if (gap === 0 || firsts[index] === seconds[index]) continue;
    if (gap === firsts[index]) fits++;
    if (gap === seconds[index]) fits--;
  }
  return fits < 0;
}

/**
 * Finds the order by decompressing up to sixteen of the smallest members; where none is zlib data, by the distances between
 * members. Reads a few members, at most.
 * @throws {CorruptArchiveError} if members contradict each other.
 */
export function sizeOrder(source: ByteReader, pairs: SizePairs): SizeOrder {
  const tried = smallest(pairs);
  if (tried.length === 0) return { isSwapped: false, isZlib: true };
  let standard = 0;
  let swapped = 0;
  let isZlib = false;
  for (const index of tried) {
    const first = pairs.firsts[index] ?? 0;
    const second = pairs.seconds[index] ?? 0;
    const offset = pairs.offsets[index] ?? 0;
    const larger = Math.max(first, second);
    if (offset >= source.size) continue;
    const sizes = inflatedSizes(source.read(offset, Math.min(larger, source.size - offset)), larger);
    if (!sizes) continue;
    isZlib = true;
    if (sizes.consumed === first && sizes.produced === second) standard++;
    if (sizes.consumed === second && sizes.produced === first) swapped++;
  }
  if (standard > 0 && swapped > 0) {
    throw new CorruptArchiveError(
      `the file table is inconsistent: ${standard} members have their compressed size first, ${swapped} have it second`,
      { path: source.path },
    );
  }
  return { isSwapped: swapped > 0 || (standard === 0 && gapsFitSeconds(pairs)), isZlib };
}
