/**
 * Where the bytes of a source lie if that is not simply its file: archives in several files, archives in archives.
 * Plain data, to be posted to threads and kept in files.
 * @module
 */
import { dirname, join } from "node:path";
import { type EntryTable, nestedAt, type NestedRows } from "../../formats/core/entry_table.ts";
import { locateInFiles, type Ranges } from "../../formats/core/ranges.ts";
import { none } from "./columns.ts";
import type { Snapshot } from "./snapshot.ts";
import { type Identity, identityFrom, isSameIdentity, type Source } from "./source.ts";

/** A file that bytes of a source lie in: one on disk, or what one of the source's own members decompresses to. */
export type LayoutFile =
  | { readonly kind: "disk"; readonly path: string; readonly identity: Identity }
  | {
    readonly kind: "decompressed";
    /** Row of the member, counted from the source's first. */
    readonly row: number;
  };

/** An archive in a source; rows are counted from the source's first. */
export interface NestedListing extends NestedRows {
  /** Name of its format. */
  readonly format: string;
}

/** How files make up the bytes in which the offsets of a source's entries count. */
export interface ByteLayout {
  /** Number 0 is the source's own file. */
  readonly files: readonly LayoutFile[];
  /** Pieces of these files. */
  readonly ranges: Ranges;
  /** Archives in the source whose members are entries too, in the order of their rows. */
  readonly nested: readonly NestedListing[];
}

/** What is at `path`; all zero if nothing is, which a part that is missing has in common with one that has gone. */
function identityAt(path: string): Identity {
  try {
    return identityFrom(Deno.statSync(path));
  } catch {
    return { device: 0, inode: 0, size: 0, mtime: 0, ctime: 0 };
  }
}

/** The placement of an archive on disk, or null where its members simply lie in its file. */
export function byteLayoutOf(path: string, identity: Identity, { layout, nested }: EntryTable): ByteLayout | null {
  if (!layout) return null;
  const files = layout.files.map((file): LayoutFile => {
    if (file.kind === "archive") return { kind: "disk", path, identity };
    if (file.kind === "decompressed") return { kind: "decompressed", row: file.member };
    const part = join(dirname(path), file.name);
    return { kind: "disk", path: part, identity: identityAt(part) };
  });
  return { files, ranges: layout.ranges, nested: [...nested] };
}

/** Whether two placements are the same, file by file. */
export function isSameByteLayout(a: ByteLayout | null, b: ByteLayout | null): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Whether all files of a placement but the archive itself are still what they were. */
export function hasSameParts(byteLayout: ByteLayout | null): boolean {
  const parts = byteLayout?.files.slice(1) ?? [];
  return parts.every((file) => file.kind === "decompressed" || isSameIdentity(file.identity, identityAt(file.path)));
}

/** The files of a placement beside the archive itself. */
export function partPaths(byteLayout: ByteLayout | null): string[] {
  return byteLayout?.files.slice(1).flatMap((file) => file.kind === "disk" ? [file.path] : []) ?? [];
}

/** Name of the format that an entry is read by: that of its source, or of the archive in it. */
export function formatOf(snapshot: Snapshot, entry: number): string {
  const { byteLayout, firstEntry, format } = snapshot.sourceOf(entry);
  return byteLayout ? nestedAt(byteLayout.nested, entry - firstEntry)?.format ?? format : format;
}

/** The entry that is the archive which an entry lies in; `none` for those that lie in their source itself. */
export function archiveAround(snapshot: Snapshot, entry: number): number {
  const { byteLayout, firstEntry } = snapshot.sourceOf(entry);
  const nested = byteLayout ? nestedAt(byteLayout.nested, entry - firstEntry) : undefined;
  return nested ? firstEntry + nested.member : none;
}

/** Number of entries that a source has of its own: those of archives in it stand behind them. */
export function ownEntryCount({ byteLayout, entryCount }: Pick<Source, "byteLayout" | "entryCount">): number {
  return byteLayout?.nested[0]?.firstRow ?? entryCount;
}

/** Where an entry's record is, for people: its offset, and the part of the archive if it is in one. */
export function shownPlace(snapshot: Snapshot, entry: number): { offset: number; part?: string } {
  const { byteLayout } = snapshot.sourceOf(entry);
  const offset = snapshot.columns.entryOffsets[entry] ?? 0;
  if (!byteLayout || snapshot.columns.entryDamage[entry] !== 0 || snapshot.columns.entrySizes[entry] === 0) {
    return { offset };
  }
  const place = locateInFiles(byteLayout.ranges, offset);
  const file = byteLayout.files[place.file];
  return { offset: place.offset, ...(place.file > 0 && file?.kind === "disk" ? { part: file.path } : {}) };
}
