/**
 * The rules of engines for Quake II.
 * @module
 */
import type { FormatName } from "../../formats/core/entry_table.ts";
import type { PackRule } from "./pack_steps.ts";
import {
  looseOnly,
  plain,
  type ProfileRow,
  quakeNames,
  quakePacks,
  quakeRules,
  sortedPacks,
  zipMethods,
} from "./shared_rows.ts";

/** Endings in the order in which Yamagi loads them: src/common/filesystem.c, fs_packtypes. */
const yamagiEndings = ["pak", "pk2", "pk3", "pkz", "zip"];

/** Only `.pak` files are Quake PAKs to Yamagi. */
function yamagiFormats(ending: string): readonly FormatName[] {
  return ending === "pak" ? ["quake-pak"] : ["zip"];
}

const q2pro: ProfileRow = {
  // skullernet/q2pro src/common/files.c: setup_base_paths, load_game_packs, pakcmp, open_file_read
  ...plain,
  name: "q2pro",
  memberMethods: zipMethods,
  engine: "Q2PRO",
  title: "Q2PRO",
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
};

/** The rules of engines for Quake II. */
export const quake2Rows: readonly ProfileRow[] = [
  {
    // id-Software/Quake-2 qcommon/files.c: FS_AddGameDirectory, FS_FOpenFile
    ...plain,
    name: "quake2",
    memberNames: quakeNames,
    engine: "Quake II",
    title: "Quake II, original (1997)",
    packs: [{ ...quakePacks, last: 9, stopsAtGap: false }],
    duplicates: "first",
    bases: ["baseq2"],
    missionPacks: ["xatrix", "rogue"],
    rules: quakeRules,
  },
  {
    // yquake2/yquake2 src/common/filesystem.c: FS_AddDirToSearchPath, FS_FOpenFile
    ...plain,
    name: "yquake2",
    memberMethods: zipMethods,
    memberNames: quakeNames,
    looseOnly: looseOnly(["maps.lst", "players/"], { withoutMod: true }),
    engine: "Yamagi Quake II",
    title: "Yamagi Quake II",
    looseCase: "own-or-small",
    packs: [
      ...yamagiEndings.map((ending): PackRule => ({
        ...quakePacks,
        title: `numbered ${ending} files`,
        suffix: `.${ending}`,
        last: 99,
        stopsAtGap: false,
        formats: yamagiFormats(ending),
      })),
      ...yamagiEndings.map((ending): PackRule => ({
        ...sortedPacks,
        title: `other ${ending} files`,
        suffixes: [`.${ending}`],
        directories: [],
        anyCase: false,
        exceptNumbered: true,
        emptyIsMissing: false,
        collation: "bytes",
        formats: yamagiFormats(ending),
        bareEnding: true,
      })),
    ],
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
  },
  q2pro,
  {
    // NVIDIA/Q2RTX src/common/files.c: the directory is put in front of its packs
    ...q2pro,
    name: "q2rtx",
    engine: "Quake II RTX",
    title: "Quake II RTX",
    enginePack: null,
    rules: ["game-directory", "source-directory", "loose-over-pack", "pack-name", "own-spelling", "last-in-pack"],
  },
];
