/**
 * The games that pakfs knows, one file each; if two share a base, the more specific one comes first.
 * @module
 */
import type { KnownGame } from "./core/game.ts";
import { alice } from "./alice.ts";
import { alienarena } from "./alienarena.ts";
import { anachronox } from "./anachronox.ts";
import { blood } from "./blood.ts";
import { callofduty } from "./callofduty.ts";
import { callofduty2 } from "./callofduty2.ts";
import { callofduty2OrLater } from "./callofduty2_or_later.ts";
import { daikatana } from "./daikatana.ts";
import { darkmod } from "./darkmod.ts";
import { descent1 } from "./descent1.ts";
import { descent2 } from "./descent2.ts";
import { descent3 } from "./descent3.ts";
import { doom } from "./doom.ts";
import { doom3 } from "./doom3.ts";
import { doom3OrPrey } from "./doom3_or_prey.ts";
import { doom3bfg } from "./doom3bfg.ts";
import { dragonnest } from "./dragonnest.ts";
import { duke3d } from "./duke3d.ts";
import { eliteforce } from "./eliteforce.ts";
import { eliteforce2 } from "./eliteforce2.ts";
import { enemyTerritory } from "./enemy_territory.ts";
import { fakk2 } from "./fakk2.ts";
import { halflife } from "./halflife.ts";
import { heretic2 } from "./heretic2.ts";
import { hexen2 } from "./hexen2.ts";
import { jedi } from "./jedi.ts";
import { jediacademy } from "./jediacademy.ts";
import { jedioutcast } from "./jedioutcast.ts";
import { kingpin } from "./kingpin.ts";
import { mohaa } from "./mohaa.ts";
import { nexuiz } from "./nexuiz.ts";
import { openarena } from "./openarena.ts";
import { prey } from "./prey.ts";
import { quake } from "./quake.ts";
import { quake2 } from "./quake2.ts";
import { quake2Remaster } from "./quake2_remaster.ts";
import { quake3 } from "./quake3.ts";
import { quake4 } from "./quake4.ts";
import { quakeRemaster } from "./quake_remaster.ts";
import { quakewars } from "./quakewars.ts";
import { redeclipse } from "./redeclipse.ts";
import { rtcw } from "./rtcw.ts";
import { sauerbraten } from "./sauerbraten.ts";
import { shadowwarrior } from "./shadowwarrior.ts";
import { sin } from "./sin.ts";
import { smokinguns } from "./smokinguns.ts";
import { soldieroffortune } from "./soldieroffortune.ts";
import { soldieroffortune2 } from "./soldieroffortune2.ts";
import { sourceGames } from "./source_games.ts";
import { svencoop } from "./svencoop.ts";
import { systemshock2 } from "./systemshock2.ts";
import { thief } from "./thief.ts";
import { thief2 } from "./thief2.ts";
import { tremulous } from "./tremulous.ts";
import { unvanquished } from "./unvanquished.ts";
import { urbanterror } from "./urbanterror.ts";
import { warfork } from "./warfork.ts";
import { warsow } from "./warsow.ts";
import { worldofpadman } from "./worldofpadman.ts";
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
  doom3OrPrey,
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
  alienarena,
  hexen2,
  heretic2,
  sin,
  kingpin,
  soldieroffortune,
  soldieroffortune2,
  daikatana,
  anachronox,
  fakk2,
  alice,
  eliteforce2,
  mohaa,
  callofduty,
  callofduty2,
  callofduty2OrLater,
  darkmod,
  quake4,
  urbanterror,
  smokinguns,
  worldofpadman,
  tremulous,
  warsow,
  warfork,
  svencoop,
  duke3d,
  blood,
  shadowwarrior,
  descent2,
  descent1,
  descent3,
  sauerbraten,
  redeclipse,
  thief2,
  thief,
  systemshock2,
  dragonnest,
];
