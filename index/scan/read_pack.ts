/**
 * Reading the list of one archive. Needs nothing but the file, so that any thread can do it.
 * @module
 */
import { FileSource } from "../../formats/byte_source.ts";
import { EntryTable } from "../../formats/entry_table.ts";
import { detectFormat } from "../../formats/table.ts";
import type { Listing } from "./plan.ts";

/** What a reader found out about an archive. */
export type PackList = Pick<Listing & { kind: "read" }, "format" | "table" | "failure">;

/** The list of an archive's members; a failure is kept as a sentence, so that the others are still indexed. */
export function readPack(path: string): PackList {
  try {
    using file = new FileSource(path);
    const format = detectFormat(file);
    if (format) return { format: format.name, table: format.read(file), failure: null };
    return unread("it is not an archive in any known format");
  } catch (error) {
    return unread(error instanceof Error ? error.message : String(error));
  }
}

function unread(failure: string): PackList {
  return { format: "unknown", table: new EntryTable(), failure };
}
