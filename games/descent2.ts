/**
 * Descent II.
 * @module
 */
import { descent } from "../engines/descent.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

/** Descent II. */
export const descent2: KnownGame = {
  name: "descent2",
  title: "Descent II",
  engines: [descent],
  bases: [],
  signature: {
    kind: "pack",
    name: /^descent2\.hog$/i,
    format: "hog",
    says: notConfirmed("is the pack of Descent II"),
  },
};
