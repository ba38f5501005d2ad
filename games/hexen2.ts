/**
 * Hexen II.
 * @module
 */
import { uhexen2 } from "../engines/uhexen2.ts";
import type { KnownGame } from "./core/game.ts";

export const hexen2: KnownGame = {
  name: "hexen2",
  title: "Hexen II",
  engines: [uhexen2],
  bases: ["data1"],
  signature: {
    kind: "base",
    packs: ".pak",
    says: "has pak files, and is the base game directory of Hexen II",
  },
  file: /^pak\d\.pak$/i,
  mods: { portals: "Portal of Praevus", hw: "HexenWorld" },
};
