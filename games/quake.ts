/**
 * Quake.
 * @module
 */
import { darkplaces } from "../engines/darkplaces.ts";
import { ezquake } from "../engines/ezquake.ts";
import { ftequake } from "../engines/ftequake.ts";
import { ironwail } from "../engines/ironwail.ts";
import { markv } from "../engines/markv.ts";
import { qss } from "../engines/qss.ts";
import { quake as quakeEngine } from "../engines/quake.ts";
import { quakespasm } from "../engines/quakespasm.ts";
import { vkquake } from "../engines/vkquake.ts";
import type { KnownGame } from "./core/game.ts";

export const quake: KnownGame = {
  name: "quake",
  title: "Quake",
  engines: [quakeEngine, quakespasm, ironwail, vkquake, qss, darkplaces, ftequake, ezquake, markv],
  bases: ["id1"],
  // GAMENAME in id-Software/Quake
  signature: { kind: "base", says: "is Quake's base game directory" },
  packs: [
    { path: "id1/pak0.pak", size: 18_689_235, of: "Quake 1.06" },
    { path: "id1/pak0.pak", size: 18_276_119, of: "Quake 1.01" },
  ],
  mods: {
    hipnotic: "Scourge of Armagon",
    rogue: "Dissolution of Eternity",
    quoth: "Quoth",
    dopa: "Dimension of the Past",
    mg1: "Dimension of the Machine",
  },
  steam: [2310, 9040, 9030],
};
