/**
 * Machines with games, for tests of their detection.
 * @module
 */
import { detectDirectories, findInstalledGames, type InstalledGames } from "../../../games/detect/installed.ts";
import type { Surroundings } from "../../../games/detect/engine_homes.ts";
import { type Files, installation } from "../../index/fixtures.ts";

/** A machine of its own: `home/` is the home, `system/` the root directory. */
export async function machine(files: Files, variables: Record<string, string> = {}) {
  const root = await installation({ "home/": "", "system/": "", ...files });
  const surroundings: Surroundings = {
    home: `${root.path}/home`,
    root: `${root.path}/system`,
    variable: (name) => variables[name]?.replaceAll("ROOT", root.path),
  };
  return {
    path: root.path,
    surroundings,
    installed: () => findInstalledGames(surroundings),
    detect: (...paths: string[]) => detectDirectories(paths.map((path) => `${root.path}/${path}`), surroundings),
    [Symbol.asyncDispose]: () => root[Symbol.asyncDispose](),
  };
}

/** Search path of each game, by name. */
export function searched(root: string, { games }: InstalledGames): Record<string, string[]> {
  return Object.fromEntries(games.map(({ name, profile, sources }) => [
    `${name} (${profile})`,
    sources.map(({ path }) => path.replace(`${root}/`, "")),
  ]));
}

/** A Steam library with games, each with the files below its directory. */
export function steamLibrary(library: string, games: Record<string, { id: number; files: Files }>): Files {
  const all: Record<string, Uint8Array | string> = {};
  for (const [name, { id, files }] of Object.entries(games)) {
    all[`${library}/steamapps/appmanifest_${id}.acf`] =
      `"AppState"\n{\n\t"appid"\t\t"${id}"\n\t"name"\t\t"${name}"\n\t"installdir"\t\t"${name}"\n}\n`;
    for (const [path, content] of Object.entries(files)) all[`${library}/steamapps/common/${name}/${path}`] = content;
  }
  return all;
}
