/**
 * Jedi Outcast.
 * @module
 */
import { jk2mv } from "../engines/jk2mv.ts";
import { openjk } from "../engines/openjk.ts";
import type { KnownGame } from "./core/game.ts";
import { jedi } from "./jedi.ts";

export const jedioutcast: KnownGame = {
  ...jedi,
  name: "jedioutcast",
  title: "Jedi Outcast",
  editionOf: "jedi",
  engines: [openjk, jk2mv],
  file: /^assets5\.pk3$/i,
  packs: [{ path: "base/assets0.pk3", size: 534_984_353, of: "Jedi Outcast" }],
  steam: [6030],
};
