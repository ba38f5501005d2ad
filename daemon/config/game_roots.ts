/**
 * Finds the roots of games without hanging: engines keep some in the user's home, which may lead to other file systems.
 * @module
 */
import { type GameRoots, installedRoots, ownSurroundings, type Surroundings, withoutPaths } from "../../games/mod.ts";
import { CarefulReader } from "../../system/mod.ts";

export type { GameRoots } from "../../games/mod.ts";

/** Base directories whose roots are requested. */
export interface RootsOrder {
  readonly paths: readonly string[];
}

/** Roots of games, and paths and mount points that do not answer. */
export interface FoundRoots {
  readonly games: readonly GameRoots[];
  readonly silent: readonly string[];
}

/**
 * Returns the roots of the game in each base directory: in this thread, or in a separate process if a directory is on a
 * file system that may hang.
 * @param isRemote Whether a path is on a file system that may hang.
 */
export async function findRoots(
  paths: readonly string[],
  isRemote: (path: string) => boolean,
  surroundings: Surroundings = ownSurroundings(),
): Promise<FoundRoots> {
  let isWhole = true;
  const hides = (path: string) => {
    const isHidden = isRemote(path);
    isWhole &&= !isHidden;
    return isHidden;
  };
  type Search = (path: string, surroundings: Surroundings) => GameRoots | undefined;
  const search = (rootsOf: Search) => withoutPaths(hides, () => paths.map((path) => rootsOf(path, surroundings)));
  let games = search(installedRoots);
  if (isWhole && games.includes(undefined)) games = search((await import("../../games/detect/installed.ts")).rootsOf);
  if (isWhole) return { games: games.filter((game) => game !== undefined), silent: [] };
  await using reader = new CarefulReader<RootsOrder, readonly GameRoots[]>(
    new URL("./roots_worker.ts", import.meta.url),
  );
  return { games: await reader.ask({ paths }), silent: reader.silent };
}
