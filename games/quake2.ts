/**
 * Quake II.
 * @module
 */
import { kmquake2 } from "../engines/kmquake2.ts";
import { q2pro } from "../engines/q2pro.ts";
import { q2rtx } from "../engines/q2rtx.ts";
import { quake2 as quake2Engine } from "../engines/quake2.ts";
import { vkquake2 } from "../engines/vkquake2.ts";
import { yquake2 } from "../engines/yquake2.ts";
import type { KnownGame } from "./core/game.ts";

export const quake2: KnownGame = {
  name: "quake2",
  title: "Quake II",
  engines: [yquake2, q2pro, q2rtx, vkquake2, kmquake2, quake2Engine],
  bases: ["baseq2"],
  // BASEDIRNAME in id-Software/Quake-2
  signature: { kind: "base", says: "is Quake II's base game directory" },
  packs: [
    { path: "baseq2/pak0.pak", size: 183_997_730, of: "Quake II" },
    { path: "baseq2/pak0.pak", size: 49_951_322, of: "the demo of Quake II" },
  ],
  mods: { xatrix: "The Reckoning", rogue: "Ground Zero", ctf: "Capture the Flag" },
  installedAs: ["quake2", "quake2-demo"],
  steam: [2320, 2330, 2340, 1089130, 9130],
};
