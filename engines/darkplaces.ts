/**
 * DarkPlaces, which Nexuiz and Xonotic also use: DarkPlacesEngine/darkplaces.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { packFiles, packName } from "./core/engine_limits.ts";
import { pictures } from "./core/names.ts";
import { plain, quakeMusic, sortedPacks, storedNames, zipMethods } from "./core/shared_parts.ts";

export const darkplaces: Engine = {
  ...plain,
  name: "darkplaces",
  engine: "DarkPlaces",
  title: "DarkPlaces",
  // fs.c: FS_AddGameDirectory, FS_FindFile, FS_SysFileExists. A zip that is appended to the program is searched first
  // (1519, 2314: FS_AddSelfPack); pakfs looks for none.
  packs: [
    {
      ...sortedPacks,
      title: "pak files",
      suffixes: [".pak"],
      collation: "strcasecmp",
      formats: ["quake-pak"],
    },
    {
      ...sortedPacks,
      title: "pk3 files and directories",
      suffixes: [".pk3", ".obb", ".dpk"],
      directories: [".pk3dir", ".dpkdir"],
      collation: "strcasecmp",
      formats: ["zip"],
    },
  ],
  // fs.c: PK3_BuildFileList
  memberMethods: { ...zipMethods, encrypted: "skipped" },
  // FS_LoadPackPAK ends a full name at its last byte; FS_CheckNastyPath refuses the texts.
  memberNames: { ...storedNames, refused: ["..", ":", "/.", "./"], fullNames: "cut" },
  // FS_AddFileToPack, FS_FindFile
  duplicates: "met",
  bases: ["id1", "data"],
  missionPacks: ["rogue", "hipnotic", "quoth"],
  rules: ["game-directory", "source-directory", "loose-over-pack", "pack-type", "pack-name", "met-in-pack"],
  family: "quake",
  familyWithShaders: "quake3",
  // image.c: loadimagepixelsbgra, imageformats_nopath
  pictures: pictures(["tga", "png", "jpg", "pcx", "wal"], { own: "in order", folders: ["override", "textures"] }),
  // snd_mem.c: S_LoadSound. Its games on maps of Quake III have their own entities, in QuakeC.
  files: { ...quakeMusic, soundsAnywhere: true, playsQuake3Classes: false },
  // model_shared.c: Mod_LoadQ3Shaders
  shaders: {
    reading: "listed",
    name: "darkplaces",
    title: "DarkPlaces",
    syntax: "darkplaces",
    directory: "scripts",
    extension: ".shader",
  },
  limits: [
    packFiles(65536, "ignores the pack"),
    packName("cuts the name, and finds the file under what is left"),
  ],
  // fs.c: only checks that the file exists
  registered: { comparesContent: false, ownPacks: null },
  // fs.c: FS_ChooseUserDir, with gameuserdirname of com_game.c
  homes: [
    { game: "quake", paths: ["~/.darkplaces"] },
    { game: "xonotic", paths: ["~/.xonotic"] },
    { game: "nexuiz", paths: ["~/.nexuiz"] },
  ],
  evidence: [
    { base: "id1", rank: 5, next: /^darkplaces/i, says: "belongs to DarkPlaces" },
    { base: "id1", rank: 6, packs: ".pk3", says: "has pk3 files, which DarkPlaces loads and QuakeSpasm does not" },
  ],
};
