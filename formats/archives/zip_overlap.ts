/**
 * Finds zip members that claim the same bytes. A valid archive has none; a zip bomb has thousands of members that all
 * decompress the same block (David Fifield, "A better zip bomb", 2019: 42 kB that become 5.5 GB).
 * @module
 */
import { elementAt } from "../core/cursor.ts";
import { damageCode, type EntryTable } from "../core/entry_table.ts";

/** Sorts members by offset. Most archives are already in that order, and sorting with a callback is slow. */
function orderByOffset(table: EntryTable, members: Uint32Array): Uint32Array {
  const offsets = table.offsets;
  for (let index = 1; index < members.length; index++) {
    if (elementAt(offsets, elementAt(members, index)) < elementAt(offsets, elementAt(members, index - 1))) {
      return members.sort((left, right) => elementAt(offsets, left) - elementAt(offsets, right));
    }
  }
  return members;
}

/**
 * Marks as damaged (`overlap`) every member whose record and data overlap another member's or the central directory.
 * Members without data, and members already marked, are ignored, so that their neighbours stay readable.
 * @param recordEnds Minimum offset of the end of each member's record and data.
 */
export function markOverlaps(
  table: EntryTable,
  recordEnds: Float64Array,
  directoryStart: number,
  directoryEnd: number,
): void {
  const { offsets, damage, compressedSizes } = table;
  const claiming = new Uint32Array(table.length);
  let count = 0;
  for (let index = 0; index < table.length; index++) {
    if (damage[index] !== 0 || compressedSizes[index] === 0 || table.isDirectory(index)) continue;
    if (elementAt(offsets, index) < directoryEnd && elementAt(recordEnds, index) > directoryStart) {
      damage[index] = damageCode.overlap;
    } else {
      claiming[count++] = index;
    }
  }
  let reach = 0;
  let reaching = -1;
  for (const index of orderByOffset(table, claiming.subarray(0, count))) {
    const recordEnd = elementAt(recordEnds, index);
    if (elementAt(offsets, index) < reach) {
      damage[index] = damageCode.overlap;
      damage[reaching] = damageCode.overlap;
    }
    if (recordEnd > reach) {
      reach = recordEnd;
      reaching = index;
    }
  }
}
