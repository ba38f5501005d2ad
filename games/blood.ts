/**
 * Blood.
 * @module
 */
import { buildengine } from "../engines/buildengine.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

/** Blood. */
export const blood: KnownGame = {
  name: "blood",
  title: "Blood",
  engines: [buildengine],
  bases: [],
  signature: {
    kind: "pack",
    name: /^blood\.rff$/i,
    format: "rff",
    says: notConfirmed("is the pack of Blood"),
  },
};
