/**
 * Doom and the games on its engine.
 * @module
 */
import { boom } from "../engines/boom.ts";
import { chocolate } from "../engines/chocolate.ts";
import { crispy } from "../engines/crispy.ts";
import { eternity } from "../engines/eternity.ts";
import { gzdoom } from "../engines/gzdoom.ts";
import { woof } from "../engines/woof.ts";
import type { KnownGame } from "./core/game.ts";

export const doom: KnownGame = {
  name: "doom",
  title: "Doom",
  relatives: ["Heretic", "Hexen", "Strife"],
  engines: [gzdoom, boom, woof, chocolate, crispy, eternity],
  bases: [],
  signature: { kind: "iwads" },
  file: /^(doom[12]?|doom2f|plutonia|tnt|freedoom[12]?|freedm|heretic1?|hexen|hexdd|strife[01]|chex3?|hacx)\.wad$/i,
  steam: [2280, 2300, 2290, 2390, 2360, 2370, 317040],
};
