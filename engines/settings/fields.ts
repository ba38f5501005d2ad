/**
 * Settings as a table of fields: each field reads and writes a value of a configuration, and has the message for
 * invalid values. Reading, writing and documents use the same table; the docstrings of a table's type describe its
 * keys.
 * @module
 */
import { tomlInlineTable, tomlList, tomlString } from "./toml.ts";

/** Path of a value in a configuration: keys and indexes of list items. */
export type KeyPath = readonly (string | number)[];

/** An invalid setting. The message is a clause without the location. */
export class SettingError extends Error {
  /** Name of the class. */
  override readonly name = "SettingError";
  /** Path of the value. */
  readonly keyPath: KeyPath;
  /** The unknown word and the known ones, if that is the error. */
  readonly unknown: { readonly word: string; readonly known: readonly string[] } | null;

  /** Makes an error about the value at `keyPath`. */
  constructor(message: string, keyPath: KeyPath, unknown: SettingError["unknown"] = null) {
    super(message);
    this.keyPath = keyPath;
    this.unknown = unknown;
  }
}

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One kind of value. */
export interface Field<T> {
  /** Accepted values, for people. */
  readonly takes: string;
  /** Accepted values of a list; default: derived from `takes`. */
  readonly listTakes?: string;
  /**
   * Reads a value.
   * @throws {SettingError} if it is invalid.
   */
  read(value: unknown, keyPath: KeyPath): T;
  /** Writes a value as TOML, in one line if it fits. */
  write(value: T): string;
  /** Accepted values, as JSON Schema. */
  readonly schema: JsonSchema;
}

/** One key of a table. */
export interface Setting<T> {
  readonly field: Field<T>;
  /** Default value. */
  readonly fallback?: T;
  /** Whether it is optional. */
  readonly isOptional?: boolean;
}

/** All keys of a table, each with `More` properties: a missing key of `T` is a type error. */
export type Settings<T, More = unknown> = { readonly [Key in keyof T]-?: Setting<T[Key]> & More };

/** A parsed table of a configuration. */
export type RawTable = Readonly<Record<string, unknown>>;

/** Whether a value is a table. */
export function isTable(value: unknown): value is RawTable {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function keyOf(keyPath: KeyPath): string {
  const key = keyPath.findLast((part) => typeof part === "string");
  return key === undefined ? "this" : `"${key}"`;
}

/** A text. */
export const text: Field<string> = {
  takes: "a quoted string",
  listTakes: `a list of strings: ["...", "..."]`,
  read(value, keyPath) {
    if (typeof value === "string") return value;
    throw new SettingError(`${keyOf(keyPath)} must be a string in quotes`, keyPath);
  },
  write: tomlString,
  schema: { type: "string" },
};

/** Yes or no. */
export const flag: Field<boolean> = {
  takes: "true or false",
  read(value, keyPath) {
    if (typeof value === "boolean") return value;
    throw new SettingError(`${keyOf(keyPath)} must be true or false`, keyPath);
  },
  write: String,
  schema: { type: "boolean" },
};

/** Returns a number in a range, both ends included. */
export function number(least: number, most: number, isWhole = true): Field<number> {
  const takes = `a ${isWhole ? "whole number" : "number"} from ${least} to ${most}`;
  return {
    takes,
    read(value, keyPath) {
      if (typeof value === "number" && value >= least && value <= most && (!isWhole || Number.isInteger(value))) {
        return value;
      }
      throw new SettingError(`${keyOf(keyPath)} must be ${takes}`, keyPath);
    },
    write: String,
    schema: { type: isWhole ? "integer" : "number", minimum: least, maximum: most },
  };
}

/** Returns one of several words. */
export function choice<T extends string>(words: readonly T[]): Field<T> {
  return {
    takes: `one of ${words.map((word) => `"${word}"`).join(", ")}`,
    read(value, keyPath) {
      const found = words.find((word) => word === value);
      if (found !== undefined) return found;
      const word = text.read(value, keyPath);
      throw new SettingError(`${keyOf(keyPath)} cannot be "${word}"`, keyPath, { word, known: words });
    },
    write: tomlString,
    schema: { enum: words },
  };
}

/** Returns a list. */
export function list<T>(item: Field<T>): Field<readonly T[]> {
  const takes = item.listTakes ?? `a list, each ${item.takes}`;
  return {
    takes,
    read(value, keyPath) {
      if (!Array.isArray(value)) throw new SettingError(`${keyOf(keyPath)} must be ${takes}`, keyPath);
      return value.map((one, index) => readItem(item, one, [...keyPath, index], `${keyOf(keyPath)} must be ${takes}`));
    },
    write: (values) => tomlList(values.map((value) => item.write(value))),
    schema: { type: "array", items: item.schema },
  };
}

function readItem<T>(item: Field<T>, value: unknown, keyPath: KeyPath, instead: string): T {
  try {
    return item.read(value, keyPath);
  } catch (error) {
    const isOwn = !(error instanceof SettingError) || error.unknown !== null || item.listTakes === undefined;
    throw isOwn ? error : new SettingError(instead, keyPath);
  }
}

/** Returns an optional value; none is written as `false`, since TOML has no null. */
export function orNone<T extends string | number | object>(field: Field<T>): Field<T | null> {
  return {
    takes: `${field.takes}, or false for none`,
    read: (value, keyPath) => value === false ? null : field.read(value, keyPath),
    write: (value) => value === null ? "false" : field.write(value),
    schema: { anyOf: [field.schema, { const: false }] },
  };
}

/** Returns a nested table. */
export function table<T extends object>(what: string, settings: Settings<T>): Field<T> {
  return {
    takes: `a table of ${Object.keys(settings).join(", ")}`,
    read: (value, keyPath) => readTable(what, settings, value, keyPath),
    write: (value) => tomlInlineTable(writtenKeys(settings, value)),
    schema: tableSchema(settings),
  };
}

/**
 * Returns a table of one of several kinds, which one of its keys names.
 * @param what Name of the table at the beginning of a sentence.
 */
export function tableOfKind<Key extends string, T extends { readonly [Name in Key]: string }>(
  what: string,
  key: Key,
  kinds: { readonly [Kind in T[Key]]: Field<Extract<T, { readonly [Name in Key]: Kind }>> },
): Field<T> {
  const fields = kinds as unknown as Readonly<Record<string, Field<T>>>;
  const kind = choice(Object.keys(kinds));
  const words = Object.keys(kinds).map((word) => `"${word}"`);
  return {
    takes: `a table with ${key} = ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`,
    read(value, keyPath) {
      if (isTable(value) && value[key] !== undefined) {
        const field = fields[kind.read(value[key], [...keyPath, key])];
        if (field) return field.read(value, keyPath);
      }
      throw new SettingError(`${what} needs "${key}": ${kind.takes}`, keyPath);
    },
    write: (value) => fields[value[key]]?.write(value) ?? "",
    schema: { anyOf: Object.values(fields).map(({ schema }) => schema) },
  };
}

/**
 * Reads a table.
 * @param what Name of the table at the beginning of a sentence: `a game`.
 * @param inherited Values for keys that are absent; they take precedence over defaults.
 * @param alsoKnown Keys that the caller has read already.
 * @throws {SettingError} if a key is unknown or missing, or a value is invalid.
 */
export function readTable<T extends object>(
  what: string,
  settings: Settings<T>,
  value: unknown,
  keyPath: KeyPath,
  inherited: Partial<T> = {},
  alsoKnown: readonly string[] = [],
): T {
  if (!isTable(value)) throw new SettingError(`${keyOf(keyPath)} must be a table`, keyPath);
  const keys = keysOf(settings);
  const known: readonly string[] = [...keys, ...alsoKnown];
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const shown = [...keyPath, unknown].filter((part) => typeof part === "string").join(".");
    throw new SettingError(`unknown key ${shown}`, [...keyPath, unknown], { word: unknown, known });
  }
  const result: Partial<T> = {};
  for (const key of keys) {
    const setting = settings[key];
    if (value[key] !== undefined) result[key] = setting.field.read(value[key], [...keyPath, key]);
    else if (inherited[key] !== undefined) result[key] = inherited[key];
    else if (setting.fallback !== undefined) result[key] = setting.fallback;
    else if (!setting.isOptional) throw new SettingError(`${what} needs "${key}": ${setting.field.takes}`, keyPath);
  }
  return result as T;
}

/** Returns the JSON Schema of a table without additional keys; keys without a fallback are required. */
export function tableSchema<T extends object>(settings: Settings<T>): JsonSchema {
  const keys = keysOf(settings);
  const required = keys.filter((key) => settings[key].fallback === undefined && !settings[key].isOptional);
  return {
    type: "object",
    properties: Object.fromEntries(
      keys.map((key) => {
        const { field, fallback } = settings[key];
        const defaults = fallback === undefined || fallback === null ? {} : { default: fallback };
        return [key, { ...field.schema, ...defaults }];
      }),
    ),
    ...required.length === 0 ? {} : { required },
    additionalProperties: false,
  };
}

/** Keys and written values of a table, without values equal to their fallback. */
export function writtenKeys<T extends object>(
  settings: Settings<T>,
  value: T,
): (readonly [key: string, written: string])[] {
  return keysOf(settings).flatMap((key) => {
    const { field, fallback } = settings[key];
    if (value[key] === undefined) return [];
    const written = field.write(value[key]);
    return fallback !== undefined && field.write(fallback) === written ? [] : [[key, written] as const];
  });
}

/** Returns the keys of a table, in the order in which they are written. */
export function keysOf<T extends object>(settings: Settings<T>): (keyof T & string)[] {
  return Object.keys(settings) as (keyof T & string)[];
}
