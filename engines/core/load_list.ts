/**
 * Lists of files to load, as Doom's engines have: an IWAD, and files on the command line.
 * @module
 */

/** Switch of the command line that loads files. */
export type LoadSwitch = "-file" | "-merge" | "-nwtmerge" | "-af" | "-as" | "-aa";

/** All switches of the command line that load files. */
export const loadSwitches = [
  "-file",
  "-merge",
  "-nwtmerge",
  "-af",
  "-as",
  "-aa",
] as const satisfies readonly LoadSwitch[];

/** How an engine names the lumps of files: see `lumpRules`. */
export type LumpRules = "gzdoom" | "boom" | "woof" | "eternity" | "vanilla";

/** An engine that loads an IWAD and a list of files; what is loaded later is searched first. */
export interface LoadList {
  /** How lumps are named. */
  readonly lumps: LumpRules;
  /**
   * Switches of the command line, in the order in which their files are loaded, whatever the order they are given in.
   */
  readonly switches: readonly LoadSwitch[];
  /** Files next to the IWAD that are loaded right after it. */
  readonly own: readonly string[];
  /**
   * Directories of files that are always loaded, in order, with `{iwad}` for the IWAD's file name, `{game}` for its
   * game and `{mission}` for each group of IWADs that it belongs to; empty: an INI file lists them.
   */
  readonly autoload: readonly string[];
  /** Switch by which such files are loaded. */
  readonly autoloadAs: LoadSwitch;
  /** Whether a directory named after each other file is loaded too, after all files. */
  readonly autoloadOfFiles: boolean;
  /** Whether files of `-file` are merged as those of `-merge` are. */
  readonly mergesFiles: boolean;
  /** Maximum lumps of a WAD after the IWAD; with more the engine refuses to start; none: any number. */
  readonly maxLumps: number | null;
}

/** Returns the paths of all files of a game: its IWAD, and the files in a list that has switches too. */
export function loadedPaths(iwad: string, files: readonly string[] = []): string[] {
  return [iwad, ...files.filter((word) => !word.startsWith("-"))];
}

/** Returns the switch by which the lumps of a file are loaded; null for the IWAD. */
export function lumpSwitch({ mergesFiles }: LoadList, how: LoadSwitch | null): LoadSwitch | null {
  return mergesFiles && how === "-file" ? "-merge" : how;
}

/** How the lumps of a file are named. */
export interface LumpReading {
  readonly rules: LumpRules;
  /** Folders of `filter/` that count. */
  readonly filters: readonly string[];
  /** Name of the engine in sentences. */
  readonly engine: string;
}

/** A file that a game loads. */
export interface LoadedFile {
  /** Absolute path. */
  readonly path: string;
  /** Switch that loads it; null for the IWAD. */
  readonly how: LoadSwitch | null;
}
