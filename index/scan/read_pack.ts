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

/** An archive that is to be read. */
export interface UnreadArchive {
  readonly path: string;
  /** Bytes, as they were found. */
  readonly size: number;
  /** Milliseconds since the epoch, as it was found. */
  readonly mtime: number;
  /** Whether members of archives in it are listed too. */
  readonly nested: boolean;
}

/** The list of an archive's members; a failure is kept as a sentence, so that the others are still indexed. */
export function readPack(archive: UnreadArchive): PackList {
  const { path, nested } = archive;
  try {
    using file = new FileSource(path, archive);
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
