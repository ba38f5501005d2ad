/**
 * Descent 3.
 * @module
 */
import { descent3Engine } from "../engines/descent3.ts";
import type { KnownGame } from "./core/game.ts";

export const descent3: KnownGame = {
  name: "descent3",
  title: "Descent 3",
  engines: [descent3Engine],
  bases: [],
  signature: {
    kind: "pack",
    name: /^d3\.hog$/i,
    format: "hog2",
    says: "is the pack of Descent 3",
  },
};
