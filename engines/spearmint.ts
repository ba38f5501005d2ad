/**
 * Spearmint: zturtleman/spearmint, a fork of ioquake3.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import { looseOnly } from "./core/shared_parts.ts";
import { ioquake3 } from "./ioquake3.ts";

export const spearmint: Engine = {
  ...ioquake3,
  name: "spearmint",
  engine: "Spearmint",
  title: "Spearmint",
  // code/qcommon/files.c: FS_AddGameDirectory
  looseOnly: looseOnly(["autoexec.cfg", "config.cfg", "config_server.cfg"]),
  // code/renderergl1/tr_image.c: R_LoadImage
  pictures: pictures(["tga", "jpg", "jpeg", "png", "ftx", "dds", "pcx", "bmp"]),
  files: {
    ...pathsAlone,
    models: ["iqm", "mdr", "md3", "mdc", "mds", "mdm", "mdx", "tan"],
    sounds: ["wav", "mp3", "ogg", "opus"],
    music: ["wav", "mp3", "ogg", "opus"],
  },
  // code/sys/sys_unix.c: Sys_DefaultHomePath
  homes: [{ game: "quake3", paths: ["$XDG_DATA_HOME/spearmint"] }],
  evidence: [],
};
