/**
 * Reads base directories into a catalog: which game directories there are, which packs, which loose files. No payload is
 * read. The steps stand in `scan/`: finding out what there is, reading the list of each archive, putting all together.
 * @module
 */
import type { Catalog } from "./catalog.ts";
import type { GameOptions } from "./game.ts";
import { assemble, catalogProblems, isPack, type Listings } from "./scan/assemble.ts";
import { discoverGames } from "./scan/discover.ts";
import { EarlierIndex } from "./scan/earlier.ts";
import { archivesOf, type FoundPack, type Listing, type ScanPlan } from "./scan/plan.ts";
import { readPack } from "./scan/read_pack.ts";
import type { Source } from "./source.ts";

/** Told while indexing: how many packs are done, of how many, and which is next. */
export type ScanProgress = (done: number, known: number, name: string) => void;

/** Options of {@linkcode scanGames}. */
export interface ScanOptions {
  /** Told while indexing. */
  readonly onProgress?: ScanProgress;
  /** Stops the scan with the signal's reason. */
  readonly signal?: AbortSignal;
  /** An earlier index of the same games: what has not changed since is not read again. */
  readonly previous?: Catalog;
}

/**
 * Indexes games. With an earlier catalog only what has changed since is read; if nothing has, the result is that very
 * catalog.
 * @throws {GameError} if a game's directories, profile or base are not what they should be.
 */
export function scanGames(games: readonly GameOptions[], options: ScanOptions = {}): Catalog {
  const earlier = options.previous && new EarlierIndex(options.previous);
  const plan = discoverGames(games, earlier);
  const listings = listArchives(plan, earlier, options);
  if (earlier && isUnchanged(plan, listings, earlier.catalog)) return earlier.catalog;
  return assemble(plan, listings, earlier);
}

/** The list of every archive of a plan: what the earlier index says, where that must still be true, else read. */
function listArchives(plan: ScanPlan, earlier: EarlierIndex | undefined, options: ScanOptions): Listings {
  const listings = new Map<FoundPack, Listing>();
  const unread: { pack: FoundPack; known: Source | undefined; nested: boolean }[] = [];
  for (const { game, pack } of archivesOf(plan)) {
    const { profile, nested = false } = plan.games[game] ?? {};
    const isListedAlike = earlier?.catalog.games[game]?.nested === nested;
    const known = isListedAlike ? earlier?.source(game, profile, "pack", pack.path) : undefined;
    if (known && earlier?.isTrue(known, pack.identity)) listings.set(pack, { kind: "kept", source: known });
    else unread.push({ pack, known, nested });
  }
  for (const [done, { pack, known, nested }] of unread.entries()) {
    options.signal?.throwIfAborted();
    options.onProgress?.(done, unread.length, pack.name);
    const readAt = Date.now();
    const list = readPack(pack.path, nested);
    const { identity } = pack;
    listings.set(pack, earlier?.settle(known, list, identity, readAt) ?? { kind: "read", ...list, identity, readAt });
  }
  return listings;
}

/** Whether assembling would give the earlier catalog again. */
function isUnchanged(plan: ScanPlan, listings: Listings, earlier: Catalog): boolean {
  const { games, snapshot, problems } = earlier;
  if (plan.games.length !== games.length) return false;
  let next = 0;
  const isNext = (listing: Listing | null | undefined, directory: string, sourceDirectory: number) => {
    const source = snapshot.sources[next++];
    return listing?.kind === "kept" && listing.source === source && source.gameDirectory === directory &&
      source.sourceDirectory === sourceDirectory;
  };
  for (const [id, game] of plan.games.entries()) {
    const before = games[id];
    if (!before || before.name !== game.name || before.because !== game.because || before.base !== game.base) {
      return false;
    }
    if (before.profile.name !== game.profile.name || before.isArchive !== (game.archive !== null)) return false;
    if (!sameTexts(before.sourceDirectories, game.sourceDirectories)) return false;
    if (game.archive && !isNext(listings.get(game.archive), game.archive.name, 0)) return false;
    for (const { name, sourceDirectory, packs, enginePack, loose } of game.directories) {
      const found = enginePack ? [...packs, enginePack] : packs;
      for (const pack of found) {
        const listing = pack.listing ?? listings.get(pack);
        if (listing && isPack({ pack, listing }) && !isNext(listing, name, sourceDirectory)) return false;
      }
      if (!isNext(loose, name, sourceDirectory)) return false;
    }
  }
  return next === snapshot.sources.length && sameTexts(problems, catalogProblems(plan, snapshot.sources));
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}
