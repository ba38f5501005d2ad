/**
 * Upper-case names from installers and archives of other systems: files that an engine does not find on case-sensitive
 * file systems, and the remedy.
 * @module
 */
import { join } from "@std/path";
import { ignoresHostCase, packNameMeant, type Profile } from "../../engines/mod.ts";
import { lookInto } from "./directory.ts";

/** A game directory, and the names of its files that may be packs. */
export interface SpelledDirectory {
  /** Absolute path. */
  readonly path: string;
  readonly names: readonly string[];
}

/** Maximum names in a sentence. */
const maxNames = 3;
const remedy = 'see "Names in capitals" in docs/profiles.md for file systems that ignore case';

/**
 * Returns a message for each base game directory, and each directory with packs, that the engine finds only if case is
 * ignored.
 * @param base Name of the base game directory.
 */
export function spellingProblems(
  profile: Profile,
  base: string,
  roots: readonly string[],
  directories: readonly SpelledDirectory[],
): string[] {
  if (ignoresHostCase(profile.packs)) return [];
  const standard = profile.bases.find((name) => name.toLowerCase() === base.toLowerCase()) ?? base;
  const bases = standard === base ? [] : roots.map((source) => join(source, base))
    .filter((path) => directories.some((directory) => directory.path === path))
    .map((path) => `${path} is not spelled ${standard}, which is what ${profile.engine} looks for on Linux; rename it`);
  const packs = directories.flatMap(({ path, names }) => {
    const found = names.flatMap((name) => {
      const meant = packNameMeant(profile.packs, name);
      return meant === undefined || names.includes(meant) ? [] : [{ name, meant }];
    });
    const [first] = found;
    if (!first) return [];
    const shown = found.slice(0, maxNames).map(({ name }) => name).join(", ");
    const more = found.length > maxNames ? ` and ${found.length - maxNames} more` : "";
    return [
      `${path}: ${shown}${more} ${found.length === 1 ? "is no pack" : "are no packs"} to ${profile.engine} on Linux, ` +
      `which looks for ${first.meant}; rename ${found.length === 1 ? "it" : "them"} to lower case, or: ${remedy}`,
    ];
  });
  return [...bases, ...packs];
}

/** Returns such messages for games that have not been indexed. */
export function spellingProblemsIn(roots: readonly string[], profile: Profile, base: string): string[] {
  const paths = roots.flatMap((source) =>
    base === "" ? [source] : lookInto(source).directories.map((name) => join(source, name))
  );
  const directories = paths.map((path) => ({ path, names: lookInto(path).files }));
  return spellingProblems(profile, base, roots, directories);
}
