/**
 * Names in capitals, as installers and archives made on other systems leave them: what an engine does not find where case
 * counts, and what to do about it.
 * @module
 */
import { join } from "node:path";
import { ignoresHostCase, packNameMeant } from "../profiles/pack_order.ts";
import type { Profile } from "../profiles/profile.ts";
import { lookInto } from "./directory.ts";

/** A game directory, and the names of the files in it that may be packs. */
export interface SpelledDirectory {
  /** Absolute path. */
  readonly path: string;
  readonly names: readonly string[];
}

/** Names that are told one by one. */
const maxNames = 3;
const remedy = 'docs/profiles.md tells of file systems that ignore case ("Names in capitals")';

/**
 * A sentence for the base game directories, and for each directory with packs, that the engine finds only where case does
 * not count.
 * @param base Name of the base game directory.
 */
export function spellingProblems(
  profile: Profile,
  base: string,
  roots: readonly string[],
  directories: readonly SpelledDirectory[],
): string[] {
  if (ignoresHostCase(profile.packs)) return [];
  const usual = profile.bases.find((name) => name.toLowerCase() === base.toLowerCase()) ?? base;
  const bases = usual === base ? [] : roots.map((source) => join(source, base))
    .filter((path) => directories.some((directory) => directory.path === path))
    .map((path) => `${path} is not spelled ${usual}, which is what ${profile.engine} looks for on Linux; rename it`);
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
      `which looks for ${first.meant}; rename ${found.length === 1 ? "it" : "them"} to small letters, or: ${remedy}`,
    ];
  });
  return [...bases, ...packs];
}

/** The same for games of which nothing has been read yet. */
export function spellingProblemsIn(roots: readonly string[], profile: Profile, base: string): string[] {
  const paths = roots.flatMap((source) =>
    base === "" ? [source] : lookInto(source).directories.map((name) => join(source, name))
  );
  const directories = paths.map((path) => ({ path, names: lookInto(path).files }));
  return spellingProblems(profile, base, roots, directories);
}
