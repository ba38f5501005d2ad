/**
 * Unvanquished.
 * @module
 */
import { daemon } from "../engines/daemon.ts";
import type { KnownGame } from "./core/game.ts";

export const unvanquished: KnownGame = {
  name: "unvanquished",
  title: "Unvanquished",
  engines: [daemon],
  bases: ["pkg"],
  signature: { kind: "base", inside: /^unvanquished_.*\.dpk(dir)?$/, says: "has packs of Unvanquished" },
  misplaced: /^unvanquished_.*\.dpk$/,
};
