/**
 * Finds the games of the directories of `mount`: base directories of one game or of several, a directory above them, or
 * a game directory in one.
 * @module
 */
import { basename, dirname, extname } from "@std/path";
import { findRoots, type GameRoots } from "./config/game_roots.ts";
import {
  detectGame,
  existing,
  findEvidence,
  GameError,
  isDirectory,
  lookInto,
  ownSurroundings,
  type Surroundings,
  withEnding,
  withoutPaths,
} from "../games/mod.ts";
import { packEndings } from "../engines/mod.ts";

/** Games to mount. */
export interface MountSources {
  /** Roots as typed or absolute. */
  readonly games: readonly GameRoots[];
  /** Notes about sources that were corrected. */
  readonly notes: readonly string[];
}

/** A source, and the base directories of its games; none if it is no game by itself. */
interface Finding {
  readonly source: string;
  readonly bases: readonly string[];
}

/**
 * Sorts sources into games. An archive, and directories on file systems that may hang, are handled by the scanner.
 * @param isRemote Whether a path is on a file system that may hang.
 * @throws {GameError} if a source does not exist, or nothing to mount is in it.
 */
export async function findMountSources(
  sources: readonly string[],
  isRemote: (path: string) => boolean,
  surroundings: Surroundings = ownSurroundings(),
): Promise<MountSources> {
  const asTyped = { games: [{ roots: sources }], notes: [] };
  if (sources.some(isRemote)) return asTyped;
  for (const source of sources) existing(source);
  if (!sources.every(isDirectory)) return asTyped;
  const notes: string[] = [];
  const findings: Finding[] = [];
  // deno-lint-ignore no-await-in-loop -- one directory after the other
  for (const source of sources) findings.push(await inspect(source, isRemote, notes));
  const games = grouped(findings);
  if (games.length > 1) notes.push(`${games.length} games: ${games.map((roots) => roots.join(" over ")).join(", ")}`);
  const single = games.flatMap((roots) => roots.length === 1 ? roots : []);
  const { games: found, silent } = await findRoots(single, isRemote, surroundings);
  notes.push(...silent.map((path) => `${path} does not answer; directories of engines on it are left out`));
  const left = found.values();
  return { games: games.map((roots) => roots.length === 1 ? left.next().value ?? { roots } : { roots }), notes };
}

async function inspect(source: string, isRemote: (path: string) => boolean, notes: string[]): Promise<Finding> {
  const path = existing(source);
  if (withoutPaths(isRemote, () => findEvidence([path]))) return { source, bases: [source] };
  const above = dirname(path);
  if (above !== path && withoutPaths(isRemote, () => isGameDirectory(path, above))) {
    notes.push(`${source} is a game directory of ${above}; mounting ${above}, with all its game directories`);
    return { source, bases: [above] };
  }
  const { files } = lookInto(path);
  if (Array.from(packEndings).some((ending) => withEnding(files, ending).length > 0)) return { source, bases: [] };
  const { gamesBelow } = await import("../games/detect/installed.ts");
  const hidden: string[] = [];
  const hides = (at: string) => isRemote(at) && hidden.push(at) > 0;
  const below = withoutPaths(hides, () => gamesBelow(path));
  const [first] = hidden;
  if (first !== undefined) {
    notes.push(`${first} was not searched: its file system may not answer; name its games to mount them`);
  }
  if (below.length > 0) notes.push(`${source} is not a game; mounting the games below it`);
  return { source, bases: below };
}

/** Returns whether a directory is a game directory of a base directory, and has a game's files. */
function isGameDirectory(path: string, above: string): boolean {
  try {
    if (!findEvidence([above])) return false;
    const { base } = detectGame([above], {});
    if (base === "") return false;
    const name = basename(path);
    if (name.toLowerCase() === base.toLowerCase()) return true;
    const { files, directories } = lookInto(path);
    const signs = ["maps", "progs", "models", "textures", "sound", "gfx", "scripts"];
    return !name.startsWith(".") && (files.some((file) => packEndings.has(extname(file).toLowerCase())) ||
      directories.some((directory) => signs.includes(directory.toLowerCase())));
  } catch (error) {
    if (error instanceof GameError) return false; // a parent directory that cannot be read is no game
    throw error;
  }
}

/** Returns the roots of each game: directories of one game are its roots, in their order. */
function grouped(findings: readonly Finding[]): string[][] {
  const games = new Map<string, string[]>();
  for (const { bases } of findings) {
    for (const path of bases) {
      const key = bases.length > 1 ? path : detectGame([path], {}).base.toLowerCase();
      const roots = games.get(key) ?? [];
      games.set(key, roots.includes(path) ? roots : [...roots, path]);
    }
  }
  const unknown = findings.filter(({ bases }) => bases.length === 0).map(({ source }) => source);
  if (unknown.length === 0) return Array.from(games.values());
  const [only] = games.values();
  if (games.size === 1 && only) {
    const order = findings.flatMap(({ source, bases }) => bases.length === 0 ? [source] : bases);
    return [Array.from(new Set(order))];
  }
  const [first = ""] = unknown;
  if (games.size > 1) {
    throw new GameError(`${first} could belong to any of ${games.size} games; mount it with one game at a time`, first);
  }
  for (const source of unknown) requireSomething(source);
  return [unknown];
}

/**
 * @throws {GameError} if a directory without a known game has no pack either.
 */
function requireSomething(source: string): void {
  const { directories, files } = lookInto(existing(source));
  if (Array.from(packEndings).some((ending) => withEnding(files, ending).length > 0)) return;
  const isEmpty = directories.length + files.length === 0;
  throw new GameError(
    `${source} ${isEmpty ? "is empty" : "has no game"}; looked for game directories such as id1, baseq2 and baseq3, ` +
      "three levels deep, and for packs such as .pak and .pk3; name the directory that holds them" +
      (isEmpty ? "" : ", or mount plain files with --profile generic"),
    source,
  );
}
