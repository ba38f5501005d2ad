/**
 * Looks for games in a process of its own: what it looks at may hang.
 * @module
 */
import { detectGames, GameError, type GameReport, type InstalledGames, withoutPaths } from "../../games/mod.ts";
import { engineClausesOf } from "../../service/mod.ts";
import { type CarefulOrder, hidesFrom } from "../../system/mod.ts";

export { noteCalls } from "../../system/mod.ts";

/** Games to find in directories, or everywhere if there are none; or a game to compare engines for. */
export type DetectOrder = { readonly find: readonly string[] } | { readonly compare: GameReport };

/** Games that were found, what would differ under other engines, or why it is not known. */
export type DetectAnswer =
  | InstalledGames
  | { readonly clauses: readonly string[] }
  | { readonly failure: string };

/** Carries out an order. */
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
