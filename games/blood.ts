/**
 * Blood.
 * @module
 */
import { nblood } from "../engines/nblood.ts";
import type { KnownGame } from "./core/game.ts";

/** Blood. */
export const blood: KnownGame = {
  name: "blood",
  title: "Blood",
  engines: [nblood],
  bases: [],
  signature: {
    kind: "pack",
    name: /^blood\.rff$/i,
    format: "rff",
    says: "is the pack of Blood",
  },
};
