/**
 * Heavy Metal: F.A.K.K. 2.
 * @module
 */
import { quake3 } from "../engines/quake3.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

export const fakk2: KnownGame = {
  name: "fakk2",
  title: "Heavy Metal: F.A.K.K. 2",
  engines: [quake3],
  bases: ["fakk"],
  signature: {
    kind: "base",
    packs: ".pk3",
    says: notConfirmed("has pk3 files, and is the base game directory of F.A.K.K. 2", quake3),
  },
};
