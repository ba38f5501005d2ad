/**
 * Daemon, for Unvanquished: DaemonEngine/Daemon.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pathsAlone, pictures } from "./core/names.ts";
import type { SortedPacks } from "./core/pack_steps.ts";
import { ofAnyFamily, plain, sortedPacks, storedNames, zipMethods } from "./core/shared_parts.ts";

const dpks: SortedPacks = {
  ...sortedPacks,
  title: "DPKs",
  suffixes: [".dpk"],
  directories: [".dpkdir"],
  anyCase: false,
  formats: ["zip"],
};

export const daemon: Engine = {
  ...plain,
  ...ofAnyFamily,
  name: "daemon",
  engine: "Daemon",
  title: "Daemon: Unvanquished",
  // src/common/FileSystem.cpp: FindPaksInPath, RefreshPaks, FindPak, InternalLoadPak
  looseCase: "any",
  packs: [dpks],
  packsInFolders: true,
  memberMethods: zipMethods,
  memberNames: { ...storedNames, refused: ["..", "//", "./"], hidden: true, characters: "-_.+~" },
  duplicates: "first",
  bases: ["pkg"],
  dependencies: {
    base: "unvanquished",
    maps: "map-",
    file: "DEPS",
    deleted: "DELETED",
    legacy: false,
    prefixes: [],
  },
  settings: [{
    name: "fs_legacypaks=1",
    note: "Packs without a version are loaded too",
    packs: [{
      ...dpks,
      title: "DPKs and pk3s",
      suffixes: [".dpk", ".pk3"],
      directories: [".dpkdir", ".pk3dir"],
    }],
    legacy: true,
  }],
  rules: ["dependency-order", "first-in-pack"],
  // src/engine/renderer/tr_image.cpp: R_FindImageLoader
  pictures: pictures(["webp", "png", "tga", "jpg", "jpeg", "dds", "crn", "ktx"], { rules: ["dependency-order"] }),
  // src/engine/audio/SoundCodec.cpp
  files: {
    ...pathsAlone,
    sounds: ["wav", "opus", "ogg"],
    music: ["wav", "opus", "ogg"],
    playsQuake3Classes: false,
  },
  // src/common/FileSystem.cpp: DefaultHomePath
  homes: [{ game: "unvanquished", paths: ["$XDG_DATA_HOME/unvanquished"] }],
};
