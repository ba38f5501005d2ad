/**
 * The engines that pakfs knows, one file each, in the order in which they are listed.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import type { Profile } from "./core/profile.ts";
import { alienarena } from "./alienarena.ts";
import { anachronox } from "./anachronox.ts";
import { boom } from "./boom.ts";
import { callofduty2 } from "./callofduty2.ts";
import { chocolate } from "./chocolate.ts";
import { chomenor } from "./chomenor.ts";
import { crispy } from "./crispy.ts";
import { cube2 } from "./cube2.ts";
import { d1xrebirth } from "./d1x_rebirth.ts";
import { d2xrebirth } from "./d2x_rebirth.ts";
import { daemon } from "./daemon.ts";
import { daikatana } from "./daikatana.ts";
import { darkengine } from "./darkengine.ts";
import { darkmod } from "./darkmod.ts";
import { darkplaces } from "./darkplaces.ts";
import { descent3Engine } from "./descent3.ts";
import { dhewm3 } from "./dhewm3.ts";
import { dragonnest } from "./dragonnest.ts";
import { eduke32 } from "./eduke32.ts";
import { eternity } from "./eternity.ts";
import { etlegacy } from "./etlegacy.ts";
import { ezquake } from "./ezquake.ts";
import { ftequake } from "./ftequake.ts";
import { generic } from "./generic.ts";
import { gzdoom } from "./gzdoom.ts";
import { hashed } from "./hashed.ts";
import { heretic2 } from "./heretic2.ts";
import { ioquake3 } from "./ioquake3.ts";
import { iortcwMp } from "./iortcw_mp.ts";
import { iortcwSp } from "./iortcw_sp.ts";
import { ironwail } from "./ironwail.ts";
import { jk2mv } from "./jk2mv.ts";
import { kmquake2 } from "./kmquake2.ts";
import { markv } from "./markv.ts";
import { nblood } from "./nblood.ts";
import { openjk } from "./openjk.ts";
import { openmohaa } from "./openmohaa.ts";
import { q2pro } from "./q2pro.ts";
import { q2rtx } from "./q2rtx.ts";
import { qfusion } from "./qfusion.ts";
import { qss } from "./qss.ts";
import { quake } from "./quake.ts";
import { quake2 } from "./quake2.ts";
import { quake3 } from "./quake3.ts";
import { quake3e } from "./quake3e.ts";
import { quakespasm } from "./quakespasm.ts";
import { rbdoom3bfg } from "./rbdoom3bfg.ts";
import { raze } from "./raze.ts";
import { redeclipse } from "./redeclipse.ts";
import { sin } from "./sin.ts";
import { smokinguns } from "./smokinguns.ts";
import { source } from "./source.ts";
import { spearmint } from "./spearmint.ts";
import { tremulous } from "./tremulous.ts";
import { uhexen2 } from "./uhexen2.ts";
import { urbanterror } from "./urbanterror.ts";
import { voidsw } from "./voidsw.ts";
import { vkquake } from "./vkquake.ts";
import { vkquake2 } from "./vkquake2.ts";
import { woof } from "./woof.ts";
import { worldofpadman } from "./worldofpadman.ts";
import { xash3d } from "./xash3d.ts";
import { yquake2 } from "./yquake2.ts";

/** All engines. */
export const engines: readonly Engine[] = [
  quake,
  quakespasm,
  markv,
  ironwail,
  vkquake,
  qss,
  darkplaces,
  ftequake,
  ezquake,
  xash3d,
  uhexen2,
  quake2,
  yquake2,
  q2pro,
  q2rtx,
  vkquake2,
  kmquake2,
  heretic2,
  sin,
  daikatana,
  anachronox,
  alienarena,
  quake3,
  ioquake3,
  quake3e,
  spearmint,
  chomenor,
  urbanterror,
  smokinguns,
  tremulous,
  worldofpadman,
  qfusion,
  openjk,
  jk2mv,
  openmohaa,
  callofduty2,
  iortcwMp,
  iortcwSp,
  etlegacy,
  dhewm3,
  darkmod,
  rbdoom3bfg,
  gzdoom,
  boom,
  woof,
  eternity,
  chocolate,
  crispy,
  eduke32,
  voidsw,
  nblood,
  raze,
  d1xrebirth,
  d2xrebirth,
  descent3Engine,
  redeclipse,
  cube2,
  darkengine,
  source,
  daemon,
  dragonnest,
  hashed,
  generic,
];

/** Profiles of the engines, for an index. */
export const profiles: readonly Profile[] = engines.map(({ homes: _homes, evidence: _evidence, ...profile }) => ({
  ...profile,
  origin: profile.name,
}));

/** Returns the profile of that name, or `undefined`. */
export function profileNamed(name: string): Profile | undefined {
  return profiles.find((profile) => profile.name === name);
}
