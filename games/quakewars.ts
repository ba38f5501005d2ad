/**
 * Enemy Territory: Quake Wars.
 * @module
 */
import { dhewm3 } from "../engines/dhewm3.ts";
import type { KnownGame } from "./core/game.ts";

/** Files that neither Doom 3 nor Wolfenstein of 2009 has, which has zpak_english000.pk4 too. */
const ownFile = /^(game\d{3}\.pk4|megatextures)$/i;

/** Enemy Territory: Quake Wars, whose engine has not been published. */
export const quakewars: KnownGame = {
  name: "quakewars",
  title: "Enemy Territory: Quake Wars",
  engines: [dhewm3],
  bases: ["base"],
  signature: {
    kind: "base",
    inside: ownFile,
    says: "has files of Quake Wars; the rules of its engine are not confirmed, those of dhewm3 are the nearest",
  },
  installedAs: ["etqw"],
};
