/**
 * Roots that are game directories themselves.
 * @module
 */
import { basename } from "@std/path";
import type { Profile } from "./profile.ts";

/** Returns the name of a root that is a game directory itself. */
export function rootCompanion(root: string, { companions }: Profile): string | undefined {
  return companions.find(({ name, isRoot }) => isRoot && name === basename(root))?.name;
}

/** Returns the names of directories in game directories that are searched with them. */
export function innerCompanions({ companions }: Pick<Profile, "companions">): string[] {
  const start = "{game}/";
  return companions.flatMap(({ name }) => name.startsWith(start) ? [name.slice(start.length)] : []);
}
