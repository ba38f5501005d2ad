/**
 * The steps in which an engine loads the packs of a game directory, and their rules.
 * @module
 */
import type { FormatName } from "../../formats/parts.ts";
import type { Collation } from "./pack_names.ts";

/** A pack found in a game directory, before it is ordered. */
export interface PackFile {
  /** File name, without its directory. */
  readonly name: string;
  /** Whether it is a directory that counts as a pack: its extension was checked already. */
  readonly isDirectory: boolean;
  /** Folder of the game directory that contains it; absent or empty: none. */
  readonly folder?: string;
  /** Number of members; 0 for a pack that could not be read. */
  readonly files: number;
  /** Reason why it cannot be read at all, or null. */
  readonly failure: string | null;
  /** Name of its format. */
  readonly format: string;
  /** Time of its last change, milliseconds since the epoch; default: 0. */
  readonly mtime?: number;
}

/** Load order of a pack. Groups are searched from the last to the first, and in each the higher `order` first. */
export interface LoadOrder {
  /** Index of the profile's pack rule that accepted it; -1 if none did. */
  readonly group: number;
  readonly order: number;
  /** Reason why the engine never loads it, or null. */
  readonly ignored: string | null;
  /** Load order of the packs in it, which an engine that loads it again does not load again. */
  readonly inner?: Pick<LoadOrder, "group" | "order">;
}

/** Packs that an engine requests as `pak0.pak`, `pak1.pak`, ... by exact name; a higher number is searched first. */
export interface NumberedPacks {
  /** Packs with a number, by exact name. */
  readonly kind: "numbered";
  /** Name of these packs in sentences. */
  readonly title: string;
  /** Text before the number. */
  readonly prefix: string;
  /** Text after the number. */
  readonly suffix: string;
  /** Further strings after the number: for each number, the pack with the last string is searched first. */
  readonly otherSuffixes: readonly string[];
  /** Highest number; none: unlimited. */
  readonly last: number | null;
  /** Whether names in upper case count too, as on a file system that ignores case. */
  readonly anyCase: boolean;
  /** Whether a name entirely in upper case counts if the one in lower case is missing. */
  readonly capitals: boolean;
  /** Whether a pack is omitted if its name differs only in case from an already loaded pack's. */
  readonly exceptTwins: boolean;
  /** Whether loading ends at the first missing number. */
  readonly stopsAtGap: boolean;
  /** Whether a Quake PAK without members counts as missing. */
  readonly emptyIsMissing: boolean;
  /** Whether a pack that cannot be read, or a zip without members, counts as missing. */
  readonly unreadableIsMissing: boolean;
  /** Formats in which they are read, regardless of content; empty: any. */
  readonly formats: readonly FormatName[];
  /** Whether names ending in `.pak` are read in the first of the formats, and all others in the second. */
  readonly formatByEnding: boolean;
}

/** A prefix of names, and its replacement. */
export interface PrefixRule {
  /** Prefix that the rule replaces. */
  readonly prefix: string;
  /** Replacement. */
  readonly as: string;
  /** Whether the prefix counts in any case. */
  readonly anyCase: boolean;
}

/** Every file with certain extensions; a later name is searched first. */
export interface SortedPacks {
  /** All packs with certain extensions, in the order of their names. */
  readonly kind: "sorted";
  /** Name of these packs in sentences. */
  readonly title: string;
  /** Extensions with the dot, or file names, in lower case; empty: every archive. */
  readonly suffixes: readonly string[];
  /** Extensions of directories that count as packs, in lower case; compared without case. */
  readonly directories: readonly string[];
  /** Whether extensions in upper case count too. */
  readonly anyCase: boolean;
  /** Whether names that differ only in case from a numbered pack's name are omitted. */
  readonly exceptNumbered: boolean;
  /** Whether a pack without members is omitted. */
  readonly emptyIsMissing: boolean;
  /** Whether a pack is omitted if its name differs only in case from an already loaded pack's. */
  readonly exceptTwins: boolean;
  /** How names are compared; the last is searched first. */
  readonly collation: Collation;
  /** Prefixes that are replaced when names are compared. */
  readonly sortsAs: readonly PrefixRule[];
  /** Prefixes, case-sensitive, of packs that are not loaded. */
  readonly except: readonly string[];
  /** Prefixes that are replaced before a pack is opened, so that it is not found. */
  readonly opensAs: readonly PrefixRule[];
  /** Formats in which they are read, regardless of content; empty: any. */
  readonly formats: readonly FormatName[];
  /** Whether names ending in `.pak` are read in the first of the formats, and all others in the second. */
  readonly formatByEnding: boolean;
  /** Whether a file name that consists only of the extension counts too. */
  readonly bareEnding: boolean;
  /** Whether they are searched after the loose files. */
  readonly belowLoose: boolean;
  /** How packs in the folders of `packFolders` count. */
  readonly folders: FolderRule;
}

/** How packs in the profile's folders count: see `folderRules`. */
export type FolderRule = "any" | "none" | "before" | "after";

/** Packs named in a text file of the game directory, one per line; a later line is searched first. */
export interface ListedPacks {
  /** Packs named in a text file of the game directory, one per line. */
  readonly kind: "listed";
  /** Name of these packs in sentences. */
  readonly title: string;
  /** Name of the text file. */
  readonly file: string;
  /** Extensions with the dot, in lower case, of listed packs. */
  readonly suffixes: readonly string[];
  /** Whether a pack is omitted if its name differs only in case from an already loaded pack's. */
  readonly exceptTwins: boolean;
  /** Prefixes, in lower case, of lines that are always skipped. */
  readonly except: readonly string[];
  /**
   * Whether packs that earlier steps have loaded are loaded again, so that the list decides their order, but not the
   * order of packs in them.
   */
  readonly loadsAgain: boolean;
  /** Whether no step loads packs by name if the file exists. */
  readonly replacesSorted: boolean;
  /**
   * Whether the list consists of words, quoted if they hold whitespace, with `//` comments; otherwise of lines with at
   * least 5 characters.
   */
  readonly words: boolean;
  /** Formats in which they are read, regardless of content; empty: any. */
  readonly formats: readonly FormatName[];
  /** Whether names ending in `.pak` are read in the first of the formats, and all others in the second. */
  readonly formatByEnding: boolean;
}

/** One step in which an engine loads packs of a game directory. Later steps are searched first. */
export type PackRule = NumberedPacks | SortedPacks | ListedPacks;

/** Packs of each list, by the name of the list, and the first and last line that name them. */
export type PackLists = ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>;
