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
  /** The user's home directory. */
  readonly home: string;
  /** Parent of system directories: `$PAKFS_SYSTEM_ROOT`, else `/`. */
  readonly root: string;
  /** Returns an environment variable: `XDG_DATA_HOME` and similar. */
  variable(name: string): string | undefined;
}

/** Maximum number of searched directories of a collection. */
export const maxInCollection = 500;

/** Returns the environment of this process. Unreadable variables count as unset. */
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

/** Defaults below the directory of a Flatpak program: flatpak-run(1). */
const flatpakDefaults: Readonly<Record<string, string>> = {
  XDG_CONFIG_HOME: "config",
  XDG_DATA_HOME: "data",
  XDG_STATE_HOME: ".local/state",
};

/** Directory of Flatpak programs, below the home. */
const flatpakPrograms = ".var/app";

/** Returns a directory of an engine as an absolute path. */
function expanded(path: string, { home, variable }: Surroundings): string {
  if (path.startsWith("~/")) return join(home, path.slice(2));
  const [, name = "", rest = ""] = /^\$(\w+)\/(.*)$/.exec(path) ?? [];
  const value = variable(name);
  // The specification says that relative paths are ignored.
  return join(value !== undefined && isAbsolute(value) ? value : join(home, xdgDefaults[name] ?? ""), rest);
}

/** Returns the environment of a Flatpak program, which has its own directory. */
function flatpakSurroundings({ home, root }: Surroundings, program: string): Surroundings {
  const own = join(home, flatpakPrograms, program);
  return { home: own, root, variable: (name) => join(own, flatpakDefaults[name] ?? "") };
}

/** Directories of an engine in the home, highest first. */
export interface EngineInHome {
  /** Name of the engine in sentences. */
  readonly engine: string;
  /** Profile of the engine. */
  readonly profile: string;
  /** Paths in the engine's file. */
  readonly paths: readonly string[];
}

/** Returns the home directories of a game's engines, the default engine first. */
function homesOfEngines({ name, editionOf, engines }: KnownGame): EngineInHome[] {
  return engines.flatMap((engine) =>
    engine.homes.filter(({ game }) => game === (editionOf ?? name))
      .map(({ engine: title = engine.engine, paths }) => ({ engine: title, profile: engine.name, paths }))
  );
}

/** An engine, and its existing directories in the home, highest first. */
export interface EngineDirectories {
  readonly engine: EngineInHome;
  readonly paths: readonly string[];
}

/** Returns the existing directories of a game's engines, highest first; Flatpak's come after the user's. */
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

/** Returns the engine to which a path in the home belongs, without accessing the file system. */
export function engineAt(path: string, surroundings: Surroundings): EngineInHome | undefined {
  const absolute = resolve(path);
  const programs = join(surroundings.home, flatpakPrograms, "/");
  const [program = ""] = absolute.startsWith(programs) ? absolute.slice(programs.length).split("/") : [];
  const around = program === "" ? surroundings : flatpakSurroundings(surroundings, program);
  return games.flatMap(homesOfEngines)
    .find(({ paths }) => paths.some((one) => expanded(one, around) === absolute));
}
