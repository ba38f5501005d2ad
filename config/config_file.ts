/**
 * The configuration file: TOML, every key known, every mistake named with its line.
 * @module
 */
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse, TomlError } from "smol-toml";
import { nearest } from "../command_line/suggest.ts";
import type { GameOptions } from "../index/profiles/game.ts";
import type { Profile } from "../index/profiles/profile.ts";
import { profiles as builtInProfiles } from "../index/profiles/profiles.ts";
import { type Place, type RawTable, readTable, SettingError } from "../index/settings/fields.ts";
import { readProfile } from "../index/settings/profile_settings.ts";
import { configSettings, gameSettings } from "./config_settings.ts";
import type { HungMode } from "./defaults.ts";
import { TomlLines } from "./toml_lines.ts";

/** What the configuration file says. */
export interface Config {
  readonly games: readonly GameOptions[];
  /** Profiles of the user's own. */
  readonly profiles: readonly Profile[];
  /** Mount point, or undefined. */
  readonly mount?: string;
  readonly socket?: string;
  /** Bytes of memory for decompressed files. */
  readonly cache?: number;
  /** Whether changes on disk are noticed by themselves. */
  readonly watch?: boolean;
  /** Options of the mount. */
  readonly options?: readonly string[];
  /** What reads of files do whose file system does not answer. */
  readonly hung?: HungMode;
  /** Seconds after which it is taken to hang. */
  readonly hungAfter?: number;
}

/** The configuration file is missing or wrong. The message names file and line. */
export class ConfigError extends Error {
  /** Name of the class. */
  override readonly name = "ConfigError";
}

/**
 * Reads a configuration file. Relative paths in it are relative to its directory; `~/` is the home directory.
 * @throws {ConfigError} if it cannot be read, or anything in it is not understood.
 */
export function readConfig(path: string): Config {
  const config = readConfigIfThere(path);
  if (config) return config;
  throw new ConfigError(
    `The configuration ${path} does not exist; make it with at least:\n\n  mount = "~/games"\n\n` +
      `  [[game]]\n  sources = ["/path/to/quake"]\n\npakfs detect finds your games and prints their lines.`,
  );
}

/**
 * As {@linkcode readConfig}, but undefined if there is no such file.
 * @throws {ConfigError} if it cannot be read, or anything in it is not understood.
 */
export function readConfigIfThere(path: string): Config | undefined {
  try {
    if (!statSync(path).isFile()) throw new ConfigError(`${path}: not a regular file`);
    return parseConfig(readFileSync(path, "utf8"), path);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new ConfigError(`The configuration ${path} ${String(error)}`, { cause: error });
  }
}

/**
 * Understands the text of a configuration file.
 * @throws {ConfigError} if anything in it is not understood.
 */
export function parseConfig(source: string, path: string): Config {
  const table = parsed(source, path);
  try {
    return configOf(table, dirname(path));
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const line = new TomlLines(source).lineOf(error.place);
    const where = line === undefined ? path : `${path}, line ${line}`;
    throw new ConfigError(`${where}: ${error.message}${suggestion(error.unknown)}`, { cause: error });
  }
}

function parsed(source: string, path: string): RawTable {
  try {
    return parse(source);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split("\n")[0] ?? "";
    throw new ConfigError(`${path}, line ${error.line}: ${reason}`, { cause: error });
  }
}

function suggestion(unknown: SettingError["unknown"]): string {
  if (unknown === null) return "";
  const near = nearest(unknown.word, unknown.known);
  return near === undefined ? `; known are ${unknown.known.join(", ")}` : `; did you mean "${near}"?`;
}

function configOf(table: RawTable, directory: string): Config {
  const { game, profile, cache, mount, socket, watch, options, hung, hungAfter } = readTable(
    "the configuration",
    configSettings,
    table,
    [],
  );
  const own: Profile[] = [];
  for (const [index, written] of profile.entries()) own.push(ownProfile(written, ["profile", index], own));
  return {
    games: game.map((written, index) => gameOf(written, ["game", index], directory, own)),
    profiles: own,
    ...(mount === undefined ? {} : { mount: resolved(mount, directory) }),
    ...(socket === undefined ? {} : { socket: resolved(socket, directory) }),
    ...(cache === undefined ? {} : { cache }),
    ...(watch === undefined ? {} : { watch }),
    ...(options === undefined ? {} : { options }),
    ...(hung === undefined ? {} : { hung }),
    ...(hungAfter === undefined ? {} : { hungAfter }),
  };
}

/** A profile, which may extend those that came with pakfs and those before it. */
function ownProfile(written: RawTable, place: Place, before: readonly Profile[]): Profile {
  const known = [...builtInProfiles, ...before];
  const profile = readProfile(written, place, known);
  if (known.every(({ name }) => name !== profile.name)) return profile;
  throw new SettingError(
    `there is a profile "${profile.name}" already; give this one a name of its own`,
    [...place, "name"],
  );
}

function gameOf(written: RawTable, place: Place, directory: string, own: readonly Profile[]): GameOptions {
  const { profile, sources, names, ...game } = readTable("a game", gameSettings, written, place);
  if (sources.length === 0) {
    throw new SettingError(`a game needs "sources", its directories, the highest first`, place);
  }
  const ownProfile = own.find(({ name }) => name === profile);
  if (profile !== undefined && !ownProfile && !builtInProfiles.some(({ name }) => name === profile)) {
    const known = [...builtInProfiles, ...own].map(({ name }) => name);
    throw new SettingError(`there is no profile "${profile}"`, [...place, "profile"], { word: profile, known });
  }
  return {
    ...game,
    ...(profile === undefined ? {} : { profile: ownProfile ?? profile }),
    ...(names === undefined ? {} : { names: names.map((name) => resolved(name, directory)) }),
    sources: sources.map((source) => resolved(source, directory)),
  };
}

function resolved(path: string, directory: string): string {
  const home = Deno.env.get("HOME") ?? "/";
  if (path === "~" || path.startsWith("~/")) return join(home, path.slice(1));
  return resolve(directory, path);
}
