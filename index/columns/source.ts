/**
 * What the index knows of one source: a pack or a directory of loose files. There are thousands of these at most, so
 * they are objects; their files are rows of the columns.
 * @module
 */
import { basename } from "node:path";
import type { NameRecovery } from "../../formats/name_recovery.ts";
import type { NestedRows } from "../../formats/core/entry_table.ts";
import type { Ranges } from "../../formats/core/ranges.ts";
import type { Identity } from "./identity.ts";

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

/** One source of files. */
export interface Source {
  /** Its number: the value in `entrySources`. */
  readonly id: number;
  /** Number of the game it belongs to. */
  readonly game: number;
  /** Name of its game directory: `id1`, `baseq3`, a mod. */
  readonly gameDirectory: string;
  /** Number of the base directory it was found under; 0 is the highest. */
  readonly rootIndex: number;
  /** A pack is an archive or a `.pk3dir`; loose is the game directory itself. */
  readonly kind: "pack" | "loose";
  /** Name of an archive format, `pk3dir` or `loose`. */
  readonly format: string;
  /** Absolute path of the archive or directory. */
  readonly path: string;
  /** File name of a pack; name of the game directory for loose files. */
  readonly name: string;
  /** Folder of the game directory that a pack lies in, where the profile names such; else empty. */
  readonly folder: string;
  /** Place in the profile's list of pack rules of the one that took it; -1: none did, or it is no pack. */
  readonly group: number;
  /** Place among the packs of its directory and group, by the profile's order: higher is searched first. */
  readonly order: number;
  /** Why the engine never loads this pack, whatever the view; null if it does. */
  readonly ignored: string | null;
  readonly identity: Identity;
  /** Where its bytes lie if that is not simply its file, else null. */
  readonly byteLayout: ByteLayout | null;
  /** Why it could not be read at all, else null. */
  readonly failure: string | null;
  /**
   * When its list of files was last found to be true by reading it, in milliseconds since the epoch. Moves on where a
   * later reading finds the same.
   */
  readAt: number;
  /** Entries `[firstEntry, firstEntry + entryCount)` are its files. */
  readonly firstEntry: number;
  readonly entryCount: number;
  /** What was found out about the names of a pack that holds none, else null. */
  readonly recovery: NameRecovery | null;
  /** Sentences about the source that did not stop it from being read. */
  readonly warnings: readonly string[];
}

/** Where a source was found and where it stands, which may change while what is in it stays. */
export type SourceOrigin = Pick<
  Source,
  "game" | "gameDirectory" | "rootIndex" | "kind" | "path" | "name" | "folder" | "group" | "order" | "ignored"
>;

/** Whether a source is found and stands where another does. */
export function hasOrigin(source: Source, origin: SourceOrigin): boolean {
  return source.order === origin.order && source.group === origin.group && source.ignored === origin.ignored &&
    source.game === origin.game && source.rootIndex === origin.rootIndex && source.kind === origin.kind &&
    source.gameDirectory === origin.gameDirectory && source.folder === origin.folder && source.name === origin.name &&
    source.path === origin.path;
}

/** A source before its entries are in the columns. */
export type SourceDescription = Omit<Source, "id" | "firstEntry" | "entryCount" | "warnings">;

/** Name of the game directory that a source lies in, as it is spelled on disk. */
export function directoryNameOf({ kind, path, folder, name }: Source): string {
  const inside = kind === "loose" ? 0 : 1 + name.length + (folder === "" ? 0 : folder.length + 1);
  return basename(path.slice(0, path.length - inside));
}

/** Whether the members of a source are files of their own, not ranges of an archive. */
export function isDirectorySource(source: Pick<Source, "format">): boolean {
  return source.format === "loose" || source.format === "pk3dir";
}

/** Whether `name` means a source: its file name, its path or the end of one; case does not matter except in whole paths. */
export function sourceHasName(source: Pick<Source, "path" | "name">, name: string): boolean {
  const folded = name.toLowerCase();
  return source.path === name || source.name.toLowerCase() === folded ||
    (folded !== "" && source.path.toLowerCase().endsWith(`/${folded}`));
}

/** Number of entries that a source has of its own: those of archives in it stand behind them. */
export function ownEntryCount({ byteLayout, entryCount }: Pick<Source, "byteLayout" | "entryCount">): number {
  return byteLayout?.nested[0]?.firstRow ?? entryCount;
}
