/**
 * The plan of a scan: the discovered files, and the file list of each source.
 * @module
 */
import { basename } from "@std/path";
import type { EntryTable, NameRecovery } from "../../formats/parts.ts";
import type { LumpReading, PackLists } from "../../engines/mod.ts";
import type { Detection } from "../../games/mod.ts";
import type { PlannedGame } from "../columns/game.ts";
import { type Identity, identityFrom } from "../columns/identity.ts";
import type { PatchedSource } from "../columns/snapshot_builder.ts";
import type { Source } from "../columns/source.ts";

/** Failure of a file that is no archive. */
export const unknownFormat = "it is not an archive in any known format";

/** The file list of one source: newly read, or still valid from an earlier index. */
export type FileList =
  | {
    readonly kind: "read";
    /** Name of an archive format, `pk3dir`, `loose`, or `unknown` for unreadable sources. */
    readonly format: string;
    readonly table: EntryTable;
    /** Reason why it could not be read at all, as a sentence without its path, or null. */
    readonly failure: string | null;
    /** Identity of the file when it was read. */
    readonly identity: Identity;
    /** Time of reading, in milliseconds since the epoch. */
    readonly readAt: number;
    /** Result of recovering the names of a hashed pack; absent for others. */
    readonly recovery?: NameRecovery;
  }
  | (PatchedSource & { readonly kind: "patched" })
  | {
    readonly kind: "kept";
    /** The source of the earlier snapshot. */
    readonly source: Source;
  };

/** An archive or a directory that counts as a pack. */
export interface FoundPack {
  /** File name. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  /** Folder of the game directory that contains it; empty: none. */
  readonly folder: string;
  /** Whether it counts as a pack even if it is no readable archive. */
  readonly isCertain: boolean;
  /** Identity when it was found, later the one just before it is read. */
  identity: Identity;
  /** The list of a directory, which is known as soon as it is found; archives are opened later. */
  readonly fileList: FileList | null;
  /** Naming of its lumps, if an engine loads a list of files; absent: by format. */
  readonly lumps?: LumpReading;
}

/** A source listed in a file of the game: a pack, or the loose files of a directory. */
export interface ListedSource {
  /** Name of the directory: its path below the root. */
  readonly directory: string;
  readonly rootIndex: number;
  /** Path of the pack below its directory; null for loose files. */
  readonly pack: string | null;
  /** Absolute path of the pack, if several have the same name. */
  readonly path?: string;
  /** Word that adds it to a view; null: always searched. */
  readonly choice: string | null;
}

/** A file that a pack hides in packs of a given name that are loaded after it. */
export interface DeletedFile extends Omit<ListedSource, "choice"> {
  /** Name of those packs, without their version. */
  readonly of: string;
  readonly path: string;
}

/** For each game directory by name: its sources, the first searched first. */
export type SourceLists = ReadonlyMap<string, readonly ListedSource[]>;

/** One game directory in one base directory. */
export interface FoundDirectory {
  /** Name of the game directory. */
  readonly name: string;
  /** Index of the root. */
  readonly rootIndex: number;
  /** Absolute path. */
  readonly path: string;
  /** Packs in it, by name. */
  readonly packs: readonly FoundPack[];
  /** The engine's own pack, outside the game directory. */
  readonly enginePack: FoundPack | null;
  /** Lists of packs in it. */
  readonly lists: PackLists;
  /** For each directory that is a pack and holds packs: its lists; absent: none. */
  readonly innerLists?: ReadonlyMap<string, PackLists>;
  /** Loose files of the directory; null if an engine loads a list of files only. */
  readonly loose: FileList | null;
}

/** One game, as discovered before any archive is opened. */
export interface GamePlan extends PlannedGame {
  /** Names of the game directories, the base first, then the others by name. */
  readonly gameDirectories: readonly string[];
  readonly directories: readonly FoundDirectory[];
  /** The lists of sources of game directories; absent: the profile's rules order them. */
  readonly lists?: SourceLists;
  /** For each game directory by name: the directories searched below it, lowest first; absent: the base. */
  readonly below?: ReadonlyMap<string, readonly string[]>;
  /** For each game directory by name: files that packs hide in others; absent: none. */
  readonly deleted?: ReadonlyMap<string, readonly DeletedFile[]>;
  /** The single archive, if the game consists of one. */
  readonly archive: FoundPack | null;
}

/** The profile of a game with its reason, and the base game directory; empty if a root is itself the game directory. */
export type GameRules = Omit<Detection, "evidence">;

/** All discovered games. */
export interface ScanPlan {
  readonly games: readonly GamePlan[];
  /** Problems of discovery, one message each. */
  readonly problems: readonly string[];
}

/** Returns the number of files and directories of a list. */
export function fileListLength(fileList: FileList): number {
  return fileList.kind === "read" ? fileList.table.length : fileList.source.entryCount;
}

/** Returns the reason why a list could not be read at all, or null. */
export function fileListFailure(fileList: FileList): string | null {
  return fileList.kind === "read" ? fileList.failure : fileList.source.failure;
}

/** Returns the name of the format of a list. */
export function fileListFormat(fileList: FileList): string {
  return fileList.kind === "read" ? fileList.format : fileList.source.format;
}

/** Yields all archives of a plan, in the order in which they were found, with their game numbers. */
export function* archivesOf(plan: ScanPlan): Generator<{ readonly game: number; readonly pack: FoundPack }> {
  for (const [game, { archive, directories }] of plan.games.entries()) {
    if (archive) yield { game, pack: archive };
    for (const { packs, enginePack } of directories) {
      for (const pack of packs) if (!pack.fileList) yield { game, pack };
      if (enginePack) yield { game, pack: enginePack };
    }
  }
}

/** Returns a game directory that consists of a list of packs, and this list, the last pack searched first. */
export function listedDirectory(
  name: string,
  path: string,
  packs: readonly FoundPack[],
): { readonly directory: FoundDirectory; readonly sources: readonly ListedSource[] } {
  const sources = packs.map((pack) => ({
    directory: name,
    rootIndex: 0,
    pack: pack.name,
    path: pack.path,
    choice: null,
  }));
  return {
    directory: { name, rootIndex: 0, path, packs, enginePack: null, lists: new Map(), loose: null },
    sources: sources.reverse(),
  };
}

/** Returns a file that counts as a pack whatever it holds. */
export function certainPack(path: string, information: Deno.FileInfo): FoundPack {
  return {
    name: basename(path),
    path,
    folder: "",
    isCertain: true,
    identity: identityFrom(information),
    fileList: null,
  };
}
