/**
 * Descent 3.
 * @module
 */
import { descent } from "../engines/descent.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

/** Descent 3. */
export const descent3: KnownGame = {
  name: "descent3",
  title: "Descent 3",
  engines: [descent],
  bases: [],
  signature: {
    kind: "pack",
    name: /^d3\.hog$/i,
    format: "hog2",
    says: notConfirmed("is the pack of Descent 3"),
  },
};
