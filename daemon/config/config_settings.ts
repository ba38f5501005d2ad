/**
 * Keys of the configuration, each with its sentence and its type. The reader of the file, the JSON Schema for editors
 * and the table of the documentation are made from them.
 * @module
 */
import { parseSize, programRoot, sizePattern } from "../../system/mod.ts";
import { variantNamed } from "../../formats/parts.ts";
import type { GameOptions } from "../../index/mod.ts";
import {
  choice,
  type Field,
  flag,
  isTable,
  type JsonSchema,
  list,
  number,
  profileSchema,
  type RawTable,
  SettingError,
  type Settings,
  tableSchema,
  text,
} from "../../engines/mod.ts";
import { type HungMode, hungModes, MountOptionError, parseMountOptions } from "../../mount/mod.ts";

/** Values as written in the file: see {@linkcode configSettings}. */
export interface RawConfig {
  readonly mount?: string;
  readonly socket?: string;
  /** In bytes. */
  readonly cache?: number;
  readonly watch?: boolean;
  readonly options?: readonly string[];
  readonly showPacks?: boolean;
  readonly showAs?: boolean;
  readonly hung?: HungMode;
  readonly hungAfter?: number;
  readonly game: readonly RawTable[];
  readonly profile: readonly RawTable[];
}

const size: Field<number> = {
  takes: 'a size like "64M"',
  read(value, keyPath) {
    const written = text.read(value, keyPath);
    const bytes = parseSize(written);
    if (bytes === undefined) throw new SettingError(`"${written}" is not a size like 64M`, keyPath);
    return bytes;
  },
  write: (bytes) => text.write(String(bytes)),
  schema: { type: "string", pattern: sizePattern },
};

/** Returns a field for tables whose content is checked later. */
function tables(name: string, what: string, schema: JsonSchema): Field<readonly RawTable[]> {
  return {
    takes: `tables: [[${name}]]`,
    read(value, keyPath) {
      if (Array.isArray(value) && value.every(isTable)) return value;
      throw new SettingError(`${what} are written as tables: [[${name}]]`, keyPath);
    },
    write: () => "",
    schema: { type: "array", items: schema },
  };
}

const mountOption: Field<string> = {
  ...text,
  read(value, keyPath) {
    const written = text.read(value, keyPath);
    try {
      parseMountOptions([written]);
    } catch (error) {
      if (error instanceof MountOptionError) throw new SettingError(error.message, keyPath);
      throw error;
    }
    return written;
  },
};

const hash: Field<string> = {
  takes: "a hash such as crc32",
  read(value, keyPath) {
    const written = text.read(value, keyPath);
    if (!variantNamed(written)) throw new SettingError(`unknown hash ${written}`, keyPath);
    return written;
  },
  write: (name) => text.write(name),
  schema: text.schema,
};

/** The program prints the purpose of these keys; only the documents have the purpose of a profile's keys. */
type Described = Pick<ConfigKey, "sentence">;

/** A game as written in the file: with the name of its profile. */
type WrittenGame = Omit<GameOptions, "profile" | "ownEngines" | "union"> & { readonly profile?: string };

/** Keys of `[[game]]`. */
export const gameSettings: Settings<WrittenGame, Described> = {
  name: { sentence: "Name of the game in views; default: the name of its directory.", field: text, isOptional: true },
  profile: { sentence: "Engine whose rules apply; default: detected.", field: text, isOptional: true },
  sources: {
    sentence: "Base directories of the game, or one archive; the first is searched first.",
    field: list(text),
    fallback: [],
  },
  iwad: {
    sentence: "Instead of sources: the IWAD of a game for GZDoom, dsda-doom, Chocolate Doom and others.",
    field: text,
    isOptional: true,
  },
  files: {
    sentence: 'Files loaded after the IWAD, as on the command line: ["a.wad", "-merge", "b.wad"].',
    field: list(text),
    isOptional: true,
  },
  autoload: {
    sentence: "Files that are always loaded with an IWAD: a directory autoload, or GZDoom's INI file.",
    field: text,
    isOptional: true,
  },
  base: { sentence: "Name of the base game directory; default: the profile's.", field: text, isOptional: true },
  with: {
    sentence: "Settings of the engine, packs and companion directories for all views, like :with=NAME for one.",
    field: list(text),
    isOptional: true,
  },
  mods: { sentence: "Game directories other than the base; default: all.", field: list(text), isOptional: true },
  nested: {
    sentence: "Whether archives in packs are shown as directories too: gfx.wad.d next to gfx.wad.",
    field: flag,
    isOptional: true,
  },
  pure: {
    sentence: "Packs of a pure server, for the views named game/mod:pure.",
    field: list(text),
    isOptional: true,
  },
  names: {
    sentence: "Files with candidate names for hashed packs, one per line.",
    field: list(text),
    isOptional: true,
  },
  hash: { sentence: "Hash of the names in hashed packs; default: detected.", field: hash, isOptional: true },
  followSymlinks: {
    sentence: "Whether to follow symbolic links that point outside the game's directories.",
    field: flag,
    isOptional: true,
  },
  strict: { sentence: "Whether to hide files beyond the engine's limits.", field: flag, isOptional: true },
};

/** Schema of a game. Unlike other lists, `sources` is required unless there is an IWAD. */
const gameSchema: JsonSchema = {
  ...tableSchema(gameSettings),
  anyOf: [{ required: ["sources"] }, { required: ["iwad"] }],
};

/** Keys at the top of the file. */
export const configSettings: Settings<RawConfig, Described> = {
  mount: { sentence: "Directory on which all games are mounted.", field: text, isOptional: true },
  socket: { sentence: "Socket on which the daemon answers.", field: text, isOptional: true },
  cache: { sentence: "Memory for decompressed files.", field: size, isOptional: true },
  watch: { sentence: "Whether to watch for changes on disk; default: true.", field: flag, isOptional: true },
  options: {
    sentence: "Options of the mount, such as allow_other and umask=022.",
    field: list(mountOption),
    isOptional: true,
  },
  showPacks: { sentence: "Whether .packs is listed, which shows every pack unmerged.", field: flag, isOptional: true },
  showAs: {
    sentence: "Whether .as is listed, which shows views with their files converted: gfx/conback.lmp.png.",
    field: flag,
    isOptional: true,
  },
  hung: {
    sentence: "Whether reads from a file system that does not reply wait or fail; default: wait.",
    field: choice(hungModes),
    isOptional: true,
  },
  hungAfter: {
    sentence: "Seconds without a reply after which a file system is reported and skipped; default: 10.",
    field: number(1, 3600),
    isOptional: true,
  },
  game: { sentence: "The games.", field: tables("game", "games", gameSchema), fallback: [] },
  profile: {
    sentence: "Custom profiles.",
    field: tables("profile", "profiles", profileSchema()),
    fallback: [],
  },
};

/** Returns the JSON Schema of the configuration: `docs/config.schema.json` with descriptions. */
export function configSchema(): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Configuration of pakfs",
    ...tableSchema(configSettings),
  };
}

/** Returns the address of the schema for editors: next to this program. */
export function schemaAddress(): string {
  return new URL(`file://${encodeURI(programRoot)}/docs/config.schema.json`).href;
}

/** One key of the configuration. */
export interface ConfigKey {
  readonly name: string;
  /** Purpose in one sentence. */
  readonly sentence: string;
  /** Kind of value. */
  readonly takes: string;
}

function keysOf<T extends object>(settings: Settings<T, Described>): ConfigKey[] {
  const entries = Object.entries<Settings<T, Described>[keyof T]>(settings);
  return entries.map(([name, { sentence, field }]) => ({ name, sentence, takes: field.takes }));
}

/** Keys at the top of the file. */
export const topKeys: readonly ConfigKey[] = keysOf(configSettings);
/** Keys of `[[game]]`. */
export const gameKeys: readonly ConfigKey[] = keysOf(gameSettings);
