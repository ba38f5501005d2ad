/**
 * Options about packs that hold no names: wherever something is indexed.
 * @module
 */
import type { OptionSpec } from "../command_line/options.ts";
import type { OptionValues } from "../command_line/options.ts";

/** `--names FILE` and `--hash HASH`. */
export const nameOptions: readonly OptionSpec[] = [
  {
    name: "names",
    value: "FILE",
    kind: "file",
    repeatable: true,
    summary: "names that packs without names may hold, one on a line; may be repeated",
  },
  {
    name: "hash",
    value: "HASH",
    summary: "how packs without names hash theirs, such as crc32 or fnv1a+lower+backslash; default: found out",
  },
];

/** What these options say of a game. */
export function nameSettingsFrom(options: OptionValues): { names?: string[]; hash?: string } {
  const names = options.list("names");
  const hash = options.value("hash");
  return { ...(names.length === 0 ? {} : { names: [...names] }), ...(hash === undefined ? {} : { hash }) };
}
