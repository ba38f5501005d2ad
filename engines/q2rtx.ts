/**
 * Quake II RTX: NVIDIA/Q2RTX, a fork of Q2PRO.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { q2pro } from "./q2pro.ts";

export const q2rtx: Engine = {
  ...q2pro,
  name: "q2rtx",
  engine: "Quake II RTX",
  title: "Quake II RTX",
  enginePack: null,
  // src/common/files.c: the directory is added before its packs
  rules: ["game-directory", "source-directory", "loose-over-pack", "pack-name", "own-spelling", "last-in-pack"],
  // src/unix/system.c: Sys_Init
  homes: [{ game: "quake2", paths: ["$XDG_DATA_HOME/quake2rtx"] }],
  evidence: [
    {
      base: "baseq2",
      rank: 0,
      inside: /^q2rtx_media\.pkz$/,
      says: "has q2rtx_media.pkz, which belongs to Quake II RTX",
    },
    { base: "baseq2", rank: 0, next: /^q2rtx/i, says: "belongs to Quake II RTX" },
  ],
};
