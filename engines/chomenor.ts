/**
 * ioquake3 with Chomenor's file system: Chomenor/ioef-cmod and ioq3_new_filesystem.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import {
  ioquake3Settings,
  looseOnly,
  plain,
  quake3Packs,
  quake3Pure,
  storedNames,
  zipMethods,
} from "./core/shared_parts.ts";

/** pak0.pk3 to pak8.pk3 of Quake III Arena: ioquake/ioq3 code/qcommon/files.c. */
const quake3CorePacks = [
  1566731103,
  298122907,
  412165236,
  -1303471980,
  1197932710,
  -207895723,
  -585902437,
  908855077,
  977125798,
] as const;

/** pak0.pk3 to pak3.pk3 of Team Arena: ioquake/ioq3 code/qcommon/files.c. */
const teamArenaCorePacks = [-1864624895, 511014160, -1632328303, 1438664554] as const;

export const chomenor: Engine = {
  ...plain,
  name: "chomenor",
  engine: "Chomenor's file system",
  title: "ioquake3 with Chomenor's new file system",
  // code/filesystem/fs_lookup.c: precedence_checks; fs_misc.c
  looseCase: "any",
  packs: [{ ...quake3Packs, directories: [".pk3dir"], collation: "chomenor" }],
  // fscore/fsc_pk3.c 590: FSC_Pk3HandleLoad looks at the method alone.
  memberMethods: zipMethods,
  // FSC_SplitQpath takes \ for /.
  memberNames: { ...storedNames, backslash: true },
  // FS_ExecuteConfigFile and FS_ConfigureLookupResource, with fs_mod_settings 0, the default.
  looseOnly: looseOnly(ioquake3Settings),
  baseOnly: ["default.cfg", ...ioquake3Settings],
  duplicates: "last-stored",
  bases: ["baseq3", "baseoa", "baseEF", "demoq3", "main", "base"],
  missionPacks: ["missionpack"],
  // FS_GetModType of fs_misc.c; FSC_LoadFileFromPath of fscore/fsc_main.c.
  foldDirectories: true,
  packsInPackDirectories: true,
  packFolders: [
    { name: "downloads", ignored: null },
    { name: "nolist", ignored: null },
    { name: "refonly", ignored: "of packs in refonly/ the engine takes only the checksum" },
  ],
  overrideDirectory: "basemod",
  inactive: 1,
  currentMap: true,
  corePacks: [
    { mod: "missionpack", checksums: [...quake3CorePacks, ...teamArenaCorePacks], endings: [] },
    { mod: null, checksums: [...teamArenaCorePacks, ...quake3CorePacks], endings: [] },
  ],
  // Game code may read any loose file; the engine itself executes configurations.
  pure: { ...quake3Pure, allCopies: true },
  rules: [
    "special-shader",
    "pure-list",
    "mod-directory",
    "core-pack",
    "current-map",
    "inactive-mod",
    "downloads",
    "shader-over-image",
    "loose-over-pack",
    "pack-name-anywhere",
    "extension",
    "source-directory",
    "last-stored",
    "case-match",
  ],
  family: "quake3",
  pictures: pictures(["png", "tga", "jpg", "jpeg", "pcx", "bmp"], { own: "in order", keepsUnknown: false }),
  files: {
    ...pathsAlone,
    models: ["iqm", "mdr", "md3"],
    sounds: ["wav", "ogg", "opus"],
    music: ["wav", "ogg", "opus"],
  },
  shaders: { reading: "ranked", name: "chomenor" },
  limits: [],
};
