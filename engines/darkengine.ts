/**
 * The Dark Engine of Thief and System Shock 2, which has not been published: NewDark's documents (new_config.txt,
 * modders_notes.txt: mod_path, resname_base) say that loose files come before crf files, which are zips. A crf holds the
 * files of the folder that is called as it is, without that folder's name; here they are shown as they are stored.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { ofAnyFamily, plain, sortedPacks } from "./core/shared_parts.ts";

export const darkengine: Engine = {
  ...plain,
  ...ofAnyFamily,
  name: "darkengine",
  engine: "the Dark Engine",
  title: "Thief and System Shock 2; the rules are not confirmed",
  looseCase: "any",
  packs: [{ ...sortedPacks, suffixes: [".crf"], collation: "strcasecmp", formats: ["zip"] }],
  packFolders: ["res", "RES", "Res"].map((name) => ({ name, ignored: null })),
  duplicates: "first",
  rules: ["game-directory", "source-directory", "loose-over-pack", "pack-name", "own-spelling", "first-in-pack"],
  unreadMaps: [".mis"],
};
