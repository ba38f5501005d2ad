/**
 * Yamagi Quake II: yquake2/yquake2.
 * @module
 */
import type { FormatName } from "../formats/parts.ts";
import type { Engine } from "./core/engine.ts";
import { packFiles, packName, readsOn } from "./core/engine_limits.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import type { PackRule } from "./core/pack_steps.ts";
import { looseOnly, plain, quakeNames, quakePacks, sortedPacks, zipMethods } from "./core/shared_parts.ts";

/** Extensions in load order: src/common/filesystem.c, fs_packtypes. */
const endings = ["pak", "pk2", "pk3", "pkz", "zip"];

/** Only `.pak` files count as Quake PAKs. */
function formatsOf(ending: string): readonly FormatName[] {
  return ending === "pak" ? ["quake-pak"] : ["zip"];
}

export const yquake2: Engine = {
  ...plain,
  name: "yquake2",
  engine: "Yamagi Quake II",
  title: "Yamagi Quake II",
  // src/common/filesystem.c: FS_AddDirToSearchPath, FS_FOpenFile
  looseCase: "own-or-small",
  looseOnly: looseOnly(["maps.lst", "players/"], { withoutMod: true }),
  packs: [
    ...endings.map((ending): PackRule => ({
      ...quakePacks,
      title: `numbered ${ending} files`,
      suffix: `.${ending}`,
      last: 99,
      stopsAtGap: false,
      formats: formatsOf(ending),
    })),
    ...endings.map((ending): PackRule => ({
      ...sortedPacks,
      title: `other ${ending} files`,
      suffixes: [`.${ending}`],
      anyCase: false,
      exceptNumbered: true,
      formats: formatsOf(ending),
    })),
  ],
  memberMethods: zipMethods,
  memberNames: quakeNames,
  duplicates: "first",
  bases: ["baseq2"],
  missionPacks: ["xatrix", "rogue"],
  rules: [
    "game-directory",
    "source-directory",
    "pack-over-loose",
    "pack-type",
    "pack-number-or-listing",
    "own-spelling",
    "first-in-pack",
  ],
  family: "quake2",
  // src/client/refresh/files/stb.c
  pictures: pictures(["tga", "png", "jpg"]),
  files: pathsAlone,
  shaders: null,
  limits: [packFiles(4096, "warns, and loads it", null), packName(readsOn)],
  // src/backends/unix/system.c: Sys_GetHomeDir
  homes: [{ game: "quake2", paths: ["~/.yq2"] }],
};
