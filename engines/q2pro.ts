/**
 * Q2PRO: skullernet/q2pro.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import { plain, sortedPacks, zipMethods } from "./core/shared_parts.ts";

export const q2pro: Engine = {
  ...plain,
  name: "q2pro",
  engine: "Q2PRO",
  title: "Q2PRO",
  // src/common/files.c: setup_base_paths, load_game_packs, pakcmp, open_file_read
  looseCase: "own-or-small",
  packs: [{
    ...sortedPacks,
    suffixes: [".pak", ".pkz"],
    emptyIsMissing: true,
    collation: "q2pro",
    except: ["."],
    formats: ["quake-pak", "zip"],
    formatByEnding: true,
  }],
  memberMethods: zipMethods,
  duplicates: "last",
  bases: ["baseq2"],
  missionPacks: ["xatrix", "rogue"],
  enginePack: {
    name: "Q2Game.kpf",
    order: 0,
    belowLoose: true,
    foundIn: "each-root",
    followsPack: false,
    followsListed: "",
  },
  rules: ["game-directory", "source-directory", "pack-over-loose", "pack-name", "own-spelling", "last-in-pack"],
  family: "quake2",
  // src/refresh/images.c: try_other_formats
  pictures: pictures(["png", "jpg", "tga"]),
  files: pathsAlone,
  shaders: null,
  limits: [],
  homes: [{ game: "quake2", paths: ["~/.q2pro"] }],
  evidence: [{ base: "baseq2", rank: 1, next: /^q2pro/i, says: "belongs to Q2PRO" }],
};
