/**
 * Descent 3: DescentDevelopers/Descent3. It looks for some kinds of loose files in folders of their own, `data/` and the
 * like, which is left out here.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { ofAnyFamily, plain, sortedPacks } from "./core/shared_parts.ts";

/** Hogs that are opened at the start, the last searched first: Descent3/init.cpp 1524. */
const hogs = ["d3.hog", "extra1.hog", "extra.hog", "merc.hog", "extra13.hog", "d3-linux.hog"];

export const descent3Engine: Engine = {
  ...plain,
  ...ofAnyFamily,
  name: "descent3",
  engine: "Descent 3",
  title: "Descent 3",
  // cfile/cfile.cpp: cf_LocatePath
  looseCase: "any",
  packs: [
    {
      ...sortedPacks,
      title: "hogs",
      suffixes: [".hog"],
      collation: "strcasecmp",
      sortsAs: hogs.map((prefix, index) => ({ prefix, as: `${index}`, anyCase: true })),
      formats: ["hog2"],
    },
    // Descent3/Mission.cpp 1803, mn3_Open
    { ...sortedPacks, title: "missions", suffixes: [".mn3"], collation: "strcasecmp", formats: ["hog2"] },
  ],
  packFolders: [{ name: "missions", ignored: null }],
  leftOut: [{
    member: null,
    prefix: null,
    except: hogs,
    choice: true,
    needs: null,
    because: "Descent 3 loads further hogs only with a mission, if at all",
  }],
  // cfile/cfile.cpp, open_file_in_lib: names are sorted, and a binary search meets one
  duplicates: "met",
  // cfile/cfile.cpp: cfopen
  rules: [
    "loose-over-pack",
    "pack-type",
    "game-directory",
    "source-directory",
    "own-spelling",
    "pack-name",
    "met-in-pack",
  ],
  unreadMaps: [".d3l"],
};
