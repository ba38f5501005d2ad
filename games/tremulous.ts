/**
 * Tremulous.
 * @module
 */
import { tremulous as tremulousEngine } from "../engines/tremulous.ts";
import type { KnownGame } from "./core/game.ts";

export const tremulous: KnownGame = {
  name: "tremulous",
  title: "Tremulous",
  engines: [tremulousEngine],
  bases: ["base"],
  signature: {
    kind: "base",
    inside: /^(data|vms)-1\.\d\.\d.*\.pk3$/i,
    says: "has packs of Tremulous",
  },
  mods: { gpp: "Tremulous Gameplay Preview" },
};
