/**
 * Where games lie: a user's home, the system's directories, and what Steam, GOG, Heroic and Lutris installed.
 * @module
 */
import { realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isDirectory, lookInto } from "./directory.ts";
import { type EngineHome, type KnownGame, knownGames } from "./known_games.ts";
import { steamApps, steamDirectories } from "./steam.ts";

/** What the look for games starts from. */
export interface Surroundings {
  /** The home directory. */
  readonly home: string;
  /** Directories of the system are below this: `/`, unless a test says otherwise. */
  readonly root: string;
  /** Value of a variable of the environment: `XDG_DATA_HOME` and the like. */
  variable(name: string): string | undefined;
}

/** A directory in which a game may be. */
export interface Place {
  /** Absolute path; it is there. */
  readonly path: string;
  /** How it came to be looked at, half a sentence: `Steam installed it as "Quake"`. */
  readonly origin: string;
  /** How many levels of directories below it may lie above the game. */
  readonly depth: number;
}

/** Places, and what could not be understood on the way. */
export interface Places {
  readonly places: readonly Place[];
  readonly problems: readonly string[];
}

/** The surroundings of this process. */
export function ownSurroundings(): Surroundings {
  return { home: Deno.env.get("HOME") || "/", root: "/", variable: (name) => Deno.env.get(name) };
}

/** Defaults of the XDG Base Directory Specification, below the home. */
const xdgDefaults: Readonly<Record<string, string>> = {
  XDG_CONFIG_HOME: ".config",
  XDG_DATA_HOME: ".local/share",
  XDG_STATE_HOME: ".local/state",
};

/** A directory of an engine as an absolute path. */
function expanded(path: string, { home, variable }: Surroundings): string {
  if (path.startsWith("~/")) return join(home, path.slice(2));
  const [, name = "", rest = ""] = /^\$(\w+)\/(.*)$/.exec(path) ?? [];
  const value = variable(name);
  // The specification has relative paths ignored.
  return join(value !== undefined && isAbsolute(value) ? value : join(home, xdgDefaults[name] ?? ""), rest);
}

/** The directories of an engine that are there, highest first. */
export function existingHomes(engine: EngineHome, surroundings: Surroundings): string[] {
  return engine.paths.map((path) => expanded(path, surroundings)).filter(isDirectory);
}

/** Directories of the system that hold games: those of the XDG specification and the Filesystem Hierarchy Standard. */
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

/** Directories that hold one directory for each game: GOG's installers, Heroic, Lutris, Bottles' and people's habit. */
const gameCollections: readonly { readonly path: string; readonly origin: string; readonly depth: number }[] = [
  { path: "GOG Games", origin: "it is among GOG's games", depth: 2 },
  { path: "Games/Heroic", origin: "Heroic installed it", depth: 2 },
  // Lutris: a Wine prefix for each game
  { path: "Games", origin: "it is in ~/Games", depth: 4 },
  { path: "games", origin: "it is in ~/games", depth: 2 },
  { path: ".local/share/games", origin: "it is in ~/.local/share/games", depth: 1 },
];

/** Directories of a collection that are looked at. */
const maxInCollection = 500;

/** Everything that is known to hold games and is there; each directory once. */
export function findPlaces(surroundings: Surroundings): Places {
  const problems: string[] = [];
  const places = [
    ...steamPlaces(surroundings, problems),
    ...collectionPlaces(surroundings),
    ...systemPlaces(surroundings),
  ];
  const seen = new Set<string>();
  const distinct = places.filter(({ path }) => {
    const real = realPath(path);
    return !seen.has(real) && seen.add(real);
  });
  return { places: distinct, problems: Array.from(new Set(problems)) };
}

function steamPlaces({ home }: Surroundings, problems: string[]): Place[] {
  const wanted = new Set(knownGames.flatMap((game) => game.steam));
  const places: Place[] = [];
  const seen = new Set<string>();
  for (const directory of steamDirectories) {
    const path = join(home, directory);
    if (!isDirectory(path) || seen.has(realPath(path))) continue;
    seen.add(realPath(path));
    const content = steamApps(path, wanted);
    problems.push(...content.problems);
    for (const app of content.apps) {
      places.push({ path: app.path, origin: `Steam installed it as "${app.name}"`, depth: 2 });
    }
  }
  return places;
}

function collectionPlaces({ home }: Surroundings): Place[] {
  return gameCollections.flatMap(({ path, origin, depth }) => {
    const collection = join(home, path);
    const names = lookInto(collection).directories.slice(0, maxInCollection);
    return names.map((name) => ({ path: join(collection, name), origin, depth }));
  });
}

function systemPlaces(surroundings: Surroundings): Place[] {
  return systemDirectories(surroundings).flatMap((directory) =>
    knownGames.flatMap((game) => game.installedAs).map((name) => join(directory, name)).filter(isDirectory)
      .map((path) => ({ path, origin: "it is a directory of the system", depth: 0 }))
  );
}

/** The engines' directories of a game that are there. */
export function homesOf(
  game: KnownGame,
  surroundings: Surroundings,
): { readonly engine: EngineHome; readonly paths: readonly string[] }[] {
  return game.homes.map((engine) => ({ engine, paths: existingHomes(engine, surroundings) }))
    .filter(({ paths }) => paths.length > 0);
}

/** The path with all links followed, or the path itself where that cannot be done. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
