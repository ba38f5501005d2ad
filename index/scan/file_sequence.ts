/**
 * The files that an engine for Doom loads, in load order: the IWAD, files that are always loaded, and files of the
 * command line. The orders follow d_main.cpp of GZDoom, d_main.c of dsda-doom and Chocolate Doom.
 * @module
 */
import { basename, dirname, join, resolve } from "@std/path";
import { messageOf } from "../../formats/parts.ts";
import { GameError, iwadOf, iwadsIn, lookInto } from "../../games/mod.ts";
import {
  type Iwad,
  loadedAfter,
  type LoadedFile,
  type LoadList,
  type LoadSwitch,
  loadSwitches,
  missionsOf,
  prefixesOf,
  type Profile,
  requiredBefore,
} from "../../engines/mod.ts";
import type { GameOptions } from "../columns/game.ts";
import { gameInfoFiles, iwadInformation } from "./game_info.ts";
import { itemAt } from "./game_settings.ts";

/** Maximum files of a list: GZDoom numbers them with 16 bits. */
const maxFiles = 32_767;
/** Maximum bytes of an INI file. */
const maxIniBytes = 4 * 1024 * 1024;

/** Files in load order, the IWAD first. */
export interface FileSequence {
  readonly files: readonly LoadedFile[];
  /** The game of the IWAD; a guess if it is unknown. */
  readonly iwad: Pick<Iwad, "game" | "autoname">;
}

/** Settings of a game that determine which files are loaded. */
export type LoadOptions = Pick<GameOptions, "files" | "autoload">;

/**
 * Returns the files that are loaded with an IWAD.
 * @param path Absolute path of the IWAD.
 * @param problems Receives a message for each omitted file.
 * @throws {GameError} if the list has a switch that the engine lacks, or too many files.
 */
export function fileSequence(
  path: string,
  { files: words = [], autoload }: LoadOptions,
  profile: Profile,
  problems: string[],
): FileSequence {
  const list = profile.loadList;
  if (list === null) throw new RangeError(`Cannot list files: ${profile.name} loads no list`);
  const said = list.lumps === "gzdoom" ? iwadInformation(path) : undefined;
  const iwad = said ?? iwadOf(path) ?? { game: "doom", autoname: "" };
  const named = switchedFiles(words, list, profile.engine);
  const beforeIwad = list.lumps === "gzdoom" ? requiredIwads(path, iwad, problems) : [];
  const added = list.lumps === "gzdoom" ? [...loadedAfter(iwad), ...said?.loads ?? []] : list.own;
  const own = added.map((name) => join(dirname(path), name)).filter((file) => itemAt(file));
  const always = autoload === undefined ? [] : autoloaded(resolve(autoload), basename(path), iwad, list, problems);
  const given = list.switches.flatMap((how) => named.filter((file) => file.how === how));
  const pulled = list.lumps === "gzdoom" ? gameInfoFiles(given.map((file) => withEnding(file.path)), problems) : [];
  const beside = autoload === undefined || !list.autoloadOfFiles
    ? []
    : listedFirst(given).flatMap((file) =>
      directoryFiles(join(resolve(autoload), directoryName(file.path, list)), list)
    );
  const all: LoadedFile[] = [
    ...beforeIwad.map((file) => ({ path: file, how: "-file" as const })),
    { path, how: null },
    ...own.map((file) => ({ path: file, how: "-file" as const })),
    ...always.toSorted((a, b) => list.switches.indexOf(a.how) - list.switches.indexOf(b.how)),
    ...pulled.map((file) => ({ path: file, how: "-file" as const })),
    ...given,
    ...beside,
  ];
  const files = withoutRepeated(all, list);
  if (files.length > maxFiles) {
    throw new GameError(`${files.length} files to load; ${profile.engine} loads at most ${maxFiles}`, path);
  }
  return { files: withoutRepeated(files.map((file) => ({ ...file, path: withEnding(file.path) })), list), iwad };
}

/** Returns the files that have directories of files loaded with them: those of `-file`, then those of `-merge`. */
function listedFirst(files: readonly SwitchedFile[]): SwitchedFile[] {
  return (["-file", "-merge"] as const).flatMap((how) => files.filter((file) => file.how === how));
}

/** Returns the IWAD that GZDoom loads before one: it is looked for next to that. */
function requiredIwads(path: string, iwad: FileSequence["iwad"], problems: string[]): string[] {
  const wanted = requiredBefore(iwad);
  if (wanted === undefined) return [];
  const found = iwadsIn(lookInto(dirname(path))).find((other) => other.iwad.autoname === wanted);
  if (!found) problems.push(`${path}: GZDoom loads it only with the IWAD of ${wanted} next to it`);
  return found ? [found.path] : [];
}

/** A file after the IWAD. */
interface SwitchedFile extends LoadedFile {
  readonly how: LoadSwitch;
}

function switchedFiles(words: readonly string[], { switches }: LoadList, engine: string): SwitchedFile[] {
  let how: LoadSwitch = "-file";
  const files: SwitchedFile[] = [];
  for (const word of words) {
    if (!word.startsWith("-")) {
      files.push({ path: resolve(word), how });
      continue;
    }
    const known = loadSwitches.find((one) => one === word.toLowerCase());
    if (known === undefined || !switches.includes(known)) {
      throw new GameError(`unknown switch ${word} in a list of files; ${engine} has ${switches.join(", ")}`, word);
    }
    how = known;
  }
  return files;
}

/** Returns a path as engines complete it: with `.wad` if the path does not exist. */
function withEnding(path: string): string {
  return itemAt(path) || !itemAt(`${path}.wad`)?.isFile ? path : `${path}.wad`;
}

/** Returns each file once: GZDoom uses the first occurrence, other engines the last. */
function withoutRepeated(files: readonly LoadedFile[], { lumps }: LoadList): LoadedFile[] {
  const kept = new Map<string, LoadedFile>();
  for (const file of lumps === "gzdoom" ? files : files.toReversed()) {
    if (!kept.has(file.path)) kept.set(file.path, file);
  }
  const unique = Array.from(kept.values());
  return lumps === "gzdoom" ? unique : unique.reverse();
}

/** Returns the files that are always loaded with an IWAD. */
function autoloaded(
  path: string,
  iwadName: string,
  iwad: FileSequence["iwad"],
  list: LoadList,
  problems: string[],
): SwitchedFile[] {
  if (list.autoload.length === 0 && list.lumps !== "gzdoom") return [];
  if (list.autoload.length === 0) return iniFiles(path, iwad, list, problems);
  const names = list.autoload.flatMap((name) =>
    name.includes("{mission}")
      ? missionsOf(iwad).map((mission) => name.replaceAll("{mission}", mission))
      : name.replaceAll("{iwad}", directoryName(iwadName, list)).replaceAll("{game}", iwad.game)
  );
  return names.flatMap((name) => directoryFiles(join(path, name), list));
}

/** Returns the name of the directory of files that are always loaded with a file. */
function directoryName(path: string, { lumps }: LoadList): string {
  return lumps === "woof" ? basename(path).toLowerCase() : basename(path);
}

/**
 * Returns the WADs and lumps in a directory, sorted by name without case; Woof loads the directory itself after them.
 */
function directoryFiles(path: string, { autoloadAs: how, lumps }: LoadList): SwitchedFile[] {
  const names = lookInto(path).files;
  const sorted = (ending: RegExp) =>
    names.filter((name) => ending.test(name)).map((name) => ({ name, key: name.toLowerCase() }))
      .sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0).map(({ name }) => ({ path: join(path, name), how }));
  if (lumps === "woof") return [...sorted(/\.(wad|zip|pk3)$/i), ...itemAt(path)?.isDirectory ? [{ path, how }] : []];
  return [...sorted(/\.(wad|lmp)$/i), ...how === "-file" ? sorted(/\.zip$/i) : []];
}

/** Returns the files of the sections of `gzdoom.ini` for an IWAD, the most general section first. */
function iniFiles(
  path: string,
  { autoname }: FileSequence["iwad"],
  list: LoadList,
  problems: string[],
): SwitchedFile[] {
  const lines = iniLines(path, problems);
  const wanted = ["global", ...prefixesOf(autoname)].map((name) => `[${name}.autoload]`);
  return wanted.flatMap((section) => {
    let isInside = false;
    return lines.flatMap((line) => {
      if (line.startsWith("[")) isInside = line.toLowerCase() === section;
      const [, file] = isInside ? /^path\s*=\s*(.+)$/i.exec(line) ?? [] : [];
      return file === undefined ? [] : [{ path: resolve(dirname(path), file), how: list.autoloadAs }];
    });
  });
}

function iniLines(path: string, problems: string[]): string[] {
  try {
    const { size } = Deno.statSync(path);
    if (size > maxIniBytes) throw new Error(`${size} bytes are more than ${maxIniBytes}`);
    return Deno.readTextFileSync(path).split("\n").map((line) => line.trim());
  } catch (error) {
    problems.push(`${path}: not read: ${messageOf(error)}`);
    return [];
  }
}
