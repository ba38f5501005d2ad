/**
 * The configuration for editors and for readers: its JSON Schema and the table of its keys, from the settings that read
 * it.
 * @module
 */
import { type JsonSchema, type Settings, tableSchema } from "../index/settings/fields.ts";
import { configSettings, gameSettings } from "./config_file.ts";

/** The JSON Schema of a configuration: `docs/config.schema.json`. */
export function configSchema(): JsonSchema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Configuration of pakfs",
    ...tableSchema(configSettings),
  };
}

/** Where editors find the schema: beside this program. */
export function schemaAddress(): string {
  return new URL("../docs/config.schema.json", import.meta.url).href;
}

/** One key of the configuration. */
export interface ConfigKey {
  readonly name: string;
  /** What it decides, one sentence. */
  readonly sentence: string;
  /** What it takes. */
  readonly takes: string;
}

function keysOf<T extends object>(settings: Settings<T>): ConfigKey[] {
  const entries = Object.entries<Settings<T>[keyof T]>(settings);
  return entries.map(([name, { sentence, field }]) => ({ name, sentence, takes: field.takes }));
}

/** Keys at the top of the file. */
export const topKeys: readonly ConfigKey[] = keysOf(configSettings);
/** Keys of `[[game]]`. */
export const gameKeys: readonly ConfigKey[] = keysOf(gameSettings);
