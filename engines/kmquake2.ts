/**
 * KMQuake2: m-x-d/KMQuake2, a fork of Knightmare's engine for Windows.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import type { PackRule } from "./core/pack_steps.ts";
import { formatsOf, looseOnly, plain, quakeNames, quakePacks, sortedPacks } from "./core/shared_parts.ts";

/** Extensions in the order in which numbered packs are loaded; all other packs are loaded in reverse order. */
const endings = ["pak", "pk3"];

export const kmquake2: Engine = {
  ...plain,
  name: "kmquake2",
  engine: "KMQuake2",
  title: "KMQuake2",
  // Windows file systems ignore case.
  looseCase: "any",
  // qcommon/files.c: FS_AddGameDirectory, 1152
  packs: [
    ...endings.map((ending): PackRule => ({
      ...quakePacks,
      title: `numbered ${ending} files`,
      suffix: `.${ending}`,
      last: 99,
      stopsAtGap: false,
      anyCase: true,
      formats: formatsOf(ending),
    })),
    ...endings.toReversed().map((ending): PackRule => ({
      ...sortedPacks,
      title: `other ${ending} files`,
      suffixes: [`.${ending}`],
      exceptNumbered: true,
      // NTFS lists names in this order.
      collation: "strcasecmp",
      formats: formatsOf(ending),
    })),
  ],
  // FS_FileInPakBlacklist, 867
  looseOnly: looseOnly(["save/", "scrnshot/", "screenshots/", "autoexec.cfg", "kmq2config.cfg"], { anyCase: true }),
  memberNames: quakeNames,
  // FS_FindPackItem, 290: qsort decides between equal names of one pack; the first is a guess.
  duplicates: "first",
  bases: ["baseq2"],
  missionPacks: ["xatrix", "rogue"],
  rules: [
    "game-directory",
    "source-directory",
    "loose-over-pack",
    "pack-type",
    "pack-order",
    "first-in-pack",
  ],
  family: "quake2",
  // renderer/r_image.c: R_FindImage, 690
  pictures: pictures(["tga", "png", "jpg"], { own: "in order" }),
  files: pathsAlone,
  shaders: null,
  limits: [],
  // FS_InitFilesystem, 1410: reads no directory in the user's home.
  evidence: [{ base: "baseq2", rank: 0, next: /^kmquake2/i, says: "belongs to KMQuake2" }],
};
