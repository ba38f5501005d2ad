/**
 * Assembles one index from a plan and the file lists: orders packs and numbers sources.
 * @module
 */
import { basename } from "@std/path";
import { formatNamed, isOmission, isTypedWad } from "../../formats/parts.ts";
import { addonProblems, addonsOf } from "./addons.ts";
import { at, none } from "../columns/columns.ts";
import type { IndexedGames } from "../columns/indexed_games.ts";
import {
  type AddonNumber,
  type DeletedNumber,
  type Game,
  type GameDirectory,
  type ListedNumber,
  plannedGame,
} from "../columns/game.ts";
import { GameError, spellingProblems } from "../../games/mod.ts";
import {
  enginePackOrder,
  filledPack,
  type LoadOrder,
  missingBefore,
  pathInDirectory,
  type Profile,
} from "../../engines/mod.ts";
import { byteLayoutOf, partPaths } from "../columns/byte_layout.ts";
import type { Source, SourceOrigin } from "../columns/source.ts";
import type { EarlierIndex } from "./earlier_index.ts";
import { SnapshotBuilder } from "../columns/snapshot_builder.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import { orderAll } from "./nested_packs.ts";
import {
  type DeletedFile,
  type FileList,
  fileListFailure,
  fileListFormat,
  fileListLength,
  type FoundDirectory,
  type FoundPack,
  type GamePlan,
  type ListedSource,
} from "./plan.ts";
import type { ScanPlan } from "./plan.ts";

/** The list of each archive of a plan. */
export type FileLists = ReadonlyMap<FoundPack, FileList>;

/** Share of unused names above which they are dropped. */
const maxUnusedShare = 0.5;
/** Number of unused names that are always tolerated. */
const maxUnused = 10_000;

/**
 * Makes an index from a plan and its lists. Copies unchanged rows from the earlier index in long runs and keeps its
 * numbers of names and paths; unused numbers remain until there are too many.
 * @throws {GameError} if a game is a single archive that cannot be read.
 */
export function assemble(plan: ScanPlan, fileLists: FileLists, earlier?: EarlierIndex): IndexedGames {
  const index = new Assembler(fileLists, earlier?.snapshot, earlier, plan).run();
  return index ?? new Assembler(fileLists, undefined, earlier, plan).run() ?? unfinished();
}

function unfinished(): never {
  throw new RangeError("Cannot assemble the index: its parts contradict each other");
}

class Assembler {
  readonly #plan: ScanPlan;
  readonly #fileLists: FileLists;
  readonly #earlier: EarlierIndex | undefined;
  readonly #builder: SnapshotBuilder;
  readonly #keepsNumbers: boolean;
  /** Sources by their numbers. */
  readonly #added = new Map<number, Source>();
  /** The unchanged sources of the earlier index, by number. */
  readonly #kept = new Map<number, Source>();
  /** For each game: packs on the search path, with the source number of the loose files next to them. */
  readonly #packFiles: {
    readonly game: number;
    readonly loose: Source;
    /** The loose files in the earlier index, if they contain the same packs among the same names. */
    readonly before: Source | null;
    readonly packs: ReadonlyMap<string, number>;
  }[] = [];

  /** Inner packs, with their sources. */
  readonly #nestedPacks: { game: number; entry: number; source: Source }[] = [];

  constructor(fileLists: FileLists, base: Snapshot | undefined, earlier: EarlierIndex | undefined, plan: ScanPlan) {
    this.#fileLists = fileLists;
    this.#earlier = earlier;
    this.#plan = plan;
    this.#builder = new SnapshotBuilder(base);
    this.#keepsNumbers = base !== undefined;
  }

  /** Returns the index; `undefined` if numbers were kept and too many of them are unused. */
  run(): IndexedGames | undefined {
    this.#builder.reserve(this.#entryCount());
    const parts = this.#plan.games.map((game, id) =>
      game.archive ? this.#archiveAlone(game, id) : this.#game(game, id)
    );
    const snapshot = this.#builder.finish();
    const { unusedNodes } = this.#builder;
    if (this.#keepsNumbers && unusedNodes > maxUnused && unusedNodes > snapshot.nodeCount * maxUnusedShare) {
      return undefined;
    }
    const games = parts.map((part) => {
      const game = { ...part, packEntries: this.#packEntries(snapshot, part.id) };
      return { ...game, ...addonsOf(snapshot, game, (source) => this.#knownNeeds(source)) };
    });
    return { snapshot, games, problems: indexProblems(this.#plan, { snapshot, games }) };
  }

  /** Returns the dependencies of an unchanged pack; `undefined` if they were not read. */
  #knownNeeds({ id }: Source): Omit<AddonNumber, "source"> | undefined {
    const before = this.#kept.get(id);
    const addons = before && this.#earlier?.index.games[before.game]?.addons;
    return addons?.find(({ source }) => source === before?.id);
  }

  #entryCount(): number {
    const directories = this.#plan.games.flatMap((game) => game.directories);
    return directories.flatMap(({ packs, loose }) => [
      ...loose ? [loose] : [],
      ...packs.map((pack) => this.#fileListOf(pack)),
    ])
      .reduce((sum, fileList) => sum + fileListLength(fileList), 0);
  }

  #game(plan: GamePlan, id: number): Omit<Game, "packEntries"> {
    const sources = new Map(plan.gameDirectories.map((name): [string, number[]] => [name, []]));
    for (const directory of plan.directories) {
      sources.get(directory.name)?.push(...this.#directory(directory, id, plan));
    }
    const gameDirectories = Array.from(sources, ([name, numbers]): GameDirectory => ({
      name,
      sources: numbers,
      ...belowOf(plan, name),
      ...plan.lists?.has(name)
        ? this.#listOf(
          plan.lists.get(name) ?? [],
          plan.deleted?.get(name) ?? [],
          plan.loads ? numbers : Array.from(sources.values()).flat(),
        )
        : {},
    }));
    return { ...plannedGame(plan), id, isArchive: false, gameDirectories };
  }

  /** Returns the list of a game directory's sources, and the files that they hide, by source number. */
  #listOf(
    list: readonly ListedSource[],
    deleted: readonly DeletedFile[],
    numbers: readonly number[],
  ): Pick<GameDirectory, "list" | "deleted"> {
    const byPath = new Map(numbers.map((id): [string, number] => [(this.#added.get(id) ?? unfinished()).path, id]));
    const byPlace = new Map(numbers.map((id): [string, number] => {
      const source = this.#added.get(id) ?? unfinished();
      return [
        placeOf(source.gameDirectory, source.rootIndex, source.kind === "pack" ? pathInDirectory(source) : null),
        id,
      ];
    }));
    const named = list.flatMap(({ directory, rootIndex, pack, path, choice }): ListedNumber[] => {
      const source = path === undefined ? byPlace.get(placeOf(directory, rootIndex, pack)) : byPath.get(path);
      return source === undefined ? [] : [{ source, choice }];
    });
    const taken = deleted.flatMap(({ directory, rootIndex, pack, of, path }): DeletedNumber[] => {
      const source = byPlace.get(placeOf(directory, rootIndex, pack));
      return source === undefined ? [] : [{ source, of, path }];
    });
    return { list: named, ...taken.length > 0 ? { deleted: taken } : {} };
  }

  #archiveAlone(plan: GamePlan, id: number): Omit<Game, "packEntries"> {
    const pack = plan.archive ?? unfinished();
    const fileList = this.#fileListOf(pack);
    const failure = fileListFailure(fileList);
    if (failure !== null) {
      throw new GameError(failure.includes(pack.path) ? failure : `${pack.path}: ${failure}`, pack.path);
    }
    const owner = { game: id, gameDirectory: pack.name, rootIndex: 0 };
    const source = this.#add(packOrigin(owner, pack, { group: 0, order: 0, ignored: null }), fileList);
    return {
      ...plannedGame(plan),
      profile: archiveProfile(plan.profile, source.format),
      id,
      isArchive: true,
      gameDirectories: [{ name: pack.name, sources: [source.id] }],
    };
  }

  /** Adds the sources of a game directory: packs, the pack that the engine brings along, and loose files. */
  #directory(directory: FoundDirectory, game: number, plan: GamePlan): number[] {
    const { profile } = plan;
    const { enginePack, loose } = directory;
    const owner = { game, gameDirectory: directory.name, rootIndex: directory.rootIndex };
    const packs = directory.packs.map((pack) => ({ pack, fileList: this.#fileListOf(pack) })).filter(isPack);
    const earlier = enginePack ? undefined : this.#samePacks(packs, game, profile);
    const loadOrders = earlier ?? loadOrdersOf(packs, profile, directory, filledPack(plan, directory));
    const ignoredFolders = new Map(profile.packFolders.map(({ name, ignored }) => [name, ignored]));
    const sources = packs.map(({ pack, fileList }, index) => {
      const folder = basename(pack.folder);
      const ofFolder = ignoredFolders.get(profile.foldDirectories ? folder.toLowerCase() : folder) ?? null;
      return this.#add(packOrigin(owner, pack, loadOrders[index] ?? unfinished(), ofFolder), fileList);
    });
    const files = this.#packFilesOf(sources, game);
    const added = sources.map(({ id }) => id);
    if (enginePack) {
      const fileList = this.#fileListOf(enginePack);
      // QuakeSpasm's COM_LoadPackFile ignores a pack without members.
      const ignored = fileListFailure(fileList) ?? (fileListLength(fileList) === 0 ? "it has no files" : null) ??
        missingBefore(profile, loadOrders);
      const loadOrder = { ...enginePackOrder(profile, directory.lists), ignored };
      added.push(this.#add(packOrigin(owner, enginePack, loadOrder), fileList).id);
    }
    if (!loose) return added;
    const { path, name } = directory;
    const place = { path, name, folder: "", group: -1, order: 0, ignored: null };
    const source = this.#add({ ...owner, ...place, kind: "loose" }, loose);
    // The names in lists that were not read again are unchanged. Multi-file packs have further files.
    const isKept = earlier?.[0]?.id === sources[0]?.id &&
      [...earlier ?? [], ...sources].every(({ byteLayout }) => byteLayout === null);
    const before = earlier && isKept && loose.kind !== "read" ? loose.source : null;
    this.#packFiles.push({ game, loose: source, before, packs: files });
    return [...added, source.id];
  }

  /** Records the files in packs that are packs. Returns loose files that are packs, with their source numbers. */
  #packFilesOf(sources: readonly Source[], game: number): ReadonlyMap<string, number> {
    const directories = new Map<string, Source>();
    const files = new Map<string, number>();
    for (const source of sources) {
      const { id, name, folder, format, byteLayout } = source;
      if (format === "pk3dir") directories.set(name, source);
      if (isTypedWad(format)) continue;
      const around = directories.get(folder);
      if (around) this.#packFiles.push({ game, loose: around, before: null, packs: new Map([[name, id]]) });
      for (const { member, format: inner, rank } of byteLayout?.nested ?? []) {
        if (rank === undefined || isTypedWad(inner)) continue;
        this.#nestedPacks.push({ game, entry: source.firstEntry + member, source });
      }
      const prefix = folder === "" ? "" : `${folder}/`;
      for (const file of [name, ...partPaths(byteLayout).map((path) => basename(path))]) files.set(prefix + file, id);
    }
    return files;
  }

  /**
   * Returns the packs of a game directory in an earlier index, if they are the same and their load order cannot differ.
   */
  #samePacks(packs: readonly ListedPack[], game: number, profile: Profile): Source[] | undefined {
    const index = this.#earlier;
    const hasLists = profile.loadList !== null || profile.packs.some(({ kind }) => kind === "listed");
    if (!index || hasLists) return undefined;
    const before: Source[] = [];
    for (const { pack, fileList } of packs) {
      const source = index.source(game, profile, "pack", pack.path);
      const isAlike = source?.format === fileListFormat(fileList) && source.failure === fileListFailure(fileList) &&
        source.entryCount === 0 === (fileListLength(fileList) === 0);
      if (!isAlike || source.id !== (before[0]?.id ?? source.id) + before.length) return undefined;
      before.push(source);
    }
    const [first] = before;
    if (!first) return undefined;
    const { sources } = index.snapshot;
    const isBeside = (source: Source | undefined) =>
      source?.kind === "pack" && source.game === first.game && source.gameDirectory === first.gameDirectory &&
      source.rootIndex === first.rootIndex;
    return isBeside(sources[first.id - 1]) || isBeside(sources[first.id + before.length]) ? undefined : before;
  }

  #fileListOf(pack: FoundPack): FileList {
    const fileList = this.#fileLists.get(pack) ?? pack.fileList;
    if (fileList) return fileList;
    throw new RangeError(`Cannot index ${pack.path}: it was not read`);
  }

  #add(origin: SourceOrigin, fileList: FileList): Source {
    const source = this.#sourceFrom(origin, fileList);
    if (fileList.kind === "kept") this.#kept.set(source.id, fileList.source);
    this.#added.set(source.id, source);
    return source;
  }

  #sourceFrom(origin: SourceOrigin, fileList: FileList): Source {
    if (fileList.kind === "read") {
      const { format, identity, failure, readAt, table, recovery = null } = fileList;
      const byteLayout = byteLayoutOf(origin.path, identity, table);
      const description = { ...origin, format, identity, byteLayout, failure, readAt, recovery };
      return this.#builder.addSource(description, table);
    }
    const { kind, source } = fileList;
    if (this.#keepsNumbers) {
      return kind === "kept" ? this.#builder.addKept(source, origin) : this.#builder.addPatched(fileList, origin);
    }
    const { identity, readAt } = kind === "patched" ? fileList : source;
    const table = this.#earlier?.tableOf(fileList) ?? unfinished();
    return this.#builder.addSource({ ...source, ...origin, identity, readAt }, table);
  }

  /** Loose files at the top level of a game directory that are packs on its search path. */
  #packEntries(snapshot: Snapshot, game: number): Map<number, number> {
    const { entryNodes, nodeFolds, candidateStarts, candidates } = snapshot.columns;
    const entries = new Map<number, number>();
    // Engines also read WADs as files.
    for (const { game: owner, entry, source } of this.#nestedPacks) if (owner === game) entries.set(entry, source.id);
    const earlier = this.#earlier;
    for (const { game: owner, loose, before, packs } of this.#packFiles) {
      if (owner !== game) continue;
      if (before) {
        const end = before.firstEntry + before.entryCount;
        for (const [entry, pack] of earlier?.game(game)?.packEntries ?? []) {
          const isLoose = entry >= before.firstEntry && entry < end;
          if (isLoose) entries.set(entry - before.firstEntry + loose.firstEntry, pack);
        }
        continue;
      }
      for (const [name, pack] of packs) {
        const node = snapshot.findNode(name, false);
        if (node === none) continue;
        const fold = at(nodeFolds, node);
        const end = at(candidateStarts, fold + 1);
        for (let position = at(candidateStarts, fold); position < end; position++) {
          const entry = at(candidates, position);
          const isLoose = entry >= loose.firstEntry && entry < loose.firstEntry + loose.entryCount;
          if (isLoose && at(entryNodes, entry) === node) entries.set(entry, pack);
        }
      }
    }
    return entries;
  }
}

/** A pack and its list of files. */
interface ListedPack {
  readonly pack: FoundPack;
  readonly fileList: FileList;
}

/** Returns the load orders of the packs of a game directory; a list of files orders itself. */
function loadOrdersOf(
  packs: readonly ListedPack[],
  profile: Profile,
  { lists, innerLists }: FoundDirectory,
  filled: string | null,
): readonly LoadOrder[] {
  const files = packs.map(({ pack: { name, folder, identity: { mtime } }, fileList }) => {
    const [format, failure] = [fileListFormat(fileList), fileListFailure(fileList)];
    return { name, folder, isDirectory: format === "pk3dir", format, files: fileListLength(fileList), failure, mtime };
  });
  return profile.loadList
    ? files.map(({ failure }) => ({ group: 0, order: 0, ignored: failure }))
    : orderAll(profile, files, lists, innerLists, filled);
}

function belowOf({ below }: GamePlan, name: string): Pick<GameDirectory, "below"> {
  const names = below?.get(name);
  return names ? { below: names } : {};
}

function placeOf(directory: string, rootIndex: number, pack: string | null): string {
  return JSON.stringify([directory, rootIndex, pack]);
}

/**
 * Returns the problems of the plan, then of each source (why it could not be read, or which files were omitted), then
 * of each game.
 */
export function indexProblems(plan: ScanPlan, { snapshot, games }: Pick<IndexedGames, "snapshot" | "games">): string[] {
  const misspelled = plan.games.flatMap(({ archive, profile, base, roots, directories }) =>
    archive ? [] : spellingProblems(
      profile,
      base,
      roots,
      directories.map(({ path, packs }) => ({ path, names: packs.map(({ name }) => name) })),
    )
  );
  return [
    ...plan.problems,
    ...misspelled,
    ...snapshot.sources.flatMap(sourceProblems),
    ...games.flatMap((game) => addonProblems(snapshot, game)),
  ];
}

/** Returns the problems of one source, one message each. */
export function sourceProblems({ path, kind, failure, warnings }: Source): readonly string[] {
  if (failure !== null) return [failure.includes(path) ? failure : `${path}: ${failure.replace(/^it is /, "is ")}`];
  return warnings.filter((warning) => kind === "loose" || isOmission(warning)).map((warning) => `${path}: ${warning}`);
}

/**
 * @param ofFolder Reason why nothing in its folder is loaded, or null.
 */
function packOrigin(
  { game, gameDirectory, rootIndex }: Pick<Source, "game" | "gameDirectory" | "rootIndex">,
  { path, name, folder }: FoundPack,
  { group, order, ignored, inner }: LoadOrder,
  ofFolder: string | null = null,
): SourceOrigin {
  const why = ignored ?? ofFolder;
  return {
    game,
    gameDirectory,
    rootIndex,
    kind: "pack",
    path,
    name,
    folder,
    group,
    order,
    ignored: why,
    ...inner ? { inner } : {},
  };
}

/** Returns whether a file is a pack instead of another file with the extension of packs. */
export function isPack({ pack, fileList }: ListedPack): boolean {
  return pack.isCertain || fileList.kind !== "read" || fileList.format !== "unknown";
}

/**
 * Returns the profile of a single archive: among members with equal names it shows the one that the format's engine
 * uses.
 * @param format Name of the archive's format.
 */
export function archiveProfile(profile: Profile, format: string): Profile {
  const duplicates = formatNamed(format)?.duplicates ?? "last";
  const others = profile.rules.filter((rule) => !rule.endsWith("-in-pack") && rule !== "last-stored");
  return { ...profile, duplicates, rules: [...others, `${duplicates}-in-pack`] };
}
