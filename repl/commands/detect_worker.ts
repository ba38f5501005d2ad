/**
 * Finds games in a separate process, since file systems may hang.
 * @module
 */
import { detectGames, GameError, type GameReport, type InstalledGames, withoutPaths } from "../../games/mod.ts";
import { engineClausesOf } from "../../service/mod.ts";
import { type CarefulOrder, hidesFrom } from "../../system/mod.ts";

export { noteCalls } from "../../system/mod.ts";

/** Directories in which to find games, or everywhere if there are none; or a game whose engines to compare. */
export type DetectOrder = { readonly find: readonly string[] } | { readonly compare: GameReport };

/** Found games, differences of other engines, or the reason why they are unknown. */
export type DetectAnswer =
  | InstalledGames
  | { readonly clauses: readonly string[] }
  | { readonly failure: string };

/** Executes a request. */
export async function answer({ silent, ...order }: DetectOrder & CarefulOrder): Promise<DetectAnswer> {
  const hides = hidesFrom(silent);
  try {
    if ("compare" in order) {
      const { name, profile, sources } = order.compare;
      return { clauses: await engineClausesOf({ name, profile, sources: sources.map(({ path }) => path) }) };
    }
    const hung = order.find.find(hides);
    if (hung !== undefined) return { failure: `${hung} does not answer` };
    return withoutPaths(hides, () => detectGames(order.find.length === 0 ? undefined : order.find));
  } catch (error) {
    if (!(error instanceof GameError)) throw error;
    return { failure: error.message };
  }
}
