/**
 * vkQuake2: kondrak/vkQuake2, a fork of Quake II.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { quake2 } from "./quake2.ts";

export const vkquake2: Engine = {
  ...quake2,
  name: "vkquake2",
  engine: "vkQuake2",
  title: "vkQuake2",
  // qcommon/files.c: FS_AddGameDirectory, 517, and FS_FOpenFile, 206, behave like id's code. In paths of loose files a
  // backslash is a slash on Linux, 260; this is not modelled here. qcommon/files.c: FS_InitFilesystem, 845; reads no
  // directory in the user's home.
  homes: [],
  evidence: [{ base: "baseq2", rank: 0, next: /^vkquake2/i, says: "belongs to vkQuake2" }],
};
