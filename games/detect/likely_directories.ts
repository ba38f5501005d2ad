/**
 * Directories that are likely to hold games: in a user's home, in the system, and from Steam, GOG, Heroic and Lutris.
 * @module
 */
import { dirname, isAbsolute, join } from "@std/path";
import { messageOf } from "../../formats/parts.ts";
import { isRecord } from "../../system/mod.ts";
import { isDirectory, lookInto, realPath } from "./directory.ts";
import { maxInCollection, type Surroundings } from "./engine_homes.ts";
import { games } from "../table.ts";
import { readSmallText, steamApps, steamDirectories } from "./steam.ts";

/** A directory in which a game may be. */
export interface LikelyDirectory {
  /** Absolute path of an existing directory. */
  readonly path: string;
  /** How it was found, a part of a sentence: `Steam installed it as "Quake"`. */
  readonly origin: string;
  /** Number of searched levels below it. */
  readonly depth: number;
}

/** Directories that are likely to hold games, and messages about files that could not be parsed. */
export interface LikelyDirectories {
  readonly directories: readonly LikelyDirectory[];
  readonly problems: readonly string[];
}

/** Returns system directories that hold games, by the XDG specification and the Filesystem Hierarchy Standard. */
function systemDirectories({ root, variable }: Surroundings): string[] {
  const shared = (variable("XDG_DATA_DIRS") || "/usr/local/share:/usr/share").split(":").filter(isAbsolute);
  const all = [
    ...shared.map((path) => join(path, "games")),
    "/usr/lib/games",
    "/usr/local/games",
    "/opt",
  ];
  return Array.from(new Set(all), (path) => join(root, path));
}

/** Directories that hold one directory per game: GOG's installers, Heroic, Lutris, Bottles and common habits. */
const gameCollections: readonly { readonly path: string; readonly origin: string; readonly depth: number }[] = [
  { path: "GOG Games", origin: "it is among GOG's games", depth: 2 },
  { path: "Games/Heroic", origin: "Heroic installed it", depth: 2 },
  // Lutris: a Wine prefix for each game
  { path: "Games", origin: "it is in ~/Games", depth: 4 },
  { path: "games", origin: "it is in ~/games", depth: 2 },
  { path: ".local/share/games", origin: "it is in ~/.local/share/games", depth: 1 },
];

/** Finds the existing directories that are likely to hold games, without duplicates. */
export function findLikelyDirectories(surroundings: Surroundings): LikelyDirectories {
  const problems: string[] = [];
  const all = [
    ...steamGames(surroundings, problems),
    ...heroicGames(surroundings, problems),
    ...lutrisGames(surroundings, problems),
    ...collectedGames(surroundings),
    ...systemGames(surroundings),
  ];
  const seen = new Set<string>();
  const directories = all.filter(({ path }) => {
    const real = realPath(path);
    return !seen.has(real) && seen.add(real);
  });
  return { directories, problems: Array.from(new Set(problems)) };
}

function steamGames({ home }: Surroundings, problems: string[]): LikelyDirectory[] {
  const wanted = new Set(games.flatMap(({ steam = [] }) => steam));
  const found: LikelyDirectory[] = [];
  const seen = new Set<string>();
  for (const directory of steamDirectories) {
    const path = join(home, directory);
    if (!isDirectory(path) || seen.has(realPath(path))) continue;
    seen.add(realPath(path));
    const content = steamApps(path, wanted);
    problems.push(...content.problems);
    for (const app of content.apps) {
      found.push({ path: app.path, origin: `Steam installed it as "${app.name}"`, depth: 2 });
    }
  }
  return found;
}

/** Directories of Heroic's settings, below the home, and its lists of installed games: redromnon/HeroicBashLauncher. */
const heroicDirectories = [".config/heroic", ".var/app/com.heroicgameslauncher.hgl/config/heroic"];
const heroicLists = ["gog_store/installed.json", "legendaryConfig/legendary/installed.json"];

function heroicGames({ home }: Surroundings, problems: string[]): LikelyDirectory[] {
  const lists = heroicDirectories.flatMap((directory) => heroicLists.map((list) => join(home, directory, list)));
  return lists.flatMap((path) =>
    installPaths(path, problems).filter(isDirectory).map((game) => ({
      path: game,
      origin: "Heroic installed it",
      depth: 2,
    }))
  );
}

/** Returns the values of `install_path` in a list of Heroic: below `installed`, or by game name. */
function installPaths(path: string, problems: string[]): string[] {
  const text = textOrProblem(path, problems);
  if (text === undefined) return [];
  try {
    const list: unknown = JSON.parse(text);
    const games = isRecord(list) && Array.isArray(list["installed"]) ? list["installed"] : Object.values(list ?? {});
    return games.slice(0, maxInCollection).flatMap((game: unknown) => {
      const installed = isRecord(game) ? game["install_path"] : undefined;
      return typeof installed === "string" && isAbsolute(installed) ? [installed] : [];
    });
  } catch (error) {
    problems.push(`${path}: ${messageOf(error)}`);
    return [];
  }
}

/** Directories in which Lutris stores a file per game, below the home. */
const lutrisDirectories = [
  ".local/share/lutris/games",
  ".config/lutris/games",
  ".var/app/net.lutris.Lutris/data/lutris/games",
  ".var/app/net.lutris.Lutris/config/lutris/games",
];

/** Finds games by the programs that Lutris starts. Only lines of its YAML with an absolute path are parsed. */
function lutrisGames({ home }: Surroundings, problems: string[]): LikelyDirectory[] {
  const files = lutrisDirectories.flatMap((directory) =>
    lookInto(join(home, directory)).files.filter((name) => name.endsWith(".yml")).slice(0, maxInCollection)
      .map((name) => join(home, directory, name))
  );
  const programs = files.flatMap((path) => {
    const text = textOrProblem(path, problems) ?? "";
    return Array.from(
      text.matchAll(/^ +(?:exe|main_file): *["']?(\/[^"'\n]+)/gm),
      ([, program = ""]) => dirname(program),
    );
  });
  return programs.filter(isDirectory).map((path) => ({ path, origin: "Lutris plays it", depth: 1 }));
}

/** Returns a settings file, or undefined if it is missing, or if it cannot be read, which is a problem. */
function textOrProblem(path: string, problems: string[]): string | undefined {
  try {
    return readSmallText(path);
  } catch (error) {
    problems.push(`${path}: ${messageOf(error)}`);
    return undefined;
  }
}

function collectedGames({ home }: Surroundings): LikelyDirectory[] {
  return gameCollections.flatMap(({ path, origin, depth }) => {
    const collection = join(home, path);
    const names = lookInto(collection).directories.slice(0, maxInCollection);
    return names.map((name) => ({ path: join(collection, name), origin, depth }));
  });
}

function systemGames(surroundings: Surroundings): LikelyDirectory[] {
  return systemDirectories(surroundings).flatMap((directory) =>
    games.flatMap(({ name, installedAs = [name] }) => installedAs).map((name) => join(directory, name)).filter(
      isDirectory,
    )
      .map((path) => ({ path, origin: "it is a directory of the system", depth: 0 }))
  );
}
