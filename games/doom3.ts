/**
 * Doom 3.
 * @module
 */
import { dhewm3 } from "../engines/dhewm3.ts";
import type { KnownGame } from "./core/game.ts";

export const doom3: KnownGame = {
  name: "doom3",
  title: "Doom 3",
  engines: [dhewm3],
  bases: ["base"],
  // BASE_GAMEDIR in id-Software/DOOM-3
  signature: {
    kind: "base",
    packs: ".pk4",
    says: "has pk4 files",
    nextSays: "belongs to Doom 3",
  },
  next: /^(d3xp$|d3le$|doom3|dhewm3|doom\.x86)/i,
  // The last pack of its patches; Prey names its first packs alike.
  ownFile: /^pak008\.pk4$/i,
  packs: [{ path: "base/pak000.pk4", size: 353_159_257, of: "Doom 3" }],
  misplaced: /^pak000\.pk4$/i,
  mods: { d3xp: "Resurrection of Evil" },
  installedAs: ["doom3", "dhewm3"],
  steam: [9050, 9070, 9100],
};
