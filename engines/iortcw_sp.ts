/**
 * iortcw's single player game of Return to Castle Wolfenstein: iortcw/iortcw.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { looseOnly, quake3Packs } from "./core/shared_parts.ts";
import { iortcwMp } from "./iortcw_mp.ts";

/** iortcw, single player. */
export const iortcwSp: Engine = {
  ...iortcwMp,
  name: "iortcw-sp",
  engine: "iortcw single player",
  title: "iortcw: Return to Castle Wolfenstein, single player",
  // SP/code/qcommon/files.c: FS_AddGameDirectory, FS_FOpenFileRead
  packs: [{
    ...quake3Packs,
    sortsAs: [{ prefix: "sp_", as: "zz_", anyCase: false }],
    except: ["mp_"],
    opensAs: [{ prefix: "zz_", as: "sp_", anyCase: false }],
  }],
  looseOnly: looseOnly(["autoexec.cfg", "wolfconfig.cfg", "wolfconfig_server.cfg"]),
  rules: ["pure-list", "game-directory", "source-directory", "pack-over-loose", "pack-name", "last-in-pack"],
  homes: [{ game: "rtcw", engine: "iortcw", paths: ["~/.wolf"] }],
  evidence: [{
    base: "main",
    rank: 1,
    inside: /^sp_pak\d\.pk3$/i,
    says: "has packs of Return to Castle Wolfenstein's single player",
  }],
};
