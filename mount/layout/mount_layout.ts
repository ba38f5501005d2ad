/**
 * The layout of the mount: `game/gamedirectory/...` for views, `.packs/game/gamedirectory/pack/...` for packs alone,
 * `.as/game/gamedirectory/...` for views whose files are converted. Node ids have two halves: an upper half of 0 is one
 * of the few fixed directories, any other belongs to a tree: see {@linkcode MountedTree}. Nodes that two successive
 * indexes share keep their ids; a node that disappears and returns gets a new id, because the kernel may still hold
 * pages and names of the old one.
 * @module
 */
import { type Catalog, settingSign, stackSign, type View, ViewError } from "../../views/mod.ts";
import { compareBytes, equalBytes, type Game, type GameDirectory } from "../../index/mod.ts";
import { type CachedName, type ConversionChanges, FreshNumbers, MountedTree, type TreeMount } from "./mounted_tree.ts";

/** Name of the directory of unmerged packs. */
const packsDirectoryName = ".packs";
/** Name of the directory of views whose files are converted. */
const convertedDirectoryName = ".as";
/** Lower half of the root's node id, which FUSE defines. */
export const rootNode = 1;

/** Options of a layout. */
export interface LayoutOptions {
  /** Name of a view that becomes the root; null: all games and views. */
  readonly view: string | null;
  /** Whether `.packs` is listed instead of only being accessible. */
  readonly showPacks: boolean;
  /** Whether `.as` is listed instead of only being accessible. */
  readonly showAs: boolean;
  /** Names of the games that are shown; null or absent: all. */
  readonly games?: readonly string[] | null;
}

/** Called with a view of the index whose tree was requested. */
export type TreeListener = (view: View) => void;

/** A directory that is not part of a tree. */
export interface FixedDirectory {
  readonly parent: number;
  readonly children: FixedChild[];
  readonly byName: Map<string, FixedChild>;
  /** Game whose views are here, including views created on lookup; else null. */
  readonly game: Game | null;
}

/** A name in a fixed directory, and its node. */
export interface FixedChild {
  readonly name: Uint8Array;
  readonly high: number;
  readonly low: number;
  /** Whether it can be looked up, but is not listed. */
  readonly hidden: boolean;
}

/** Numbers of directories and trees, by key: from the previous layout, and new ones. */
class Numbers {
  readonly #known = new Map<string, number>();
  #before: ReadonlyMap<string, number>;
  readonly fresh: FreshNumbers;

  constructor(fresh: FreshNumbers, before: ReadonlyMap<string, number> = new Map()) {
    this.fresh = fresh;
    this.#before = before;
  }

  of(key: string): number {
    const number = this.#known.get(key) ?? this.#before.get(key) ?? this.fresh.next();
    this.#known.set(key, number);
    return number;
  }

  /** Drops the numbers of directories that have disappeared. */
  settle(): void {
    this.#before = new Map();
  }

  /** Returns the numbers for the next layout, which keeps the numbers of directories that still exist. */
  successor(): Numbers {
    return new Numbers(this.fresh, this.#known);
  }

  /** Returns the numbers for the next layout without any old ones. */
  renewed(): Numbers {
    return new Numbers(this.fresh);
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Views that are created on lookup of their names; each keeps its tree as long as its game exists. */
const maxMadeViews = 64;

/** The directories above the trees, and the trees. */
export class MountLayout {
  readonly #directories = new Map<number, FixedDirectory>();
  /** Trees by each upper half of the ids of their nodes. */
  readonly #trees = new Map<number, MountedTree>();
  /** Trees of unconverted views. */
  readonly #viewTrees = new Map<View, MountedTree>();
  /** Number of the tree at the root, or 0. */
  readonly rootTree: number;
  /** The directories next to a view at the root. */
  readonly #besideRoot: readonly FixedChild[];
  readonly #catalog: Catalog;
  readonly #onTree: TreeListener;
  readonly #directoryNumbers: Numbers;
  readonly #treeNumbers: Numbers;
  /** Previous layout, until this one replaces it. */
  #previous: MountLayout | undefined;
  /** Directory and name of the views that were created on lookup. */
  readonly #madeViews: { readonly parent: number; readonly name: Uint8Array }[] = [];
  /** Fills directories that were not accessed yet: of thousands of packs hardly any is ever requested. */
  readonly #unlisted = new Map<number, () => void>();

  /**
   * @param previous Layout that this one replaces: common directories keep their numbers.
   */
  constructor(catalog: Catalog, options: LayoutOptions, previous?: MountLayout, onTree: TreeListener = () => {}) {
    this.#catalog = catalog;
    this.#onTree = onTree;
    this.#previous = previous;
    this.#directoryNumbers = previous ? previous.#directoryNumbers.successor() : new Numbers(new FreshNumbers());
    this.#treeNumbers = previous ? previous.#treeNumbersFor(catalog) : new Numbers(new FreshNumbers());
    const root = this.#addDirectory(rootNode, "");
    const games = catalog.games.filter(({ name }) => options.games?.includes(name) ?? true);
    if (options.view !== null) {
      const view = catalog.view(options.view);
      this.rootTree = this.#addTree("view", this.#mountOf(view, root));
      this.#besideRoot = this.#addHidden(games, root, options);
      return;
    }
    this.rootTree = 0;
    for (const game of games) {
      const directory = this.#addNamedDirectory(root, game.name, game.name, game);
      for (const view of this.#viewsOf(game)) {
        this.#addView(directory, encoder.encode(view.gameDirectory.name), view, false);
      }
    }
    this.#besideRoot = [];
    for (const child of this.#addHidden(games, root, options)) this.#addChild(root, child);
    for (const { children } of this.#directories.values()) children.sort(compareChildren);
    for (const { parent, name } of previous ? previous.#madeViews : []) this.childOf(parent, name);
  }

  /**
   * Replaces the previous layout, and returns the names that the kernel must forget: names with another node, without a
   * node, or new names. Resolves the trees that have been accessed.
   * @param conversions Changes of converted files; absent if none was ever looked up.
   */
  replacePrevious(conversions?: ConversionChanges): CachedName[] {
    const previous = this.#previous;
    if (!previous) return [];
    this.#previous = undefined;
    this.#directoryNumbers.settle();
    this.#treeNumbers.settle();
    const names = this.#changedNames(previous);
    for (const tree of new Set(this.#trees.values())) {
      const before = previous.#trees.get(tree.number);
      if (!before) continue;
      const changes = tree.original ? conversions : undefined;
      for (const name of tree.keepIds(before, this.#treeNumbers.fresh, changes)) names.push(this.#atRoot(name));
      for (const high of tree.highs) this.#trees.set(high, tree);
    }
    return names;
  }

  /** Returns the tree of nodes with this upper half of their id; undefined if it no longer exists. */
  tree(high: number): MountedTree | undefined {
    return this.#trees.get(high);
  }

  /** Returns the fixed directory with that lower half, with its content. */
  directory(low: number): FixedDirectory | undefined {
    this.#list(low);
    return this.#directories.get(low);
  }

  /** Returns the lower half of the parent of a fixed directory; undefined if it is unknown. */
  parentOf(low: number): number | undefined {
    return this.#directories.get(low)?.parent;
  }

  /** Returns the path of a fixed directory below the mount point; `/` is the root. */
  pathOf(low: number): string {
    const parent = this.parentOf(low) ?? low;
    if (parent === low) return "/";
    const beside = this.#besideRoot.find((child) => child.low === low);
    const own = beside ?? this.directory(parent)?.children.find((child) => child.high === 0 && child.low === low);
    return `${this.pathOf(parent).replace(/\/$/, "")}/${own ? decoder.decode(own.name) : low}`;
  }

  /** Returns the path of a tree's root below the mount point. */
  treePath({ number, parent }: MountedTree): string {
    const own = this.directory(parent)?.children.find((child) => child.high === number);
    return `${this.pathOf(parent).replace(/\/$/, "")}/${own ? decoder.decode(own.name) : number}`;
  }

  /** Looks up a name in a fixed directory, including hidden names and views that are created on request: `a+b`. */
  childOf(low: number, name: Uint8Array): FixedChild | undefined {
    const directory = this.directory(low);
    const known = directory?.byName.get(decoder.decode(name));
    return known ?? (directory?.game ? this.#madeView(directory.game, low, name) : undefined);
  }

  /** Returns the child next to the tree at the root. */
  beside(name: Uint8Array): FixedChild | undefined {
    return this.#besideRoot.find((child) => sameName(child.name, name));
  }

  /** Names that are listed next to the tree at the root. */
  get listedBeside(): readonly FixedChild[] {
    return this.#besideRoot.filter(({ hidden }) => !hidden);
  }

  /** Returns the number of a view in the catalog. */
  numberOf(view: View): number {
    return this.#catalog.views.indexOf(view);
  }

  #madeView(game: Game, parent: number, name: Uint8Array): FixedChild | undefined {
    const text = decoder.decode(name);
    if (this.#madeViews.length === maxMadeViews || !isMadeName(name)) return undefined;
    try {
      const view = this.#catalog.view(`${game.name}/${text}`);
      if (view.game !== game) return undefined;
      const made = name.slice();
      this.#madeViews.push({ parent, name: made });
      return this.#addView(parent, made, view, true);
    } catch (error) {
      if (error instanceof ViewError) return undefined;
      throw error;
    }
  }

  /** Returns the numbers of trees; none is kept if the index numbers paths differently. */
  #treeNumbersFor(catalog: Catalog): Numbers {
    const isNumberedAlike = this.#catalog.snapshot.numbering === catalog.snapshot.numbering;
    return isNumberedAlike ? this.#treeNumbers.successor() : this.#treeNumbers.renewed();
  }

  /** Returns the names of fixed directories whose node differs from another layout. */
  #changedNames(previous: MountLayout): CachedName[] {
    const names: CachedName[] = [];
    for (const [low, { children }] of this.#directories) {
      // The kernel knows no names in a directory that was not accessed.
      const before = previous.#directories.get(low)?.children ?? [];
      if (children.length === before.length && children.every((child, index) => isSameChild(child, before[index]))) {
        continue;
      }
      const keyOf = ({ name, high, low: node }: FixedChild) => `${high} ${node} ${decoder.decode(name)}`;
      const [was, is] = [new Set(before.map(keyOf)), new Set(children.map(keyOf))];
      for (const child of [...children, ...before]) {
        if (!was.has(keyOf(child)) || !is.has(keyOf(child))) names.push({ high: 0, low, name: child.name });
      }
    }
    if (this.rootTree === previous.rootTree) return names;
    const before = previous.tree(previous.rootTree);
    if (!before?.isResolved) return names;
    for (const tree of [this.tree(this.rootTree), before]) {
      for (const name of tree?.rootNames() ?? []) names.push({ high: 0, low: rootNode, name });
    }
    return names;
  }

  /** Replaces the id of a tree's root at the root of the mount, which has a fixed id for the kernel. */
  #atRoot(name: CachedName): CachedName {
    return this.rootTree !== 0 && name.high === this.rootTree && name.low === 0
      ? { ...name, high: 0, low: rootNode }
      : name;
  }

  #directory(low: number): FixedDirectory {
    const directory = this.#directories.get(low);
    if (!directory) throw new RangeError(`Cannot find directory ${low}: there are ${this.#directories.size}`);
    return directory;
  }

  #viewsOf(game: Game): View[] {
    return this.#catalog.views.filter((candidate) => candidate.game === game);
  }

  /** Adds the directories that are only listed if requested. */
  #addHidden(games: readonly Game[], root: number, { showPacks, showAs }: LayoutOptions): FixedChild[] {
    return [this.#addPacks(this.#catalog, games, root, showPacks), this.#addConverted(games, root, showAs)];
  }

  /** Adds the views whose files are converted, each with the tree of the original view. */
  #addConverted(games: readonly Game[], root: number, listed: boolean): FixedChild {
    const top = this.#addDirectory(root, convertedDirectoryName);
    for (const game of games) {
      const path = `${convertedDirectoryName}/${game.name}`;
      const directory = this.#addNamedDirectory(top, game.name, path);
      this.#addWhenListed(directory, () => this.#addConvertedViews(game, directory, path));
    }
    return { name: encoder.encode(convertedDirectoryName), high: 0, low: top, hidden: !listed };
  }

  #addConvertedViews(game: Game, parent: number, path: string): void {
    for (const view of this.#viewsOf(game)) {
      const { name } = view.gameDirectory;
      const mount = this.#mountOf(view, parent);
      if (!this.#viewTrees.has(view)) this.#addTree(`${game.name}/${name}`, mount);
      const high = this.#addTree(`${path}/${name}`, { ...mount, original: this.#viewTrees.get(view) ?? null });
      this.#addChild(parent, { name: encoder.encode(name), high, low: 0, hidden: false });
    }
  }

  #addPacks(catalog: Catalog, games: readonly Game[], root: number, listed: boolean): FixedChild {
    const packs = this.#addDirectory(root, packsDirectoryName);
    for (const game of games) {
      const gamePath = `${packsDirectoryName}/${game.name}`;
      const gameDirectory = this.#addNamedDirectory(packs, game.name, gamePath);
      for (const directory of game.gameDirectories) {
        const path = `${gamePath}/${directory.name}`;
        // A directory inside a game directory is a companion of it.
        const parent = this.#addNamedDirectory(gameDirectory, directory.name.replaceAll("/", "~"), path);
        this.#addWhenListed(parent, () => this.#addPackTrees(catalog, directory, parent, path));
      }
    }
    return { name: encoder.encode(packsDirectoryName), high: 0, low: packs, hidden: !listed };
  }

  /** Fills a fixed directory when it is accessed. */
  #addWhenListed(low: number, add: () => void): void {
    this.#unlisted.set(low, add);
    // Compares the entries that the kernel knows with the current ones.
    if (this.#previous?.hasListed(low)) this.#list(low);
  }

  /** Returns whether a fixed directory exists and was accessed. */
  hasListed(low: number): boolean {
    return this.#directories.has(low) && !this.#unlisted.has(low);
  }

  #list(low: number): void {
    const add = this.#unlisted.get(low);
    if (!add) return;
    this.#unlisted.delete(low);
    add();
    this.#directory(low).children.sort(compareChildren);
  }

  #addPackTrees(catalog: Catalog, directory: GameDirectory, parent: number, path: string): void {
    for (const id of directory.sources) {
      const source = catalog.snapshot.sources[id];
      if (!source || source.kind !== "pack" || source.format === "unknown") continue;
      const mount = { view: null, resolve: () => catalog.packTree(source), parent };
      const high = this.#addTree(`${path}/${source.path}`, mount);
      this.#addChild(parent, { name: this.#freeName(parent, source.name), high, low: 0, hidden: false });
    }
  }

  /** Returns an unused name: several roots may have packs of the same name. */
  #freeName(directory: number, wanted: string): Uint8Array {
    const { byName } = this.#directory(directory);
    let name = wanted;
    for (let number = 2; byName.has(name); number++) name = `${wanted}~${number}`;
    return encoder.encode(name);
  }

  #addView(directory: number, name: Uint8Array, view: View, hidden: boolean): FixedChild {
    const high = this.#addTree(`${view.game.name}/${decoder.decode(name)}`, this.#mountOf(view, directory));
    return this.#addChild(directory, { name, high, low: 0, hidden });
  }

  #mountOf(view: View, parent: number): TreeMount {
    const resolve = () => {
      const { tree } = view;
      this.#onTree(view);
      return tree;
    };
    return { view, resolve, parent };
  }

  #addTree(key: string, mount: TreeMount): number {
    const number = this.#treeNumbers.of(key);
    const tree = new MountedTree(number, mount, (mounted) => {
      const high = this.#treeNumbers.fresh.next();
      this.#trees.set(high, mounted);
      return high;
    });
    this.#trees.set(number, tree);
    if (mount.view && !mount.original) this.#viewTrees.set(mount.view, tree);
    return number;
  }

  #addDirectory(parent: number, key: string, game: Game | null = null): number {
    const low = this.#directoryNumbers.of(key);
    this.#directories.set(low, { parent, children: [], byName: new Map(), game });
    return low;
  }

  #addNamedDirectory(parent: number, name: string, key: string, game: Game | null = null): number {
    const low = this.#addDirectory(parent, key, game);
    this.#addChild(parent, { name: encoder.encode(name), high: 0, low, hidden: false });
    return low;
  }

  #addChild(parent: number, child: FixedChild): FixedChild {
    const directory = this.#directory(parent);
    directory.children.push(child);
    directory.byName.set(decoder.decode(child.name), child);
    return child;
  }
}

/** Returns whether a name can belong to an unlisted view; programs look up many unrelated names. */
export function isMadeName(name: Uint8Array): boolean {
  return [stackSign, settingSign].some((sign) => name.includes(sign.charCodeAt(0)));
}

/** Returns whether two names are the same. */
export function sameName(a: Uint8Array, b: Uint8Array): boolean {
  return equalBytes(a, 0, a.length, b, 0, b.length);
}

function isSameChild(child: FixedChild, other: FixedChild | undefined): boolean {
  return other !== undefined && child.high === other.high && child.low === other.low &&
    sameName(child.name, other.name);
}

function compareChildren({ name: a }: FixedChild, { name: b }: FixedChild): number {
  return compareBytes(a, 0, a.length, b, 0, b.length);
}
