/**
 * Star Trek: Voyager Elite Force.
 * @module
 */
import { chomenor } from "../engines/chomenor.ts";
import { ioquake3 } from "../engines/ioquake3.ts";
import type { KnownGame } from "./core/game.ts";

export const eliteforce: KnownGame = {
  name: "eliteforce",
  title: "Star Trek: Voyager Elite Force",
  engines: [ioquake3, chomenor],
  bases: ["baseEF"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: "has pk3 files, and is the base game directory of a game on ioquake3",
  },
  file: null,
};
