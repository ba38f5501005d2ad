/**
 * Plans of games that load a list of files: the profile, the IWADs, and the packs of each.
 * @module
 */
import {
  chosenByUser,
  doom,
  GameError,
  isDirectory,
  isIwad,
  iwadOf,
  iwadsIn,
  lookInto,
  requestedProfile,
} from "../../games/mod.ts";
import { basename, dirname, extname } from "@std/path";
import { type EntryTable, type LinkRule, messageOf } from "../../formats/parts.ts";
import {
  filtersOf,
  gzdoomTable,
  type LoadList,
  type LumpReading,
  type Profile,
  profileNamed,
  woofFilters,
} from "../../engines/mod.ts";
import type { GameOptions, LoadedFiles } from "../columns/game.ts";
import { itemAt } from "./game_settings.ts";
import { listDirectory } from "./list_directory.ts";
import { fileSequence } from "./file_sequence.ts";
import type { Discovery } from "./game_directory.ts";
import {
  certainPack,
  type FoundDirectory,
  type FoundPack,
  type GameRules,
  listedDirectory,
  type ListedSource,
  type SourceLists,
} from "./plan.ts";

/** Engines for files of Doom; the first is the default. */
const doomEngines = doom.engines.map(({ name }) => name);

/** A profile whose engine loads a list of files. */
export interface ListDetection extends GameRules {
  readonly list: LoadList;
}

/**
 * Returns the profile of a game whose sources are files to load; `undefined` for all others.
 * @param paths Absolute paths of the sources.
 * @throws {GameError} if the profile is unknown, or loads no IWAD although one is named.
 */
export function listDetection(
  paths: readonly string[],
  { profile: wanted, iwad, files }: GameOptions,
): ListDetection | undefined {
  const isListed = iwad !== undefined || files !== undefined;
  if (wanted !== undefined) {
    const profile = requestedProfile(wanted);
    if (profile.loadList) return { profile, because: chosenByUser, base: "", list: profile.loadList };
    if (!isListed) return undefined;
    throw new GameError(`${profile.engine} loads no IWAD; choose one of ${doomEngines.join(", ")}`, profile.name);
  }
  const first = iwad ?? (paths.length > 1 ? paths.find((path) => !isDirectory(path) && isIwad(path)) : undefined);
  if (first === undefined && !isListed) return undefined;
  const profile = profileNamed(doomEngines[0] ?? "");
  if (!profile?.loadList) throw new RangeError("Cannot find the usual engine of Doom");
  const title = first === undefined ? undefined : iwadOf(first)?.title;
  const because = title === undefined ? "an IWAD was named" : `${first} is the IWAD of ${title}`;
  return { profile, because, base: "", list: profile.loadList };
}

/** Settings and environment of a plan of lists. */
export interface ListPlanning extends Discovery {
  readonly options: GameOptions;
  readonly profile: Profile;
  readonly list: LoadList;
  readonly links: "all" | LinkRule;
  /** Whether missing files are problems instead of errors. */
  readonly awaitsFiles: boolean;
}

/** Lists of a game, one per IWAD. */
export interface ListsPlan {
  readonly directories: readonly FoundDirectory[];
  readonly lists: SourceLists;
  readonly loads: readonly LoadedFiles[];
}

/**
 * Plans the lists of a game: one for the given IWAD or an IWAD among the files, else one for each IWAD in the
 * directories.
 * @throws {GameError} if no IWAD is found, or a required file is missing.
 */
export function planLists(paths: readonly string[], planning: ListPlanning): ListsPlan {
  const { options } = planning;
  const files = paths.filter((path) => !isDirectory(path));
  const named = options.iwad ?? files.find(isIwad);
  const found = named === undefined
    ? paths.filter(isDirectory).flatMap((path) => iwadsIn(lookInto(path))).map(({ path }) => path)
    : [named];
  if (found.length === 0) {
    throw new GameError(
      `${paths.join(", ")}: no IWAD; ${planning.profile.engine} needs one: name it with --iwad`,
      "iwad",
    );
  }
  const words = options.files ?? (named === undefined ? [] : paths.filter((path) => path !== named));
  const plans = new Map<string, ReturnType<typeof planList>>();
  for (const iwad of found) {
    const name = basename(iwad, extname(iwad));
    if (!plans.has(name)) plans.set(name, planList(name, iwad, words, planning));
  }
  const all = Array.from(plans.values());
  return {
    directories: all.map(({ directory }) => directory),
    lists: new Map(all.map(({ directory, sources }) => [directory.name, sources])),
    loads: all.map(({ loaded }) => loaded),
  };
}

function planList(name: string, iwad: string, words: readonly string[], planning: ListPlanning): {
  readonly directory: FoundDirectory;
  readonly sources: readonly ListedSource[];
  readonly loaded: LoadedFiles;
} {
  const { options: { autoload }, profile, list, problems } = planning;
  const sequence = fileSequence(
    iwad,
    { files: words, ...(autoload === undefined ? {} : { autoload }) },
    profile,
    problems,
  );
  const filters = (list.lumps === "woof" ? woofFilters : filtersOf)(sequence.iwad);
  const lumps: LumpReading = { rules: list.lumps, filters, engine: profile.engine };
  const found = sequence.files.flatMap((file) => {
    const pack = packAt(file.path, lumps, planning);
    return pack ? [{ file, pack }] : [];
  });
  return {
    ...listedDirectory(name, dirname(iwad), found.map(({ pack }) => pack)),
    loaded: { name, files: found.map(({ file }) => file) },
  };
}

function packAt(path: string, lumps: LumpReading, planning: ListPlanning): FoundPack | undefined {
  const information = itemAt(path);
  const name = basename(path);
  if (information?.isFile) return { ...certainPack(path, information), lumps };
  const problem = information === undefined ? "does not exist" : `is a directory, which ${lumps.engine} cannot load`;
  if (information?.isDirectory && lumps.rules === "gzdoom") {
    return directoryPack(path, planning, (table) => gzdoomTable(table, lumps.filters, name).table);
  }
  // What its files are called depends on the files before it, so it is read again with the list.
  if (information?.isDirectory && (lumps.rules === "woof" || lumps.rules === "eternity")) {
    return directoryPack(path, { ...planning, earlier: undefined });
  }
  const advice = information === undefined ? "; name a file such as doom2.wad" : "";
  if (!planning.awaitsFiles) throw new GameError(`${path} ${problem}${advice}`, path);
  planning.problems.push(`${path} ${problem}; left out`);
  return undefined;
}

/**
 * Returns a directory that is loaded like an archive.
 * @param tableOf Returns the files in it that are loaded; default: all.
 */
export function directoryPack(
  path: string,
  { game, profile, earlier: index, links, look, problems }: Omit<ListPlanning, "options" | "list" | "awaitsFiles">,
  tableOf: (table: EntryTable) => EntryTable = (table) => table,
): FoundPack | undefined {
  try {
    const listed = listDirectory({ path, format: "pk3dir", links, earlier: undefined, index: undefined, look });
    if (listed.kind !== "read") return undefined;
    const { identity, readAt } = listed;
    const table = tableOf(listed.table);
    const list = { format: "pk3dir", table, failure: null };
    const earlier = index?.source(game, profile, "pack", path);
    const fileList = index ? index.settle(earlier, list, identity, readAt) : { ...listed, table };
    return { name: basename(path), path, folder: "", isCertain: true, identity, fileList };
  } catch (error) {
    problems.push(`${path} cannot be read: ${messageOf(error)}`);
    return undefined;
  }
}
