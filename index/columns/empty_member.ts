/**
 * Members of archives that claim to be empty. Nothing is ever read of them, so they must be looked at beforehand.
 * @module
 */
import { methodCode } from "../../formats/core/entry_table.ts";
import type { Snapshot } from "./snapshot.ts";
import { isDirectorySource } from "./source.ts";

/** Deflate data of so few bytes hold no byte of content: a literal and the end of a block take more. */
const emptyDeflateBytes = 2;

/**
 * Whether a file is listed as empty although its record says otherwise: it is marked as damaged, has the checksum of
 * something, or compressed data that may hold something. Reading it decides.
 */
export function isDoubtfullyEmpty(snapshot: Snapshot, entry: number): boolean {
  const { entrySizes, entryCompressedSizes, entryDamage, entryMethods } = snapshot.columns;
  if (entrySizes[entry] !== 0 || isDirectorySource(snapshot.sourceOf(entry))) return false;
  if (entryDamage[entry] !== 0 || (snapshot.crcOf(entry) ?? 0) !== 0) return true;
  const packedSize = entryCompressedSizes[entry] ?? 0;
  return packedSize > (entryMethods[entry] === methodCode.deflate ? emptyDeflateBytes : 0);
}
