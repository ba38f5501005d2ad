/**
 * Tremulous.
 * @module
 */
import { ioquake3 } from "../engines/ioquake3.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

/** Tremulous. */
export const tremulous: KnownGame = {
  name: "tremulous",
  title: "Tremulous",
  engines: [ioquake3],
  bases: ["base"],
  signature: {
    kind: "base",
    inside: /^(data|vms)-1\.\d\.\d.*\.pk3$/i,
    says: notConfirmed("has packs of Tremulous", ioquake3),
  },
  file: /^(data|vms)-1\.\d\.\d.*\.pk3$/i,
  packs: [],
  mods: { gpp: "Tremulous Gameplay Preview" },
  installedAs: ["tremulous"],
  steam: [],
};
