/**
 * A view: game directories over their base, resolved by the profile's rules. The tree is resolved on first use.
 *
 * A tree that the session has resolved is sent to the main thread with shared columns (`View.adopt`), so that the first
 * query need not resolve it again. The columns of listed nodes are never written to.
 * @module
 */
import {
  at,
  type Game,
  type GameDirectory,
  isDirectorySource,
  none,
  type Snapshot,
  type Source,
} from "../index/mod.ts";
import { fileRefusal } from "./strict_limits.ts";
import { baseOnlyEntries, findsLoose, looseOnlyEntries, looseOnlyReason, looseOnlyRules } from "./loose_files.ts";
import { isUnlisted, listReason, openedSources, unlistedEntries, unlistedReason } from "./loose_list.ts";
import { acceptedDamage, isBroken, methodReason, skippedEntries } from "./member_methods.ts";
import { memberNameReason, misnamedEntries } from "./member_names.ts";
import { type Candidate, candidateOrder, decide } from "../engines/mod.ts";
import { aliasEntries, aliasFiles, aliasNodes, aliasReason } from "./aliases.ts";
import { Tree, type TreeParts } from "./tree.ts";
import { requestedPath, type TreeRule } from "./tree_rule.ts";
import { plainSettings, settingsText, type ViewSettings } from "./view_settings.ts";
import { isFoundByBinarySearch } from "./met_in_pack.ts";
import { unknownChoice } from "./choices.ts";
import { withCompanions } from "./companions.ts";
import { type Lumps, lumpsOf } from "./lumps.ts";
import type { PureList } from "./pure_list.ts";
import { innerSource, isSpelledOtherwise, SearchPath } from "./search_path.ts";
import { ViewError } from "./view_error.ts";
import { whiteouts } from "./whiteouts.ts";

/** Separator between the names of stacked game directories in a view's name. */
export const stackSign = "+";

/** Returns the name of the view of `mods`: each name once, in stacking order, without the base. */
export function viewName(game: Game, mods: readonly GameDirectory[], settings: ViewSettings = plainSettings): string {
  const names = stacked(game, mods).map((directory) => directory.name);
  return `${game.name}/${names.length === 0 ? game.base : names.join(stackSign)}${settingsText(settings)}`;
}

/** Mods in the engine's stacking order, the last searched first: mission packs in their own order below all others. */
function stacked(game: Game, mods: readonly GameDirectory[]): GameDirectory[] {
  const distinct = Array.from(new Set(mods)).filter((directory) => directory.name !== game.base);
  const rank = (directory: GameDirectory) => {
    const index = game.profile.missionPacks.indexOf(directory.name);
    return index < 0 ? game.profile.missionPacks.length : index;
  };
  return distinct.sort((a, b) => rank(a) - rank(b));
}

/** One resolved tree of a game, named `game/gamedirectory`, or `game/a+b` if several are stacked. */
export class View {
  readonly name: string;
  readonly snapshot: Snapshot;
  readonly game: Game;
  readonly settings: ViewSettings;
  /** The requested game directories. */
  readonly mods: readonly GameDirectory[];
  /** The game directory that is searched first. */
  readonly gameDirectory: GameDirectory;
  /** Names of the game directories that are searched, first searched first. */
  readonly gameDirectories: readonly string[];
  /** Whether this is the game without a mod. */
  readonly isBase: boolean;
  readonly #path: SearchPath;
  /** Whether inner archives are shown as directories in place of their files. */
  readonly #loaded = new Map<number, boolean>();
  /** The decisions of a list of files, if the engine loads one. */
  readonly #lumps: Lumps | undefined;
  #tree: Tree | undefined;
  #whiteouts: ReadonlyMap<number, string> | undefined;

  /**
   * The view of `mods`, the last of them searched first, over the base.
   * @throws {ViewError} if the game's engine has no such settings.
   */
  constructor(
    snapshot: Snapshot,
    game: Game,
    mods: readonly GameDirectory[],
    asked: ViewSettings = plainSettings,
  ) {
    this.name = viewName(game, mods, asked);
    requireSettings(this.name, snapshot, game, asked);
    const settings = inEffect(game, asked);
    const played = stacked(game, mods);
    const basesAsked = baseGames(this.name, game, asked.bases);
    const below = basesAsked.length > 0 ? basesAsked : played.at(-1)?.below ?? [game.base];
    const bases = below.flatMap((name) => game.gameDirectories.find((directory) => directory.name === name) ?? []);
    const stack = [...bases, ...played.filter((directory) => !bases.includes(directory))];
    const top = stack.at(-1);
    if (!top) throw new RangeError(`Cannot make a view of ${game.name}: it has no game directory`);
    this.snapshot = snapshot;
    this.game = game;
    this.settings = asked;
    this.isBase = top.name === game.base || basesAsked.includes(top.name);
    this.mods = mods;
    this.gameDirectory = top;
    const listed = top.list?.filter(({ choice }) => choice === null || settings.chosen.includes(choice));
    const list = listed ? Array.from(new Set(listed.map(({ source }) => source))) : null;
    this.gameDirectories = list
      ? directoriesOf(snapshot, list)
      : withCompanions(game, stack.map((directory) => directory.name), settings.chosen).reverse();
    this.#path = new SearchPath({
      snapshot,
      game,
      view: this.name,
      gameDirectories: this.gameDirectories,
      settings: { ...settings, bases: basesAsked },
      list,
    });
    this.#lumps = lumpsOf(this);
  }

  /** Usable sources, first searched first. */
  get searchPath(): readonly Source[] {
    return this.#path.sources;
  }

  /** The pure list of the view's settings, or null. */
  get pure(): PureList | null {
    return this.#path.pure;
  }

  /** The resolved tree; computed on first use. */
  get tree(): Tree {
    this.#tree ??= new Tree(this.snapshot, this.treeRule());
    return this.#tree;
  }

  /** Bytes of the tree; 0 before it is resolved. */
  get treeBytes(): number {
    return this.#tree?.byteLength ?? 0;
  }

  /** Adopts the tree that another thread has resolved, unless this thread has already resolved it. */
  adopt(parts: TreeParts): void {
    this.#tree ??= new Tree(this.snapshot, this.treeRule(), parts);
  }

  /** Returns the rules that determine the tree. */
  treeRule(): TreeRule {
    const { ignoreCase, duplicates, looseCase, rules } = this.game.profile;
    const looseOnly = looseOnlyRules(this);
    const decided = candidateOrder(rules);
    const spelled = (entry: number, asked: number): Candidate<Source> => ({
      ...this.candidate(entry),
      isAsked: this.snapshot.columns.entryNodes[entry] === asked &&
        !isSpelledOtherwise(this.game, this.snapshot.sourceOf(entry)),
    });
    return {
      searchPath: this.#path.order,
      ignoreCase,
      duplicates,
      looseCase,
      ...(ignoreCase && !this.#lumps ? { order: (a, b, asked) => decided(spelled(a, asked), spelled(b, asked)) } : {}),
      ...(ignoreCase && looseOnly.length > 0 ? { looseOnly } : {}),
      ...(this.game.profile.looseList === null ? {} : { looseList: this.#looseList() }),
      ...this.#backslash,
      ties: this.#path.ties,
      acceptedDamage: acceptedDamage(this.game.profile),
      hidden: this.#hiddenEntries(),
      ...this.#substitutes(),
      ...(this.pure === null && !this.game.strict && !this.game.nested
        ? {}
        : { refuses: (entry: number) => this.refusal(entry) !== null }),
    };
  }

  #looseList(): NonNullable<TreeRule["looseList"]> {
    const opened = openedSources(this);
    const unlisted = unlistedEntries(this).filter((entry) => opened.includes(this.snapshot.sourceOf(entry)));
    return { opened: opened.map(({ id }) => id), unlisted: new Set(unlisted) };
  }

  get #backslash(): Pick<TreeRule, "backslash"> {
    return this.game.profile.memberNames?.backslash ? { backslash: true } : {};
  }

  /** Returns a requested path as the engine reads it. */
  requestedPath(path: string): string {
    return requestedPath(this.#backslash, path);
  }

  /** Returns the entries that answer a path of another directory than their own. */
  #substitutes(): Pick<TreeRule, "substitutes" | "aliases"> {
    const order = candidateOrder(this.game.profile.rules);
    const inOrder = (entries: readonly number[]) => entries.map((entry) => this.candidate(entry)).sort(order);
    const aliases = aliasFiles(this, (entries) => inOrder(entries)[0]?.entry);
    if (!this.#lumps && !aliases) return {};
    const substitutes = new Map<number, number>();
    for (const node of [...this.#lumps?.sharedNodes() ?? [], ...aliasNodes(this)]) {
      const asked = this.snapshot.pathOf(node);
      const [first] = inOrder(this.candidatesOf(node, asked).filter((entry) => this.couldReplace(entry, asked)));
      if (first && this.snapshot.columns.entryNodes[first.entry] !== node) substitutes.set(node, first.entry);
    }
    return { substitutes, ...aliases ? { aliases } : {} };
  }

  /**
   * Returns the files that may answer a path: those that have it, lumps of WADs that answer for it, and loose files of
   * another name that the engine opens for it.
   * @param node Node of the path, or {@linkcode none}.
   * @param asked The path that is requested, where files of another name count too.
   */
  candidatesOf(node: number, asked = ""): number[] {
    const own = this.snapshot.candidatesOf(node, true);
    const others = [...this.#lumps?.sharedCandidates(node) ?? [], ...aliasEntries(this, asked)];
    return others.length === 0 ? own : Array.from(new Set([...own, ...others]));
  }

  /** Returns whether a source is on the search path. */
  searches(source: number): boolean {
    return this.#path.has(source);
  }

  /**
   * Returns the reason why a source is not on the search path, as a clause; null if it is, or if the engine never loads
   * it.
   */
  absence(source: Source): string | null {
    return this.#path.absence(source);
  }

  /**
   * Returns the reason why a file of a source on the search path cannot be used, because of its name, a pure list or
   * strict limits; or null.
   */
  refusal(entry: number): string | null {
    const source = this.snapshot.sourceOf(entry);
    if (this.#lumps) return this.#lumps.refusal(entry);
    const deleted = this.#deleted().get(entry);
    if (deleted !== undefined) return deleted;
    const misnamed = memberNameReason(this.snapshot, this.game.profile, source, entry);
    if (misnamed !== null) return misnamed;
    if (isUnlisted(this, entry) && !openedSources(this).includes(source)) return unlistedReason(this);
    const skipped = methodReason(this.snapshot, this.game.profile, entry);
    if (skipped !== null) return skipped;
    const isShown = source.byteLayout !== null && this.snapshot.nestedPackOf(entry) === undefined;
    const around = isShown ? this.snapshot.archiveOf(entry) : none;
    if (around !== none && !this.#loads(around)) {
      return `${this.snapshot.memberOf(around)} of ${source.name} is not the one that is loaded`;
    }
    const beyond = fileRefusal(this.game, this.snapshot, source, entry);
    if (beyond !== null || this.pure === null || source.kind !== "loose") return beyond;
    return this.#path.looseAbsence(source, this.snapshot.nameOf(at(this.snapshot.columns.entryNodes, entry)));
  }

  /** Returns whether an entry is a pack that is itself searched, and therefore no file of the view. */
  hides(entry: number): boolean {
    const pack = this.game.packEntries.get(entry);
    return pack !== undefined && this.searches(pack);
  }

  /** Returns whether the engine finds an entry with the spelling `asked`, which differs from its own only in case. */
  finds(entry: number, asked: string): boolean {
    const { ignoreCase, looseCase } = this.game.profile;
    if (ignoreCase && !isDirectorySource(this.snapshot.sourceOf(entry))) return true;
    if (aliasEntries(this, asked).includes(entry)) return true;
    const path = this.snapshot.pathOf(at(this.snapshot.columns.entryNodes, entry));
    return findsLoose(ignoreCase ? looseCase : "own", path, asked);
  }

  /** Whether no file answers another path than its own. */
  get hasOwnPathsOnly(): boolean {
    return !this.#lumps && this.game.profile.aliases.length === 0;
  }

  /** Returns the usable files that lost to the winner of a path requested as `asked`; damaged files are not usable. */
  losersTo(winner: number, asked: string): number[] {
    const { snapshot, game: { profile } } = this;
    const candidates = this.hasOwnPathsOnly
      ? snapshot.candidatesOf(at(snapshot.columns.entryNodes, winner), profile.ignoreCase)
      : this.candidatesOf(snapshot.unclashed(snapshot.findNode(asked, true)), asked);
    return candidates.filter((entry) => entry !== winner && this.couldReplace(entry, asked));
  }

  /** Returns whether the engine uses an entry, either valid or with damage that it notices only when reading. */
  takes(entry: number): boolean {
    const damage = at(this.snapshot.columns.entryDamage, entry);
    return !isBroken(damage, { acceptedDamage: acceptedDamage(this.game.profile) });
  }

  /** Returns whether a file would be usable instead of the winner when its path is requested as `asked`. */
  couldReplace(entry: number, asked: string): boolean {
    return this.isUsable(entry, asked) && this.finds(entry, asked) && aliasReason(this, entry, asked) === null &&
      listReason(this, entry, asked) === null;
  }

  /** Returns whether a file is usable when its path is requested as `asked`, ignoring its spelling. */
  isUsable(entry: number, asked: string): boolean {
    const { entrySources } = this.snapshot.columns;
    if (!this.takes(entry) || !this.searches(at(entrySources, entry))) return false;
    if (this.snapshot.isDirectory(entry) || this.hides(entry) || this.refusal(entry) !== null) return false;
    return looseOnlyReason(this, this.snapshot.sourceOf(entry), asked) === null;
  }

  /**
   * Returns an entry for comparison by rules. Game directories outside the search path rank last.
   * @param asked The requested path, if its spelling matters.
   */
  candidate(entry: number, asked?: string): Candidate<Source> {
    const source = this.snapshot.sourceOf(entry);
    const { entryNodes, entryOffsets } = this.snapshot.columns;
    const nestedPack = source.byteLayout === null ? undefined : this.snapshot.nestedPackOf(entry);
    return {
      ...this.#path.rankOf(source),
      source: nestedPack ? innerSource(source) : source,
      entry,
      ...(nestedPack ? { nestedPack } : {}),
      offset: at(entryOffsets, entry),
      ...this.game.profile.duplicates === "met"
        ? { isMet: () => isFoundByBinarySearch(this.snapshot, source, entry) }
        : {},
      isAsked: !isSpelledOtherwise(this.game, source) &&
        (asked === undefined || this.snapshot.pathOf(at(entryNodes, entry)) === asked),
    };
  }

  /** Returns whether a file is the winner of its path: inner archives are shown as directories only next to it. */
  #loads(entry: number): boolean {
    return this.#loaded.getOrInsertComputed(entry, () => this.#isWinner(entry));
  }

  #isWinner(entry: number): boolean {
    const { ignoreCase, rules } = this.game.profile;
    const node = at(this.snapshot.columns.entryNodes, entry);
    const asked = this.snapshot.pathOf(node);
    const others = this.snapshot.candidatesOf(node, ignoreCase)
      .filter((other) => other !== entry && this.couldReplace(other, asked));
    const own = this.candidate(entry);
    return this.couldReplace(entry, asked) &&
      others.every((other) => decide(rules, own, this.candidate(other)).order < 0);
  }

  /** Returns the reasons why entries that a pack hides are missing. */
  #deleted(): ReadonlyMap<number, string> {
    this.#whiteouts ??= whiteouts(this.snapshot, this.game, this.searchPath);
    return this.#whiteouts;
  }

  #hiddenEntries(): ReadonlySet<number> {
    const packs = Array.from(this.game.packEntries.keys()).filter((entry) => this.hides(entry));
    const looseOnly = this.game.profile.ignoreCase ? [] : looseOnlyEntries(this);
    const hidden = new Set(packs);
    const refused = [
      this.#deleted().keys(),
      looseOnly,
      baseOnlyEntries(this),
      unlistedEntries(this).filter((entry) => !openedSources(this).includes(this.snapshot.sourceOf(entry))),
      this.#lumps?.refused() ?? [],
      misnamedEntries(this.snapshot, this.game),
      skippedEntries(this.snapshot, this.game),
    ];
    for (const entries of refused) for (const entry of entries) hidden.add(entry);
    return hidden;
  }
}

/** Returns the settings of a view, merged with those of its game. */
function inEffect({ chosen = [] }: Game, settings: ViewSettings): ViewSettings {
  return chosen.length === 0 ? settings : { ...settings, chosen: [...chosen, ...settings.chosen] };
}

/**
 * Returns the base games of a view, the first searched last: the game's own is the first unless it is given.
 * @throws {ViewError} if one is unknown.
 */
function baseGames(view: string, { base, gameDirectories }: Game, wanted: readonly string[]): string[] {
  if (wanted.length === 0) return [];
  const known = gameDirectories.map(({ name }) => name);
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new ViewError(`${view}: unknown game directory ${unknown}`, known);
  return Array.from(new Set(wanted.includes(base) ? wanted : [base, ...wanted]));
}

/** Returns the names of the sources' directories, the first searched first. */
function directoriesOf(snapshot: Snapshot, list: readonly number[]): string[] {
  return Array.from(new Set(list.flatMap((id) => snapshot.sources[id]?.gameDirectory ?? [])));
}

/** Rejects settings that the engine does not have, which would otherwise be ignored silently. */
function requireSettings(view: string, snapshot: Snapshot, game: Game, asked: ViewSettings): void {
  const { profile } = game;
  const { pure, map, inactive, chosen, bases } = asked;
  const unknown = unknownChoice(snapshot, game, chosen);
  if (unknown !== null) throw new ViewError(`${view}: ${unknown}`, []);
  const problem = pure !== null && profile.pure === null
    ? "knows no pure servers"
    : map !== null && !profile.currentMap
    ? "does not prefer the pack of the map that is played"
    : inactive !== null && profile.inactive === null
    ? "never reads other mods than those on the search path"
    : bases.length > 0 && !profile.rules.includes("base-game")
    ? "has one base game"
    : null;
  if (problem !== null) throw new ViewError(`${view}: ${profile.engine} ${problem}`, []);
}
