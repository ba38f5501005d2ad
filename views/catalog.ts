/**
 * An index with its views, for queries.
 * @module
 */
import {
  type Game,
  type GameDirectory,
  hasNestedPacks,
  type IndexedGames,
  type Snapshot,
  type Source,
} from "../index/mod.ts";
import { type Profile, profileNamed, profiles, withSettings } from "../engines/mod.ts";
import { unknownChoice } from "./choices.ts";
import { isCompanion } from "./companions.ts";
import { underProfile } from "./other_profile.ts";
import { Tree } from "./tree.ts";
import { plainSettings, settingSign, splitViewName, type ViewSettings } from "./view_settings.ts";
import { stackSign, View, viewName } from "./view.ts";
import { ViewError } from "./view_error.ts";

/** Maximum number of cached views of several mods or with settings. */
const maxMade = 16;

function directoryNamed(game: Game, name: string): GameDirectory | undefined {
  return game.gameDirectories.find((directory) => directory.name === name);
}

/** Returns a message if a game's `:with=` words include an unknown one. */
function choiceProblems(snapshot: Snapshot, game: Game): string[] {
  const unknown = unknownChoice(snapshot, game, game.chosen ?? []);
  return unknown === null ? [] : [`${game.name}: ${unknown}`];
}

/** All games of one index. */
export class Catalog {
  readonly index: IndexedGames;
  readonly snapshot: Snapshot;
  readonly games: readonly Game[];
  /** Problems of indexing, and unknown words in games' settings; one message each. */
  readonly problems: readonly string[];
  /** The views of single game directories, in the order of games and game directories. */
  readonly views: readonly View[];
  /** Views of several mods or with settings, the most recently used last. */
  readonly #madeViews = new Map<string, View>();
  readonly #packTrees = new Map<number, Tree>();

  constructor(index: IndexedGames) {
    const { snapshot, games, problems } = this.index = index;
    this.snapshot = snapshot;
    this.games = games;
    this.problems = [...problems, ...games.flatMap((game) => choiceProblems(snapshot, game))];
    this.views = this.games.flatMap((game) =>
      game.gameDirectories.filter((directory) => !isCompanion(game, directory))
        .map((directory) => new View(snapshot, game, [directory], plainSettings))
    );
  }

  /** Returns the catalog of an index: `before` itself if it is for that index. */
  static following(before: Catalog | undefined, index: IndexedGames): Catalog {
    return index === before?.index ? before : new Catalog(index);
  }

  /** Bytes of the resolved trees of its views. */
  get treeBytes(): number {
    return this.views.reduce((sum, { treeBytes }) => sum + treeBytes, 0);
  }

  /**
   * Returns the view of that name. A game's name alone means its base view; no name at all means the only game's.
   * `game/a+b` stacks game directories, the last searched first; mission packs remain below mods, as in the engine.
   * After the name there can be settings: {@linkcode splitViewName}.
   * @throws {ViewError} if it is unknown, or the name is ambiguous.
   */
  view(name = ""): View {
    const exact = this.views.find((view) => view.name === name);
    if (exact) return exact;
    const sign = name.indexOf(settingSign);
    if (sign < 0) return this.#plainView(name);
    const view = this.#plainView(name.slice(0, sign));
    return this.#made(view.game, view.mods, splitViewName(name, view.game.pure).settings);
  }

  /**
   * Returns the view with that name, or undefined without a name.
   * @throws {ViewError} like {@linkcode Catalog.view}.
   */
  optionalView(name?: string): View | undefined {
    return name === undefined || name === "" ? undefined : this.view(name);
  }

  /** Returns a view without settings. */
  #plainView(name: string): View {
    if (name === "") return this.#onlyBaseView();
    const exact = this.views.find((view) => view.name === name);
    if (exact) return exact;
    const ofGame = this.views.find((view) => view.game.name === name && view.isBase);
    if (ofGame) return ofGame;
    const byDirectory = this.views.filter((view) => view.gameDirectory.name === name);
    if (byDirectory.length === 1 && byDirectory[0]) return byDirectory[0];
    const stack = name.includes(stackSign) ? this.#stack(name) : undefined;
    if (stack) return stack;
    throw new ViewError(`unknown view ${name}`, this.views.map((view) => view.name));
  }

  /** Returns the view of `game/a+b`, or of `a+b` if only one game has these; `undefined` if the game is unknown. */
  #stack(name: string): View | undefined {
    const found = this.games.find((game) => name.startsWith(`${game.name}/`));
    const parts = name.slice(found ? found.name.length + 1 : 0).split(stackSign);
    const hasAll = (game: Game) => parts.every((part) => directoryNamed(game, part));
    const candidates = found ? [found] : this.games.filter(hasAll);
    const game = candidates.length === 1 ? candidates[0] : undefined;
    if (!game) return undefined;
    const missing = parts.find((part) => !directoryNamed(game, part));
    if (missing !== undefined) {
      const suggestions = game.gameDirectories.map((directory) => `${game.name}/${directory.name}`);
      throw new ViewError(`unknown game directory ${missing} in ${game.name}`, suggestions);
    }
    return this.#made(game, parts.map((part) => directoryNamed(game, part)).filter((part) => part !== undefined));
  }

  /** Returns a cached view, or creates it. */
  #made(game: Game, mods: readonly GameDirectory[], settings?: ViewSettings): View {
    const name = viewName(game, mods, settings);
    const view = this.views.find((known) => known.name === name) ?? this.#madeViews.get(name) ??
      this.#make(game, mods, settings);
    if (this.views.includes(view)) return view;
    this.#madeViews.delete(name);
    this.#madeViews.set(name, view);
    const [oldest] = this.#madeViews.keys();
    if (this.#madeViews.size > maxMade && oldest !== undefined) this.#madeViews.delete(oldest);
    return view;
  }

  #make(game: Game, mods: readonly GameDirectory[], settings?: ViewSettings): View {
    const { profile: name, chosen } = settings ?? plainSettings;
    const profile = withSettings(this.#profile(game, name), chosen);
    if (profile === game.profile) return new View(this.snapshot, game, mods, settings);
    const placed = underProfile(this.snapshot, game, profile);
    return new View(placed.snapshot, placed.game, mods, settings);
  }

  #profile(game: Game, name: string | null): Profile {
    if (name === null || name === game.profile.name) return game.profile;
    const profile = profileNamed(name) ?? this.games.find((other) => other.profile.name === name)?.profile;
    if (profile) return profile;
    const known = [...profiles, ...this.games.map((other) => other.profile)].map((one) => one.name);
    throw new ViewError(`unknown profile ${name}`, known);
  }

  /** All packs, in the order of games and game directories. */
  get packs(): Source[] {
    return this.snapshot.sources.filter((source) => source.kind === "pack");
  }

  /** Returns the tree of a single pack, unmerged: inner packs are files. */
  packTree(source: Source): Tree {
    const refuses = (entry: number) => this.snapshot.nestedPackOf(entry) !== undefined;
    return this.#packTrees.getOrInsertComputed(source.id, () =>
      new Tree(this.snapshot, {
        searchPath: [source.id],
        ignoreCase: false,
        duplicates: this.games[source.game]?.profile.duplicates ?? "first",
        ...hasNestedPacks(source) ? { refuses } : {},
      }));
  }

  #onlyBaseView(): View {
    const bases = this.views.filter((view) => view.isBase);
    if (bases.length === 1 && bases[0]) return bases[0];
    const names = this.views.map((view) => view.name);
    throw new ViewError(
      bases.length === 0 ? "nothing is indexed" : "several games are indexed; choose a view",
      names,
    );
  }
}
