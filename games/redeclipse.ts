/**
 * Red Eclipse.
 * @module
 */
import { redeclipse as redeclipseEngine } from "../engines/redeclipse.ts";
import type { KnownGame } from "./core/game.ts";

export const redeclipse: KnownGame = {
  name: "redeclipse",
  title: "Red Eclipse",
  engines: [redeclipseEngine],
  bases: ["config"],
  signature: {
    kind: "base",
    inside: /^version\.cfg$/,
    says: "has version.cfg, by which Red Eclipse knows its directory",
    nextSays: "belongs to Red Eclipse",
  },
  next: /^redeclipse/i,
};
