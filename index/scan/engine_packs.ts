/**
 * Packs of engines, next to the game directories.
 * @module
 */
import { join } from "@std/path";
import { type Profile, profiles } from "../../engines/mod.ts";
import { itemAt } from "./game_settings.ts";
import { certainPack, type FoundPack } from "./plan.ts";

/** Returns the packs of other engines in roots, by name. */
export function otherEnginePacks(roots: readonly string[], { enginePack: own }: Profile): string[] {
  const names = new Set(profiles.flatMap(({ enginePack }) => enginePack?.name ?? []));
  return Array.from(names).filter((name) =>
    name !== own?.name && roots.some((root) => itemAt(join(root, name))?.isFile === true)
  );
}

/** Returns the engine's own pack that it loads with the base game directory of a root, or null. */
export function enginePackOf(
  roots: readonly string[],
  rootIndex: number,
  { enginePack }: Pick<Profile, "enginePack">,
): FoundPack | null {
  if (!enginePack) return null;
  const { name, foundIn } = enginePack;
  const root = roots[rootIndex] ?? "";
  if (foundIn === "each-root") return packIn(root, name);
  if (rootIndex !== roots.length - 1) return null;
  const asked = foundIn === "last-root" ? [root] : roots.toReversed();
  return asked.map((one) => packIn(one, name)).find((found) => found !== null) ?? null;
}

function packIn(root: string, name: string): FoundPack | null {
  const path = join(root, name);
  const information = itemAt(path);
  return information?.isFile ? certainPack(path, information) : null;
}
