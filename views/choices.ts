/**
 * The words of `:with=` that a game has: settings of its engine, companion directories, and packs that are left out.
 * @module
 */
import { type Game, leftOutPacks, type Snapshot, type Source, sourceHasName } from "../index/mod.ts";
import { companionChoices } from "./companions.ts";

/** Maximum names in a message. */
const maxChoices = 20;

/** Returns which word chooses nothing, as a clause with those that do; null if all choose something. */
export function unknownChoice(snapshot: Snapshot, game: Game, words: readonly string[]): string | null {
  if (words.length === 0) return null;
  const others = [...game.profile.settings.map(({ name }) => name), ...companionChoices(game)];
  const packs = Array.from(leftOutPacks(snapshot, game).keys(), (id) => snapshot.sources[id])
    .filter((source) => source !== undefined);
  const unknown = words.find((word) => !others.includes(word) && !packs.some((source) => isChosen(source, [word])));
  if (unknown === undefined) return null;
  const known = [...others, ...packs.map(({ name }) => name)].slice(0, maxChoices).join(", ");
  return `nothing to choose is called ${unknown}; known: ${known || "none"}`;
}

/** Returns whether a word of a view's settings names a pack: with or without its ending. */
export function isChosen(source: Source, words: readonly string[]): boolean {
  const short = source.name.replace(/\.[^.]*$/, "");
  return words.some((word) => sourceHasName(source, word) || word.toLowerCase() === short.toLowerCase());
}
