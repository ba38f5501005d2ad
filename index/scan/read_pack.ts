/**
 * Reading the list of one archive. Needs nothing but the file, so that any thread can do it.
 * @module
 */
import { FileSource } from "../../formats/byte_source.ts";
import { EntryTable } from "../../formats/entry_table.ts";
import { addNested } from "../../formats/nested.ts";
import { detectFormat } from "../../formats/table.ts";
import type { Listing } from "./plan.ts";

/** What a reader found out about an archive. */
export type PackList = Pick<Listing & { kind: "read" }, "format" | "table" | "failure">;

/**
 * The list of an archive's members; a failure is kept as a sentence, so that the others are still indexed.
 * @param nested List the members of archives in the archive too.
 */
export function readPack(path: string, nested: boolean): PackList {
  try {
    using file = new FileSource(path);
    const format = detectFormat(file);
    if (!format) return unread("it is not an archive in any known format");
    const table = format.read(file);
    if (nested) addNested(file, format, table);
    return { format: format.name, table, failure: null };
  } catch (error) {
    return unread(error instanceof Error ? error.message : String(error));
  }
}

function unread(failure: string): PackList {
  return { format: "unknown", table: new EntryTable(), failure };
}
