/**
 * Installations, and engines' directories in the home, which are searched before them.
 * @module
 */
import { join, resolve } from "@std/path";
import { GameError, nameOfRoots } from "../game_error.ts";
import { isDirectory, realPath } from "./directory.ts";
import { type EngineDirectories, homesOf, type Surroundings } from "./engine_homes.ts";
import { type Evidence, findEvidence, type ProfileEvidence } from "./evidence.ts";
import type { KnownGame } from "../core/game.ts";
import { knownGameIn, packsOfGames } from "./recognised.ts";
import type { FoundGame, OtherFinding, SourceFinding } from "./report.ts";

/** An installation: a base directory with the evidence for its engine. */
export interface Installation {
  readonly path: string;
  readonly origin: string;
  readonly found: ProfileEvidence;
  readonly known: KnownGame | undefined;
  /** Packs that are identified by their sizes. */
  readonly packs: readonly Evidence[];
}

/** Returns the installation in a directory with evidence for an engine. */
export function installationAt(path: string, origin: string, found: ProfileEvidence): Installation {
  const packs = packsOfGames(path).map((pack) => ({ path: pack.found, says: `has the size of ${pack.of}'s` }));
  return { path, origin, found, known: knownGameIn(path), packs };
}

/** Returns the installation in a directory that a user named, if it is one. */
export function installationIn(path: string): Installation | undefined {
  const absolute = resolve(path);
  const found = evidenceIn(absolute);
  return found && installationAt(absolute, "it was requested", found);
}

/** Returns the evidence for an engine in a directory; none if it cannot be read. */
export function evidenceIn(directory: string): ProfileEvidence | undefined {
  try {
    return findEvidence([directory]);
  } catch (error) {
    if (error instanceof GameError) return undefined; // unreadable: no evidence
    throw error;
  }
}

/** Roots of a game. */
export interface GameRoots {
  /** Roots, the first searched first. */
  readonly roots: readonly string[];
  /** Name of the game, if the first root is the directory of an engine in the home. */
  readonly name?: string;
}

/** Returns the roots of a game found by `path`; a single root is left as typed. */
export function gameRoots(path: string, sources: readonly SourceFinding[]): GameRoots {
  const roots = sources.map((source) => source.path);
  return roots.length > 1 ? { roots, name: nameOfRoots(roots.slice(-1)) } : { roots: [path] };
}

/**
 * Returns the roots of the game in a base directory; undefined for an engine's directory in the home, whose
 * installation has to be found first.
 */
export function installedRoots(path: string, surroundings: Surroundings): GameRoots | undefined {
  const installation = installationIn(path);
  if (!installation) return { roots: [path] };
  if (homeAt(installation, surroundings)) return undefined;
  return gameRoots(path, withHomes(installation, surroundings).sources);
}

/** Returns the engine whose files are in an installation, with all of its directories. */
export function homeAt({ known, path }: Installation, surroundings: Surroundings): EngineDirectories | undefined {
  if (known === undefined) return undefined;
  return homesOf(known, surroundings).find(({ paths }) => paths.some((one) => realPath(one) === realPath(path)));
}

/** Directory of games in a Steam library. */
const steamGames = "/steamapps/common/";

/** Returns the add-on directory next to a Steam installation that an engine searches; empty if missing. */
export function addOnsOf(known: KnownGame | undefined, path: string, profile: string): SourceFinding[] {
  const addOns = known?.addOns;
  const end = path.lastIndexOf(steamGames);
  if (addOns?.engine.name !== profile || end < 0) return [];
  const found = join(path.slice(0, end), "steamapps", addOns.path);
  return isDirectory(found)
    ? [{ path: found, origin: `${addOns.engine.engine} searches add-ons that Steam keeps there` }]
    : [];
}

/** Adds the home directories of an engine to an installation: the engine that its files identify, else the first. */
export function withHomes({ path, origin, found, known, packs }: Installation, surroundings: Surroundings): FoundGame {
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
  const sources = [
    ...chosen?.paths.map((home) => ({ path: home, origin: `${chosen.engine.engine} keeps its own files there` })) ?? [],
    ...addOnsOf(known, path, chosen?.engine.profile ?? found.profile),
    own,
  ];
  return { known, packs, sources, others };
}
