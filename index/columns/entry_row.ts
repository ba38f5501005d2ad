/**
 * Handing one entry of the index back to the format readers.
 * @module
 */
import { EntryTable } from "../../formats/core/entry_table.ts";
import type { Snapshot } from "./snapshot.ts";

const encoder = new TextEncoder();

/**
 * A table whose only row (number 0) is `entry`, as its reader listed it.
 * @param table A table to be used again; whatever it held is gone.
 */
export function entryRow(snapshot: Snapshot, entry: number, table: EntryTable = new EntryTable()): EntryTable {
  const { columns } = snapshot;
  table.length = 0;
  table.add(encoder.encode(snapshot.pathOf(columns.entryNodes[entry] ?? 0)), {
    offset: columns.entryOffsets[entry] ?? 0,
    packedSize: columns.entryCompressedSizes[entry] ?? 0,
    size: columns.entrySizes[entry] ?? 0,
    mtime: columns.entryTimes[entry] ?? 0,
    crc32: columns.entryCrcs[entry] ?? 0,
    method: columns.entryMethods[entry] ?? 0,
    flags: columns.entryFlags[entry] ?? 0,
    damage: columns.entryDamage[entry] ?? 0,
  });
  return table;
}
