/**
 * Evidence in base directories for the profiles of engines.
 * @module
 */
import { join } from "@std/path";
import { FileByteReader } from "../../formats/core/byte_reader.ts";
import type { FormatName } from "../../formats/core/entry_table.ts";
import { detectFormat } from "../../formats/table.ts";
import { listDirectory, type Listing, lookInto, spelledAs, subdirectories, withEnding } from "./directory.ts";

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
  /** A file beside the game directories; null: none required. */
  readonly beside: { readonly name: RegExp; readonly says: string } | null;
  /** End of a sentence that begins with the path of the game directory. */
  readonly says: string;
}

const quakeBase = { gameDirectory: "id1", packs: null, beside: null, says: "is Quake's base game directory" } as const;

/**
 * The signatures, the most specific first. Names of game directories are those of the engines: `GAMENAME` in
 * id-Software/Quake, `BASEDIRNAME` in Quake-2, `BASEGAME` in Quake-III-Arena and Doom 3, the table of games in
 * DarkPlaces' com_game.c. Names beside them are those of the engines' builds and of their own packs.
 */
const signatures: readonly Signature[] = [
  {
    ...quakeBase,
    profile: "quakespasm",
    beside: { name: /^quakespasm\.pak$/, says: "is QuakeSpasm's own pack" },
  },
  {
    ...quakeBase,
    profile: "darkplaces",
    packs: ".pk3",
    says: "has pk3 files, which DarkPlaces loads and QuakeSpasm does not",
  },
  {
    ...quakeBase,
    profile: "quakespasm",
    beside: { name: /^(quakespasm|ironwail|vkquake)/i, says: "belongs to QuakeSpasm or a relative" },
  },
  { ...quakeBase, profile: "darkplaces", beside: { name: /^darkplaces/i, says: "belongs to DarkPlaces" } },
  { ...quakeBase, profile: "quake" },
  {
    profile: "yquake2",
    gameDirectory: "baseq2",
    packs: null,
    beside: null,
    says: "is Quake II's base game directory",
  },
  { profile: "dhewm3", gameDirectory: "base", packs: ".pk4", beside: null, says: "has pk4 files, as Doom 3 has" },
  {
    profile: "darkplaces",
    gameDirectory: "data",
    packs: ".pk3",
    beside: null,
    says: "has pk3 files, and data is the base of Nexuiz and Xonotic, which run on DarkPlaces",
  },
  ...["baseq3", "baseoa", "demoq3"].map((gameDirectory): Signature => ({
    profile: "ioquake3",
    gameDirectory,
    packs: ".pk3",
    beside: null,
    says: "has pk3 files, and is the base game directory of a game on ioquake3",
  })),
];

/** Packs that show the family of an engine, but not the engine. */
const anyPk3: Signature = {
  profile: "generic",
  gameDirectory: null,
  packs: ".pk3",
  beside: null,
  says: "has pk3 files, which many engines read, each in its own order; choose one with --profile",
};

const defaultProfiles: ReadonlySet<string> = new Set(["quake", "ioquake3", "yquake2"]);

/**
 * Returns the profile of the first signature that any of the base directories matches, or undefined. Names in another case
 * count only if nothing else does: no engine finds those on Linux.
 * @throws {GameError} if a directory cannot be read.
 */
export function findEvidence(directories: readonly string[]): ProfileEvidence | undefined {
  const listings = directories.map(listDirectory);
  return firstMatch(signatures, listings, true) ?? firstMatch(signatures, listings, false) ??
    firstMatch([anyPk3], listings, true) ?? dragonNest(listings);
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
  const { profile, beside, packs } = signature;
  const file = beside === null ? undefined : listing.files.find((name) => beside.name.test(name));
  if (beside !== null && file === undefined) return undefined;
  for (const name of candidates(signature, listing, isExact)) {
    const path = join(listing.path, name);
    if (packs !== null && withEnding(lookInto(path).files, packs).length === 0) continue;
    const own: Evidence = { path, says: signature.says };
    const also = beside === null || file === undefined ? [] : [{ path: join(listing.path, file), says: beside.says }];
    return {
      profile,
      because: packs === null
        ? `${listing.path} has ${[name, ...also.length > 0 ? [file] : []].join(" and ")}`
        : profile === "generic"
        ? `${path} ${signature.says}`
        : `${path} has ${packs.slice(1)} files`,
      evidence: [own, ...also],
      isDefault: beside === null && defaultProfiles.has(profile),
    };
  }
  return undefined;
}

function candidates({ gameDirectory }: Signature, listing: Listing, isExact: boolean): readonly string[] {
  if (gameDirectory === null) return isExact ? subdirectories(listing.path) : [];
  const name = isExact ? gameDirectory : spelledAs(listing.directories, gameDirectory);
  return name !== undefined && listing.directories.includes(name) ? [name] : [];
}
