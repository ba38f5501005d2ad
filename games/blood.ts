/**
 * Blood.
 * @module
 */
import { nblood } from "../engines/nblood.ts";
import { raze } from "../engines/raze.ts";
import type { KnownGame } from "./core/game.ts";

export const blood: KnownGame = {
  name: "blood",
  title: "Blood",
  engines: [nblood, raze],
  bases: [],
  signature: {
    kind: "pack",
    name: /^blood\.rff$/i,
    format: "rff",
    says: "is the pack of Blood",
  },
};
