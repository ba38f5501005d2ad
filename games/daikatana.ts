/**
 * Daikatana.
 * @module
 */
import { daikatana as daikatanaEngine } from "../engines/daikatana.ts";
import { quake2 } from "../engines/quake2.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

export const daikatana: KnownGame = {
  name: "daikatana",
  title: "Daikatana",
  engines: [daikatanaEngine],
  bases: ["data"],
  signature: {
    kind: "base",
    packs: ".pak",
    says: "has pak files",
    nextSays: notConfirmed("belongs to Daikatana", quake2),
  },
  next: /^daikatana/i,
};
