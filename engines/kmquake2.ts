/**
 * KMQuake2: m-x-d/KMQuake2, a fork of Knightmare's engine for Windows.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import type { PackRule } from "./core/pack_steps.ts";
import { formatsOf, looseOnly, plain, quakeNames, quakePacks, sortedPacks } from "./core/shared_parts.ts";

/** Endings in the order in which it loads numbered packs; it loads all others the other way round. */
const endings = ["pak", "pk3"];

/** KMQuake2. */
export const kmquake2: Engine = {
  ...plain,
  name: "kmquake2",
  engine: "KMQuake2",
  title: "KMQuake2",
  // Its file systems ignore case.
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
      // As NTFS lists them.
      collation: "strcasecmp",
      formats: formatsOf(ending),
    })),
  ],
  // FS_FileInPakBlacklist, 867
  looseOnly: looseOnly(["save/", "scrnshot/", "screenshots/", "autoexec.cfg", "kmq2config.cfg"], { anyCase: true }),
  memberNames: quakeNames,
  // FS_FindPackItem, 290: of names of one pack qsort decides; the first is a guess.
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
  // FS_InitFilesystem, 1410: it reads no directory of the user.
  homes: [],
  evidence: [{ base: "baseq2", rank: 0, next: /^kmquake2/i, says: "belongs to KMQuake2" }],
};
