/**
 * The directories that engines keep in a user's home, which they search before an installation.
 * @module
 */
import { isAbsolute, join, resolve } from "@std/path";
import { isDirectory, lookInto } from "./directory.ts";
import type { KnownGame } from "../core/game.ts";
import { games } from "../table.ts";

/** Environment of a search for games. */
export interface Surroundings {
  /** The home directory. */
  readonly home: string;
  /** Parent of the system's directories: `$PAKFS_SYSTEM_ROOT`, else `/`. */
  readonly root: string;
  /** Returns a variable of the environment: `XDG_DATA_HOME` and the like. */
  variable(name: string): string | undefined;
}

/** Maximum directories of a collection that are searched. */
export const maxInCollection = 500;

/** Returns the surroundings of this process. A variable that it may not read is unset. */
export function ownSurroundings(): Surroundings {
  const variable = (name: string) => {
    const { state } = Deno.permissions.querySync({ name: "env", variable: name });
    return state === "granted" ? Deno.env.get(name) : undefined;
  };
  return { home: variable("HOME") || "/", root: variable("PAKFS_SYSTEM_ROOT") || "/", variable };
}

/** Defaults of the XDG Base Directory Specification, below the home. */
const xdgDefaults: Readonly<Record<string, string>> = {
  XDG_CONFIG_HOME: ".config",
  XDG_DATA_HOME: ".local/share",
  XDG_STATE_HOME: ".local/state",
};

/** The same below the directory of a program of Flatpak: flatpak-run(1). */
const flatpakDefaults: Readonly<Record<string, string>> = {
  XDG_CONFIG_HOME: "config",
  XDG_DATA_HOME: "data",
  XDG_STATE_HOME: ".local/state",
};

/** Directory of programs of Flatpak, below the home. */
const flatpakPrograms = ".var/app";

/** Returns a directory of an engine as an absolute path. */
function expanded(path: string, { home, variable }: Surroundings): string {
  if (path.startsWith("~/")) return join(home, path.slice(2));
  const [, name = "", rest = ""] = /^\$(\w+)\/(.*)$/.exec(path) ?? [];
  const value = variable(name);
  // The specification says that relative paths are ignored.
  return join(value !== undefined && isAbsolute(value) ? value : join(home, xdgDefaults[name] ?? ""), rest);
}

/** Returns the surroundings of a program of Flatpak, which has a directory of its own. */
function flatpakSurroundings({ home, root }: Surroundings, program: string): Surroundings {
  const own = join(home, flatpakPrograms, program);
  return { home: own, root, variable: (name) => join(own, flatpakDefaults[name] ?? "") };
}

/** Directories in the home of an engine that plays a game, highest first. */
export interface EngineHome {
  /** Name of the engine in sentences. */
  readonly engine: string;
  /** Profile of the engine. */
  readonly profile: string;
  /** Paths as the engine's file has them. */
  readonly paths: readonly string[];
}

/** Returns the home directories of a game's engines, the default engine's first. */
function homesOfEngines({ name, editionOf, engines }: KnownGame): EngineHome[] {
  return engines.flatMap((engine) =>
    engine.homes.filter(({ game }) => game === (editionOf ?? name))
      .map(({ engine: title = engine.engine, paths }) => ({ engine: title, profile: engine.name, paths }))
  );
}

/** An engine, and its directories in the home that exist, highest first. */
export interface EngineDirectories {
  readonly engine: EngineHome;
  readonly paths: readonly string[];
}

/** Returns the existing directories of a game's engines, each highest first; Flatpak's come after the user's own. */
export function homesOf(
  game: KnownGame,
  surroundings: Surroundings,
): EngineDirectories[] {
  const existing = (around: Surroundings) =>
    homesOfEngines(game).map((engine) => ({
      engine,
      paths: engine.paths.map((path) => expanded(path, around)).filter(isDirectory),
    }));
  const programs = lookInto(join(surroundings.home, flatpakPrograms)).directories.slice(0, maxInCollection);
  return [surroundings, ...programs.map((program) => flatpakSurroundings(surroundings, program))]
    .flatMap(existing).filter(({ paths }) => paths.length > 0);
}

/** Returns the engine that keeps its own files at a path, without a look at the file system. */
export function engineAt(path: string, surroundings: Surroundings): EngineHome | undefined {
  const absolute = resolve(path);
  const programs = join(surroundings.home, flatpakPrograms, "/");
  const [program = ""] = absolute.startsWith(programs) ? absolute.slice(programs.length).split("/") : [];
  const around = program === "" ? surroundings : flatpakSurroundings(surroundings, program);
  return games.flatMap(homesOfEngines)
    .find(({ paths }) => paths.some((one) => expanded(one, around) === absolute));
}
