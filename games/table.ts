/**
 * The games that pakfs knows, one file each; of two with one base the more specific first.
 * @module
 */
import type { KnownGame } from "./core/game.ts";
import { doom } from "./doom.ts";
import { doom3 } from "./doom3.ts";
import { doom3bfg } from "./doom3bfg.ts";
import { dragonnest } from "./dragonnest.ts";
import { eliteforce } from "./eliteforce.ts";
import { enemyTerritory } from "./enemy_territory.ts";
import { halflife } from "./halflife.ts";
import { jedi } from "./jedi.ts";
import { jediacademy } from "./jediacademy.ts";
import { jedioutcast } from "./jedioutcast.ts";
import { nexuiz } from "./nexuiz.ts";
import { openarena } from "./openarena.ts";
import { prey } from "./prey.ts";
import { quake } from "./quake.ts";
import { quake2 } from "./quake2.ts";
import { quake2Remaster } from "./quake2_remaster.ts";
import { quake3 } from "./quake3.ts";
import { quakeRemaster } from "./quake_remaster.ts";
import { quakewars } from "./quakewars.ts";
import { rtcw } from "./rtcw.ts";
import { sourceGames } from "./source_games.ts";
import { unvanquished } from "./unvanquished.ts";
import { xonotic } from "./xonotic.ts";

/** All games. */
export const games: readonly KnownGame[] = [
  quakeRemaster,
  quake,
  quake2Remaster,
  quake2,
  quake3,
  openarena,
  doom3bfg,
  quakewars,
  prey,
  doom3,
  rtcw,
  enemyTerritory,
  jedioutcast,
  jediacademy,
  jedi,
  eliteforce,
  halflife,
  ...sourceGames,
  unvanquished,
  xonotic,
  nexuiz,
  doom,
  dragonnest,
];
