/**
 * Quake III Arena.
 * @module
 */
import { chomenor } from "../engines/chomenor.ts";
import { ioquake3 } from "../engines/ioquake3.ts";
import { quake3 as quake3Engine } from "../engines/quake3.ts";
import { quake3e } from "../engines/quake3e.ts";
import { spearmint } from "../engines/spearmint.ts";
import type { KnownGame } from "./core/game.ts";

export const quake3: KnownGame = {
  name: "quake3",
  title: "Quake III Arena",
  engines: [ioquake3, quake3e, quake3Engine, chomenor, spearmint],
  bases: ["baseq3", "demoq3"],
  // BASEGAME in id-Software/Quake-III-Arena
  signature: {
    kind: "base",
    packs: ".pk3",
    says: "has pk3 files, and is the base game directory of a game on ioquake3",
  },
  file: null,
  packs: [
    { path: "baseq3/pak0.pk3", size: 479_493_658, of: "Quake III Arena" },
    { path: "demoq3/pak0.pk3", size: 46_853_694, of: "the demo of Quake III Arena" },
  ],
  mods: { missionpack: "Team Arena" },
  installedAs: ["quake3", "quake3-demo-data"],
  steam: [2200, 2350, 9080],
};
