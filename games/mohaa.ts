/**
 * Medal of Honor: Allied Assault.
 * @module
 */
import { openmohaa } from "../engines/openmohaa.ts";
import type { KnownGame } from "./core/game.ts";

export const mohaa: KnownGame = {
  name: "mohaa",
  title: "Medal of Honor: Allied Assault",
  engines: [openmohaa],
  bases: ["main"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: "has pk3 files",
    nextSays: "belongs to Medal of Honor: Allied Assault",
  },
  next: /^(launch_)?(openmohaa|omohaaded|mohaa|moh_(spearhead|breakthrough))/i,
  mods: { mainta: "Spearhead", maintt: "Breakthrough" },
};
