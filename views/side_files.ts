/**
 * Files next to a map that an engine reads only if they are not from a lower game directory than the map: it opens the
 * winning file, and then ignores it if the map came from a directory that is searched earlier.
 * @module
 */
import type { PlayedGame } from "../index/mod.ts";

/** Returns the map for which a path is a side file, or null if there is none in the view's engine. */
export function mapBeside({ game }: PlayedGame, qpath: string): string | null {
  const rule = game.profile.sideFiles;
  const ending = rule?.endings.find((known) => qpath.endsWith(known));
  return rule && ending !== undefined ? `${qpath.slice(0, -ending.length)}${rule.of}` : null;
}

/**
 * Returns the reason why a file next to a map is ignored, as a clause, or null.
 * @param gameDirectory Game directory of the file.
 * @param map Path of the map.
 * @param mapDirectory Game directory of the winning map.
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
