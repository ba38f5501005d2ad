/**
 * Evidence in base directories for the profiles of engines.
 * @module
 */
import { generic } from "../../engines/generic.ts";
import { basename, join } from "@std/path";
import { detectFormat, FileByteReader, type FormatName } from "../../formats/parts.ts";
import { exists, type Listing, listingOf, lookInto, spelledAs, subdirectories, withEnding } from "./directory.ts";
import type { KnownGame } from "../core/game.ts";
import { games } from "../table.ts";
import { iwadsIn } from "./iwad_files.ts";

/** A finding, and its meaning. */
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
  /** Whether the game's files are the only evidence, which other engines of the same game read as well. */
  readonly isDefault: boolean;
  /** Name of the base game directory; absent: the engine's default. */
  readonly base?: string;
}

/** Content of a base directory that is evidence for a profile. */
export interface DirectorySignature {
  readonly profile: string;
  /** Name of a game directory; null: any. */
  readonly gameDirectory: string | null;
  /** Extension of packs in it; null: none required. */
  readonly packs: string | null;
  /** A file in it; null: none required. */
  readonly inside: RegExp | null;
  /**
   * A file or directory next to the game directories, or the name of the directory that holds them if it may be one;
   * null: none required. Distributions put programs elsewhere.
   */
  readonly beside: { readonly name: RegExp; readonly says: string; readonly isOwnName?: boolean } | null;
  /** End of a sentence that begins with the path of the game directory. */
  readonly says: string;
  /** Whether the game's files are the only evidence. */
  readonly isDefault?: boolean;
}

/** Returns what shows that one of the engines of a game plays a directory, the most specific first. */
function signaturesOf({ bases, engines, next, ownFile, signature }: KnownGame): DirectorySignature[] {
  if (signature.kind !== "base") return [];
  const { packs = null, inside = null, says, nextSays = "", engine = engines[0] } = signature;
  // Windows engines find names in any case.
  const names = bases.filter((name, index) => bases.findIndex((one) => isSpelled(one, name)) === index);
  return names.flatMap((gameDirectory): DirectorySignature[] => {
    const own = engines.flatMap(({ name: profile, evidence }) => evidence.map((one) => ({ ...one, profile })))
      .filter(({ base }) => base === gameDirectory).sort((a, b) => a.rank - b.rank)
      .map(({ profile, next, ...one }): DirectorySignature => {
        const { packs: ownPacks = null, inside: ownFile = null } = one;
        if (next) {
          const beside = { name: next, says: one.says };
          return { profile, gameDirectory, packs, inside: ownFile ?? inside, beside, says };
        }
        return { profile, gameDirectory, packs: ownPacks, inside: ownFile, beside: null, says: one.says };
      });
    if (!engine) return own;
    const beside = next ? { name: next, says: nextSays, isOwnName: true } : null;
    const usual = { profile: engine.name, gameDirectory, says, isDefault: true };
    const alone = ownFile ? [{ ...usual, packs: null, inside: ownFile, beside: null, says: nextSays || says }] : [];
    return [...own, ...alone, { ...usual, packs, inside, beside }];
  });
}

function isSpelled(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}

/** Signatures of all games. */
const signatures: readonly DirectorySignature[] = games.flatMap(signaturesOf);

/** Packs that identify the family of an engine, but not the engine. */
export const anyPk3: DirectorySignature = {
  profile: generic.name,
  gameDirectory: null,
  packs: ".pk3",
  inside: null,
  beside: null,
  says: "has pk3 files, which many engines read, each in its own order; choose one with --profile",
};

/** Packs that belong in a differently named game directory. */
const misplaced: readonly DirectorySignature[] = games.filter(({ editionOf }) => editionOf === undefined)
  .flatMap(({ bases: [directory = ""], misplaced, title }) =>
    misplaced
      ? [{
        profile: generic.name,
        gameDirectory: null,
        packs: null,
        inside: misplaced,
        beside: null,
        says:
          `has packs of ${title}, whose engines look for them in ${directory}; rename it, or choose rules with --profile`,
      }]
      : []
  );

/**
 * Returns the profile of the first signature that any of the base directories matches, or undefined. Names in another
 * case count only if nothing else matches: no engine finds them on Linux.
 * @throws {GameError} if a directory cannot be read.
 */
export function findEvidence(directories: readonly string[]): ProfileEvidence | undefined {
  const listings = directories.map(listingOf);
  return firstMatch(signatures, listings, true) ?? firstMatch(signatures, listings, false) ??
    firstOf(listings, listedGame) ?? firstOf(listings, iwadGame) ??
    firstMatch([...misplaced, anyPk3], listings, true) ?? firstOf(listings, packedGame);
}

/** Returns the finding of the first game with a kind of evidence. */
function firstOf(
  listings: readonly Listing[],
  find: (listings: readonly Listing[], game: KnownGame) => Evidence[],
): ProfileEvidence | undefined {
  for (const game of games) {
    const evidence = find(listings, game);
    const [first] = evidence;
    const [engine] = game.engines;
    if (first && engine) {
      return { profile: engine.name, because: `${first.path} ${first.says}`, evidence, isDefault: true };
    }
  }
  return undefined;
}

/** Finds a game whose directory has a file with a list of sources. */
function listedGame(listings: readonly Listing[], { signature }: KnownGame): Evidence[] {
  if (signature.kind !== "list") return [];
  const { file, holds, says } = signature;
  for (const listing of listings) {
    for (const name of listing.directories) {
      const path = join(listing.path, name, file);
      if (holds.test(beginningOf(path))) return [{ path, says }];
    }
  }
  return [];
}

/** Finds IWADs, which engines load from any directory. */
function iwadGame(listings: readonly Listing[], { signature }: KnownGame): Evidence[] {
  if (signature.kind !== "iwads") return [];
  return listings.flatMap(iwadsIn).map(({ path, iwad }) => ({ path, says: `is the IWAD of ${iwad.title}` }));
}

/** Finds a pack that is identified by its name and format. */
function packedGame(listings: readonly Listing[], { signature }: KnownGame): Evidence[] {
  if (signature.kind !== "pack") return [];
  const { name: pattern, format, says } = signature;
  for (const { path: directory, files } of listings) {
    const path = files.filter((name) => pattern.test(name)).map((name) => join(directory, name))
      .find((candidate) => formatOfFile(candidate) === format);
    if (path !== undefined) return [{ path, says }];
  }
  return [];
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

/** Returns the format of a file; undefined if it is unknown or the file cannot be read. */
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
  known: readonly DirectorySignature[],
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

function match(signature: DirectorySignature, listing: Listing, isExact: boolean): ProfileEvidence | undefined {
  const { profile, beside, packs, inside } = signature;
  const file = beside === null
    ? undefined
    : [...listing.files, ...listing.directories].find((name) => beside.name.test(name)) ??
      (beside.isOwnName && beside.name.test(basename(listing.path)) ? "." : undefined);
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
      because: profile === generic.name
        ? `${path} ${signature.says}`
        : within !== undefined
        ? `${path} has ${within}`
        : packs === null
        ? `${listing.path} has ${[name, ...also.length > 0 && file !== "." ? [file] : []].join(" and ")}`
        : `${path} has ${packs.slice(1)} files`,
      evidence: [own, ...also],
      isDefault: signature.isDefault === true,
      ...signature.gameDirectory === null ? {} : { base: name },
    };
  }
  return undefined;
}

function candidates(
  { gameDirectory, inside }: DirectorySignature,
  listing: Listing,
  isExact: boolean,
): readonly string[] {
  if (gameDirectory === null && !isExact) return [];
  if (gameDirectory === null) return [...inside === null ? [] : ["."], ...subdirectories(listing.path)];
  const name = isExact ? gameDirectory : spelledAs(listing.directories, gameDirectory);
  return name !== undefined && listing.directories.includes(name) ? [name] : [];
}
