/**
 * The configuration file: TOML, every key known, errors name the line.
 * @module
 */
import { dirname, resolve } from "@std/path";
import { parse, TomlError } from "smol-toml";
import { messageOf } from "../../formats/parts.ts";
import { answerInTime, hostPath, nearest } from "../../system/mod.ts";
import type { GameOptions } from "../../index/mod.ts";
import {
  type KeyPath,
  loadedPaths,
  type Profile,
  profiles as builtInProfiles,
  type RawTable,
  readProfile,
  readTable,
  SettingError,
} from "../../engines/mod.ts";
import { configSettings, gameSettings, type RawConfig } from "./config_settings.ts";
import { TomlLines } from "./toml_lines.ts";

/** Content of the configuration file, with its paths resolved. */
export interface Config extends Omit<RawConfig, "game" | "profile"> {
  readonly games: readonly GameOptions[];
  /** Custom profiles. */
  readonly profiles: readonly Profile[];
}

/** The configuration file is missing or wrong. The message names file and line. */
export class ConfigError extends Error {
  /** Name of the class. */
  override readonly name = "ConfigError";
}

/**
 * Reads a configuration file. Relative paths in it are relative to its directory; `~/` is the home directory.
 * @throws {ConfigError} if it cannot be read, is not valid or its file system does not answer.
 */
export async function readConfig(path: string): Promise<Config> {
  const config = await readConfigIfThere(path);
  if (config) return config;
  throw new ConfigError(
    `${path} does not exist; create it with at least:\n\n  mount = "~/games"\n\n` +
      `  [[game]]\n  sources = ["/path/to/quake"]\n\n"pakfs init" finds your games and writes it.`,
  );
}

/**
 * Reads a configuration file as {@linkcode readConfig} does, or returns undefined if it does not exist.
 * @throws {ConfigError} if it cannot be read or is not valid.
 */
export async function readConfigIfThere(path: string): Promise<Config | undefined> {
  try {
    const answer = await answerInTime(readRegularFile(path));
    if (!answer) throw new ConfigError(silentConfigSentence(path));
    return parseConfig(answer.text, path);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new ConfigError(`${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** Returns the error message for a configuration on a file system that does not answer. */
export function silentConfigSentence(path: string): string {
  return `${path} does not answer: its file system hangs; use a configuration elsewhere`;
}

async function readRegularFile(path: string): Promise<{ readonly text: string }> {
  if (!(await Deno.stat(path)).isFile) throw new ConfigError(`${path}: not a regular file`);
  return { text: await Deno.readTextFile(path) };
}

/**
 * Parses the text of a configuration file.
 * @throws {ConfigError} if it is not valid.
 */
export function parseConfig(source: string, path: string): Config {
  const table = parsed(source, path);
  try {
    return configOf(table, dirname(path));
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const line = new TomlLines(source).lineOf(error.keyPath);
    const where = line === undefined ? path : `${path}, line ${line}`;
    throw new ConfigError(`${where}: ${error.message}${suggestion(error.unknown)}`, { cause: error });
  }
}

/**
 * Returns the configuration whose keys a program sends; relative paths in it are relative to the root directory.
 * @throws {ConfigError} if it is not valid.
 */
export function requestedConfig(table: RawTable): Config {
  try {
    return configOf(table, "/");
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    throw new ConfigError(`${error.message}${suggestion(error.unknown)}`, { cause: error });
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
  return near === undefined ? `; known: ${unknown.known.join(", ")}` : `; did you mean ${near}?`;
}

function configOf(table: RawTable, directory: string): Config {
  const { game, profile, mount, socket, ...others } = readTable("the configuration", configSettings, table, []);
  const own: Profile[] = [];
  for (const [index, written] of profile.entries()) own.push(ownProfile(written, ["profile", index], own));
  return {
    ...others,
    games: game.map((written, index) => gameOf(written, ["game", index], directory, own)),
    profiles: own,
    ...(mount === undefined ? {} : { mount: resolved(mount, directory) }),
    ...(socket === undefined ? {} : { socket: resolved(socket, directory) }),
  };
}

/** Returns a custom profile, which may extend built-in profiles and those before it. */
function ownProfile(written: RawTable, keyPath: KeyPath, before: readonly Profile[]): Profile {
  const known = [...builtInProfiles, ...before];
  const profile = readProfile(written, keyPath, known);
  if (known.every(({ name }) => name !== profile.name)) return profile;
  throw new SettingError(
    `profile ${profile.name} already exists; choose another name`,
    [...keyPath, "name"],
  );
}

function gameOf(written: RawTable, keyPath: KeyPath, directory: string, own: readonly Profile[]): GameOptions {
  const { profile, sources: named, names, iwad, files, autoload, ...game } = readTable(
    "a game",
    gameSettings,
    written,
    keyPath,
  );
  if (named.length === 0 && iwad === undefined) {
    throw new SettingError(`a game needs sources: its directories, the highest first; or an iwad`, keyPath);
  }
  if (named.length > 0 && iwad !== undefined) {
    throw new SettingError(`a game has either sources or an iwad; files lists more files`, [...keyPath, "iwad"]);
  }
  const words = files?.map((word) => word.startsWith("-") ? word : resolved(word, directory));
  const sources = iwad === undefined ? named : loadedPaths(resolved(iwad, directory), words);
  const ownProfile = own.find(({ name }) => name === profile);
  if (profile !== undefined && !ownProfile && !builtInProfiles.some(({ name }) => name === profile)) {
    const known = [...builtInProfiles, ...own].map(({ name }) => name);
    throw new SettingError(`unknown profile ${profile}`, [...keyPath, "profile"], { word: profile, known });
  }
  const ownEngines = own.filter(({ programs }) => programs.length > 0);
  return {
    ...game,
    ...(profile === undefined ? ownEngines.length === 0 ? {} : { ownEngines } : { profile: ownProfile ?? profile }),
    ...(names === undefined ? {} : { names: names.map((name) => resolved(name, directory)) }),
    ...(iwad === undefined ? {} : { iwad: resolved(iwad, directory) }),
    ...(words === undefined ? {} : { files: words }),
    ...(autoload === undefined ? {} : { autoload: resolved(autoload, directory) }),
    sources: sources.map((source) => resolved(source, directory)),
  };
}

function resolved(path: string, directory: string): string {
  return resolve(directory, hostPath(path));
}
