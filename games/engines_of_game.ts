/**
 * The engines that play a game.
 * @module
 */
import type { Profile } from "../engines/mod.ts";
import { games } from "./table.ts";

/** Reason for a profile that the user chose. */
export const chosenByUser = "it was requested";

const plays = games.map(({ bases, editionOf, engines }) => ({
  bases,
  isEdition: editionOf !== undefined,
  names: engines.map(({ name }) => name),
}));

/** Returns whether two engines, given by profile name, play a game in common. */
export function playSameGame(one: string, other: string): boolean {
  return plays.some(({ names }) => names.includes(one) && names.includes(other));
}

/** Returns the base game directories of a profile, then the bases of all games that it plays. */
export function basesPlayed({ bases, name, origin }: Profile): string[] {
  const played = plays.filter(({ names }) => names.includes(name) || names.includes(origin));
  return [...bases, ...played.flatMap((game) => game.bases)];
}

/**
 * Returns the names of the profiles that play a game, its own profile first; empty if its own profile plays no game.
 */
export function enginesOf({ profile, base }: { readonly profile: Profile; readonly base: string }): string[] {
  const played = plays.filter(({ names }) => names.includes(profile.name) || names.includes(profile.origin));
  const isOfBase = ({ bases }: { readonly bases: readonly string[] }) =>
    bases.some((name) => name.toLowerCase() === base.toLowerCase());
  // Of an edition other engines may play the game than of all editions, and which one it is is not known here.
  const all = played.filter(({ isEdition }) => !isEdition);
  const game = all.find(isOfBase) ?? played.find(isOfBase) ?? all[0] ?? played[0];
  return game ? [profile.name, ...game.names.filter((name) => name !== profile.name)] : [];
}
