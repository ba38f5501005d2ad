/**
 * The steps in which an engine loads the packs of a game directory, and what they decide.
 * @module
 */
import type { FormatName } from "../../formats/core/entry_table.ts";
import type { Collation } from "./pack_names.ts";

/** A pack found in a game directory, before it is ordered. */
export interface PackFile {
  /** File name, without its directory. */
  readonly name: string;
  /** Whether it is a directory that counts as a pack: its ending has been looked at already. */
  readonly isDirectory: boolean;
  /** Folder of the game directory that it lies in; absent or empty: none. */
  readonly folder?: string;
  /** Number of members; 0 for a pack that could not be read. */
  readonly files: number;
  /** Why it cannot be read at all, else null. */
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
  /** Why the engine never loads it, else null. */
  readonly ignored: string | null;
}

/** Packs that an engine looks for as `pak0.pak`, `pak1.pak`, ... by exact name; a higher number is searched first. */
export interface NumberedPacks {
  /** Discriminates the two kinds of rules. */
  readonly kind: "numbered";
  /** Their name in sentences. */
  readonly title: string;
  /** Text before the number. */
  readonly prefix: string;
  /** Text after the number. */
  readonly suffix: string;
  /** Further texts after the number: of one number the pack with the last of them is searched first. */
  readonly otherSuffixes: readonly string[];
  /** The highest number it looks for; null: unlimited. */
  readonly last: number | null;
  /** Names in capitals count too, as where the engine runs on a file system that ignores case. */
  readonly anyCase: boolean;
  /** A name that is in capitals as a whole counts where the one in small letters is missing. */
  readonly capitals: boolean;
  /** Whether a pack is skipped whose name differs only in case from that of one loaded before. */
  readonly exceptTwins: boolean;
  /** The first number that is missing ends the loading. */
  readonly stopsAtGap: boolean;
  /** A Quake PAK without members counts as missing. */
  readonly emptyIsMissing: boolean;
  /** Formats in which the engine reads them, whatever they hold; empty: any. */
  readonly formats: readonly FormatName[];
  /** Whether names ending in `.pak` are read in the first of the formats, and all others in the second. */
  readonly formatByEnding: boolean;
}

/** A prefix of names, and another that takes its place. */
export interface PrefixRule {
  /** Beginning of the names that the rule concerns. */
  readonly prefix: string;
  /** Text that takes its place. */
  readonly as: string;
  /** Whether the prefix counts in any case. */
  readonly anyCase: boolean;
}

/** Every file with one of some endings; a later name is searched first. */
export interface SortedPacks {
  /** Discriminates the two kinds of rules. */
  readonly kind: "sorted";
  /** Their name in sentences. */
  readonly title: string;
  /** Endings with the dot, lower case. Empty: every archive. */
  readonly suffixes: readonly string[];
  /** Endings of directories that count as packs, lower case; compared without case. */
  readonly directories: readonly string[];
  /** Whether endings in capitals count too. */
  readonly anyCase: boolean;
  /** Whether names of the profile's numbered packs in another case are excluded. */
  readonly exceptNumbered: boolean;
  /** A pack without members is not loaded. */
  readonly emptyIsMissing: boolean;
  /** Whether a pack is skipped whose name differs only in case from that of one loaded before. */
  readonly exceptTwins: boolean;
  /** How names are compared. */
  readonly collation: Collation;
  /** Prefixes that count as others when names are compared. */
  readonly sortsAs: readonly PrefixRule[];
  /** Prefixes, case-sensitive, of packs that are not loaded. */
  readonly except: readonly string[];
  /** Prefixes that the engine replaces before it opens a pack, so that it misses the pack. */
  readonly opensAs: readonly PrefixRule[];
  /** Formats in which the engine reads them, whatever they hold; empty: any. */
  readonly formats: readonly FormatName[];
  /** Whether names ending in `.pak` are read in the first of the formats, and all others in the second. */
  readonly formatByEnding: boolean;
  /** Whether a file whose name is nothing but the ending counts. */
  readonly bareEnding: boolean;
  /** How packs in folders of the game directory count. */
  readonly folders: FolderRule;
}

/** Packs in the profile's folders: as those beside the folders, not at all, or loaded after those. */
export type FolderRule = "any" | "none" | "after";

/** Packs that a text file of the game directory names, one per line; a later line is searched first. */
export interface ListedPacks {
  /** Discriminates the kinds of rules. */
  readonly kind: "listed";
  /** Their name in sentences. */
  readonly title: string;
  /** Name of the text file. */
  readonly file: string;
  /** Endings with the dot, lower case, that a listed pack can have. */
  readonly suffixes: readonly string[];
  /** Whether a pack is skipped whose name differs only in case from that of one loaded before. */
  readonly exceptTwins: boolean;
  /** Prefixes of lines that are skipped. */
  readonly except: readonly string[];
  /** Whether no step loads packs by name where the file exists. */
  readonly replacesSorted: boolean;
  /** Whether words name the packs, in quotation marks where they hold blanks, and `//` begins a comment; else lines. */
  readonly words: boolean;
  /** Formats in which the engine reads them, whatever they hold; empty: any. */
  readonly formats: readonly FormatName[];
  /** Whether names ending in `.pak` are read in the first of the formats, and all others in the second. */
  readonly formatByEnding: boolean;
}

/** One step in which an engine loads packs of a game directory: what a later step loads is searched first. */
export type PackRule = NumberedPacks | SortedPacks | ListedPacks;

/** By name of a list: the packs that it names, and their lines. */
export type PackLists = ReadonlyMap<string, ReadonlyMap<string, number>>;
