/**
 * Reads base directories into an index: game directories, packs and loose files. No payload is read. The steps are:
 * discover, read the list of each archive, assemble.
 * @module
 */
import { basename } from "@std/path";
import { type Game, type GameOptions, plannedKeys } from "../columns/game.ts";
import type { IndexedGames } from "../columns/indexed_games.ts";
import { archiveProfile, assemble, type FileLists, indexProblems, isPack } from "./assemble.ts";
import { discoverGames } from "./discover.ts";
import { EarlierIndex } from "./earlier_index.ts";
import type { RootPresence } from "./root_presence.ts";
import { inheritRows } from "./known_directory.ts";
import { identityOf, isSameIdentity, type LookAtFile } from "../columns/identity.ts";
import type { Source } from "../columns/source.ts";
import { nestedSearch } from "./nested_packs.ts";
import { archivesOf, type FileList, fileListFormat, type FoundPack, type GamePlan, type ScanPlan } from "./plan.ts";
import { readArchives } from "./read_archives.ts";
import { type OpenArchive, type PackList, readPack, type UnreadArchive } from "./read_pack.ts";
import { storedNames } from "../../engines/mod.ts";
import { withListedLumps } from "./listed_lumps.ts";
import { withRecoveredNames } from "./recovered_names.ts";

/** Called while indexing, with the number of finished packs, the number of all, and the name of the next. */
export type ScanProgress = (done: number, known: number, name: string) => void;

/** Options of {@linkcode indexGames} and {@linkcode scanGames}. */
export interface ScanOptions {
  /** Reports progress. */
  readonly onProgress?: ScanProgress;
  /** Aborts the scan with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Opens archives in this thread; default: by path. */
  readonly open?: OpenArchive;
  /**
   * Reads attributes of files that an earlier index knows, or that have just changed; default: Deno, which takes twice
   * as long as a system call and reports only whole seconds of the ctime.
   */
  readonly look?: LookAtFile;
  /** An earlier index of the same games: unchanged files are not read again. */
  readonly previous?: IndexedGames;
  /**
   * If `previous` is an index of other games: for each game by number, the number of the same game in it; -1 for a new
   * one.
   */
  readonly previousNumbers?: readonly number[];
  /**
   * If given, missing roots are problems of the index instead of errors, and their content in `previous` is kept. Pass
   * the same object each time.
   */
  readonly presence?: RootPresence;
}

/**
 * Indexes games, with the help of other threads if there is much to read. With an earlier index only changed files are
 * read; without changes, the result is that index itself.
 * @throws {GameError} if a game's directories, profile or base are invalid.
 */
export async function indexGames(games: readonly GameOptions[], options: ScanOptions = {}): Promise<IndexedGames> {
  const { signal, onProgress } = options;
  signal?.throwIfAborted();
  const scan = new Scan(games, options);
  const unread = scan.unreadArchives;
  const lists = await readArchives(unread, {
    ...(signal ? { signal } : {}),
    open: options.open,
    onProgress: (done) => onProgress?.(done, unread.length, basename(unread[done]?.path ?? "")),
  });
  return scan.finish(lists, signal);
}

/**
 * Indexes games at once, in this thread alone. Otherwise like {@linkcode indexGames}.
 * @throws {GameError} if a game's directories, profile or base are invalid.
 */
export function scanGames(games: readonly GameOptions[], options: ScanOptions = {}): IndexedGames {
  const scan = new Scan(games, options);
  const unread = scan.unreadArchives;
  const lists = unread.map((archive, done) => {
    options.signal?.throwIfAborted();
    options.onProgress?.(done, unread.length, basename(archive.path));
    return readPack(archive, options.open);
  });
  return scan.finish(lists, options.signal);
}

/** Time of reading of unreadable sources: the next scan tries again. */
const neverRead = 0;

/** An archive of a plan with an unknown list. */
interface Unread extends UnreadArchive {
  readonly pack: FoundPack;
  /** The earlier source at this path, which may have changed. */
  readonly known: Source | undefined;
}

/** The steps before and after reading archives. */
class Scan {
  /** The archives that must be read. */
  readonly unreadArchives: readonly Unread[];
  readonly #earlier: EarlierIndex | undefined;
  readonly #plan: ScanPlan;
  readonly #problems: string[];
  readonly #keepsMissing: boolean;
  readonly #fileLists = new Map<FoundPack, FileList>();
  readonly #readAt: number;
  readonly #look: LookAtFile | undefined;

  constructor(
    games: readonly GameOptions[],
    { previous, previousNumbers, presence, look }: Pick<
      ScanOptions,
      "previous" | "previousNumbers" | "presence" | "look"
    >,
  ) {
    this.#earlier = previous && EarlierIndex.of(previous, previousNumbers, look);
    this.#keepsMissing = presence !== undefined;
    this.#look = look;
    const plan = discoverGames(games, this.#earlier, presence, look);
    this.#problems = [...plan.problems];
    this.#plan = { games: plan.games, problems: this.#problems };
    this.unreadArchives = this.#keepTrue();
    this.#readAt = Date.now();
  }

  /**
   * Returns the index.
   * @param lists Lists of the unread archives.
   */
  finish(lists: readonly PackList[], signal?: AbortSignal): IndexedGames {
    const earlier = this.#earlier;
    for (const [index, { pack, known }] of this.unreadArchives.entries()) {
      const list = lists[index];
      if (!list) throw new RangeError(`Cannot index ${pack.path}: it was not read`);
      if (known && (this.#staysAlone(pack, known, list) || isUnread(pack, known, list))) {
        this.#problems.push(`${pack.path}: ${list.failure}; its earlier content is kept`);
        this.#fileLists.set(pack, { kind: "kept", source: known });
        continue;
      }
      const { identity } = pack;
      const readAt = list.mayPass ? neverRead : this.#readAt;
      const fileList = earlier?.settle(known, list, identity, readAt);
      this.#fileLists.set(pack, fileList ?? { kind: "read", ...list, identity, readAt });
    }
    const named = withListedLumps(this.#plan, this.#fileLists);
    const fileLists = withRecoveredNames(this.#plan, named, earlier, signal);
    if (earlier && yieldsIndex(this.#plan, fileLists, earlier.index)) return earlier.index;
    const index = assemble(this.#plan, fileLists, earlier);
    if (earlier) inheritRows(earlier.index, index);
    return index;
  }

  /** Returns whether a single archive is unreadable at the moment, most likely because it is being written. */
  #staysAlone(pack: FoundPack, known: Source, { failure }: PackList): boolean {
    if (!this.#keepsMissing || failure === null || known.failure !== null) return false;
    return this.#plan.games.some(({ archive }) => archive === pack);
  }

  /** Returns whether a list of files, where each can change the names in later ones, has changed. */
  #isListChanged(plan: GamePlan, id: number): boolean {
    if (!plan.loads) return false;
    const earlier = this.#earlier;
    const game = earlier?.game(id);
    const paths = packPaths(plan);
    if (!earlier || !isSame(game?.loads, plan.loads) || new Set(paths).size < paths.length) return true;
    return plan.directories.some(({ packs }) =>
      packs.some(({ path, identity, fileList }) => {
        const known = earlier.source(id, plan.profile, "pack", path);
        return fileList ? fileList.kind !== "kept" : !known || !earlier.isTrue(known, identity);
      })
    );
  }

  /** Uses the lists of an earlier index that are certainly still valid; returns the other archives. */
  #keepTrue(): Unread[] {
    const earlier = this.#earlier;
    const unread: Unread[] = [];
    const changed = new Set(this.#plan.games.flatMap((game, id) => this.#isListChanged(game, id) ? [id] : []));
    for (const { game, pack } of archivesOf(this.#plan)) {
      if (pack.fileList) {
        this.#fileLists.set(pack, pack.fileList);
        continue;
      }
      const { profile, nested = false } = this.#plan.games[game] ?? {};
      const isListedAlike = !changed.has(game) && earlier?.game(game)?.nested === nested;
      const known = isListedAlike ? earlier?.source(game, profile, "pack", pack.path) : undefined;
      if (known && earlier?.isTrue(known, pack.identity)) this.#fileLists.set(pack, { kind: "kept", source: known });
      else {
        const state = this.#look?.(pack.path);
        if (state?.isFile) pack.identity = identityOf(state);
        const { path, identity: { size, mtime, ctime } } = pack;
        const { packFormat = null, memberNames = null } = profile ?? {};
        const { smallInZips, colonsInZips, lumpTypes } = memberNames ?? storedNames;
        const reading = { nested, packFormat, lumps: pack.lumps ?? null, smallInZips, colonsInZips, lumpTypes };
        const isAlone = Boolean(this.#plan.games[game]?.archive);
        const search = profile && !isAlone ? nestedSearch(profile) : null;
        unread.push({ path, size, mtime, ctime, ...reading, search, isAlone, pack, known });
      }
    }
    return unread;
  }
}

/** Returns the paths of all packs of a game. */
function packPaths({ directories }: GamePlan): string[] {
  return directories.flatMap(({ packs }) => packs.map(({ path }) => path));
}

/** Returns whether an archive cannot be read at the moment, but its list is known and its file unchanged. */
function isUnread({ identity }: FoundPack, known: Source, { mayPass }: PackList): boolean {
  return mayPass === true && known.failure === null && isSameIdentity(known.identity, identity);
}

/** Returns whether assembling would give the earlier index again. */
function yieldsIndex(plan: ScanPlan, fileLists: FileLists, earlier: IndexedGames): boolean {
  const { games, snapshot, problems } = earlier;
  if (plan.games.length !== games.length) return false;
  let next = 0;
  const isNext = (fileList: FileList | null | undefined, directory: string, rootIndex: number) => {
    const source = snapshot.sources[next++];
    return fileList?.kind === "kept" && fileList.source === source && source.gameDirectory === directory &&
      source.rootIndex === rootIndex;
  };
  for (const [id, game] of plan.games.entries()) {
    const before = games[id];
    if (!before || !isSameGame(before, game, fileLists)) return false;
    if (game.archive && !isNext(fileLists.get(game.archive), game.archive.name, 0)) return false;
    for (const { name, rootIndex, packs, enginePack, loose } of game.directories) {
      const found = enginePack ? [...packs, enginePack] : packs;
      for (const pack of found) {
        const fileList = fileLists.get(pack) ?? pack.fileList;
        if (fileList && isPack({ pack, fileList }) && !isNext(fileList, name, rootIndex)) return false;
      }
      if (loose && !isNext(loose, name, rootIndex)) return false;
    }
  }
  return next === snapshot.sources.length && sameTexts(problems, indexProblems(plan, earlier));
}

function isSameGame(before: Game, now: GamePlan, fileLists: FileLists): boolean {
  const fileList = now.archive && fileLists.get(now.archive);
  const profile = fileList ? archiveProfile(now.profile, fileListFormat(fileList)) : now.profile;
  const planned = { ...now, profile };
  return before.isArchive === (now.archive !== null) && plannedKeys.every((key) => isSame(before[key], planned[key]));
}

/** Returns whether two values of plain data are equal. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}
