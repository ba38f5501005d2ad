/**
 * Descriptions of the keys of a configuration: docstrings of the types of a profile, and texts for all other keys.
 * @module
 */
import { gameKeys, topKeys } from "../../daemon/config/config_settings.ts";
import { isTable } from "../../engines/settings/fields.ts";
import { reachableTypes } from "./json_types.ts";

type Sentences = Readonly<Record<string, string>>;

const types = await reachableTypes(new URL("../../engines/core/profile.ts", import.meta.url).pathname, ["Profile"]);

/** The keys of each table with the first paragraphs of their docstrings. */
const tables: readonly Sentences[] = [
  ...Array.from(types.values(), ({ fields }) =>
    Object.fromEntries(fields.map(({ name, jsDoc }) => {
      const [paragraph = ""] = jsDoc?.doc?.split("\n\n") ?? [];
      return [name, paragraph.replaceAll("\n", " ")];
    }))),
  ...[topKeys, gameKeys].map((keys) => Object.fromEntries(keys.map(({ name, sentence }) => [name, sentence]))),
];

/**
 * Returns the sentences of the table that has exactly some keys.
 * @throws {Error} if no table has them, or several have, or one of them has no docstring.
 */
export function sentencesOf(keys: readonly string[]): Sentences {
  const alike = tables.filter((table) => new Set(Object.keys(table)).symmetricDifference(new Set(keys)).size === 0);
  const [found] = alike;
  if (!found || alike.length > 1) throw new Error(`${alike.length} types have the keys ${keys.join(", ")}`);
  const bare = keys.filter((key) => !found[key]);
  if (bare.length > 0) throw new Error(`no docstring: ${bare.join(", ")} of the type with ${keys.join(", ")}`);
  return found;
}

/** Describes the properties of a JSON Schema that have no description: a replacer of `JSON.stringify`. */
export function withSentences(key: string, value: unknown): unknown {
  if (key !== "properties" || !isTable(value)) return value;
  const properties = Object.entries(value);
  const bare = properties.filter(([, schema]) => isTable(schema) && schema["description"] === undefined);
  const sentences = sentencesOf(bare.map(([name]) => name));
  return Object.fromEntries(
    properties.map(([name, schema]) => [name, { description: sentences[name], ...schema as object }]),
  );
}
