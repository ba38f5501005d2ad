/**
 * Games whose engines have no public source, or whose source was not studied.
 * @module
 */
import type { Engine } from "../../engines/mod.ts";

/** Returns the end of a sentence about such a game, with the engine whose rules are used instead. */
export function notConfirmed(says: string, nearest?: Pick<Engine, "engine">): string {
  const those = nearest ? `, those of ${nearest.engine} are the nearest` : "";
  return `${says}; the rules of its engine are not confirmed${those}`;
}
