/**
 * Finds the roots of games in a process of its own.
 * @module
 */
import { withoutPaths } from "../../games/detect/directory.ts";
import { ownSurroundings } from "../../games/detect/engine_homes.ts";
import { rootsOf } from "../../games/detect/installed.ts";
import type { GameRoots } from "../../games/detect/installation.ts";
import { hidesFrom } from "../../system/file_systems.ts";
import type { CarefulOrder } from "../../system/reader_process.ts";
import type { RootsOrder } from "./game_roots.ts";

export { noteCalls } from "../../system/call_watch.ts";

/** Returns the roots of the game in each of some base directories. */
export function answer({ paths, silent }: RootsOrder & CarefulOrder): readonly GameRoots[] {
  const surroundings = ownSurroundings();
  return withoutPaths(hidesFrom(silent), () => paths.map((path) => rootsOf(path, surroundings)));
}
