/**
 * Doom 3 BFG Edition.
 * @module
 */
import { rbdoom3bfg } from "../engines/rbdoom3bfg.ts";
import type { KnownGame } from "./core/game.ts";

export const doom3bfg: KnownGame = {
  name: "doom3bfg",
  title: "Doom 3 BFG Edition",
  engines: [rbdoom3bfg],
  bases: ["base"],
  signature: {
    kind: "base",
    inside: /^_(common|ordered)\.resources$/i,
    says: "has the resource containers of Doom 3 BFG Edition",
  },
  misplaced: /^_(common|ordered)\.resources$/i,
  steam: [208200],
};
