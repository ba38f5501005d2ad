/**
 * OpenJK, for Jedi Academy and Jedi Outcast: JACoders/OpenJK.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import { looseOnly, quake3Packs, quake3Shaders } from "./core/shared_parts.ts";
import { ioquake3 } from "./ioquake3.ts";

export const openjk: Engine = {
  ...ioquake3,
  name: "openjk",
  engine: "OpenJK",
  title: "OpenJK: Jedi Academy and Jedi Outcast",
  // codemp/qcommon/files.cpp and code/qcommon/files.cpp: FS_AddGameDirectory, paksort
  packs: [{ ...quake3Packs, sortsAs: [{ prefix: "dl_", as: "~dl_", anyCase: true }] }],
  // FS_FOpenFileRead compares them without case.
  looseOnly: looseOnly(["autoexec.cfg", "openjk.cfg", "openjk_server.cfg", "openjk_sp.cfg"], { anyCase: true }),
  leftOut: [{
    member: null,
    prefix: "dl_",
    choice: true,
    except: [],
    needs: null,
    because: "OpenJK loads packs that a server sent only where the server refers to them",
  }],
  bases: ["base"],
  missionPacks: [],
  rules: ["pure-list", "game-directory", "source-directory", "pack-over-loose", "pack-name", "last-in-pack"],
  settings: [{
    name: "fs_dirbeforepak=1",
    note: "Loose files of a directory are searched before its packs",
    rules: ["pure-list", "game-directory", "source-directory", "loose-over-pack", "pack-name", "last-in-pack"],
  }],
  // codemp/rd-common/tr_image_load.cpp
  pictures: pictures(["jpg", "png", "tga"], { keepsUnknown: false }),
  // codemp/client/snd_mem.cpp: S_LoadSound_FileLoadAndNameAdjuster
  files: { ...pathsAlone, sounds: ["wav", "mp3"], music: ["mp3", "wav"], playsQuake3Classes: false },
  // codemp/rd-vanilla/tr_shader.cpp
  shaders: { ...quake3Shaders, name: "openjk", title: "OpenJK", directory: "shaders", hasHashComments: true },
  // shared/sys/sys_unix.cpp: Sys_DefaultHomePath; the single player game of Jedi Outcast has another
  homes: [
    { game: "jedi", paths: ["$XDG_DATA_HOME/openjk"] },
    { game: "jedi", engine: "OpenJO", paths: ["$XDG_DATA_HOME/openjo"] },
  ],
  evidence: [{ base: "base", rank: 0, next: /^openjk/i, says: "belongs to OpenJK" }],
};
