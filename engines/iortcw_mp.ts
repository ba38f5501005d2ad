/**
 * iortcw's multiplayer game of Return to Castle Wolfenstein: iortcw/iortcw.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import { looseOnly, quake3Packs, quake3Shaders } from "./core/shared_parts.ts";
import { ioquake3 } from "./ioquake3.ts";

/** iortcw, multiplayer. */
export const iortcwMp: Engine = {
  ...ioquake3,
  name: "iortcw-mp",
  engine: "iortcw multiplayer",
  title: "iortcw: Return to Castle Wolfenstein, multiplayer",
  // MP/code/qcommon/files.c: FS_AddGameDirectory, FS_FOpenFileRead
  packs: [{
    ...quake3Packs,
    sortsAs: [{ prefix: "mp_", as: "zz_", anyCase: false }],
    except: ["sp_"],
    opensAs: [{ prefix: "zz_", as: "mp_", anyCase: false }],
  }],
  looseOnly: looseOnly(["autoexec.cfg", "wolfconfig_mp.cfg", "wolfconfig_server.cfg"]),
  bases: ["main"],
  missionPacks: [],
  // MP/code/renderer/tr_image.c: R_LoadImage
  pictures: pictures(["tga", "jpg", "jpeg", "png", "pcx", "bmp"]),
  files: {
    ...pathsAlone,
    models: ["iqm", "mdr", "mds", "mdc", "md3"],
    likeModels: ["mdc", "md3"],
    sounds: ["wav", "ogg", "opus"],
    music: ["wav", "ogg", "opus"],
    playsQuake3Classes: false,
  },
  // MP/code/renderer/tr_shader.c
  shaders: { ...quake3Shaders, name: "iortcw", title: "iortcw", ignores: "unopened" },
  // code/sys/sys_unix.c: Sys_DefaultHomePath
  homes: [{ game: "rtcw", engine: "iortcw", paths: ["~/.wolf"] }],
  evidence: [{
    base: "main",
    rank: 0,
    inside: /^mp_pak\d\.pk3$/i,
    says: "has packs of Return to Castle Wolfenstein's multiplayer",
  }],
};
