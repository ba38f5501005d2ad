/**
 * Finds the roots of games in a separate process.
 * @module
 */
import { type GameRoots, ownSurroundings, rootsOf, withoutPaths } from "../../games/mod.ts";
import { type CarefulOrder, hidesFrom } from "../../system/mod.ts";
import type { RootsOrder } from "./game_roots.ts";

export { noteCalls } from "../../system/mod.ts";

/** Returns the roots of the game in each base directory. */
export function answer({ paths, silent }: RootsOrder & CarefulOrder): readonly GameRoots[] {
  const surroundings = ownSurroundings();
  return withoutPaths(hidesFrom(silent), () => paths.map((path) => rootsOf(path, surroundings)));
}
