/**
 * Descent.
 * @module
 */
import { d1xrebirth } from "../engines/d1x_rebirth.ts";
import type { KnownGame } from "./core/game.ts";

export const descent1: KnownGame = {
  name: "descent1",
  title: "Descent",
  engines: [d1xrebirth],
  bases: [],
  signature: {
    kind: "pack",
    name: /^descent\.hog$/i,
    format: "hog",
    says: "is the pack of Descent",
  },
};
