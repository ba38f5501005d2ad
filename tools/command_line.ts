/**
 * Command lines of tools.
 * @module
 */
import { parseArgs } from "node:util";

/** The words and options of a command line. */
export interface CommandLine<Value extends string, Flag extends string> {
  readonly words: readonly string[];
  readonly values: { readonly [Name in Value]?: string };
  readonly flags: { readonly [Name in Flag]: boolean };
  /** The mistake, if it has an unknown option, or one without its value. */
  readonly mistake?: string;
}

/**
 * Reads a command line.
 * @param values Options with a value.
 * @param flags Options without one.
 */
export function readCommandLine<const Value extends string, const Flag extends string = never>(
  values: readonly Value[],
  flags: readonly Flag[] = [],
  args: readonly string[] = Deno.args,
): CommandLine<Value, Flag> {
  const types = [...values.map((name) => [name, "string"]), ...flags.map((name) => [name, "boolean"])] as const;
  const options = Object.fromEntries(types.map(([name = "", type]) => [name, { type: type as "string" | "boolean" }]));
  let words: string[] = [];
  let given: { readonly [name: string]: unknown } = {};
  let mistake: string | undefined;
  try {
    ({ positionals: words, values: given } = parseArgs({ args: [...args], options, allowPositionals: true }));
  } catch (error) {
    [mistake] = String(error instanceof Error ? error.message : error).split(". ");
  }
  return {
    words,
    values: given as { [Name in Value]?: string },
    flags: Object.fromEntries(flags.map((name) => [name, given[name] === true])) as { [Name in Flag]: boolean },
    ...mistake === undefined ? {} : { mistake },
  };
}
