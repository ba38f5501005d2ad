/**
 * Names of the game directories of a game.
 * @module
 */
import { join } from "@std/path";
import { GameError, isDirectory, nameOfRoots, subdirectories } from "../../games/mod.ts";
import { innerCompanions, packDirectoryEndings, type Profile, rootCompanion } from "../../engines/mod.ts";

/** Returns the base game directory, followed by the others by name. */
export function directoryNames(
  profile: Profile,
  base: string,
  roots: readonly string[],
  mods: readonly string[] | undefined,
): string[] {
  if (base === "") return [nameOfRoots(roots)];
  const missing = mods?.find((mod) => !roots.some((directory) => isDirectory(join(directory, mod))));
  if (missing !== undefined) {
    throw new GameError(`unknown game directory ${missing} in ${roots.join(", ")}`, missing);
  }
  return inOrder(mods ?? roots.flatMap((root) => directoriesIn(root, profile)), base, profile, roots);
}

/** Returns the names of the game directories in a root. */
export function directoriesIn(root: string, profile: Profile): string[] {
  return rootCompanion(root, profile) === undefined ? subdirectories(root) : [];
}

export function inOrder(names: readonly string[], base: string, profile: Profile, roots: readonly string[]): string[] {
  const others = new Set(names.filter((name) => name !== base && !isPackName(name, profile)));
  const sorted = Array.from(others).sort();
  if (!profile.foldDirectories) return [...withInner([base, ...sorted], roots, profile), ...rootNames(roots, profile)];
  // Lower case sorts last: it is the most common of several spellings.
  const spellings = new Map(sorted.map((name) => [name.toLowerCase(), name]));
  spellings.delete(base.toLowerCase());
  return [base, ...spellings.values()];
}

function rootNames(roots: readonly string[], profile: Profile): string[] {
  return roots.flatMap((root) => rootCompanion(root, profile) ?? []);
}

/** Adds the directories inside game directories that are searched with them. */
function withInner(names: readonly string[], roots: readonly string[], profile: Profile): string[] {
  return names.flatMap((name) => [
    name,
    ...innerCompanions(profile).map((inner) => `${name}/${inner}`).filter((path) =>
      roots.some((root) => isDirectory(join(root, path)))
    ),
  ]);
}

/** Engines compare the extension without case. */
export function isPackName(name: string, profile: Profile): boolean {
  const lower = name.toLowerCase();
  return packDirectoryEndings(profile.packs).some((ending) => lower.endsWith(ending));
}
