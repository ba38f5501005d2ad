/**
 * Return to Castle Wolfenstein.
 * @module
 */
import { iortcwMp } from "../engines/iortcw_mp.ts";
import { iortcwSp } from "../engines/iortcw_sp.ts";
import type { KnownGame } from "./core/game.ts";

export const rtcw: KnownGame = {
  name: "rtcw",
  title: "Return to Castle Wolfenstein",
  engines: [iortcwMp, iortcwSp],
  bases: ["main", "Main"],
  // Packs with code determine which of its two games an engine plays.
  signature: { kind: "base", says: "is Return to Castle Wolfenstein's base game directory", engine: null },
  file: /^(sp|mp)_pak\d.*\.pk3$/i,
  packs: [
    { path: "main/pak0.pk3", size: 315_823_656, of: "Return to Castle Wolfenstein" },
    { path: "main/mp_pak0.pk3", size: 63_211_149, of: "the multiplayer game of Return to Castle Wolfenstein" },
    { path: "main/sp_pak1.pk3", size: 293_887_431, of: "the single player game of Return to Castle Wolfenstein" },
  ],
  misplaced: /^[sm]p_pak\d.*\.pk3$/i,
  steam: [9010],
};
