/**
 * A view: one game directory over its base, resolved by the profile's rules. Switching views costs nothing; the tree
 * is resolved on first use.
 * @module
 */
import type { Game, GameDirectory } from "./game.ts";
import { findsLoose } from "./loose_case.ts";
import { type Contender, decide } from "./rules.ts";
import type { Snapshot } from "./snapshot.ts";
import { isDirectorySource, type Source } from "./source.ts";
import { Tree } from "./tree.ts";

/** One resolved tree of a game, named `game/gamedirectory`. */
export class View {
  readonly name: string;
  readonly snapshot: Snapshot;
  readonly game: Game;
  readonly gameDirectory: GameDirectory;
  /** Names of the game directories that are searched, first searched first. */
  readonly gameDirectories: readonly string[];
  /** Usable sources, first searched first. */
  readonly searchPath: readonly Source[];
  readonly #ranks: Map<number, number>;
  #tree: Tree | undefined;

  constructor(snapshot: Snapshot, game: Game, gameDirectory: GameDirectory) {
    this.name = `${game.name}/${gameDirectory.name}`;
    this.snapshot = snapshot;
    this.game = game;
    this.gameDirectory = gameDirectory;
    this.gameDirectories = gameDirectory.name === game.base ? [game.base] : [gameDirectory.name, game.base];
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
