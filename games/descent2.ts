/**
 * Descent II.
 * @module
 */
import { d2xrebirth } from "../engines/d2x_rebirth.ts";
import type { KnownGame } from "./core/game.ts";

export const descent2: KnownGame = {
  name: "descent2",
  title: "Descent II",
  engines: [d2xrebirth],
  bases: [],
  signature: {
    kind: "pack",
    name: /^descent2\.hog$/i,
    format: "hog",
    says: "is the pack of Descent II",
  },
};
