/**
 * Enemy Territory: Quake Wars.
 * @module
 */
import type { KnownGame } from "./core/game.ts";
import { doom3 } from "./doom3.ts";

/** Packs that Doom 3 does not have: zpak_english000.pk4, game000.pk4. */
const ownPack = /^(zpak_[a-z]+|game)\d{3}\.pk4$/i;

/** Enemy Territory: Quake Wars, whose engine has not been published. */
export const quakewars: KnownGame = {
  ...doom3,
  name: "quakewars",
  title: "Enemy Territory: Quake Wars",
  signature: {
    kind: "base",
    inside: ownPack,
    says: "has packs of Quake Wars; the rules of its engine are not confirmed, those of dhewm3 are the nearest",
  },
  file: ownPack,
  packs: [],
  mods: {},
  installedAs: ["etqw"],
  steam: [],
};
