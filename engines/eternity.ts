/**
 * The Eternity Engine: team-eternity/eternity.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { boom } from "./boom.ts";
import { sortedPacks, zipMethods } from "./core/shared_parts.ts";

export const eternity: Engine = {
  ...boom,
  name: "eternity",
  engine: "Eternity",
  title: "Eternity",
  // source/w_zip.cpp: ZipFile::readCentralDirEntry
  memberMethods: { ...zipMethods, others: "skipped" },
  // source/w_formats.cpp: W_DetermineFileFormat looks at the content alone.
  packs: [{ ...sortedPacks, title: "files to load", suffixes: [".wad", ".pke", ".pk3", ".zip", ".lmp"] }],
  loadList: {
    lumps: "eternity",
    switches: ["-file"],
    // eternity.pke of its base directory, below the IWAD, is left out here.
    own: [],
    // source/d_files.cpp: D_GameAutoloadWads loads base/GAME/autoload after the list; that is left out here.
    autoload: [],
    autoloadAs: "-file",
    autoloadOfFiles: false,
    mergesFiles: false,
    maxLumps: null,
  },
};
