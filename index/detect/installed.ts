/**
 * Finds games in given directories, or in all directories where games are usually installed. Directories of an engine in
 * the home are searched before the installation, as the engine does.
 * @module
 */
import { basename, dirname, join, resolve } from "@std/path";
import { GameError } from "../profiles/game.ts";
import { isDirectory, lookInto, realPath } from "./directory.ts";
import { findEvidence, type ProfileEvidence } from "./evidence.ts";
import { type KnownGame, knownGameIn, knownGames, packsOfGames } from "./known_games.ts";
import { findLikelyDirectories, homesOf, type LikelyDirectory, type Surroundings } from "./likely_directories.ts";
import { type FoundGame, type GameReport, type OtherFinding, reportGame, type SourceFinding } from "./report.ts";

/** Games that were found. */
export interface InstalledGames {
  /** The games, in the order in which they were found. */
  readonly games: readonly GameReport[];
  /** A sentence for each file that could not be understood. */
  readonly problems: readonly string[];
}

/** An installation: a base directory with the evidence for its engine. */
interface Installation {
  readonly path: string;
  readonly origin: string;
  readonly found: ProfileEvidence;
  readonly known: KnownGame | undefined;
}

/** Maximum directories that are listed below one directory. */
const maxDirectories = 2000;
/** Levels that are searched below a directory without a game. */
export const levelsBelow = 3;

/** Searches all directories where games are usually installed. */
export function findInstalledGames(surroundings: Surroundings): InstalledGames {
  const { directories, problems } = findLikelyDirectories(surroundings);
  const installations = installationsIn(directories);
  const homes = installationsIn(homeDirectories(surroundings))
    .filter(({ known }) => known !== undefined && !installations.some((one) => one.known === known));
  const reported = reportAll([
    ...installations.map((installation) => withHomes(installation, surroundings)),
    ...homes.map((home) => withOthers(home, surroundings)),
  ]);
  return { games: reported.games, problems: [...problems, ...reported.problems] };
}

/**
 * Reports the games in directories. For one that is not a base directory, those below it are reported, otherwise that
 * nothing was found. Directories of one game are reported as one.
 * @throws {GameError} if a directory does not exist.
 */
export function detectDirectories(paths: readonly string[], surroundings: Surroundings): InstalledGames {
  return reportAll(paths.flatMap((path) => detectDirectory(path, surroundings)));
}

function detectDirectory(path: string, surroundings: Surroundings): FoundGame[] {
  const absolute = resolve(path);
  if (!isDirectory(absolute)) {
    const reason = lookInto(dirname(absolute)).files.includes(basename(absolute))
      ? "is a file; detect takes directories, and an archive is mounted alone"
      : "does not exist; name a game's directory";
    throw new GameError(`${path} ${reason}`, path);
  }
  const installations = installationsIn([{ path: absolute, origin: "it was asked for", depth: 0 }]);
  const [installation] = installations;
  if (installation) return [withOthers(installation, surroundings)];
  const below = installationsIn([{ path: absolute, origin: `it is below ${absolute}`, depth: levelsBelow }]);
  return below.length > 0 ? below.map((one) => withHomes(one, surroundings)) : [nothingIn(absolute)];
}

function reportAll(found: readonly FoundGame[]): InstalledGames {
  const games: GameReport[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const one of found) {
    const key = JSON.stringify(one.sources.map(({ path }) => realPath(path)));
    if (seen.has(key)) continue;
    seen.add(key);
    try {
      games.push(reportGame(one, new Set(games.map(({ name }) => name))));
    } catch (error) {
      if (!(error instanceof GameError)) throw error;
      problems.push(error.message);
    }
  }
  return { games, problems };
}

function nothingIn(path: string): FoundGame {
  const above = dirname(path);
  const isGameDirectory = findEvidence([above])?.evidence.some((one) => realPath(one.path) === realPath(path)) ?? false;
  const others = isGameDirectory
    ? [{ path: above, says: `is the base directory: ${basename(path)} is one of its game directories; detect that` }]
    : [];
  const sources = [{ path, origin: "it was asked for" }];
  return { known: undefined, profile: "generic", evidence: [], sources, others };
}

/** Finds the base directories in and below directories, each once. */
function installationsIn(likely: readonly LikelyDirectory[]): Installation[] {
  const seen = new Set<string>();
  const installations: Installation[] = [];
  for (const { path, origin, depth } of likely) {
    for (const directory of baseDirectories(path, depth)) {
      if (seen.has(realPath(directory.path))) continue;
      seen.add(realPath(directory.path));
      const known = knownGameIn(directory.path);
      const sized = packsOfGames(directory.path).map((pack) => ({
        path: pack.found,
        says: `has the size of ${pack.of}'s`,
      }));
      const found = { ...directory.found, evidence: [...directory.found.evidence, ...sized] };
      installations.push({ path: directory.path, origin, found, known });
    }
  }
  return installations;
}

/** Returns the base directories of games below a directory. */
export function gamesBelow(path: string): string[] {
  return Array.from(baseDirectories(path, levelsBelow), (found) => found.path);
}

/** Finds base directories up to `depth` levels below a directory; below one only those of the same game: `rerelease`. */
function* baseDirectories(path: string, depth: number): Generator<{ path: string; found: ProfileEvidence }> {
  let left = maxDirectories;
  let level = [path];
  for (let deep = 0; deep <= depth && level.length > 0; deep++) {
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

function evidenceIn(directory: string): ProfileEvidence | undefined {
  try {
    return findEvidence([directory]);
  } catch (error) {
    if (error instanceof GameError) return undefined; // unreadable: no evidence
    throw error;
  }
}

/** Returns every engine's directory in the home: some users keep the whole game there. */
function homeDirectories(surroundings: Surroundings): LikelyDirectory[] {
  return knownGames.flatMap((game) =>
    homesOf(game, surroundings).flatMap(({ engine, paths }) =>
      paths.map((path) => ({ path, origin: `${engine.engine} keeps its own files there`, depth: 0 }))
    )
  );
}

/** Directory of a Steam library that holds its games. */
const steamGames = "/steamapps/common/";

/** Returns the directory of add-ons beside an installation of Steam that an engine searches; empty if missing. */
function addOnsOf(known: KnownGame | undefined, path: string, profile: string): SourceFinding[] {
  const addOns = known?.addOns;
  const end = path.lastIndexOf(steamGames);
  if (addOns?.profile !== profile || end < 0) return [];
  const found = join(path.slice(0, end), "steamapps", addOns.path);
  return isDirectory(found)
    ? [{ path: found, origin: `${addOns.engine} searches add-ons that Steam keeps there` }]
    : [];
}

/** Adds the home directories of the engine that plays it to an installation. */
function withHomes({ path, origin, found, known }: Installation, surroundings: Surroundings): FoundGame {
  const own: SourceFinding = { path, origin };
  const isOther = (home: string) => realPath(home) !== realPath(path);
  const homes = known === undefined ? [] : homesOf(known, surroundings)
    .map(({ engine, paths }) => ({ engine, paths: paths.filter(isOther) }))
    .filter(({ paths }) => paths.length > 0);
  const chosen = found.isDefault ? homes[0] : homes.find(({ engine }) => engine.profile === found.profile);
  // Several engines may keep their files in one directory.
  const isChosen = (home: string) => chosen?.paths.some((one) => realPath(one) === realPath(home)) ?? false;
  const others = homes.filter((home) => home !== chosen).flatMap(({ engine, paths }): OtherFinding[] =>
    paths.filter((home) => !isChosen(home)).map((home) => ({
      path: home,
      says: `is where ${engine.engine} keeps its own files: above the others with --profile ${engine.profile}`,
    }))
  );
  if (!chosen) {
    const sources = [...addOnsOf(known, path, found.profile), own];
    return { known, profile: found.profile, evidence: found.evidence, sources, others };
  }
  const { engine, paths } = chosen;
  const homeOrigin = `${engine.engine} keeps its own files there`;
  const says = `is there, so ${engine.engine} plays it`;
  const evidence = found.profile === engine.profile
    ? found.evidence
    : [...found.evidence, { path: paths[0] ?? "", says }];
  const sources = [
    ...paths.map((home) => ({ path: home, origin: homeOrigin })),
    ...addOnsOf(known, path, engine.profile),
    own,
  ];
  return { known, profile: engine.profile, evidence, sources, others };
}

/** Does the same as {@linkcode withHomes}, or adds the installation to an engine's directory in the home. */
function withOthers(installation: Installation, surroundings: Surroundings): FoundGame {
  const { known, path, found } = installation;
  const home = known === undefined
    ? undefined
    : homesOf(known, surroundings).find(({ paths }) => paths.some((one) => realPath(one) === realPath(path)));
  if (!home) return withHomes(installation, surroundings);
  const { engine, paths } = home;
  const installations = installationsIn(findLikelyDirectories(surroundings).directories).filter((one) =>
    one.known === known
  );
  const [first, ...rest] = installations;
  const origin = (one: string) =>
    realPath(one) === realPath(path) ? installation.origin : `${engine.engine} keeps its own files there`;
  const profile = found.isDefault ? engine.profile : found.profile;
  const evidence = profile === found.profile
    ? found.evidence
    : [...found.evidence, { path, says: `is where ${engine.engine} keeps its own files` }];
  return {
    known,
    profile,
    evidence,
    sources: [
      ...paths.map((one) => ({ path: one, origin: origin(one) })),
      ...first ? [...addOnsOf(known, first.path, profile), { path: first.path, origin: first.origin }] : [],
    ],
    others: rest.map((one) => ({ path: one.path, says: "is another installation of the game" })),
  };
}
