/**
 * Options for hashed packs, which hold no names. Every command that indexes has them.
 * @module
 */
import type { OptionSpec, OptionValues } from "../../system/mod.ts";

/** `--names FILE` and `--hash HASH`. */
export const nameOptions: readonly OptionSpec[] = [
  {
    name: "names",
    value: "FILE",
    kind: "file",
    repeatable: true,
    summary: "candidate names for hashed packs, one per line; may be repeated",
  },
  {
    name: "hash",
    value: "HASH",
    summary: "hash of the names in hashed packs, such as crc32 or fnv1a+lower+backslash; default: detected",
  },
];

/** Returns the settings of a game from these options. */
export function nameSettingsFrom(options: OptionValues): { names?: string[]; hash?: string } {
  const names = options.list("names");
  const hash = options.value("hash");
  return { ...(names.length === 0 ? {} : { names: [...names] }), ...(hash === undefined ? {} : { hash }) };
}
