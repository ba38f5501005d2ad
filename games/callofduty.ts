/**
 * Call of Duty.
 * @module
 */
import { quake3 } from "../engines/quake3.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

export const callofduty: KnownGame = {
  name: "callofduty",
  title: "Call of Duty",
  engines: [quake3],
  bases: ["main"],
  signature: {
    kind: "base",
    inside: /^localized_\w+_pak\d+\.pk3$/i,
    says: notConfirmed("has packs of Call of Duty", quake3),
  },
  mods: { uo: "United Offensive" },
};
