/**
 * Descent.
 * @module
 */
import { descent } from "../engines/descent.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

/** Descent. */
export const descent1: KnownGame = {
  name: "descent1",
  title: "Descent",
  engines: [descent],
  bases: [],
  signature: {
    kind: "pack",
    name: /^descent\.hog$/i,
    format: "hog",
    says: notConfirmed("is the pack of Descent"),
  },
};
