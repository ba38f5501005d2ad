/**
 * JK2MV, for the multiplayer game of Jedi Outcast: mvdevs/jk2mv.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { looseOnly } from "./core/shared_parts.ts";
import { openjk } from "./openjk.ts";

export const jk2mv: Engine = {
  ...openjk,
  name: "jk2mv",
  engine: "JK2MV",
  title: "JK2MV: multiplayer game of Jedi Outcast",
  // src/qcommon/files.cpp: FS_AddGameDirectory, paksort; FS_Startup puts packs of Jedi Academy in basejka below all
  // others, with other names for some files; that is left out here.
  // FS_FOpenFileReadHash
  looseOnly: looseOnly(["autoexec.cfg", "jk2mvconfig.cfg", "jk2mvserver.cfg", "jk2mvglobal.cfg"]),
  leftOut: [
    {
      member: null,
      prefix: "dl_",
      choice: true,
      except: [],
      needs: null,
      because: "JK2MV loads packs that a server sent only where the server refers to them",
    },
    // FS_LoadZipFile
    ...["2", "3"].map((version) => ({
      member: null,
      prefix: `o10${version}_`,
      choice: true,
      except: [],
      needs: null,
      because: `it is for version 1.0${version} of Jedi Outcast, and JK2MV searches it only in games of that version`,
    })),
  ],
  settings: [],
  // src/sys/sys_unix.cpp: Sys_DefaultHomePath is the directory of the program but in packages of distributions.
  homes: [],
  evidence: [
    // FS_Startup refuses to start without it.
    { base: "base", rank: 1, next: /^jk2mv/i, inside: /^assets5\.pk3$/i, says: "belongs to JK2MV" },
  ],
};
