/**
 * The plan of a plain union: archives and directories that belong to no game; later ones win.
 * @module
 */
import { basename, extname } from "@std/path";
import { generic } from "../../engines/generic.ts";
import { GameError, requestedProfile } from "../../games/mod.ts";
import { directoryPack, type ListPlanning } from "./load_plan.ts";
import { certainPack, type FoundPack, type GamePlan, type GameRules, listedDirectory } from "./plan.ts";

const plainUnion = "archives without a game are a plain union";

/** Returns whether a game is a plain union. */
export function isUnion({ because }: Pick<GamePlan, "because">): boolean {
  return because === plainUnion;
}

/** Parts of a {@linkcode GamePlan} that determine the content of a union. */
export type UnionPlan = GameRules & Required<Pick<GamePlan, "directories" | "lists">>;

/** Returns the rules of a union. */
export function unionProfile(): GamePlan["profile"] {
  const { rules, packs, ...profile } = requestedProfile(generic.name);
  return {
    ...profile,
    rules: ["load-order", ...rules.filter((rule) => rule.endsWith("-in-pack"))],
    // Every given file is a pack.
    packs: packs.map((rule) => rule.kind === "sorted" ? { ...rule, directories: [""], bareEnding: true } : rule),
  };
}

/**
 * Plans a union: each archive, and each directory with all its files, is a pack.
 * @throws {GameError} if one is neither.
 */
export function planUnion(
  paths: readonly string[],
  planning: Omit<ListPlanning, "options" | "list" | "awaitsFiles">,
): UnionPlan {
  const first = paths[0] ?? "";
  const name = basename(first, extname(first));
  const packs = Array.from(new Set(paths)).flatMap((path) => packAt(path, planning));
  const { directory, sources } = listedDirectory(name, first, packs);
  return {
    profile: planning.profile,
    because: plainUnion,
    base: name,
    directories: [directory],
    lists: new Map([[name, sources]]),
  };
}

function packAt(path: string, planning: Parameters<typeof planUnion>[1]): FoundPack[] {
  const information = Deno.statSync(path);
  if (information.isDirectory) return [directoryPack(path, planning) ?? []].flat();
  if (!information.isFile) throw new GameError(`${path}: not a regular file`, path);
  return [certainPack(path, information)];
}
