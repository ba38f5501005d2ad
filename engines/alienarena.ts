/**
 * Alien Arena, which reads loose files alone: alienarena/alienarena.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import { plain } from "./core/shared_parts.ts";

export const alienarena: Engine = {
  ...plain,
  name: "alienarena",
  engine: "Alien Arena",
  title: "Alien Arena",
  // source/qcommon/files.c: FS_init_paths, FS_FullPath; arena is a mod to it that another mod replaces.
  ignoreCase: false,
  packs: [],
  duplicates: "first",
  bases: ["data1"],
  rules: ["game-directory", "source-directory", "loose-over-pack", "pack-name", "first-in-pack"],
  family: "quake2",
  // source/ref_gl/r_image.c: GL_FindImage replaces the extension
  pictures: pictures(["tga", "jpg", "pcx", "wal"], { own: "in order" }),
  // source/ref_gl/r_iqm.c: a file NAME.skin names the skin of an IQM
  files: { ...pathsAlone, ignores: ["surface"] },
  shaders: null,
  limits: [],
  // source/qcommon/qcommon.h: USER_GAMEDATA
  homes: [{ game: "alienarena", paths: ["~/.codered"] }],
};
