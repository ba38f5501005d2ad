/**
 * Alien Arena.
 * @module
 */
import { alienarena as alienarenaEngine } from "../engines/alienarena.ts";
import type { KnownGame } from "./core/game.ts";

export const alienarena: KnownGame = {
  name: "alienarena",
  title: "Alien Arena",
  next: /^(crx|alien-?arena)/i,
  engines: [alienarenaEngine],
  bases: ["data1"],
  signature: {
    kind: "base",
    inside: /^(models|maps)$/,
    says: "is the base game directory of Alien Arena",
    nextSays: "belongs to Alien Arena",
  },
  installedAs: ["alienarena", "alien-arena"],
};
