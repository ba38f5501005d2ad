/**
 * What in a base directory speaks for which engine.
 * @module
 */
import { join } from "node:path";
import { FileByteReader } from "../../formats/core/byte_reader.ts";
import type { FormatName } from "../../formats/core/entry_table.ts";
import { detectFormat } from "../../formats/table.ts";
import { listDirectory, type Listing, lookInto, spelledAs, subdirectories, withEnding } from "./directory.ts";

/** One thing that was found, and what it says. */
export interface Evidence {
  /** Absolute path. */
  readonly path: string;
  /** Half a sentence that goes on from the path: `is QuakeSpasm's own pack`. */
  readonly says: string;
}

/** Evidence for a profile. */
export interface ProfileEvidence {
  /** Name of the profile. */
  readonly profile: string;
  /** One sentence. */
  readonly because: string;
  readonly evidence: readonly Evidence[];
  /** Whether the game's files alone speak for it, which other engines of the same game read as well. */
  readonly isDefault: boolean;
}

/** What has to be in a base directory. */
interface Signature {
  readonly profile: string;
  /** A game directory; null: any. */
  readonly gameDirectory: string | null;
  /** The ending of packs in it; null: it need not have any. */
  readonly packs: string | null;
  /** A file beside the game directories; null: none is asked for. */
  readonly beside: { readonly name: RegExp; readonly says: string } | null;
  /** What the game directory is, to go on after its path. */
  readonly says: string;
}

const quakeBase = { gameDirectory: "id1", packs: null, beside: null, says: "is Quake's base game directory" } as const;

/**
 * The signatures, those that say most first. Names of game directories are those of the engines: `GAMENAME` in
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

/** Packs that say which family an engine is of, and not which one it is. */
const anyPk3: Signature = {
  profile: "generic",
  gameDirectory: null,
  packs: ".pk3",
  beside: null,
  says: "has pk3 files, which many engines read, each in its own order; choose one with --profile",
};

const defaultProfiles: ReadonlySet<string> = new Set(["quake", "ioquake3", "yquake2"]);

/**
 * The profile that the base directories speak for, by the first signature that any of them shows; undefined if none
 * does. Names spelled in another case count only where nothing else does: no engine finds those on Linux.
 * @throws {GameError} if a directory cannot be read.
 */
export function findEvidence(directories: readonly string[]): ProfileEvidence | undefined {
  const listings = directories.map(listDirectory);
  return firstMatch(signatures, listings, true) ?? firstMatch(signatures, listings, false) ??
    firstMatch([anyPk3], listings, true) ?? dragonNest(listings);
}

/** Dragon Nest keeps its paks beside its program. Other games call packs so too, so one is looked into. */
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

/** The format that a file is in; undefined for one that is in none, or cannot be read and so says nothing. */
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
