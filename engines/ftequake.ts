/**
 * FTE, FTEQW: fte-team/fteqw.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pictures } from "./core/names.ts";
import type { PackRule } from "./core/pack_steps.ts";
import {
  formatsOf,
  listedPacks,
  plain,
  quakePacks,
  sortedPacks,
  storedNames,
  zipMethods,
} from "./core/shared_parts.ts";

/** Extensions of packs in the order of their registration: engine/common/fs.c FS_RegisterDefaultFileSystems. */
const endings = ["pak", "pk3", "pk4", "pkz", "pkx", "iwd", "kpf"];
const suffixes = endings.map((ending) => `.${ending}`);

/** Packs in the order of loading. */
const packs: readonly PackRule[] = [
  { ...listedPacks, suffixes },
  // On a case-sensitive file system there is an additional extension.
  ...["pak", "PAK", ...endings.slice(1)].map((ending): PackRule => ({
    ...quakePacks,
    title: `numbered ${ending} files`,
    suffix: `.${ending}`,
    formats: formatsOf(ending),
  })),
  ...endings.map((ending): PackRule => ({
    ...sortedPacks,
    title: `other ${ending} files`,
    suffixes: [`.${ending}`],
    collation: "strcasecmp",
    except: ["."],
    formats: formatsOf(ending),
  })),
  {
    ...sortedPacks,
    title: "pk3dirs",
    suffixes: [".pk3dir"],
    directories: [".pk3dir"],
    collation: "strcasecmp",
    except: ["."],
  },
];

export const ftequake: Engine = {
  ...plain,
  name: "ftequake",
  engine: "FTE",
  title: "FTE QuakeWorld (FTEQW)",
  // engine/common/fs.c: FS_AddPathHandle, FS_AddDataFiles; fs_packageprioritisation 1, the default. A zip that is appended
  // to the program is searched last (5277); pakfs looks for none.
  looseCase: "any",
  packs,
  settings: [{
    name: "fs_packageprioritisation=0",
    note: "Of packs that are loaded by name the one that was changed last wins",
    packs: packs.map((step) => step.kind === "sorted" ? { ...step, collation: "newest" } : step),
  }],
  nestedPacks: { suffixes, isAbove: false, order: "steps" },
  // engine/common/fs_zip.c 1981, 2018: of encrypted members it takes deflated ones; here all are skipped
  memberMethods: { ...zipMethods, others: "skipped", encrypted: "skipped" },
  // FS_GetCleanPath refuses the names. FSPAK_LoadArchive cleans names of members, and also removes "..".
  memberNames: { ...storedNames, backslash: true, refused: [":"], hidden: true, rooted: true },
  duplicates: "first",
  bases: ["id1"],
  missionPacks: ["rogue", "hipnotic", "quoth"],
  companions: [
    { name: "qw", of: "base", isBelow: false, choice: null, isRoot: false },
    { name: "fte", of: "base", isBelow: false, choice: null, isRoot: false },
  ],
  enginePack: {
    name: "QuakeEX.kpf",
    order: 0,
    belowLoose: true,
    foundIn: "last-root",
    followsPack: false,
    followsListed: "",
  },
  rules: [
    "game-directory",
    "source-directory",
    "loose-over-pack",
    "pack-type",
    "pack-order",
    "nested-pack",
    "first-in-pack",
  ],
  family: "quake",
  familyWithShaders: "quake3",
  // engine/client/image.c: r_defaultimageextensions
  pictures: pictures(["dds", "ktx", "tga", "png", "jpg", "pcx"]),
  files: null,
  shaders: null,
  limits: [],
  // engine/common/fs.c: FS_GetBestHomeDir, named after the game; older versions used ~/.fte
  homes: [
    { game: "quake", paths: ["$XDG_DATA_HOME/quake"] },
    { game: "quake", paths: ["~/.quake"] },
    { game: "quake", paths: ["~/.fte"] },
  ],
  evidence: [{ base: "id1", rank: 1, next: /^(fteqw.*|fte|default\.fmf)$/i, says: "belongs to FTE" }],
};
