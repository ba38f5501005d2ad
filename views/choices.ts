/**
 * The words of `:with=` of a game: settings of its engine, companion directories, and excluded packs.
 * @module
 */
import { type Game, leftOutPacks, type Snapshot, type Source, sourceHasName } from "../index/mod.ts";
import { companionChoices } from "./companions.ts";

/** Maximum names in a message. */
const maxChoices = 20;

/** Returns a clause with the unknown word and the known ones; null if all are known. */
export function unknownChoice(snapshot: Snapshot, game: Game, words: readonly string[]): string | null {
  if (words.length === 0) return null;
  const others = [...game.profile.settings.map(({ name }) => name), ...companionChoices(game)];
  const packs = Array.from(leftOutPacks(snapshot, game).keys(), (id) => snapshot.sources[id])
    .filter((source) => source !== undefined);
  const unknown = words.find((word) => !others.includes(word) && !packs.some((source) => isChosen(source, [word])));
  if (unknown === undefined) return null;
  const known = [...others, ...packs.map(({ name }) => name)].slice(0, maxChoices).join(", ");
  return `unknown choice ${unknown}; known: ${known || "none"}`;
}

/** Returns whether a word of a view's settings names a pack, with or without its extension. */
export function isChosen(source: Source, words: readonly string[]): boolean {
  const short = source.name.replace(/\.[^.]*$/, "");
  return words.some((word) => sourceHasName(source, word) || word.toLowerCase() === short.toLowerCase());
}
