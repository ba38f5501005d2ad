/**
 * Packs that engines bring along, beside the game directories.
 * @module
 */
import { join } from "@std/path";
import { identityFrom } from "../columns/identity.ts";
import type { Profile } from "../profiles/profile.ts";
import { profiles } from "../profiles/profiles.ts";
import { itemAt } from "./game_settings.ts";
import type { FoundPack } from "./plan.ts";

/** Returns the packs of other engines in roots, by name. */
export function otherEnginePacks(roots: readonly string[], { enginePack: own }: Profile): string[] {
  const names = new Set(profiles.flatMap(({ enginePack }) => enginePack?.name ?? []));
  return Array.from(names).filter((name) =>
    name !== own?.name && roots.some((root) => itemAt(join(root, name))?.isFile === true)
  );
}

/** Returns the pack of the engine itself in a root, or null. */
export function enginePackIn(root: string, profile: Profile): FoundPack | null {
  if (!profile.enginePack) return null;
  const { name } = profile.enginePack;
  const path = join(root, name);
  const information = itemAt(path);
  if (!information?.isFile) return null;
  return { name, path, folder: "", isCertain: true, identity: identityFrom(information), listing: null };
}
