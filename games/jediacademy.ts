/**
 * Jedi Academy.
 * @module
 */
import type { KnownGame } from "./core/game.ts";
import { jedi } from "./jedi.ts";

export const jediacademy: KnownGame = {
  ...jedi,
  name: "jediacademy",
  title: "Jedi Academy",
  editionOf: "jedi",
  file: /^assets3\.pk3$/i,
  packs: [
    { path: "base/assets0.pk3", size: 561_806_019, of: "Jedi Academy" },
    { path: "base/assets0.pk3", size: 188_127_360, of: "the demo of Jedi Academy" },
  ],
  steam: [6020],
};
