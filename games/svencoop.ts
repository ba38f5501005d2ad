/**
 * Sven Co-op.
 * @module
 */
import { xash3d } from "../engines/xash3d.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

export const svencoop: KnownGame = {
  name: "svencoop",
  title: "Sven Co-op",
  engines: [xash3d],
  bases: ["svencoop"],
  signature: {
    kind: "base",
    inside: /^liblist\.gam$/i,
    says: notConfirmed("is the base game directory of Sven Co-op", xash3d),
  },
  installedAs: [],
};
