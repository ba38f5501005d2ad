/**
 * Reading the list of one archive. Needs nothing but the file, so that any thread can do it.
 * @module
 */
import { FileByteReader } from "../../formats/core/byte_reader.ts";
import { EntryTable } from "../../formats/core/entry_table.ts";
import { ArchiveError, messageOf, ReadError } from "../../formats/core/errors.ts";
import type { FormatName } from "../../formats/core/entry_table.ts";
import { addNested } from "../../formats/nested.ts";
import { detectFormat, formatNamed } from "../../formats/table.ts";
import type { Listing } from "./plan.ts";

/** Result of reading an archive. */
export interface PackList extends Pick<Listing & { kind: "read" }, "format" | "table" | "failure"> {
  /** The failure is one of reading, which says nothing about the archive: the next scan reads it again. */
  readonly mayPass?: boolean;
}

/** How the archives of a game are read. */
export interface PackReading {
  /** List the members of archives in archives too. */
  readonly nested: boolean;
  /** Name of the format in which an archive is read that has no signature; null: it is no archive. */
  readonly packFormat: FormatName | null;
}

/** An archive that is to be read. */
export interface UnreadArchive extends PackReading {
  readonly path: string;
  /** Bytes, as they were found. */
  readonly size: number;
  /** Milliseconds since the epoch, as it was found. */
  readonly mtime: number;
}

/** Returns the list of an archive's members; a failure is kept as a sentence, so that the others are still indexed. */
export function readPack(archive: UnreadArchive): PackList {
  const { path, nested, packFormat } = archive;
  try {
    using file = new FileByteReader(path, archive);
    const format = detectFormat(file) ?? (packFormat === null ? undefined : formatNamed(packFormat));
    if (!format) return unread("it is not an archive in any known format");
    const table = format.read(file);
    // Archives in those without names are listed once names are found: their directories are named after them.
    if (nested && !format.nameless) addNested(file, format, table);
    return { format: format.name, table, failure: null };
  } catch (error) {
    const failure = messageOf(error);
    const mayPass = !(error instanceof ArchiveError) || error instanceof ReadError;
    return mayPass ? { ...unread(failure), mayPass } : unread(failure);
  }
}

function unread(failure: string): PackList {
  return { format: "unknown", table: new EntryTable(), failure };
}
