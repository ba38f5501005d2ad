/**
 * QuakeSpasm-Spiked: Shpoike/Quakespasm.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pictures } from "./core/names.ts";
import type { PackRule } from "./core/pack_steps.ts";
import { listedByDirectory, listedPacks, quakeNames, quakePacks, zipMethods } from "./core/shared_parts.ts";
import { quakespasm } from "./quakespasm.ts";

/** Packs that are loaded by list and by number. */
const namedPacks: readonly PackRule[] = [
  { ...listedPacks, suffixes: [".pak", ".pk3", ".pk4", ".zip", ".apk"], exceptTwins: true },
  {
    ...quakePacks,
    exceptTwins: true,
    otherSuffixes: [".pk3"],
    emptyIsMissing: true,
    formats: ["quake-pak", "zip"],
    formatByEnding: true,
  },
];

export const qss: Engine = {
  ...quakespasm,
  name: "qss",
  engine: "QuakeSpasm-Spiked",
  title: "QuakeSpasm-Spiked",
  // Quake/common.c: COM_AddGameDirectory
  packs: [
    ...namedPacks,
    // COM_ListSystemFiles accepts extensions in any case. COM_AddPackage compares paths without case.
    { ...listedByDirectory("pak"), anyCase: true, bareEnding: true, emptyIsMissing: true, exceptTwins: true },
    { ...listedByDirectory("pk3"), anyCase: true, bareEnding: true, exceptTwins: true },
  ],
  // Quake/fs_zip.c: FSZIP_EnumerateCentralDirectory; 398: encrypted members are corrupt to it
  memberMethods: { ...zipMethods, others: "skipped", encrypted: "skipped" },
  memberNames: { ...quakeNames, smallInZips: true },
  enginePack: {
    name: "quakespasm.pak",
    order: 0.5,
    belowLoose: false,
    foundIn: "each-root",
    followsPack: false,
    followsListed: "pak0.",
  },
  settings: [{ name: "-nowildpaks", note: "Packs of other names are not loaded", packs: namedPacks }],
  rules: ["game-directory", "source-directory", "loose-over-pack", "pack-type", "pack-order", "first-in-pack"],
  // Quake/image.c: Image_LoadImage
  pictures: pictures(["dds", "tga", "png", "jpeg", "jpg", "pcx"]),
  homes: [],
  evidence: [{ base: "id1", rank: 1, next: /^quakespasm-spiked/i, says: "belongs to QuakeSpasm-Spiked" }],
};
