/**
 * Jedi Academy or Jedi Outcast, if the packs do not determine which.
 * @module
 */
import { openjk } from "../engines/openjk.ts";
import type { KnownGame } from "./core/game.ts";

export const jedi: KnownGame = {
  name: "jedi",
  title: "Jedi Academy or Jedi Outcast",
  engines: [openjk],
  bases: ["base"],
  signature: {
    kind: "base",
    inside: /^assets0\.pk3$/i,
    says: "has assets0.pk3, as Jedi Academy and Jedi Outcast have",
  },
  misplaced: /^assets0\.pk3$/i,
  installedAs: ["jediacademy", "jedioutcast"],
  steam: [6020, 6030],
};
