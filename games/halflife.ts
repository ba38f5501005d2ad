/**
 * Half-Life.
 * @module
 */
import { xash3d } from "../engines/xash3d.ts";
import type { KnownGame } from "./core/game.ts";

export const halflife: KnownGame = {
  name: "halflife",
  title: "Half-Life",
  engines: [xash3d],
  bases: ["valve"],
  signature: {
    kind: "base",
    inside: /^(liblist\.gam|gameinfo\.txt|halflife\.wad)$/i,
    says: "is Half-Life's base game directory; the rules are Xash3D's, because GoldSrc's are not public",
  },
  mods: {
    bshift: "Blue Shift",
    cstrike: "Counter-Strike",
    czero: "Counter-Strike: Condition Zero",
    dmc: "Deathmatch Classic",
    dod: "Day of Defeat",
    gearbox: "Opposing Force",
    ricochet: "Ricochet",
    tfc: "Team Fortress Classic",
  },
  installedAs: [],
  // 130, Blue Shift in Half-Life/bshift: ititus/valve_tools SteamApp
  steam: [10, 20, 30, 40, 50, 60, 70, 80, 130],
};
