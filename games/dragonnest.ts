/**
 * Dragon Nest, whose paks are next to its program.
 * @module
 */
import { dragonnest as dragonnestEngine } from "../engines/dragonnest.ts";
import type { KnownGame } from "./core/game.ts";

export const dragonnest: KnownGame = {
  name: "dragonnest",
  title: "Dragon Nest",
  engines: [dragonnestEngine],
  bases: [],
  signature: { kind: "pack", name: /^resource.*\.pak$/i, format: "dragonnest-pak", says: "is a Dragon Nest pak" },
  installedAs: [],
  steam: [11610],
};
