/**
 * What the index knows of one source: a pack or a directory of loose files. There are thousands of these at most, so
 * they are objects; their files are rows of the columns.
 * @module
 */
import { basename } from "node:path";
import type { NameRecovery } from "../../formats/name_recovery.ts";
import type { ByteLayout } from "./placement.ts";

/** What a file was when it was indexed; if any of it differs later, the index no longer speaks of that file. */
export interface Identity {
  readonly device: number;
  readonly inode: number;
  readonly size: number;
  /** When its content changed last; milliseconds since the epoch. */
  readonly mtime: number;
  /** When its content, owner, mode or name changed last, which no program can set; milliseconds since the epoch. */
  readonly ctime: number;
}

/** The identity of what the file system tells of. */
export function identityFrom(information: Deno.FileInfo): Identity {
  return {
    device: information.dev,
    inode: information.ino ?? 0,
    size: information.size,
    mtime: information.mtime?.getTime() ?? 0,
    ctime: information.ctime?.getTime() ?? 0,
  };
}

/**
 * Whether two looks at a path saw the same file, unchanged. Numbers of devices are not compared: they may differ after
 * the next mount or start of the machine, and times that no program can set tell enough.
 */
export function isSameIdentity(a: Identity, b: Identity): boolean {
  return a.inode === b.inode && a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime;
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
export function hasOrigin(source: Source, place: SourceOrigin): boolean {
  return source.order === place.order && source.group === place.group && source.ignored === place.ignored &&
    source.game === place.game && source.rootIndex === place.rootIndex && source.kind === place.kind &&
    source.gameDirectory === place.gameDirectory && source.folder === place.folder && source.name === place.name &&
    source.path === place.path;
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
