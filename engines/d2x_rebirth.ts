/**
 * D2X-Rebirth: dxx-rebirth/dxx-rebirth.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import type { LeftOut } from "./core/profile.ts";
import { ofAnyFamily, plain, sortedPacks } from "./core/shared_parts.ts";

/** Returns the hogs that are not loaded at once: similar/main/mission.cpp 1036, load_mission. */
export function chosenHogs(engine: string, main: readonly string[]): readonly LeftOut[] {
  return [{
    member: null,
    prefix: null,
    except: [...main, "*.dxa"],
    choice: true,
    needs: null,
    because: `${engine} loads the hog of a mission only while that is played`,
  }];
}

export const d2xrebirth: Engine = {
  ...plain,
  ...ofAnyFamily,
  name: "d2x-rebirth",
  engine: "D2X-Rebirth",
  title: "D2X-Rebirth: Descent II",
  // common/misc/ignorecase.cpp: PHYSFSEXT_locateCorrectCase
  looseCase: "any",
  packs: [
    // similar/main/inferno.cpp 474: appended to the search path
    {
      ...sortedPacks,
      title: "the hog of the game",
      suffixes: [".hog"],
      collation: "strcasecmp",
      formats: ["hog"],
      belowLoose: true,
      folders: "none",
    },
    // common/misc/physfsx.cpp 351, add_archives_to_search_path
    { ...sortedPacks, title: "archives", suffixes: [".dxa"], formats: ["zip"], folders: "none" },
    { ...sortedPacks, title: "hogs of missions", suffixes: [".hog"], collation: "strcasecmp", formats: ["hog"] },
  ],
  packFolders: [{ name: "missions", ignored: null }],
  leftOut: chosenHogs("D2X-Rebirth", ["descent2.hog", "d2demo.hog"]),
  // PhysicsFS's physfs_archiver_hog.c overwrites an entry that it knows.
  duplicates: "last",
  rules: [
    "pack-over-loose",
    "pack-type",
    "game-directory",
    "source-directory",
    "pack-name",
    "own-spelling",
    "last-in-pack",
  ],
  unreadMaps: [".rdl", ".rl2"],
  // similar/misc/physfsx.cpp 190, PHYSFSX_init
  homes: [{ game: "descent2", paths: ["~/.d2x-rebirth"] }],
};
