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
