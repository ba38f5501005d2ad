/**
 * Files next to a map that an engine reads only if they are not from a lower game directory than the map itself: it
 * opens the file that its search path gives, and then ignores it if the map came from a directory that is searched
 * before.
 * @module
 */
import type { PlayedGame } from "../index/mod.ts";

/**
 * Returns the map that a path is a side file of, or null if it is none for the view's engine.
 */
export function mapBeside({ game }: PlayedGame, qpath: string): string | null {
  const rule = game.profile.sideFiles;
  const ending = rule?.endings.find((known) => qpath.endsWith(known));
  return rule && ending !== undefined ? `${qpath.slice(0, -ending.length)}${rule.of}` : null;
}

/**
 * Returns why a file next to a map is ignored, as a clause, or null.
 * @param gameDirectory Where the file is from.
 * @param map Path of the map.
 * @param mapDirectory Where the map that the engine loads is from.
 */
export function sideFileReason(
  { game, gameDirectories }: PlayedGame,
  gameDirectory: string,
  map: string,
  mapDirectory: string,
): string | null {
  if (gameDirectories.indexOf(gameDirectory) <= gameDirectories.indexOf(mapDirectory)) return null;
  return `${map} is loaded from ${mapDirectory}, and ${game.profile.engine} ignores files next to a map that are from a ` +
    `lower game directory such as ${gameDirectory}`;
}
