/**
 * The configuration file: TOML, every key known, every mistake named with its line.
 * @module
 */
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse, TomlError } from "smol-toml";
import { variantNamed } from "../formats/core/name_hashes.ts";
import type { GameOptions } from "../index/profiles/game.ts";
import { type Profile, profiles as builtInProfiles } from "../index/profiles/profiles.ts";
import {
  choice,
  type Field,
  flag,
  isTable,
  type JsonSchema,
  list,
  number,
  type Place,
  type RawTable,
  readTable,
  SettingError,
  type Settings,
  tableSchema,
  text,
} from "../index/settings/fields.ts";
import { profileSchema, readProfile } from "../index/settings/profile_settings.ts";
import { nearest } from "../command_line/suggest.ts";
import { MountOptionError, parseMountOptions } from "./mount_options.ts";
import { type HungMode, hungModes } from "./hung_modes.ts";
import { parseSize, sizePattern } from "../command_line/sizes.ts";
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

/** Path of the configuration file: `--config`, `$PAKFS_CONFIG`, `$XDG_CONFIG_HOME/pakfs/config.toml`. */
export function configPath(option: string | undefined): string {
  const home = Deno.env.get("XDG_CONFIG_HOME") || join(Deno.env.get("HOME") ?? "/", ".config");
  return option ?? (Deno.env.get("PAKFS_CONFIG") || join(home, "pakfs", "config.toml"));
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

/** What the file holds, as it is written. */
interface RawConfig {
  readonly mount?: string;
  readonly socket?: string;
  readonly cache?: number;
  readonly watch?: boolean;
  readonly options?: readonly string[];
  readonly hung?: HungMode;
  readonly hungAfter?: number;
  readonly game: readonly RawTable[];
  readonly profile: readonly RawTable[];
}

const size: Field<number> = {
  takes: 'a size like "64M"',
  read(value, place) {
    const written = text.read(value, place);
    const bytes = parseSize(written);
    if (bytes === undefined) throw new SettingError(`"${written}" is not a size like 64M`, place);
    return bytes;
  },
  write: (bytes) => text.write(String(bytes)),
  schema: { type: "string", pattern: sizePattern },
};

/** Tables that are looked at one by one later. */
function tables(name: string, what: string, schema: JsonSchema): Field<readonly RawTable[]> {
  return {
    takes: `tables: [[${name}]]`,
    read(value, place) {
      if (Array.isArray(value) && value.every(isTable)) return value;
      throw new SettingError(`${what} are written as tables: [[${name}]]`, place);
    },
    write: () => "",
    schema: { type: "array", items: schema },
  };
}

const mountOption: Field<string> = {
  ...text,
  read(value, place) {
    const written = text.read(value, place);
    try {
      parseMountOptions([written]);
    } catch (error) {
      if (error instanceof MountOptionError) throw new SettingError(error.message, place);
      throw error;
    }
    return written;
  },
};

const hash: Field<string> = {
  takes: "a way of hashing names",
  read(value, place) {
    const written = text.read(value, place);
    if (!variantNamed(written)) throw new SettingError(`there is no hash "${written}"`, place);
    return written;
  },
  write: (name) => text.write(name),
  schema: text.schema,
};

/** A game as it is written. */
type WrittenGame = Omit<GameOptions, "profile"> & { readonly profile?: string };

/** Keys of `[[game]]`. */
export const gameSettings: Settings<WrittenGame> = {
  name: { sentence: "What the game is called in views; usually its directory's name.", field: text, isOptional: true },
  profile: { sentence: "The engine whose rules hold; usually detected.", field: text, isOptional: true },
  sources: {
    sentence: "The game's base directories, or one archive; the first is searched first.",
    field: list(text),
    fallback: [],
  },
  base: { sentence: "The base game directory, where it has an unusual name.", field: text, isOptional: true },
  mods: { sentence: "The game directories beside the base; usually all.", field: list(text), isOptional: true },
  nested: {
    sentence: "Whether archives in packs are directories too: gfx.wad.d beside gfx.wad.",
    field: flag,
    isOptional: true,
  },
  pure: {
    sentence: "The packs of a pure server, for the views called game/mod:pure.",
    field: list(text),
    isOptional: true,
  },
  names: { sentence: "Files with names that packs without names may hold.", field: list(text), isOptional: true },
  hash: { sentence: "How packs without names hash theirs.", field: hash, isOptional: true },
  followSymlinks: {
    sentence: "Whether to follow symbolic links that lead out of the game's directories.",
    field: flag,
    isOptional: true,
  },
  strict: { sentence: "Whether to leave out what is beyond the engine's limits.", field: flag, isOptional: true },
};

/** What a game takes; unlike other lists, its sources may not be left out. */
const gameSchema: JsonSchema = { ...tableSchema(gameSettings), required: ["sources"] };

/** Keys at the top of the file. */
export const configSettings: Settings<RawConfig> = {
  mount: { sentence: "The directory on which all games are mounted.", field: text, isOptional: true },
  socket: { sentence: "The socket on which the daemon answers.", field: text, isOptional: true },
  cache: { sentence: "Memory for decompressed files.", field: size, isOptional: true },
  watch: { sentence: "Whether to notice changes on disk; usually true.", field: flag, isOptional: true },
  options: {
    sentence: "Options of the mount, such as allow_other and umask=022.",
    field: list(mountOption),
    isOptional: true,
  },
  hung: {
    sentence: "What reading a file does whose file system does not answer: wait, or fail with an error; usually wait.",
    field: choice(hungModes),
    isOptional: true,
  },
  hungAfter: {
    sentence: "Seconds after which a file system that does not answer is reported and left out; usually 10.",
    field: number(1, 3600),
    isOptional: true,
  },
  game: { sentence: "The games.", field: tables("game", "games", gameSchema), fallback: [] },
  profile: {
    sentence: "Profiles of one's own.",
    field: tables("profile", "profiles", profileSchema()),
    fallback: [],
  },
};

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
