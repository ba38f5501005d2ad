/**
 * Evidence in base directories for the profiles of engines.
 * @module
 */
import { join } from "@std/path";
import { FileByteReader } from "../../formats/core/byte_reader.ts";
import type { FormatName } from "../../formats/core/entry_table.ts";
import { detectFormat } from "../../formats/table.ts";
import { exists, listDirectory, type Listing, lookInto, spelledAs, subdirectories, withEnding } from "./directory.ts";
import { iwadsIn } from "./iwad_files.ts";

/** A finding, and what it shows. */
export interface Evidence {
  /** Absolute path. */
  readonly path: string;
  /** End of a sentence that begins with the path: `is QuakeSpasm's own pack`. */
  readonly says: string;
}

/** Evidence for a profile. */
export interface ProfileEvidence {
  /** Name of the profile. */
  readonly profile: string;
  /** One sentence. */
  readonly because: string;
  readonly evidence: readonly Evidence[];
  /** Whether the game's files alone are the evidence, which other engines of the same game read as well. */
  readonly isDefault: boolean;
}

/** Content of a base directory that is evidence for a profile. */
interface Signature {
  readonly profile: string;
  /** Name of a game directory; null: any. */
  readonly gameDirectory: string | null;
  /** The ending of packs in it; null: none required. */
  readonly packs: string | null;
  /** A file in it; null: none required. */
  readonly inside: RegExp | null;
  /** A file or directory beside the game directories; null: none required. */
  readonly beside: { readonly name: RegExp; readonly says: string } | null;
  /** End of a sentence that begins with the path of the game directory. */
  readonly says: string;
}

const quakeBase = {
  gameDirectory: "id1",
  packs: null,
  inside: null,
  beside: null,
  says: "is Quake's base game directory",
} as const;

const quake2Base = { ...quakeBase, gameDirectory: "baseq2", says: "is Quake II's base game directory" } as const;

/** Returns a signature of an engine by its program, or by a file that belongs to it, beside the base of its game. */
function besideBase(
  base: Omit<Signature, "profile" | "beside">,
  profile: string,
  name: RegExp,
  says: string,
): Signature {
  return { ...base, profile, beside: { name, says } };
}

const quake3Bases = ["baseq3", "baseoa", "demoq3", "baseEF"];

/**
 * The signatures, the most specific first. Names of game directories are those of the engines: `GAMENAME` in
 * id-Software/Quake, `BASEDIRNAME` in Quake-2, `BASEGAME` in Quake-III-Arena and Doom 3, the table of games in
 * DarkPlaces' com_game.c. Names beside them are those of the engines' builds and of their own packs.
 */
const signatures: readonly Signature[] = [
  besideBase(quakeBase, "quakespasm", /^quakespasm\.pak$/, "is QuakeSpasm's own pack"),
  besideBase(quakeBase, "ironwail", /^ironwail\.pak$/, "is Ironwail's own pack"),
  besideBase(quakeBase, "qss", /^quakespasm-spiked/i, "belongs to QuakeSpasm-Spiked"),
  besideBase(quakeBase, "ezquake", /^ezquake/i, "belongs to ezQuake"),
  besideBase(quakeBase, "ftequake", /^(fteqw.*|fte|default\.fmf)$/i, "belongs to FTE"),
  {
    ...quakeBase,
    profile: "darkplaces",
    packs: ".pk3",
    says: "has pk3 files, which DarkPlaces loads and QuakeSpasm does not",
  },
  besideBase(quakeBase, "ironwail", /^ironwail/i, "belongs to Ironwail"),
  besideBase(quakeBase, "vkquake", /^vkquake/i, "belongs to vkQuake"),
  besideBase(quakeBase, "quakespasm", /^quakespasm/i, "belongs to QuakeSpasm"),
  besideBase(quakeBase, "darkplaces", /^darkplaces/i, "belongs to DarkPlaces"),
  besideBase(quakeBase, "ironwail", /^QuakeEX\.kpf$/i, "belongs to the remaster of Quake, which Ironwail plays"),
  { ...quakeBase, profile: "quake" },
  {
    ...quake2Base,
    profile: "q2rtx",
    inside: /^q2rtx_media\.pkz$/,
    says: "has q2rtx_media.pkz, which belongs to Quake II RTX",
  },
  besideBase(quake2Base, "q2rtx", /^q2rtx/i, "belongs to Quake II RTX"),
  besideBase(quake2Base, "q2pro", /^q2pro/i, "belongs to Q2PRO"),
  besideBase(quake2Base, "q2pro", /^Q2Game\.kpf$/i, "belongs to the remaster of Quake II, and Q2PRO reads it"),
  { ...quake2Base, profile: "yquake2" },
  {
    ...quakeBase,
    profile: "rbdoom3bfg",
    gameDirectory: "base",
    inside: /^_(common|ordered)\.resources$/i,
    says: "has the resource containers of Doom 3 BFG Edition",
  },
  {
    ...quakeBase,
    profile: "daemon",
    gameDirectory: "pkg",
    inside: /^unvanquished_.*\.dpk(dir)?$/,
    says: "has packs of Unvanquished",
  },
  {
    ...quakeBase,
    profile: "dhewm3",
    gameDirectory: "base",
    packs: ".pk4",
    says: "has pk4 files, as Doom 3 has",
  },
  {
    ...quakeBase,
    profile: "openjk",
    gameDirectory: "base",
    inside: /^assets0\.pk3$/i,
    says: "has assets0.pk3, as Jedi Academy and Jedi Outcast have",
  },
  {
    ...quakeBase,
    profile: "iortcw-mp",
    gameDirectory: "main",
    inside: /^mp_pak\d\.pk3$/i,
    says: "has packs of Return to Castle Wolfenstein's multiplayer",
  },
  {
    ...quakeBase,
    profile: "iortcw-sp",
    gameDirectory: "main",
    inside: /^sp_pak\d\.pk3$/i,
    says: "has packs of Return to Castle Wolfenstein's single player",
  },
  {
    ...quakeBase,
    profile: "etlegacy",
    gameDirectory: "etmain",
    packs: ".pk3",
    says: "has pk3 files, and is Enemy Territory's base game directory",
  },
  {
    ...quakeBase,
    profile: "xash3d",
    gameDirectory: "valve",
    inside: /^(liblist\.gam|gameinfo\.txt|halflife\.wad)$/i,
    says: "is Half-Life's base game directory; the rules are those of Xash3D, as GoldSrc's are not public",
  },
  {
    ...quakeBase,
    profile: "darkplaces",
    gameDirectory: "data",
    packs: ".pk3",
    says: "has pk3 files, and data is the base of Nexuiz and Xonotic, which run on DarkPlaces",
  },
  ...quake3Bases.map((gameDirectory) =>
    besideBase(
      { ...quakeBase, gameDirectory, packs: ".pk3", says: "has pk3 files, and is the base game directory" },
      "quake3e",
      /^quake3e/i,
      "belongs to Quake3e",
    )
  ),
  ...quake3Bases.map((gameDirectory): Signature => ({
    ...quakeBase,
    profile: "ioquake3",
    gameDirectory,
    packs: ".pk3",
    says: "has pk3 files, and is the base game directory of a game on ioquake3",
  })),
];

/** Packs that show the family of an engine, but not the engine. */
const anyPk3: Signature = {
  profile: "generic",
  gameDirectory: null,
  packs: ".pk3",
  inside: null,
  beside: null,
  says: "has pk3 files, which many engines read, each in its own order; choose one with --profile",
};

/** Files of remasters, which do not say which engine plays them. */
const remasterFile = /^(QuakeEX|Q2Game)\.kpf$/i;

/** Packs that belong into a game directory of another name. */
const misplaced: readonly Signature[] = ([
  ["main", /^[sm]p_pak\d.*\.pk3$/i, "Return to Castle Wolfenstein"],
  ["base", /^assets0\.pk3$/i, "Jedi Academy or Jedi Outcast"],
  ["base", /^pak000\.pk4$/i, "Doom 3"],
  ["base", /^_(common|ordered)\.resources$/i, "Doom 3 BFG Edition"],
  ["pkg", /^unvanquished_.*\.dpk$/, "Unvanquished"],
] as const).map(([directory, inside, game]) => ({
  ...quakeBase,
  profile: "generic",
  gameDirectory: null,
  inside,
  says: `has packs of ${game}, whose engines look for them in ${directory}; rename it, or choose rules with --profile`,
}));

const defaultProfiles: ReadonlySet<string> = new Set(["quake", "ioquake3", "yquake2"]);

/**
 * Returns the profile of the first signature that any of the base directories matches, or undefined. Names in another case
 * count only if nothing else does: no engine finds those on Linux.
 * @throws {GameError} if a directory cannot be read.
 */
export function findEvidence(directories: readonly string[]): ProfileEvidence | undefined {
  const listings = directories.map(listDirectory);
  return firstMatch(signatures, listings, true) ?? firstMatch(signatures, listings, false) ??
    sourceGame(listings) ?? doomGame(listings) ?? firstMatch([...misplaced, anyPk3], listings, true) ??
    dragonNest(listings);
}

/** Finds a game of the Source engine: a `gameinfo.txt` with search paths, not the flat one of Xash3D. */
function sourceGame(listings: readonly Listing[]): ProfileEvidence | undefined {
  for (const listing of listings) {
    for (const name of listing.directories) {
      const directory = lookInto(join(listing.path, name));
      if (!directory.files.includes("gameinfo.txt")) continue;
      const path = join(directory.path, "gameinfo.txt");
      if (!/\bSearchPaths\b/i.test(beginningOf(path))) continue;
      const says = "lists search paths, as games of the Source engine do";
      return { profile: "source", because: `${path} ${says}`, evidence: [{ path, says }], isDefault: true };
    }
  }
  return undefined;
}

/** Finds the IWADs of Doom and its relatives, which engines load from any directory. */
function doomGame(listings: readonly Listing[]): ProfileEvidence | undefined {
  const found = listings.flatMap(iwadsIn);
  const evidence = found.map(({ path, iwad }): Evidence => ({ path, says: `is the IWAD of ${iwad.title}` }));
  const [first] = evidence;
  return first && { profile: "gzdoom", because: `${first.path} ${first.says}`, evidence, isDefault: true };
}

/** Returns the beginning of a text file; empty if it cannot be read. */
function beginningOf(path: string): string {
  if (!exists(path)) return "";
  try {
    using file = new FileByteReader(path);
    return new TextDecoder().decode(file.read(0, Math.min(file.size, 65_536)));
  } catch {
    return "";
  }
}

/** Finds Dragon Nest, which keeps its paks beside its program. Other games name packs alike, so one is opened. */
function dragonNest(listings: readonly Listing[]): ProfileEvidence | undefined {
  for (const listing of listings) {
    const path = listing.files.filter((name) => /^resource.*\.pak$/i.test(name)).map((name) => join(listing.path, name))
      .find((candidate) => formatOfFile(candidate) === "dragonnest-pak");
    if (path === undefined) continue;
    const says = "is a Dragon Nest pak";
    return { profile: "dragonnest", because: `${path} ${says}`, evidence: [{ path, says }], isDefault: true };
  }
  return undefined;
}

/** Returns the format of a file; undefined if it has none or cannot be read. */
function formatOfFile(path: string): FormatName | undefined {
  if (!exists(path)) return undefined;
  try {
    using file = new FileByteReader(path);
    return detectFormat(file)?.name;
  } catch {
    return undefined;
  }
}

function firstMatch(
  known: readonly Signature[],
  listings: readonly Listing[],
  isExact: boolean,
): ProfileEvidence | undefined {
  for (const signature of known) {
    for (const listing of listings) {
      const found = match(signature, listing, isExact);
      if (found) return found;
    }
  }
  return undefined;
}

function match(signature: Signature, listing: Listing, isExact: boolean): ProfileEvidence | undefined {
  const { profile, beside, packs, inside } = signature;
  const file = beside === null
    ? undefined
    : [...listing.files, ...listing.directories].find((name) => beside.name.test(name));
  if (beside !== null && file === undefined) return undefined;
  for (const name of candidates(signature, listing, isExact)) {
    const path = join(listing.path, name);
    const { files, directories } = lookInto(path);
    if (packs !== null && withEnding(files, packs).length === 0) continue;
    const within = inside === null ? undefined : [...files, ...directories].find((one) => inside.test(one));
    if (inside !== null && within === undefined) continue;
    const own: Evidence = { path, says: signature.says };
    const also = beside === null || file === undefined ? [] : [{ path: join(listing.path, file), says: beside.says }];
    return {
      profile,
      because: profile === "generic"
        ? `${path} ${signature.says}`
        : within !== undefined
        ? `${path} has ${within}`
        : packs === null
        ? `${listing.path} has ${[name, ...also.length > 0 ? [file] : []].join(" and ")}`
        : `${path} has ${packs.slice(1)} files`,
      evidence: [own, ...also],
      isDefault: defaultProfiles.has(profile) && beside === null || remasterFile.test(file ?? ""),
    };
  }
  return undefined;
}

function candidates({ gameDirectory, inside }: Signature, listing: Listing, isExact: boolean): readonly string[] {
  if (gameDirectory === null && !isExact) return [];
  if (gameDirectory === null) return [...inside === null ? [] : ["."], ...subdirectories(listing.path)];
  const name = isExact ? gameDirectory : spelledAs(listing.directories, gameDirectory);
  return name !== undefined && listing.directories.includes(name) ? [name] : [];
}
