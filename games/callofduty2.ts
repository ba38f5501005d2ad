/**
 * Call of Duty 2.
 * @module
 */
import { callofduty2 as callofduty2Engine } from "../engines/callofduty2.ts";
import { quake3 } from "../engines/quake3.ts";
import type { KnownGame } from "./core/game.ts";
import { notConfirmed } from "./core/not_confirmed.ts";

export const callofduty2: KnownGame = {
  name: "callofduty2",
  title: "Call of Duty 2",
  engines: [callofduty2Engine],
  bases: ["main"],
  signature: {
    kind: "base",
    packs: ".iwd",
    says: "has iwd files",
    nextSays: notConfirmed("belongs to Call of Duty 2", quake3),
  },
  // CoD2SP_s.exe, CoD2MP_s.exe, cod2_lnxded
  next: /^cod2/i,
};
