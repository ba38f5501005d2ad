/**
 * Duke Nukem 3D.
 * @module
 */
import { eduke32 } from "../engines/eduke32.ts";
import { raze } from "../engines/raze.ts";
import type { KnownGame } from "./core/game.ts";

export const duke3d: KnownGame = {
  name: "duke3d",
  title: "Duke Nukem 3D",
  engines: [eduke32, raze],
  bases: [],
  signature: {
    kind: "pack",
    name: /^duke3d\.grp$/i,
    format: "grp",
    says: "is the pack of Duke Nukem 3D",
  },
};
