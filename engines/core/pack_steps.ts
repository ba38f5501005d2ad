/**
 * The steps in which an engine loads the packs of a game directory, and what they decide.
 * @module
 */
import type { FormatName } from "../../formats/parts.ts";
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
  /** Load order of the packs in it, where an engine that loads it again does not load these again. */
  readonly inner?: Pick<LoadOrder, "group" | "order">;
}

/** Packs that an engine looks for as `pak0.pak`, `pak1.pak`, ... by exact name; a higher number is searched first. */
export interface NumberedPacks {
  /** Packs with a number, by exact name. */
  readonly kind: "numbered";
  /** Their name in sentences. */
  readonly title: string;
  /** Text before the number. */
  readonly prefix: string;
  /** Text after the number. */
  readonly suffix: string;
  /** Further texts after the number: of one number the pack with the last of them is searched first. */
  readonly otherSuffixes: readonly string[];
  /** Highest number that it looks for; none: unlimited. */
  readonly last: number | null;
  /** Whether names in upper case count too, as where the engine runs on a file system that ignores case. */
  readonly anyCase: boolean;
  /** Whether a name in upper case as a whole counts where the one in lower case is missing. */
  readonly capitals: boolean;
  /** Whether a pack is left out if its name differs only in case from a pack loaded before. */
  readonly exceptTwins: boolean;
  /** Whether the first number that is missing ends the loading. */
  readonly stopsAtGap: boolean;
  /** Whether a Quake PAK without members counts as missing. */
  readonly emptyIsMissing: boolean;
  /** Whether a pack that cannot be read, or a zip without members, counts as missing. */
  readonly unreadableIsMissing: boolean;
  /** Formats in which they are read, whatever they hold; empty: any. */
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
  /** All packs with some endings, in the order of their names. */
  readonly kind: "sorted";
  /** Their name in sentences. */
  readonly title: string;
  /** Endings with the dot, in lower case; empty: every archive. */
  readonly suffixes: readonly string[];
  /** Endings of directories that count as packs, in lower case; compared without case. */
  readonly directories: readonly string[];
  /** Whether endings in upper case count too. */
  readonly anyCase: boolean;
  /** Whether names that differ only in case from a numbered pack's name are left out. */
  readonly exceptNumbered: boolean;
  /** Whether a pack without members is left out. */
  readonly emptyIsMissing: boolean;
  /** Whether a pack is left out if its name differs only in case from a pack loaded before. */
  readonly exceptTwins: boolean;
  /** How names are compared; the last is searched first. */
  readonly collation: Collation;
  /** Prefixes that count as others when names are compared. */
  readonly sortsAs: readonly PrefixRule[];
  /** Prefixes, case-sensitive, of packs that are not loaded. */
  readonly except: readonly string[];
  /** Prefixes that are replaced before a pack is opened, so that it is missed. */
  readonly opensAs: readonly PrefixRule[];
  /** Formats in which they are read, whatever they hold; empty: any. */
  readonly formats: readonly FormatName[];
  /** Whether names ending in `.pak` are read in the first of the formats, and all others in the second. */
  readonly formatByEnding: boolean;
  /** Whether a file whose name is nothing but the ending counts too. */
  readonly bareEnding: boolean;
  /** How packs in the folders of `packFolders` count. */
  readonly folders: FolderRule;
}

/** How packs in the profile's folders count: see `folderRules`. */
export type FolderRule = "any" | "none" | "after";

/** Packs that a text file of the game directory names, one per line; a later line is searched first. */
export interface ListedPacks {
  /** Packs that a text file in the game directory names, one per line. */
  readonly kind: "listed";
  /** Their name in sentences. */
  readonly title: string;
  /** Name of the text file. */
  readonly file: string;
  /** Endings with the dot, in lower case, that a listed pack can have. */
  readonly suffixes: readonly string[];
  /** Whether a pack is left out if its name differs only in case from a pack loaded before. */
  readonly exceptTwins: boolean;
  /** Prefixes, in lower case, of lines that are skipped in any case. */
  readonly except: readonly string[];
  /**
   * Whether packs that earlier steps have loaded are loaded again, so that the list decides about them too, but not about
   * packs in them.
   */
  readonly loadsAgain: boolean;
  /** Whether no step loads packs by name where the file exists. */
  readonly replacesSorted: boolean;
  /** Whether words name the packs, quoted where they hold whitespace, and `//` begins a comment; else lines do, from 5 characters on. */
  readonly words: boolean;
  /** Formats in which they are read, whatever they hold; empty: any. */
  readonly formats: readonly FormatName[];
  /** Whether names ending in `.pak` are read in the first of the formats, and all others in the second. */
  readonly formatByEnding: boolean;
}

/** One step in which an engine loads packs of a game directory: what a later step loads is searched first. */
export type PackRule = NumberedPacks | SortedPacks | ListedPacks;

/** By name of a list: the packs that it names, and their lines. */
export type PackLists = ReadonlyMap<string, ReadonlyMap<string, number>>;
