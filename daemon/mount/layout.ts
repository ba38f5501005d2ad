/**
 * What stands where on the mount: `game/gamedirectory/...` for views, `.packs/game/gamedirectory/pack/...` for packs
 * alone. Node ids have two halves: an upper half of 0 is one of the few directories made here, any other names a
 * resolved tree (1 is the first), with the tree's node in the lower half.
 * @module
 */
import type { Catalog } from "../../index/catalog.ts";
import type { Game } from "../../index/game.ts";
import type { Tree } from "../../index/tree.ts";
import { stackSign, type View } from "../../index/view.ts";
import { ViewError } from "../../index/view_error.ts";
import { settingSign } from "../../index/view_settings.ts";

/** Name of the directory of unmerged packs. */
export const packsDirectoryName = ".packs";
/** Lower half of the root's node id; FUSE fixes it. */
export const rootNode = 1;

/** What the user wants to see. */
export interface LayoutOptions {
  /** Name of a view that becomes the root; null: all games and views. */
  readonly view: string | null;
  /** List `.packs` instead of only answering to it. */
  readonly showPacks: boolean;
}

/** A directory that is not part of a tree. */
export interface FixedDirectory {
  readonly parent: number;
  readonly children: FixedChild[];
  /** The game whose views stand here: it answers to the names of views that are made when they are asked for, too. */
  readonly game: Game | null;
}

/** A name in a fixed directory, and the node it leads to. */
export interface FixedChild {
  readonly name: Uint8Array;
  readonly high: number;
  readonly low: number;
  /** Answers to its name, but is not listed. */
  readonly hidden: boolean;
}

/** A tree of the mount, resolved when it is first looked into. */
interface MountedTree {
  readonly view: View | null;
  readonly resolve: () => Tree;
  /** Lower half of the fixed directory above its root. */
  readonly parent: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Views that can be made by asking for their names; each keeps its tree until the mount ends. */
const mostMadeViews = 64;

/** The directories above the trees, and the trees. */
export class MountLayout {
  readonly #directories: FixedDirectory[] = [];
  readonly #trees: MountedTree[] = [];
  /** Upper half of the tree that stands at the root, or 0. */
  readonly rootTree: number;
  /** The `.packs` directory beside a view at the root, or null. */
  readonly #packsAtRoot: FixedChild | null;
  readonly #catalog: Catalog;
  #madeViews = 0;

  constructor(catalog: Catalog, options: LayoutOptions) {
    this.#catalog = catalog;
    const root = this.#addDirectory(rootNode);
    if (options.view !== null) {
      const view = catalog.view(options.view);
      this.rootTree = this.#addTree({ view, resolve: () => view.tree, parent: root });
      this.#packsAtRoot = this.#addPacks(catalog, root, options.showPacks);
      return;
    }
    this.rootTree = 0;
    for (const game of catalog.games) {
      const directory = this.#addNamedDirectory(root, game.name, game);
      for (const view of catalog.views.filter((candidate) => candidate.game === game)) {
        const high = this.#addTree({ view, resolve: () => view.tree, parent: directory });
        this.#addChild(directory, view.gameDirectory.name, high, 0);
      }
    }
    this.#packsAtRoot = null;
    const packs = this.#addPacks(catalog, root, options.showPacks);
    this.#directory(root).children.push(packs);
    for (const { children } of this.#directories) children.sort(compareChildren);
  }

  /** The tree with that upper half. */
  tree(high: number): Tree {
    return this.#mounted(high).resolve();
  }

  /** The view behind a tree, or null for a pack alone. */
  view(high: number): View | null {
    return this.#mounted(high).view;
  }

  /** The fixed directory above the root of a tree. */
  parentOfTree(high: number): number {
    return this.#mounted(high).parent;
  }

  /** The fixed directory with that lower half. */
  directory(low: number): FixedDirectory | undefined {
    return this.#directories[low - 1];
  }

  /** The name in a fixed directory, hidden ones included, and views that are made for being asked for: `a+b`. */
  childOf(low: number, name: Uint8Array): FixedChild | undefined {
    const directory = this.directory(low);
    const known = directory?.children.find((child) => sameBytes(child.name, name));
    return known ?? (directory?.game ? this.#madeView(directory.game, low, name) : undefined);
  }

  #madeView(game: Game, parent: number, name: Uint8Array): FixedChild | undefined {
    const text = decoder.decode(name);
    if (this.#madeViews === mostMadeViews || !isMadeName(text)) return undefined;
    try {
      const view = this.#catalog.view(`${game.name}/${text}`);
      if (view.game !== game) return undefined;
      this.#madeViews++;
      const child = {
        name: name.slice(),
        high: this.#addTree({ view, resolve: () => view.tree, parent }),
        low: 0,
        hidden: true,
      };
      this.#directory(parent).children.push(child);
      return child;
    } catch (error) {
      if (error instanceof ViewError) return undefined;
      throw error;
    }
  }

  /** Names beside the tree at the root. */
  beside(name: Uint8Array): FixedChild | undefined {
    return this.#packsAtRoot && sameBytes(this.#packsAtRoot.name, name) ? this.#packsAtRoot : undefined;
  }

  /** What is listed beside the tree at the root. */
  get listedBeside(): FixedChild | null {
    return this.#packsAtRoot && !this.#packsAtRoot.hidden ? this.#packsAtRoot : null;
  }

  #mounted(high: number): MountedTree {
    const tree = this.#trees[high - 1];
    if (!tree) throw new RangeError(`Cannot find tree ${high}: there are ${this.#trees.length}`);
    return tree;
  }

  #directory(low: number): FixedDirectory {
    const directory = this.#directories[low - 1];
    if (!directory) throw new RangeError(`Cannot find directory ${low}: there are ${this.#directories.length}`);
    return directory;
  }

  #addPacks(catalog: Catalog, root: number, listed: boolean): FixedChild {
    const packs = this.#addDirectory(root);
    for (const game of catalog.games) {
      const gameDirectory = this.#addNamedDirectory(packs, game.name);
      for (const directory of game.gameDirectories) {
        const parent = this.#addNamedDirectory(gameDirectory, directory.name);
        const sources = directory.sources.map((id) => catalog.snapshot.sources[id])
          .filter((source) => source !== undefined && source.kind === "pack" && source.format !== "unknown");
        for (const source of sources) {
          if (!source) continue;
          const high = this.#addTree({ view: null, resolve: () => catalog.packTree(source), parent });
          this.#addChild(parent, this.#freeName(parent, source.name), high, 0);
        }
      }
    }
    return { name: encoder.encode(packsDirectoryName), high: 0, low: packs, hidden: !listed };
  }

  /** The same pack name can stand in several base directories. */
  #freeName(directory: number, wanted: string): string {
    let name = wanted;
    for (let number = 2; this.childOf(directory, encoder.encode(name)); number++) name = `${wanted}~${number}`;
    return name;
  }

  #addTree(tree: MountedTree): number {
    return this.#trees.push(tree);
  }

  #addDirectory(parent: number, game: Game | null = null): number {
    return this.#directories.push({ parent, children: [], game });
  }

  #addNamedDirectory(parent: number, name: string, game: Game | null = null): number {
    const directory = this.#addDirectory(parent, game);
    this.#addChild(parent, name, 0, directory);
    return directory;
  }

  #addChild(parent: number, name: string, high: number, low: number): void {
    this.#directory(parent).children.push({ name: encoder.encode(name), high, low, hidden: false });
  }
}

/** Whether a name can be that of a view which is not listed; programs ask for all kinds of other names. */
function isMadeName(name: string): boolean {
  return name.includes(stackSign) || name.includes(settingSign);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function compareChildren(a: FixedChild, b: FixedChild): number {
  const length = Math.min(a.name.length, b.name.length);
  for (let index = 0; index < length; index++) {
    const difference = (a.name[index] ?? 0) - (b.name[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.name.length - b.name.length;
}
