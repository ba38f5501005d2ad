/**
 * Finds games: the rules of an engine for each directory, the directories that belong together, and the reasons.
 * @module
 */
import { detectDirectories, findInstalledGames, type InstalledGames } from "./installed.ts";
import { ownSurroundings } from "./engine_homes.ts";

/**
 * Finds games and reports the engine's rules that fit, base directories in the engine's order, base game, mission packs
 * and mods, each with the reason. Requires `--allow-read`, and `--allow-env` for `HOME` and the `XDG_` variables.
 * @param directories Directories to search; default: all directories where games are usually installed.
 * @example Index every game of this machine
 * ```ts
 * import { detectGames, openIndex } from "@pakfs/pakfs";
 *
 * const { games } = detectGames();
 * await using index = await openIndex(games.map(({ name, profile, sources }) => ({
 *   name,
 *   profile,
 *   sources: sources.map(({ path }) => path),
 * })));
 * for await (const view of index.views()) console.log(view.view, view.packs);
 * ```
 * @throws {GameError} if a directory does not exist.
 */
export function detectGames(directories?: string | readonly string[]): InstalledGames {
  const surroundings = ownSurroundings();
  if (directories === undefined) return findInstalledGames(surroundings);
  return detectDirectories(typeof directories === "string" ? [directories] : directories, surroundings);
}
