/**
 * Wolfenstein: Enemy Territory.
 * @module
 */
import { etlegacy } from "../engines/etlegacy.ts";
import type { KnownGame } from "./core/game.ts";

export const enemyTerritory: KnownGame = {
  name: "enemy-territory",
  title: "Wolfenstein: Enemy Territory",
  engines: [etlegacy],
  bases: ["etmain"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: "has pk3 files, and is Enemy Territory's base game directory",
  },
  file: null,
  packs: [{ path: "etmain/pak0.pk3", size: 228_138_631, of: "Wolfenstein: Enemy Territory" }],
  installedAs: ["enemy-territory", "etlegacy"],
  steam: [1873030],
};
