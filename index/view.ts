/**
 * A view: game directories over their base, resolved by the profile's rules. Switching views costs nothing; the tree
 * is resolved on first use.
 * @module
 */
import type { Game, GameDirectory } from "./game.ts";
import { findsLoose } from "./loose_case.ts";
import { type Contender, decide } from "./rules.ts";
import type { Snapshot } from "./snapshot.ts";
import { isDirectorySource, type Source } from "./source.ts";
import { Tree } from "./tree.ts";

/** Joins the names of game directories that are stacked in one view. */
export const stackSign = "+";

/** Name of the view of `mods`: each name once, in the order in which they are stacked, without the base. */
export function viewName(game: Game, mods: readonly GameDirectory[]): string {
  const names = stacked(game, mods).map((directory) => directory.name);
  return `${game.name}/${names.length === 0 ? game.base : names.join(stackSign)}`;
}

/** Mods as the engine stacks them, the last searched first: mission packs in their own order below all others. */
function stacked(game: Game, mods: readonly GameDirectory[]): GameDirectory[] {
  const distinct = Array.from(new Set(mods)).filter((directory) => directory.name !== game.base);
  const rank = (directory: GameDirectory) => {
    const place = game.profile.missionPacks.indexOf(directory.name);
    return place < 0 ? game.profile.missionPacks.length : place;
  };
  return distinct.sort((a, b) => rank(a) - rank(b));
}

/** One resolved tree of a game, named `game/gamedirectory`, or `game/a+b` where several are stacked. */
export class View {
  readonly name: string;
  readonly snapshot: Snapshot;
  readonly game: Game;
  /** The game directory that is searched first. */
  readonly gameDirectory: GameDirectory;
  /** Names of the game directories that are searched, first searched first. */
  readonly gameDirectories: readonly string[];
  /** Usable sources, first searched first. */
  readonly searchPath: readonly Source[];
  readonly #ranks: Map<number, number>;
  #tree: Tree | undefined;

  /** The view of `mods`, the last of them searched first, over the base. */
  constructor(snapshot: Snapshot, game: Game, mods: readonly GameDirectory[]) {
    const base = game.gameDirectories.find((directory) => directory.name === game.base);
    const stack = [...(base ? [base] : []), ...stacked(game, mods)];
    const top = stack.at(-1);
    if (!top) throw new RangeError(`Cannot make a view of ${game.name}: it has no game directory`);
    this.name = viewName(game, mods);
    this.snapshot = snapshot;
    this.game = game;
    this.gameDirectory = top;
    this.gameDirectories = stack.map((directory) => directory.name).reverse();
    this.searchPath = this.#orderSources();
    this.#ranks = new Map(this.searchPath.map((source, rank) => [source.id, rank]));
  }

  /** Whether this is the game without a mod. */
  get isBase(): boolean {
    return this.gameDirectory.name === this.game.base;
  }

  /** The resolved tree; computed on first use. */
  get tree(): Tree {
    this.#tree ??= new Tree(this.snapshot, {
      searchPath: this.searchPath.map((source) => source.id),
      ignoreCase: this.game.profile.ignoreCase,
      duplicates: this.game.profile.duplicates,
      looseCase: this.game.profile.looseCase,
      hidden: this.#hiddenEntries(),
    });
    return this.#tree;
  }

  /** Whether a source is on the search path. */
  searches(source: number): boolean {
    return this.#ranks.has(source);
  }

  /** Whether an entry is a pack that is itself searched, and therefore no file of the view. */
  hides(entry: number): boolean {
    const pack = this.game.packEntries.get(entry);
    return pack !== undefined && this.searches(pack);
  }

  /** Whether the engine finds an entry under the spelling `asked`, which differs from its own in nothing but case. */
  finds(entry: number, asked: string): boolean {
    const { ignoreCase, looseCase } = this.game.profile;
    if (ignoreCase && (looseCase === "any" || !isDirectorySource(this.snapshot.sourceOf(entry)))) return true;
    const path = this.snapshot.pathOf(this.snapshot.columns.entryNodes[entry] ?? 0);
    return findsLoose(ignoreCase ? looseCase : "own", path, asked);
  }

  /** How many usable files lost to the winner of a path, asked for as the winner is spelled; damaged are not usable. */
  shadowedBy(entry: number): number {
    const { entryNodes, entrySources, entryDamage } = this.snapshot.columns;
    const asked = this.snapshot.pathOf(entryNodes[entry] ?? 0);
    let count = 0;
    for (const candidate of this.snapshot.candidatesOf(entryNodes[entry] ?? 0, this.game.profile.ignoreCase)) {
      if (candidate === entry || this.snapshot.isDirectory(candidate) || this.hides(candidate)) continue;
      if (entryDamage[candidate] !== 0 || !this.searches(entrySources[candidate] ?? 0)) continue;
      if (entryNodes[candidate] === entryNodes[entry] || this.finds(candidate, asked)) count++;
    }
    return count;
  }

  /** What the rules look at for an entry. Game directories off the search path rank behind those on it. */
  contender(entry: number): Contender {
    return this.#contenderOf(this.snapshot.sourceOf(entry), entry);
  }

  #contenderOf(source: Source, entry: number): Contender {
    const place = this.gameDirectories.indexOf(source.gameDirectory);
    return { source, entry, gameDirectoryRank: place < 0 ? this.gameDirectories.length : place };
  }

  #orderSources(): Source[] {
    const { rules } = this.game.profile;
    return this.game.gameDirectories
      .filter((directory) => this.gameDirectories.includes(directory.name))
      .flatMap((directory) => directory.sources)
      .map((id) => this.snapshot.sources[id])
      .filter((source) => source !== undefined)
      .filter((source) => source.ignored === null)
      .map((source) => this.#contenderOf(source, source.firstEntry))
      .sort((a, b) => decide(rules, a, b).order)
      .map((contender) => contender.source);
  }

  #hiddenEntries(): ReadonlySet<number> {
    return new Set(Array.from(this.game.packEntries.keys()).filter((entry) => this.hides(entry)));
  }
}
