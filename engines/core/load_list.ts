/**
 * Lists of files to load, as for Doom's engines: an IWAD, and files on the command line.
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
   * Switches of the command line in the order in which their files are loaded, regardless of their order on the command
   * line.
   */
  readonly switches: readonly LoadSwitch[];
  /** Files next to the IWAD that are loaded right after it. */
  readonly own: readonly string[];
  /**
   * Directories of files that are always loaded, in order. They may contain `{iwad}` for the IWAD's file name, `{game}`
   * for its game and `{mission}` for each group of IWADs that the IWAD belongs to. Empty: an INI file lists the files.
   */
  readonly autoload: readonly string[];
  /** Switch that loads the files of these directories. */
  readonly autoloadAs: LoadSwitch;
  /** Whether, after all files, the engine also loads a directory named after each other file. */
  readonly autoloadOfFiles: boolean;
  /** Whether files of `-file` are merged as those of `-merge` are. */
  readonly mergesFiles: boolean;
  /** Maximum lumps of a WAD after the IWAD; with more the engine refuses to start; none: any number. */
  readonly maxLumps: number | null;
}

/**
 * Returns whether an engine reads all lumps of one name that hold definitions, each after those that were loaded before
 * it; others read the winner alone.
 */
export function mergesDefinitions(loadList: LoadList | null | undefined): boolean {
  return loadList?.lumps === "gzdoom";
}

/** Returns the paths of all files of a game: its IWAD, and the files of a list that also has switches. */
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
  /** Active folders of `filter/`. */
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
