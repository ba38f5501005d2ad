/**
 * Row of a file that takes part in a conflict.
 * @module
 */
import { at, type Snapshot } from "../index/mod.ts";

/** A file of a path: the winner, or a loser. */
export interface HolderRow {
  /** Absolute path of the pack, or of the directory of a loose file. */
  source: string;
  /** Name inside `source`, as spelled in the archive. */
  member: string;
  /** Whether it is in a pack. */
  kind: "pack" | "loose";
  /** Name of its game directory. */
  gameDirectory: string;
  /** Decompressed bytes. */
  size: number;
  /** Eight hex digits, or null if the format stores none. */
  crc32: string | null;
}

/** Returns the row of an entry. */
export function holderRow(snapshot: Snapshot, entry: number): HolderRow {
  const { path, kind, gameDirectory } = snapshot.sourceOf(entry);
  const crc = snapshot.crcOf(entry);
  return {
    source: path,
    member: snapshot.memberOf(entry),
    kind,
    gameDirectory,
    size: at(snapshot.columns.entrySizes, entry),
    crc32: crc === null ? null : crc.toString(16).padStart(8, "0"),
  };
}
