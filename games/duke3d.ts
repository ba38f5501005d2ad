/**
 * Duke Nukem 3D.
 * @module
 */
import { buildengine } from "../engines/buildengine.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

/** Duke Nukem 3D. */
export const duke3d: KnownGame = {
  name: "duke3d",
  title: "Duke Nukem 3D",
  engines: [buildengine],
  bases: [],
  signature: {
    kind: "pack",
    name: /^duke3d\.grp$/i,
    format: "grp",
    says: notConfirmed("is the pack of Duke Nukem 3D"),
  },
};
