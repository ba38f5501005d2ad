/**
 * Finds games in given directories, or in all directories where games are usually installed. Like the engine, pakfs
 * searches the engine's directories in the home before the installation.
 * @module
 */
import { basename, dirname, join, resolve } from "@std/path";
import { GameError } from "../game_error.ts";
import { shellWord } from "../../system/mod.ts";
import { isDirectory, isThere, lookInto, realPath } from "./directory.ts";
import { anyPk3, findEvidence, type ProfileEvidence } from "./evidence.ts";
import {
  addOnsOf,
  evidenceIn,
  type GameRoots,
  gameRoots,
  homeAt,
  type Installation,
  installationAt,
  installationIn,
  withHomes,
} from "./installation.ts";
import { games } from "../table.ts";
import { homesOf, type Surroundings } from "./engine_homes.ts";
import { findLikelyDirectories, type LikelyDirectory } from "./likely_directories.ts";
import { type FoundGame, type GameReport, reportGame } from "./report.ts";

/** Games that were found. */
export interface InstalledGames {
  /** The games, in the order in which they were found. */
  readonly games: readonly GameReport[];
  /** A message for each file that could not be parsed. */
  readonly problems: readonly string[];
}

/** Maximum number of listed directories below one directory. */
const maxDirectories = 2000;
/** Levels that are searched below a directory without a game. */
const levelsBelow = 3;

/** Searches all directories where games are usually installed. */
export function findInstalledGames(surroundings: Surroundings): InstalledGames {
  const { directories, problems } = findLikelyDirectories(surroundings);
  const installations = installationsIn(directories);
  const homes = installationsIn(homeDirectories(surroundings))
    .filter(({ known }) => known !== undefined && !installations.some((one) => one.known === known));
  const found = [
    ...installations.map((installation) => withHomes(installation, surroundings)),
    ...homes.map((home) => withOthers(home, surroundings)),
  ];
  const reported = reportAll(found, surroundings);
  return { games: reported.games, problems: [...problems, ...reported.problems] };
}

/**
 * Reports the games in directories. If a directory is not a base directory, the games below it are reported, or that
 * there are none. Directories of the same game are reported as one game.
 * @throws {GameError} if a directory does not exist.
 */
export function detectDirectories(paths: readonly string[], surroundings: Surroundings): InstalledGames {
  return reportAll(paths.flatMap((path) => detectDirectory(path, surroundings)), surroundings);
}

function detectDirectory(path: string, surroundings: Surroundings): FoundGame[] {
  const absolute = resolve(path);
  if (!isDirectory(absolute)) {
    const reason = isThere(absolute)
      ? `is a file, and detect takes directories; "pakfs archive list ${shellWord(path)}" lists it, if it is an archive`
      : "does not exist; name a game's directory";
    throw new GameError(`${path} ${reason}`, path);
  }
  const installations = installationsIn([{ path: absolute, origin: "it was requested", depth: 0 }]);
  const [installation] = installations;
  if (installation) return [withOthers(installation, surroundings)];
  const below = installationsIn([{ path: absolute, origin: `it is below ${absolute}`, depth: levelsBelow }]);
  return below.length > 0 ? below.map((one) => withHomes(one, surroundings)) : [nothingIn(absolute)];
}

/**
 * Returns the roots of the game in a base directory as reported by `detect`: engine directories in the home, then the
 * installation. Any other path is returned alone, as typed.
 */
export function rootsOf(path: string, surroundings: Surroundings): GameRoots {
  const installation = installationIn(path);
  return installation ? gameRoots(path, withOthers(installation, surroundings).sources) : { roots: [path] };
}

function reportAll(found: readonly FoundGame[], surroundings: Surroundings): InstalledGames {
  const games: GameReport[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const one of found) {
    const key = JSON.stringify(one.sources.map(({ path }) => realPath(path)));
    if (seen.has(key)) continue;
    seen.add(key);
    try {
      games.push(reportGame(one, surroundings, new Set(games.map(({ name }) => name))));
    } catch (error) {
      if (!(error instanceof GameError)) throw error;
      problems.push(error.message);
    }
  }
  return { games, problems };
}

function nothingIn(path: string): FoundGame {
  const above = dirname(path);
  // Packs of any engine do not show a game: Debian has those of Doomsday in /usr/share/doomsday.
  const isGameDirectory =
    findEvidence([above])?.evidence.some((one) => one.says !== anyPk3.says && realPath(one.path) === realPath(path)) ??
      false;
  const others = isGameDirectory
    ? [{ path: above, says: `is the base directory: ${basename(path)} is one of its game directories; detect that` }]
    : [];
  const sources = [{ path, origin: "it was requested" }];
  return { known: undefined, packs: [], sources, others };
}

/**
 * Finds the base directories in and below directories, without duplicates: Debian's Red Eclipse has its program in
 * `/usr/lib/games`, next to links to the directories of `/usr/share/games`.
 */
function installationsIn(likely: readonly LikelyDirectory[]): Installation[] {
  const seen = new Set<string>();
  const installations: Installation[] = [];
  for (const { path, origin, depth } of likely) {
    for (const directory of baseDirectories(path, depth)) {
      if (seen.has(realPath(directory.path))) continue;
      seen.add(realPath(directory.path));
      const installation = installationAt(directory.path, origin, directory.found);
      if (!installations.some((earlier) => linksTo(installation, earlier))) installations.push(installation);
    }
  }
  return installations;
}

/** Returns whether all directories of an installation belong to an earlier one for the same engine. */
function linksTo({ path, known, found }: Installation, earlier: Installation): boolean {
  if (known === undefined || known !== earlier.known || found.profile !== earlier.found.profile) return false;
  const targets = directoriesIn(path);
  return targets.size > 0 && targets.isSubsetOf(directoriesIn(earlier.path));
}

function directoriesIn(path: string): Set<string> {
  return new Set(lookInto(path).directories.map((name) => realPath(join(path, name))));
}

/** Returns the base directories of games below a directory. */
export function gamesBelow(path: string): string[] {
  return Array.from(baseDirectories(path, levelsBelow), (found) => found.path);
}

/**
 * Finds base directories up to `depth` levels below a directory; below a base directory only those of the same game:
 * `rerelease`.
 */
function* baseDirectories(path: string, depth: number): Generator<{ path: string; found: ProfileEvidence }> {
  let left = maxDirectories;
  let level = [path];
  for (let deep = 0; deep <= depth; deep++) {
    const next: string[] = [];
    for (const directory of level) {
      if (left-- <= 0) return;
      const found = evidenceIn(directory);
      if (found) yield { path: directory, found };
      if (deep === depth) continue;
      const below = lookInto(directory).directories.filter((name) => !name.startsWith("."));
      const isWorthwhile = (name: string) => !found || name.toLowerCase() === "rerelease";
      next.push(...below.filter(isWorthwhile).map((name) => join(directory, name)));
    }
    level = next;
  }
}

/** Returns every engine's directory in the home: some users have the whole game there. */
function homeDirectories(surroundings: Surroundings): LikelyDirectory[] {
  return games.flatMap((game) =>
    homesOf(game, surroundings).flatMap(({ engine, paths }) =>
      paths.map((path) => ({ path, origin: `${engine.engine} keeps its own files there`, depth: 0 }))
    )
  );
}

/** Adds home directories like {@linkcode withHomes}, or the installation to an engine's directory in the home. */
function withOthers(installation: Installation, surroundings: Surroundings): FoundGame {
  const { known, path, found, packs } = installation;
  const home = homeAt(installation, surroundings);
  if (!home) return withHomes(installation, surroundings);
  const { engine, paths } = home;
  const installations = installationsIn(findLikelyDirectories(surroundings).directories).filter((one) =>
    one.known === known
  );
  const [first, ...rest] = installations;
  const origin = (one: string) =>
    realPath(one) === realPath(path) ? installation.origin : `${engine.engine} keeps its own files there`;
  const profile = found.isDefault ? engine.profile : found.profile;
  return {
    known,
    packs: [...packs, ...first?.packs ?? []],
    sources: [
      ...paths.map((one) => ({ path: one, origin: origin(one) })),
      ...first ? [...addOnsOf(known, first.path, profile), { path: first.path, origin: first.origin }] : [],
    ],
    others: rest.map((one) => ({ path: one.path, says: "is another installation of the game" })),
  };
}
