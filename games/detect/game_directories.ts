/**
 * Inspects the game directories of a game: signs of a mod, and the packs that the engine loads.
 * @module
 */
import { archiveOfPart, messageOf, openArchive } from "../../formats/parts.ts";
import { extname, join } from "@std/path";
import {
  orderPacks,
  packDirectoryEndings,
  packEndings,
  type PackFile,
  packFileEndings,
  type Profile,
  sharedEndings,
} from "../../engines/mod.ts";
import { isDirectory, type Listing, lookInto, spelledAs, subdirectories } from "./directory.ts";
import { titleOf } from "./recognised.ts";

/** Role of a game directory in its game. */
export type GameDirectoryRole = "base" | "mission pack" | "mod" | "other";

/** A game directory, across all base directories that contain it. */
export interface GameDirectoryFinding {
  /** Name of the directory; `.` if the base directory itself is the game directory. */
  readonly name: string;
  /** Role in the game. */
  readonly role: GameDirectoryRole;
  /** Title that players know, or null. */
  readonly title: string | null;
  /** Contents that identify a game directory: `2 packs (pak0.pak, pak1.pak)`, `progs.dat`, `14 maps`. */
  readonly signs: readonly string[];
  /** Packs that the engine loads. */
  readonly packs: number;
}

/** A file or directory that is not used. */
export interface IgnoredFinding {
  /** Absolute path. */
  readonly path: string;
  /** One sentence, without a full stop. */
  readonly reason: string;
}

/** Findings in the game directories of one game. */
export interface GameDirectories {
  /** The base first, then mission packs in their order, then other directories by name. */
  readonly found: readonly GameDirectoryFinding[];
  readonly ignored: readonly IgnoredFinding[];
  /** Path of the pack or directory in the base game with a file that only the registered Quake has. */
  readonly registered: string | null;
}

/** The file by which Quake's engines detect the registered game: `COM_CheckRegistered` in Quake's common.c. */
const registeredFile = "gfx/pop.lmp";

const codePattern = /^((qw|cs|menu)?progs\.dat|(q?a?game|cgame|ui)[\w-]*\.(so|dll|dylib))$/i;
const settingsPattern = /^(autoexec\.cfg|quake\.rc|mod\.json|description\.txt)$/i;
/** Maximum names of packs and code files in a sentence; hundreds may exist. */
const maxNames = 4;

interface OpenedPack extends PackFile {
  readonly path: string;
  readonly isRegistered: boolean;
}

/** Inspects the game directories of a game. */
export function inspectGameDirectories(
  roots: readonly string[],
  profile: Profile,
  base: string,
): GameDirectories {
  const ignored: IgnoredFinding[] = [];
  const found: GameDirectoryFinding[] = [];
  let registered: string | null = null;
  for (const name of names(roots, profile, base)) {
    const paths = roots.map((source) => base === "" ? source : join(source, name)).filter(isDirectory);
    const inspected = paths.map((path) => inspect(path, profile));
    if (name === base) registered = inspected.find((one) => one.registered !== null)?.registered ?? null;
    const signs = signsOf(inspected);
    const role = roleOf(name, profile, base, signs.length > 0);
    const packs = inspected.reduce((sum, one) => sum + one.packs.length, 0);
    found.push({ name: name === "" ? "." : name, role, title: titleOf(base, name), signs, packs });
    ignored.push(...inspected.flatMap((one) => one.ignored));
    if (role !== "other") continue;
    ignored.push(...paths.map((path) => ({ path, reason: reasonAgainst(name, path, base) })));
  }
  return { found, ignored, registered };
}

function names(roots: readonly string[], profile: Profile, base: string): string[] {
  if (base === "") return [""];
  const endings = packDirectoryEndings(profile.packs);
  const all = new Set(
    roots.flatMap((path) => lookInto(path).directories.length > 0 ? subdirectories(path) : []),
  );
  const others = Array.from(all).filter((name) => name !== base && !endings.includes(extname(name).toLowerCase()));
  const rank = (name: string) => profile.missionPacks.includes(name) ? profile.missionPacks.indexOf(name) : Infinity;
  return [base, ...others.sort((a, b) => rank(a) === rank(b) ? (a < b ? -1 : 1) : rank(a) - rank(b))];
}

function roleOf(name: string, profile: Profile, base: string, hasSigns: boolean): GameDirectoryRole {
  if (name === base) return "base";
  if (!hasSigns || spelledAs([name], base) !== undefined) return "other";
  return profile.missionPacks.includes(name) ? "mission pack" : "mod";
}

/** Returns the reason why a directory is not a mod. */
function reasonAgainst(name: string, path: string, base: string): string {
  if (spelledAs([name], base) !== undefined) return `it is not spelled ${base}, so it is not the base game directory`;
  if (spelledAs(lookInto(path).directories, base) !== undefined) return "it holds a game of its own; detect that";
  return "nothing in it makes it a mod: no pack, game code, map or settings";
}

interface Inspected {
  /** Names of the packs that are loaded. */
  readonly packs: readonly string[];
  readonly code: readonly string[];
  readonly settings: readonly string[];
  readonly maps: number;
  readonly ignored: readonly IgnoredFinding[];
  readonly registered: string | null;
}

/** Inspects one game directory in one base directory. */
function inspect(path: string, profile: Profile): Inspected {
  const listing = lookInto(path);
  const packs = openPacks(listing, profile);
  const order = orderPacks(profile.packs, packs, profile.engine);
  const ignored: IgnoredFinding[] = [];
  const loaded: OpenedPack[] = [];
  for (const [index, pack] of packs.entries()) {
    const reason = order[index]?.ignored ?? null;
    if (reason === null) loaded.push(pack);
    else ignored.push({ path: pack.path, reason });
  }
  const isRegistered = lookInto(join(path, "gfx")).files.includes("pop.lmp");
  const programs = lookInto(join(path, "vm")).files.filter((name) => extname(name).toLowerCase() === ".qvm");
  return {
    packs: loaded.map(({ name }) => name),
    code: [...listing.files.filter((name) => codePattern.test(name)), ...programs.map((name) => `vm/${name}`)],
    settings: listing.files.filter((name) => settingsPattern.test(name)),
    maps: lookInto(join(path, "maps")).files.filter((name) => extname(name).toLowerCase() === ".bsp").length,
    ignored,
    registered: loaded.find((pack) => pack.isRegistered)?.path ?? (isRegistered ? path : null),
  };
}

function openPacks({ path, directories, files }: Listing, profile: Profile): OpenedPack[] {
  const endings = packEndings.union(new Set(packFileEndings(profile.packs)));
  const archives = files.filter((name) =>
    endings.has(extname(name).toLowerCase()) && !files.includes(archiveOfPart(name) ?? "")
  );
  const packDirectories = packDirectoryEndings(profile.packs);
  return [
    ...archives.map((name) => openPack(join(path, name), name)).filter(mayBePack),
    ...directories.filter((name) => packDirectories.includes(extname(name).toLowerCase())).map((name) => ({
      name,
      path: join(path, name),
      isDirectory: true,
      files: lookInto(join(path, name)).files.length,
      failure: null,
      format: "pk3dir",
      isRegistered: false,
    })),
  ];
}

/** Returns whether a file is a pack instead of another file with an archive's extension. */
function mayBePack({ name, failure }: OpenedPack): boolean {
  return failure === null || !sharedEndings.has(extname(name).toLowerCase());
}

function openPack(path: string, name: string): OpenedPack {
  const pack = { name, path, isDirectory: false };
  try {
    using archive = openArchive(path);
    const isRegistered = archive.indexOf(registeredFile) !== undefined;
    return { ...pack, files: archive.table.length, failure: null, format: archive.format.name, isRegistered };
  } catch (error) {
    const failure = messageOf(error);
    return { ...pack, files: 0, failure, format: "unknown", isRegistered: false };
  }
}

function signsOf(all: readonly Inspected[]): string[] {
  const packs = all.flatMap((one) => one.packs);
  const maps = all.reduce((sum, one) => sum + one.maps, 0);
  return [
    ...packs.length === 0 ? [] : [`${packs.length === 1 ? "1 pack" : `${packs.length} packs`} (${some(packs)})`],
    ...distinct(all.flatMap((one) => one.code)),
    ...maps === 0 ? [] : [maps === 1 ? "1 map" : `${maps} maps`],
    ...distinct(all.flatMap((one) => one.settings)),
  ];
}

function distinct(words: readonly string[]): string[] {
  return Array.from(new Set(words)).slice(0, maxNames);
}

function some(words: readonly string[]): string {
  if (words.length <= maxNames) return words.join(", ");
  return `${words.slice(0, maxNames - 1).join(", ")}, ... ${words.at(-1)}`;
}
