/**
 * Sources of a search path: packs and directories of loose files. They are objects because an index has at most a few
 * thousand; their files are rows of the columns.
 * @module
 */
import { basename, isAbsolute, join } from "@std/path";
import type { NameRecovery, NestedRows, Ranges } from "../../formats/parts.ts";
import type { Identity } from "./identity.ts";

/** A file with bytes of a source: on disk, or the decompressed content of one of its members. */
export type LayoutFile =
  | { readonly kind: "disk"; readonly path: string; readonly identity: Identity }
  | {
    readonly kind: "decompressed";
    /** Row of the member, relative to the source's first. */
    readonly row: number;
  };

/** An inner archive of a source; rows are relative to the source's first. */
export interface NestedListing extends NestedRows {
  /** Name of its format. */
  readonly format: string;
}

/** The files that make up the address space of a source's entries. */
export interface ByteLayout {
  /** Files; number 0 is the source's file. */
  readonly files: readonly LayoutFile[];
  /** Ranges of these files. */
  readonly ranges: Ranges;
  /** Inner archives whose members are entries too, in row order. */
  readonly nested: readonly NestedListing[];
}

/** One source of files. */
export interface Source {
  /** Number of the source: the value in `entrySources`. */
  readonly id: number;
  /** Number of the game it belongs to. */
  readonly game: number;
  /** Name of its game directory: `id1`, `baseq3`, a mod. */
  readonly gameDirectory: string;
  /** Index of its root; 0 is the highest. */
  readonly rootIndex: number;
  /** `pack` for an archive or a `.pk3dir`; `loose` for the game directory itself. */
  readonly kind: "pack" | "loose";
  /** Name of an archive format, `pk3dir` or `loose`. */
  readonly format: string;
  /** Absolute path of the archive or directory. */
  readonly path: string;
  /** File name of a pack; name of the game directory for loose files. */
  readonly name: string;
  /** Folder of the game directory that contains a pack, if the profile has such folders; else empty. */
  readonly folder: string;
  /** Index of the profile's pack rule that accepted it; -1 for none, and for loose files. */
  readonly group: number;
  /** Load order among the packs of its directory and group: higher is searched first. */
  readonly order: number;
  /** Load order of its inner packs, if different. */
  readonly inner?: { readonly group: number; readonly order: number };
  /** Reason why the engine never loads this pack in any view, or null. */
  readonly ignored: string | null;
  readonly identity: Identity;
  /** Files with its bytes, if there are several, or null. */
  readonly byteLayout: ByteLayout | null;
  /** Reason why it could not be read at all, or null. */
  readonly failure: string | null;
  /** Time when its list of files was last read, in milliseconds since the epoch. */
  readAt: number;
  /** First of the source's entries, which are `[firstEntry, firstEntry + entryCount)`. */
  readonly firstEntry: number;
  readonly entryCount: number;
  /** Result of recovering the names of a pack without names, or null. */
  readonly recovery: NameRecovery | null;
  /** Warnings about the source. */
  readonly warnings: readonly string[];
}

/** Location and load order of a source, which can change independently of its content. */
export type SourceOrigin = Pick<
  Source,
  "game" | "gameDirectory" | "rootIndex" | "kind" | "path" | "name" | "folder" | "group" | "order" | "inner" | "ignored"
>;

/** Returns whether a source has this origin. */
export function hasOrigin(source: Source, origin: SourceOrigin): boolean {
  return source.order === origin.order && source.group === origin.group && source.ignored === origin.ignored &&
    source.game === origin.game && source.rootIndex === origin.rootIndex && source.kind === origin.kind &&
    source.gameDirectory === origin.gameDirectory && source.folder === origin.folder && source.name === origin.name &&
    source.path === origin.path && source.inner?.group === origin.inner?.group &&
    source.inner?.order === origin.inner?.order;
}

/** A source before its entries are in the columns. */
export type SourceDescription = Omit<Source, "id" | "firstEntry" | "entryCount" | "warnings">;

/** Returns the name of a source's game directory, as spelled on disk. */
export function directoryNameOf({ kind, path, folder, name }: Source): string {
  const inside = kind === "loose" ? 0 : 1 + name.length + (folder === "" ? 0 : folder.length + 1);
  return basename(path.slice(0, path.length - inside));
}

/** Returns whether the members of a source are separate files instead of ranges of an archive. */
export function isDirectorySource(source: Pick<Source, "format">): boolean {
  return source.format === "loose" || source.format === "pk3dir";
}

/** Returns whether `name` is a source's file name, path or end of its path; only full paths are case-sensitive. */
export function sourceHasName(source: Pick<Source, "path" | "name">, name: string): boolean {
  const folded = name.toLowerCase();
  return source.path === name || (folded !== "" && source.path.toLowerCase().endsWith(`/${folded}`));
}

/** Entries of a source that are searched together: its direct entries, or the entries of an inner pack. */
export interface SearchedEntries {
  readonly first: number;
  readonly count: number;
}

/**
 * Returns the groups of entries of a source in search order if it has inner packs; otherwise one group.
 * @param part Only its direct entries, or only those of inner packs; default: all.
 */
export function searchedEntries(
  { byteLayout, firstEntry, entryCount }: Source,
  part?: "own" | "inner",
): readonly SearchedEntries[] {
  const packs = byteLayout?.nested.filter(({ rank }) => rank !== undefined) ?? [];
  const [start] = packs;
  if (!start) return part === "inner" ? [] : [{ first: firstEntry, count: entryCount }];
  const end = packs.at(-1) ?? start;
  const after = end.firstRow + end.rowCount;
  // Archives that are shown as directories follow; their names never equal other names.
  const own = [
    { rank: 0, firstRow: 0, rowCount: start.firstRow },
    { rank: 0, firstRow: after, rowCount: entryCount - after },
  ];
  const inner = packs.map(({ rank = 0, firstRow, rowCount }) => ({ rank, firstRow, rowCount }));
  return [...part === "inner" ? [] : own, ...part === "own" ? [] : inner].sort((a, b) => a.rank - b.rank)
    .map(({ firstRow, rowCount }) => ({ first: firstEntry + firstRow, count: rowCount }));
}

/** Returns whether a source has inner packs that the engine searches. */
export function hasNestedPacks({ byteLayout }: Pick<Source, "byteLayout">): boolean {
  return byteLayout !== null && byteLayout.nested.some(({ rank }) => rank !== undefined);
}

/** Returns the number of a source's direct entries; entries of inner archives follow them. */
export function ownEntryCount({ byteLayout, entryCount }: Pick<Source, "byteLayout" | "entryCount">): number {
  return byteLayout?.nested[0]?.firstRow ?? entryCount;
}

/** Absolute path of the file with an entry's bytes. */
export function filePathOf(source: Pick<Source, "format" | "path">, member: string): string {
  if (!isDirectorySource(source)) return source.path;
  return isAbsolute(member) ? member : join(source.path, member);
}

/** Yields the numbers of the entries of sources. */
export function* entriesOf(sources: Iterable<Source>): Generator<number> {
  for (const { firstEntry, entryCount } of sources) {
    for (let entry = firstEntry; entry < firstEntry + entryCount; entry++) yield entry;
  }
}
