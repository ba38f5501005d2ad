/**
 * Sources of an earlier index, and checks of whether they are still valid.
 * @module
 */
import { entryHasCrc, entryIsDirectory, type EntryTable } from "../../formats/parts.ts";
import { byteLayoutOf, hasSameParts, isSameByteLayout } from "../columns/byte_layout.ts";
import type { Profile } from "../../engines/mod.ts";
import { type Identity, isSameIdentity, isSettled, isWhole, type LookAtFile, stateFrom } from "../columns/identity.ts";
import { isDirectorySource, type Source } from "../columns/source.ts";
import { isSameTable, sourceTable } from "../columns/entry_tables.ts";
import type { Game } from "../columns/game.ts";
import type { IndexedGames } from "../columns/indexed_games.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import type { FileList } from "./plan.ts";
import type { PackList } from "./read_pack.ts";

/** Sources of one kind: by game number, and by path. */
type SourcesByPath = readonly ReadonlyMap<string, Source>[];

/** The sources of an earlier index, by game and path. */
export class EarlierIndex {
  static readonly #known = new WeakMap<IndexedGames, EarlierIndex>();
  readonly index: IndexedGames;
  /** Reads the attributes of indexed files. */
  readonly look: LookAtFile;
  /** Created when a source of that kind is not in the expected position. */
  readonly #byPath: Partial<Record<Source["kind"], SourcesByPath>> = {};
  /** For each game by number, its number in the earlier index or -1; undefined: all are the same. */
  readonly #numbers: readonly number[] | undefined;
  /** Number of the last requested source. */
  #last = -1;
  /** Profiles that are equal to the game's. */
  readonly #alike = new WeakMap<Profile, number>();

  private constructor(index: IndexedGames, look: LookAtFile, numbers?: readonly number[]) {
    this.index = index;
    this.look = look;
    this.#numbers = numbers;
  }

  /**
   * Returns the sources of `index`, cached as long as the index stays the same.
   * @param numbers For other games: the number of each in the index.
   */
  static of(index: IndexedGames, numbers?: readonly number[], look: LookAtFile = lookByDeno): EarlierIndex {
    if (numbers) return new EarlierIndex(index, look, numbers);
    const known = EarlierIndex.#known.get(index);
    if (known?.look === look) return known;
    const earlier = new EarlierIndex(index, look);
    EarlierIndex.#known.set(index, earlier);
    return earlier;
  }

  /** The earlier snapshot. */
  get snapshot(): Snapshot {
    return this.index.snapshot;
  }

  /** Returns the game that now has that number. */
  game(number: number): Game | undefined {
    return this.index.games[this.#numberOf(number)];
  }

  /** Returns the source that was at `path` of that game, if the game's rules are still the same. */
  source(game: number, profile: Profile | undefined, kind: Source["kind"], path: string): Source | undefined {
    if (!this.#isListedAlike(game, profile)) return undefined;
    // Thousands are requested, usually in the order of the snapshot.
    const next = this.snapshot.sources[this.#last + 1];
    const isNext = next?.path === path && next.kind === kind && next.game === this.#numberOf(game);
    const found = isNext ? next : this.#ofGame(game, kind)?.get(path);
    if (found) this.#last = found.id;
    return found;
  }

  /** Returns whether a profile finds the same packs in the same files as the earlier game's profile. */
  #isListedAlike(game: number, profile: Profile | undefined): boolean {
    const before = this.game(game)?.profile;
    if (!before || !profile) return false;
    if (before === profile || this.#alike.get(profile) === game) return true;
    const isAlike = listingRules(before) === listingRules(profile);
    if (isAlike) this.#alike.set(profile, game);
    return isAlike;
  }

  /** Returns the packs of the game directory at `path`, if the game's rules are still the same: folder and name. */
  packsOf(game: number, profile: Profile, path: string): Pick<Source, "folder" | "name" | "format">[] {
    const packs = this.#isListedAlike(game, profile) ? this.#ofGame(game, "pack")?.values() ?? [] : [];
    return Array.from(packs).filter((pack) => isPackOf(pack, path));
  }

  /** Returns whether the list of an archive is still valid, because its file was not touched. */
  isTrue(source: Source, identity: Identity): boolean {
    return isSameIdentity(source.identity, identity) && isSettled(identity, source.readAt) &&
      hasSameParts(source.byteLayout);
  }

  /**
   * Returns the file list to use after a source was read again: the earlier list if it is equal.
   * @param readAt Time of reading.
   */
  settle(earlier: Source | undefined, list: PackList, identity: Identity, readAt: number): FileList {
    const isSame = earlier && isSameIdentity(earlier.identity, identity) && this.#says(earlier, list);
    if (isSame && hasSameBytes(earlier, list.table)) {
      earlier.readAt = readAt;
      return { kind: "kept", source: earlier };
    }
    return { kind: "read", ...list, identity, readAt };
  }

  /** Returns the table of a file list. */
  tableOf(fileList: FileList): EntryTable {
    if (fileList.kind === "read") return fileList.table;
    const table = sourceTable(this.snapshot, fileList.source);
    for (const { row, size, mtime, ctime, directory } of fileList.kind === "patched" ? fileList.patches : []) {
      table.sizes[row] = size;
      table.compressedSizes[row] = ctime;
      table.mtimes[row] = mtime;
      table.crcs[row] = directory;
    }
    return table;
  }

  #numberOf(game: number): number {
    return this.#numbers ? this.#numbers[game] ?? -1 : game;
  }

  #ofGame(game: number, kind: Source["kind"]): ReadonlyMap<string, Source> | undefined {
    const sources = this.#byPath[kind] ??= sourcesByPath(this.index, kind);
    return sources[this.#numberOf(game)];
  }

  #says(earlier: Source, { format, failure, table }: PackList): boolean {
    return earlier.format === format && earlier.failure === failure && earlier.entryCount === table.length &&
      isSameTable(sourceTable(this.snapshot, earlier), table, isDirectorySource(earlier)) &&
      isSameByteLayout(earlier.byteLayout, byteLayoutOf(earlier.path, earlier.identity, table));
  }
}

/**
 * Returns whether a source with equal list and identity has the same bytes. This is uncertain if it was read while
 * being written, and has bytes without a checksum, or if its ctime is only known in seconds.
 */
function hasSameBytes(earlier: Source, { flags, length }: EntryTable): boolean {
  const { identity, readAt } = earlier;
  if (isDirectorySource(earlier) || isWhole(identity.ctime) || isSettled(identity, readAt)) return true;
  return flags.subarray(0, length).every((flag) => (flag & (entryHasCrc | entryIsDirectory)) !== 0);
}

/**
 * Returns a profile without the parts that only decide between equal names, which the format decides for a single
 * archive.
 */
function listingRules({ duplicates: _duplicates, rules: _rules, ...profile }: Profile): string {
  return JSON.stringify(profile);
}

function lookByDeno(path: string) {
  return stateFrom(Deno.statSync(path));
}

function sourcesByPath({ games, snapshot }: IndexedGames, kind: Source["kind"]): SourcesByPath {
  const byPath = games.map(() => new Map<string, Source>());
  for (const source of snapshot.sources) if (source.kind === kind) byPath[source.game]?.set(source.path, source);
  return byPath;
}

/** Returns whether a pack is in the game directory at `directory`, or in its own folder there. */
function isPackOf({ path, folder, name }: Source, directory: string): boolean {
  const inside = folder === "" ? name.length : folder.length + 1 + name.length;
  const start = path.length - inside;
  if (start !== directory.length + (directory.endsWith("/") ? 0 : 1) || !path.startsWith(directory)) return false;
  return path[start - 1] === "/" && path.endsWith(name) && path.startsWith(folder, start);
}
