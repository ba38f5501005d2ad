/**
 * The rules of each engine, as data: the one table that resolution, `which` and the documentation are made from.
 * Sources of every line are named beside it.
 * @module
 */
import type { PackRule } from "./pack_order.ts";
import type { RuleName } from "./rules.ts";

/** The rules of one engine. */
export interface Profile {
  /** Name used on the command line and in the configuration. */
  readonly name: string;
  /** Name of the engine in sentences. */
  readonly engine: string;
  /** One line for people. */
  readonly title: string;
  /** Whether names that differ only in the case of ASCII letters are one name. */
  readonly ignoreCase: boolean;
  readonly packs: PackRule;
  /** Ending of directories that count as packs, or null. */
  readonly packDirectory: string | null;
  /** Which of several equal names inside one pack answers. */
  readonly duplicates: "first" | "last";
  /** Names of base game directories, the most usual first. Empty: the source directory itself is the game directory. */
  readonly bases: readonly string[];
  /** A pack beside the game directories that the engine loads with the base game. */
  readonly enginePack: { readonly name: string; readonly order: number } | null;
  /** What decides between two candidates; the first rule with an opinion does. */
  readonly rules: readonly RuleName[];
}

const quakePacks: PackRule = {
  kind: "numbered",
  prefix: "pak",
  suffix: ".pak",
  stopsAtGap: true,
  emptyIsMissing: false,
};

/** All profiles. */
export const profiles: readonly Profile[] = [
  {
    // id-Software/Quake WinQuake/common.c: COM_AddGameDirectory, COM_FindFile
    name: "quake",
    engine: "Quake",
    title: "Quake, original (1996)",
    ignoreCase: false,
    packs: quakePacks,
    packDirectory: null,
    duplicates: "first",
    bases: ["id1"],
    enginePack: null,
    rules: ["game-directory", "source-directory", "pack-over-loose", "pack-number", "first-in-pack"],
  },
  {
    // sezero/quakespasm Quake/common.c: COM_AddGameDirectory pushes quakespasm.pak right after id1/pak0
    name: "quakespasm",
    engine: "QuakeSpasm",
    title: "QuakeSpasm and its relatives",
    ignoreCase: false,
    packs: { ...quakePacks, emptyIsMissing: true },
    packDirectory: null,
    duplicates: "first",
    bases: ["id1"],
    enginePack: { name: "quakespasm.pak", order: 0.5 },
    rules: ["game-directory", "source-directory", "pack-over-loose", "pack-number", "first-in-pack"],
  },
  {
    // ioquake/ioq3 code/qcommon/files.c: FS_AddGameDirectory, FS_PathCmp, FS_LoadZipFile
    name: "ioquake3",
    engine: "ioquake3",
    title: "ioquake3, OpenArena and other games on it",
    ignoreCase: true,
    packs: { kind: "sorted", suffixes: [".pk3"], collation: "quake3" },
    packDirectory: ".pk3dir",
    duplicates: "last",
    bases: ["baseq3", "baseoa", "demoq3", "main", "base"],
    enginePack: null,
    rules: ["game-directory", "source-directory", "loose-over-pack", "pack-name", "last-in-pack"],
  },
  {
    name: "generic",
    engine: "the generic profile",
    title: "No engine: later pack names win, loose files win over packs",
    ignoreCase: false,
    packs: { kind: "sorted", suffixes: [], collation: "bytes" },
    packDirectory: ".pk3dir",
    duplicates: "last",
    bases: [],
    enginePack: null,
    rules: ["game-directory", "source-directory", "loose-over-pack", "pack-name", "last-in-pack"],
  },
];

/** The profile of that name, or `undefined`. */
export function profileNamed(name: string): Profile | undefined {
  return profiles.find((profile) => profile.name === name);
}
