/**
 * Finds the names of a hashed pack's members: a dictionary of paths is hashed with every known variant. The variant
 * with by far the most hits belongs to the pack, and its hits are the names.
 *
 * With N paths and n members a wrong variant hits N * n / 2^32 members by chance, so few hits of many paths are not
 * significant: a variant must have at least two hits or hit a twentieth of the members, and a hundred times as many as
 * by chance.
 * @module
 */
import { elementAt, wordAt } from "./core/cursor.ts";
import { EntryTable } from "./core/entry_table.ts";
import { hashDigits, memberHash, unknownDirectory } from "./archives/hashed_pack.ts";
import {
  hashBytes,
  hashedSpelling,
  type NameHashFunction,
  nameHashFunctions,
  type NameHashVariant,
  nameHashVariants,
  variantName,
} from "./core/name_hashes.ts";
import { displayName } from "./core/names.ts";

/** Two paths with the same hash; only one can be the member's. */
export interface NameCollision {
  /** The hash, in eight hex digits. */
  readonly hash: string;
  /** Paths; the first is used. */
  readonly names: readonly string[];
}

/** Statistics of the recovered names of a hashed pack. */
export interface NameRecovery {
  /** Name of the variant, as in `variantName`; null if none has enough hits. */
  readonly hash: string | null;
  /** Number of members. */
  readonly files: number;
  /** Number of members with a name. */
  readonly named: number;
  /** Number of paths tried. */
  readonly tried: number;
  /** Number of members that a wrong variant hits by chance. */
  readonly expected: number;
  /** Paths with the same hash. */
  readonly collisions: readonly NameCollision[];
}

/** Result of {@linkcode recoverNames}. */
export interface RecoveredNames extends NameRecovery {
  /** Path by hash. */
  readonly names: ReadonlyMap<number, string>;
}

/**
 * Number of paths hashed with every variant; the rest of a larger dictionary is only hashed with the variants that have
 * hits.
 */
const pathsPerRound = 1024;
/** Share of the best variant's hits below which a variant is discarded after a round. */
const hopelessShare = 0.1;
/** Minimum hits of the best variant before others are discarded. */
const hitsToCompare = 8;
const minHits = 2;
const minShare = 0.05;
const chanceFactor = 100;
/** Maximum number of displayed collisions. */
const maxCollisions = 100;

const encoder = new TextEncoder();

/** Set of hashes: a bitmap of the low bits answers nearly every lookup. */
class HashSet {
  readonly #hashes: Set<number>;
  readonly #bits: Uint32Array = new Uint32Array(1 << 16);

  constructor(hashes: Iterable<number>) {
    this.#hashes = new Set(hashes);
    for (const hash of this.#hashes) {
      const word = (hash & 0x1fffff) >>> 5;
      this.#bits[word] = elementAt(this.#bits, word) | (1 << (hash & 31));
    }
  }

  get size(): number {
    return this.#hashes.size;
  }

  has(hash: number): boolean {
    return (wordAt(this.#bits, (hash & 0x1fffff) >>> 5) & (1 << (hash & 31))) !== 0 && this.#hashes.has(hash);
  }
}

/** Hash functions that are still candidates for one path spelling. */
interface Spelling {
  readonly variant: NameHashVariant;
  readonly functions: Map<NameHashFunction, Set<number>>;
}

/** Hits per variant. A hash hit by several paths counts once. */
class Contest {
  readonly #members: HashSet;
  readonly #spellings: Spelling[];

  constructor(members: HashSet) {
    this.#members = members;
    this.#spellings = nameHashVariants.filter((variant) => variant.function === nameHashFunctions[0]).map((
      variant,
    ) => ({
      variant,
      functions: new Map(nameHashFunctions.map((name) => [name, new Set<number>()])),
    }));
  }

  try(paths: readonly string[]): void {
    for (const { variant, functions } of this.#spellings) {
      if (functions.size === 0) continue;
      for (const path of paths) {
        const bytes = encoder.encode(hashedSpelling(path, variant));
        for (const [name, hits] of functions) {
          const hash = hashBytes(name, bytes);
          if (this.#members.has(hash)) hits.add(hash);
        }
      }
    }
  }

  /** Discards variants with far fewer hits than the best. */
  narrow(): void {
    const most = this.best()?.hits ?? 0;
    if (most < hitsToCompare) return;
    for (const { functions } of this.#spellings) {
      for (const [name, hits] of functions) if (hits.size < most * hopelessShare) functions.delete(name);
    }
  }

  /** The variant with the most hits; in a tie, the first in the table of variants. */
  best(): { variant: NameHashVariant; hits: number } | undefined {
    let best: { variant: NameHashVariant; hits: number } | undefined;
    for (const { variant, functions } of this.#spellings) {
      for (const [name, { size: hits }] of functions) {
        if (hits > (best?.hits ?? 0)) best = { variant: { ...variant, function: name }, hits };
      }
    }
    return best;
  }
}

function chooseVariant(members: HashSet, paths: readonly string[]): NameHashVariant | undefined {
  const contest = new Contest(members);
  for (let start = 0; start < paths.length; start += pathsPerRound) {
    contest.try(paths.slice(start, start + pathsPerRound));
    contest.narrow();
  }
  const best = contest.best();
  if (!best) return undefined;
  const isEnough = best.hits >= minHits || best.hits >= members.size * minShare;
  return isEnough && best.hits >= chanceFactor * expectedHits(members.size, paths.length) ? best.variant : undefined;
}

function expectedHits(members: number, paths: number): number {
  return members * paths / 2 ** 32;
}

/**
 * Finds names for the members of a hashed pack.
 * @param hashes The hashes of its members.
 * @param paths Paths that may be among them, `/`-separated, the most trusted first: if two have the same hash, the
 * first is used.
 * @param variant Variant of the pack, if known; default: detected.
 */
export function recoverNames(
  hashes: Iterable<number>,
  paths: readonly string[],
  variant?: NameHashVariant,
): RecoveredNames {
  const members = new HashSet(hashes);
  const distinct = Array.from(new Set(paths));
  const names = new Map<number, string>();
  const collisions = new Map<number, Set<string>>();
  const chosen = variant ?? chooseVariant(members, distinct);
  if (chosen) {
    for (const path of distinct) {
      const hash = hashBytes(chosen.function, encoder.encode(hashedSpelling(path, chosen)));
      if (!members.has(hash)) continue;
      const known = names.get(hash);
      if (known === undefined) names.set(hash, path);
      else if (hashedSpelling(known, chosen) !== hashedSpelling(path, chosen)) {
        collisions.set(hash, (collisions.get(hash) ?? new Set([known])).add(path));
      }
    }
  }
  return {
    hash: chosen ? variantName(chosen) : null,
    files: members.size,
    named: names.size,
    tried: distinct.length,
    expected: expectedHits(members.size, distinct.length),
    collisions: Array.from(collisions, ([hash, found]) => ({
      hash: hashDigits(hash),
      names: Array.from(found),
    })).slice(0, maxCollisions),
    names,
  };
}

/** Returns the names in a list with one name per line. Lines that begin with `#` are comments; `\` counts as `/`. */
export function nameList(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => !line.startsWith("#"))
    .map((line) => line.trim().replaceAll("\\", "/").replace(/^\/+/, ""))
    .filter((name) => name !== "");
}

/** Returns the hashes of the members of a hashed pack's table. */
export function memberHashes(table: EntryTable): number[] {
  return Array.from({ length: table.length }, (_, index) => memberHash(table, index));
}

/** Returns whether a member's path is a placeholder for an unknown name. */
export function isUnnamed(path: string): boolean {
  return path.startsWith(`${unknownDirectory}/`);
}

/**
 * Returns the table of a hashed pack with the known names. Other members keep their path.
 * @param names Path by hash.
 */
export function withNames(table: EntryTable, names: ReadonlyMap<number, string>): EntryTable {
  const named = new EntryTable();
  named.warnings.push(...table.warnings);
  for (let index = 0; index < table.length; index++) {
    const name = names.get(memberHash(table, index));
    const path = name === undefined ? table.pathBytes(index) : displayName(encoder.encode(name)).path;
    const rawName = table.rawNames.get(index);
    const hash = name === undefined ? undefined : encoder.encode(hashDigits(memberHash(table, index)));
    named.add(path, table.fields(index), rawName ?? hash);
  }
  return named;
}
