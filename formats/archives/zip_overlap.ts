/**
 * Finding zip members that claim the same bytes. An honest archive has none; one made to fill a disk has thousands of
 * members that all decompress one block (David Fifield, "A better zip bomb", 2019: 42 kB that become 5.5 GB).
 * @module
 */
import { damageCode, entryIsDirectory, type EntryTable } from "../core/entry_table.ts";

/** Sorts members by offset. Most archives are in that order already, and sorting with a comparison is slow. */
function orderByOffset(table: EntryTable, members: Uint32Array): Uint32Array {
  const offsets = table.offsets;
  for (let index = 1; index < members.length; index++) {
    if ((offsets[members[index] ?? 0] ?? 0) < (offsets[members[index - 1] ?? 0] ?? 0)) {
      return members.sort((left, right) => (offsets[left] ?? 0) - (offsets[right] ?? 0));
    }
  }
  return members;
}

/**
 * Marks as damaged (`overlap`) every member whose record and data overlap another member's or the central directory.
 * Members that hold no data, and those already marked, claim nothing: they must not condemn their neighbours.
 * @param recordEnds Where each member's record and data end in the file, at the least.
 */
export function markOverlaps(
  table: EntryTable,
  recordEnds: Float64Array,
  directoryStart: number,
  directoryEnd: number,
): void {
  const { offsets, damage, flags, compressedSizes } = table;
  const claiming = new Uint32Array(table.length);
  let count = 0;
  for (let index = 0; index < table.length; index++) {
    if (damage[index] !== 0 || compressedSizes[index] === 0 || ((flags[index] ?? 0) & entryIsDirectory) !== 0) continue;
    if ((offsets[index] ?? 0) < directoryEnd && (recordEnds[index] ?? 0) > directoryStart) {
      damage[index] = damageCode.overlap;
    } else {
      claiming[count++] = index;
    }
  }
  let reach = 0;
  let reaching = -1;
  for (const index of orderByOffset(table, claiming.subarray(0, count))) {
    const recordEnd = recordEnds[index] ?? 0;
    if ((offsets[index] ?? 0) < reach) {
      damage[index] = damageCode.overlap;
      damage[reaching] = damageCode.overlap;
    }
    if (recordEnd > reach) {
      reach = recordEnd;
      reaching = index;
    }
  }
}
