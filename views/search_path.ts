/**
 * The search path of a view: its sources in the engine's order, and the reasons why other sources are not used.
 * @module
 */
import { compileGlob } from "../formats/parts.ts";
import { packRefusal } from "./strict_limits.ts";
import {
  directoryNameOf,
  type Game,
  hasNestedPacks,
  isDirectorySource,
  leftOutPacks,
  packChecksum,
  type Snapshot,
  type Source,
} from "../index/mod.ts";
import { isChosen } from "./choices.ts";
import { directoryAround } from "./companions.ts";
import { type PureList, resolvePureList } from "./pure_list.ts";
import {
  type Candidate,
  candidateOrder,
  decide,
  type Dependencies,
  type InactiveLevel,
  modLevels,
  pakNameOf,
  pathInDirectory,
  type SourceRank,
} from "../engines/mod.ts";
import type { ViewSettings } from "./view_settings.ts";

/** Parts of a search path. */
export interface SearchPathParts {
  readonly snapshot: Snapshot;
  readonly game: Game;
  /** Name of the view, for sentences. */
  readonly view: string;
  /** Game directories, the first searched first. */
  readonly gameDirectories: readonly string[];
  readonly settings: ViewSettings;
  /** Numbers of the sources that are searched, the first searched first, if the game lists them; else null. */
  readonly list: readonly number[] | null;
}

/** Folder in which Quake III's descendants store packs from servers. */
const downloadsFolder = "downloads";

/**
 * Returns whether a source lies in a game directory that is spelled otherwise than the one it counts to. Spellings of the
 * directory that is searched in every view are all alike: FS_ConfigureLookupResource of Chomenor's fs_lookup.c 143.
 */
export function isSpelledOtherwise({ profile }: Game, source: Source): boolean {
  const { foldDirectories, overrideDirectory } = profile;
  return foldDirectories && directoryNameOf(source) !== source.gameDirectory &&
    source.gameDirectory.toLowerCase() !== overrideDirectory?.toLowerCase();
}

/** Returns the reason why a source that no pack on the path needs is not searched, as a clause. */
function notLoaded(source: Source, instead: Source | undefined, { base, file, legacy }: Dependencies): string {
  const { kind, name } = source;
  if (kind === "loose") return "loose files are not searched";
  if (instead) return `${name} is not loaded: of packs of one name one is loaded, and ${instead.name} is chosen`;
  const word = pakNameOf(pathInDirectory(source), legacy)?.name;
  const hint = word === undefined ? "" : `; ":with=${word}" after the name of a view loads what that name means`;
  return `${name} is not loaded: neither ${base} nor what it needs names it in ${file}${hint}`;
}

function chooseHint({ name }: Source): string {
  return `; ":with=${name.replace(/\.[^.]*$/, "")}" after the name of a view chooses it`;
}

const innerSources = new WeakMap<Source, Source>();

/** Returns a source with the search position of its inner packs. */
export function innerSource(source: Source): Source {
  if (!source.inner || !hasNestedPacks(source)) return source;
  return innerSources.getOrInsertComputed(source, () => ({ ...source, ...source.inner }));
}

/** The ordered sources of a view. */
export class SearchPath {
  /** Usable sources, first searched first. */
  readonly sources: readonly Source[];
  /** Source numbers, first searched first; twice for a pack whose inner packs are searched later. */
  readonly order: readonly number[];
  /** For each source by number: the first source with which it ties, so that only offsets of members decide. */
  readonly ties: ReadonlyMap<number, number>;
  /** The pure list, or null. */
  readonly pure: PureList | null;
  /** The pack of the current map, or null. */
  readonly mapPack: Source | null;
  readonly #parts: SearchPathParts;
  readonly #listPositions: ReadonlyMap<number, number> | null;
  readonly #inactive: InactiveLevel;
  readonly #ranks: ReadonlyMap<number, number>;
  readonly #mayBeLoose: (name: string) => boolean;
  /** Numbers of optional packs that are searched: chosen ones, and their dependencies. */
  #called: ReadonlySet<number>;

  constructor(parts: SearchPathParts) {
    const { game, settings } = parts;
    const { pure, inactive } = game.profile;
    this.#parts = parts;
    const { list } = parts;
    this.#listPositions = list === null ? null : new Map(list.map((id, position): [number, number] => [id, position]));
    this.#inactive = settings.inactive ?? inactive ?? 0;
    this.pure = settings.pure === null
      ? null
      : resolvePureList(parts.snapshot, game, settings.pure, parts.gameDirectories);
    const allowed = (pure?.loose ?? []).map((pattern) => compileGlob(pattern, { ignoreCase: true }));
    this.#mayBeLoose = (name) => allowed.some((matches) => matches(name));
    this.mapPack = null;
    this.#called = this.#choosable();
    this.#called = this.#calledFor();
    this.sources = this.#ordered();
    if (settings.map !== null) {
      this.mapPack = this.#packOfMap(settings.map);
      this.sources = this.#ordered();
    }
    this.order = this.#inOrder();
    this.ties = this.#tied();
    this.#ranks = new Map(this.sources.map((source, rank) => [source.id, rank]));
  }

  /** Returns whether a source is on the path. */
  has(source: number): boolean {
    return this.#ranks.has(source);
  }

  /** Returns the rank of a source, including sources outside the path. */
  rankOf(source: Source): SourceRank {
    const { game, gameDirectories, settings } = this.#parts;
    const own = gameDirectories.indexOf(source.gameDirectory);
    const outer = own < 0 ? undefined : directoryAround(game, source.gameDirectory);
    const index = outer === undefined ? own : gameDirectories.indexOf(outer);
    const isBaseGame = gameDirectories.length - index <= settings.bases.length;
    const isOverride = this.#isOverride(source) && index < 0;
    const modLevel = isOverride
      ? modLevels.override
      : index < 0
      ? modLevels.inactive
      : source.gameDirectory === game.base
      ? modLevels.base
      : modLevels.current;
    const isOrdinary = modLevel < modLevels.override;
    return {
      gameDirectoryRank: index < 0
        ? gameDirectories.length
        : isBaseGame
        ? gameDirectories.length - settings.bases.length
        : index,
      isBelowInRoot: outer !== undefined,
      baseRank: isBaseGame ? index : 0,
      listPosition: this.#listPositions?.get(source.id) ?? 0,
      purePosition: this.pure?.position(source) ?? Number.POSITIVE_INFINITY,
      modLevel,
      // An engine without a directory above all ranks the packs of every mod alike.
      coreRank: isOrdinary || game.profile.overrideDirectory === null ? this.#coreRank(source) : 0,
      isMapPack: isOrdinary && source === this.mapPack,
      isDownload: source.folder.split("/").at(-1)?.toLowerCase() === downloadsFolder,
    };
  }

  #isOverride({ gameDirectory }: Source): boolean {
    const { overrideDirectory, foldDirectories } = this.#parts.game.profile;
    return gameDirectory === overrideDirectory ||
      (foldDirectories && gameDirectory.toLowerCase() === overrideDirectory?.toLowerCase());
  }

  /**
   * Returns the reason why a source is not on the path, as a clause; null if it is, or if the engine never loads it.
   */
  absence(source: Source): string | null {
    const { game, view, gameDirectories } = this.#parts;
    const { engine, inactive } = game.profile;
    const { gameDirectory } = source;
    if (!gameDirectories.includes(gameDirectory) && !this.#isOverride(source)) {
      if (inactive === null) return `${gameDirectory} is not on the search path of ${view}`;
      const isReadable = this.#inactive === 2 ||
        (this.#inactive === 1 && (this.#coreRank(source) > 0 || this.pure?.lists(source) === true));
      if (!isReadable) {
        const some = this.#inactive === 1 ? " only packs that come with the game or are on a pure list" : " nothing";
        return `${gameDirectory} is not the current mod, and of other mods ${engine} reads${some}`;
      }
    }
    if (this.#listPositions?.has(source.id) === false) {
      const { dependencies } = game.profile;
      if (dependencies) return notLoaded(source, this.#chosenInstead(source, dependencies), dependencies);
      return game.profile.loadList
        ? `${source.name} is not among the files that are loaded`
        : `${source.name} is not among the search paths that ${game.profile.sourceList} of ${view} names`;
    }
    const leftOut = leftOutPacks(this.#parts.snapshot, game).get(source.id);
    if (leftOut && !this.#called.has(source.id)) {
      return leftOut.because + (leftOut.choice ? chooseHint(source) : "");
    }
    const beyond = packRefusal(game, source);
    if (beyond !== null || this.pure === null || source.kind === "loose") return beyond;
    if (isDirectorySource(source)) return `${source.name} is a directory, which a pure server never allows`;
    return this.pure.lists(source) ? null : `${source.name} is not on the pure list`;
  }

  /** Returns the reason why a loose file with that name cannot be used on a pure server, as a clause, or null. */
  looseAbsence(source: Source, name: string): string | null {
    if (this.pure === null || source.kind !== "loose" || this.#mayBeLoose(name)) return null;
    const { loose } = this.#parts.game.profile.pure ?? { loose: [] };
    return `a pure server allows no loose files but ${loose.join(", ")}`;
  }

  /** Returns the pack on the list with the name of another. */
  #chosenInstead(source: Source, { legacy }: Dependencies): Source | undefined {
    const nameOf = (one: Source) => pakNameOf(pathInDirectory(one), legacy)?.name;
    const wanted = nameOf(source);
    return wanted === undefined ? undefined : Array.from(this.#listPositions?.keys() ?? [])
      .flatMap((id) => this.#parts.snapshot.sources[id] ?? [])
      .find((one) => nameOf(one) === wanted);
  }

  /** Returns the packs that a view can choose. */
  #choosable(): ReadonlySet<number> {
    const { snapshot, game } = this.#parts;
    const leftOut = Array.from(leftOutPacks(snapshot, game));
    return new Set(leftOut.flatMap(([id, { choice }]) => choice ? [id] : []));
  }

  /**
   * Returns the chosen packs and their dependencies: among packs with the same checksum, the one that would be searched
   * first.
   */
  #calledFor(): ReadonlySet<number> {
    const { snapshot, game, settings: { chosen } } = this.#parts;
    const called = new Set(
      Array.from(this.#called).filter((id) => {
        const source = snapshot.sources[id];
        return source !== undefined && (isChosen(source, chosen) || this.pure?.lists(source) === true);
      }),
    );
    const needs = new Map(game.addons?.map((addon) => [addon.source, addon.needs]));
    if (Array.from(needs.values()).every(({ length }) => length === 0)) return called;
    const packs = this.#ordered().filter(({ kind }) => kind === "pack");
    const byChecksum = new Map(
      packs.toReversed().flatMap((source): [number, number][] => {
        const checksum = packChecksum(snapshot, game.profile, source)?.checksum;
        return checksum === undefined ? [] : [[checksum, source.id]];
      }),
    );
    const open = packs.map(({ id }) => id).filter((id) => called.has(id));
    for (const id of open) {
      for (const checksum of needs.get(id) ?? []) {
        const other = byChecksum.get(checksum);
        if (other === undefined || called.has(other)) continue;
        called.add(other);
        open.push(other);
      }
    }
    return called;
  }

  #coreRank(source: Source): number {
    const { snapshot, game, gameDirectories } = this.#parts;
    const { corePacks } = game.profile;
    if (corePacks.length === 0) return 0;
    const ranking = corePacks.find(({ mod }) => mod !== null && gameDirectories.includes(mod)) ??
      corePacks.find(({ mod }) => mod === null);
    if (source.kind !== "pack" || !ranking) return 0;
    if (ranking.endings.some((ending) => source.name.toLowerCase().endsWith(ending))) return 1;
    const checksum = packChecksum(snapshot, game.profile, source)?.checksum;
    return checksum === undefined ? 0 : ranking.checksums.indexOf(checksum) + 1;
  }

  #ordered(): Source[] {
    const { snapshot, game } = this.#parts;
    return game.gameDirectories.flatMap((directory) => directory.sources)
      .map((id) => snapshot.sources[id])
      .filter((source) => source !== undefined)
      .filter((source) => source.ignored === null && this.absence(source) === null)
      .map((source) => this.#candidate(source))
      .sort(candidateOrder(game.profile.rules))
      .map((candidate) => candidate.source);
  }

  #inOrder(): number[] {
    const inner = this.sources.map(innerSource).filter((source) => !this.sources.includes(source));
    if (inner.length === 0) return this.sources.map(({ id }) => id);
    return [...this.sources, ...inner].map((source) => this.#candidate(source))
      .sort(candidateOrder(this.#parts.game.profile.rules)).map(({ source }) => source.id);
  }

  #candidate(source: Source): Candidate<Source> {
    return {
      ...this.rankOf(source),
      source,
      entry: source.firstEntry,
      offset: 0,
      // Among equivalent game directories, the spelling that was found first.
      isAsked: true,
    };
  }

  #tied(): ReadonlyMap<number, number> {
    const { rules } = this.#parts.game.profile;
    const before = rules.slice(0, rules.indexOf("last-stored"));
    const ties = new Map<number, number>();
    if (!rules.includes("last-stored")) return ties;
    for (const [index, source] of this.sources.entries()) {
      const above = this.sources[index - 1];
      if (above?.format !== "zip" || source.format !== "zip") continue;
      const { rule } = decide(before, this.#candidate(above), this.#candidate(source));
      if (rule === "index-order") ties.set(source.id, ties.get(above.id) ?? above.id);
    }
    return ties;
  }

  /** Returns the pack from which the map's file would be loaded, if it is in one. */
  #packOfMap(map: string): Source | null {
    const { snapshot, game } = this.#parts;
    const node = snapshot.findNode(`maps/${map}.bsp`, true);
    const holders = new Set(snapshot.candidatesOf(node, true).map((entry) => snapshot.sourceOf(entry)));
    const first = this.sources.find((source) => holders.has(source));
    return first?.kind === "pack" && first.game === game.id ? first : null;
  }
}
