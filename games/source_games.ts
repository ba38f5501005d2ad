/**
 * Games of the Source engine. Several share a directory: hl2 comes last.
 * @module
 */
import { source } from "../engines/source.ts";
import type { KnownGame } from "./core/game.ts";

const rows: readonly (readonly [name: string, title: string, base: string, ...steam: number[]])[] = [
  ["tf2", "Team Fortress 2", "tf", 440],
  ["css", "Counter-Strike: Source", "cstrike", 240],
  ["dods", "Day of Defeat: Source", "dod", 300],
  ["portal2", "Portal 2", "portal2", 620],
  ["portal", "Portal", "portal", 400],
  ["left4dead2", "Left 4 Dead 2", "left4dead2", 550],
  ["left4dead", "Left 4 Dead", "left4dead", 500],
  ["garrysmod", "Garry's Mod", "garrysmod", 4000],
  ["csgo", "Counter-Strike: Global Offensive", "csgo", 730],
  ["hl2dm", "Half-Life 2: Deathmatch", "hl2mp", 320],
  ["hl2", "Half-Life 2", "hl2", 220, 340, 360, 380, 420],
];

/** Games of the Source engine. */
export const sourceGames: readonly KnownGame[] = rows.map(([name, title, base, ...steam]) => ({
  name,
  title,
  engines: [source],
  bases: [base],
  // With search paths; Xash3D's flat gameinfo has none.
  signature: {
    kind: "list",
    file: "gameinfo.txt",
    holds: /\bSearchPaths\b/i,
    says: "lists search paths, as games of the Source engine do",
  },
  file: /^gameinfo\.txt$/,
  installedAs: [],
  steam,
}));
