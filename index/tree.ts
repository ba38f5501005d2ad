/**
 * A resolved tree: which entry answers each path, with directories whose children are sorted and lie together.
 * Computed once per view or pack, in a few passes over the columns without comparing names.
 * @module
 */
import { entryIsDirectory } from "../formats/entry_table.ts";
import { none } from "./columns.ts";
import { equalFolded } from "./fold.ts";
import { findsUnderTree, type LooseCase } from "./loose_case.ts";
import { isMetFirst } from "./met_in_pack.ts";
import type { Snapshot } from "./snapshot.ts";
import { isDirectorySource, type Source } from "./source.ts";

/**
 * Which of several equal names inside one source answers; `last-stored` is the one at the highest offset, `met` the one
 * that a binary search meets first.
 */
export type DuplicateRule = "first" | "last" | "last-stored" | "met";

/** What decides a tree: the sources in the order they are searched, and how names are compared. */
export interface TreeRule {
  /** Numbers of the usable sources, first searched first. */
  readonly searchPath: readonly number[];
  /** Names that differ only in case are one. */
  readonly ignoreCase: boolean;
  /** Which of several equal names inside one source answers. */
  readonly duplicates: DuplicateRule;
  /** Where case is ignored: which spellings find a loose file; default: any. */
  readonly looseCase?: LooseCase;
  /** Entries left out: packs that are themselves on the search path. */
  readonly hidden?: ReadonlySet<number>;
  /** Whether an entry cannot be used at all; default: none. */
  readonly refuses?: (entry: number) => boolean;
}

/** The winners of a rule, before they are made into a tree. */
interface Winners {
  /** By fold node (or node, where case matters): entry + 1, or 0. */
  readonly entries: Uint32Array;
  /** By the same: the node that spells a directory, or 0 where there is none. */
  readonly directories: Uint32Array;
}

/** Nodes of one tree, breadth first: node 0 is the root, the children of a directory follow each other. */
export class Tree {
  readonly snapshot: Snapshot;
  readonly rule: TreeRule;
  /** Number of files and directories, the root included. */
  readonly length: number;
  /** Number of files. */
  readonly fileCount: number;
  /** The snapshot's node that names each node, in the winner's spelling. */
  readonly nodes: Uint32Array;
  /** The entry of each file; {@linkcode none} for directories. */
  readonly entries: Uint32Array;
  readonly parents: Uint32Array;
  /** First child of each directory; meaningless for files. */
  readonly firstChildren: Uint32Array;
  readonly childCounts: Uint32Array;

  /** Resolves `rule` over `snapshot`. Costs a few passes over the columns. */
  constructor(snapshot: Snapshot, rule: TreeRule) {
    this.snapshot = snapshot;
    this.rule = rule;
    const winners = resolveWinners(snapshot, rule);
    const most = mostNodes(winners);
    const nodes = new Uint32Array(most);
    const entries = new Uint32Array(most).fill(none);
    const parents = new Uint32Array(most);
    const firstChildren = new Uint32Array(most);
    const childCounts = new Uint32Array(most);
    const childrenOf = new Children(snapshot, rule, winners);
    let fileCount = 0;
    let length = 1;
    for (let directory = 0; directory < length; directory++) {
      if (directory > 0 && entries[directory] !== none) continue;
      const first = length;
      firstChildren[directory] = first;
      length = childrenOf.put(nodes[directory] ?? 0, nodes, entries, first);
      childCounts[directory] = length - first;
      for (let child = first; child < length; child++) {
        parents[child] = directory;
        if (entries[child] !== none) fileCount++;
      }
    }
    this.length = length;
    this.fileCount = fileCount;
    this.nodes = nodes.subarray(0, length);
    this.entries = entries.subarray(0, length);
    this.parents = parents.subarray(0, length);
    this.firstChildren = firstChildren.subarray(0, length);
    this.childCounts = childCounts.subarray(0, length);
  }

  /** Whether a node is a directory. */
  isDirectory(index: number): boolean {
    return this.entries[index] === none;
  }

  /** The child of directory `parent` with that name, or {@linkcode none}. */
  findChild(parent: number, name: Uint8Array): number {
    const { ignoreCase } = this.rule;
    const found = this.#lowestChild(parent, name, ignoreCase);
    if (found === (this.firstChildren[parent] ?? 0) + (this.childCounts[parent] ?? 0)) return none;
    return this.snapshot.compareName(this.nodes[found] ?? 0, name, ignoreCase) === 0 ? found : none;
  }

  /** Children of directory `parent` whose names begin with `prefix` whatever the case, in the order of names. */
  *childrenBeginning(parent: number, prefix: Uint8Array): Generator<number> {
    const end = (this.firstChildren[parent] ?? 0) + (this.childCounts[parent] ?? 0);
    const { names, nameStarts, nodeNames } = this.snapshot.columns;
    // Case decides last about the order: names that begin alike lie together.
    for (let child = this.#lowestChild(parent, prefix, true); child < end; child++) {
      const name = nodeNames[this.nodes[child] ?? 0] ?? 0;
      const start = nameStarts[name] ?? 0;
      const nameEnd = Math.min(nameStarts[name + 1] ?? 0, start + prefix.length);
      if (!equalFolded(names, start, nameEnd, prefix, 0, prefix.length)) return;
      yield child;
    }
  }

  /** The first child of directory `parent` that is not before `name`, or what is behind the last one. */
  #lowestChild(parent: number, name: Uint8Array, ignoreCase: boolean): number {
    let low = this.firstChildren[parent] ?? 0;
    let high = low + (this.childCounts[parent] ?? 0);
    while (low < high) {
      const middle = low + Math.floor((high - low) / 2);
      if (this.snapshot.compareName(this.nodes[middle] ?? 0, name, ignoreCase) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The node of a path, or {@linkcode none}. Empty and `.` components are passed over. */
  find(path: string): number {
    let index = 0;
    for (const component of path.split("/")) {
      if (component === "" || component === ".") continue;
      if (!this.isDirectory(index)) return none;
      index = this.findChild(index, encoder.encode(component));
      if (index === none) return none;
    }
    return index;
  }

  /** Path of a node, without a leading slash. */
  pathOf(index: number): string {
    const parts: string[] = [];
    for (let step = index; step !== 0; step = this.parents[step] ?? 0) parts.push(this.nameOf(step));
    return parts.reverse().join("/");
  }

  /** Own name of a node. */
  nameOf(index: number): string {
    return this.snapshot.nameOf(this.nodes[index] ?? 0);
  }

  /**
   * The node after `index` in the order of a walk (a directory before what is in it), or {@linkcode none} at the end.
   * With `skipChildren` the inside of a directory is passed over.
   */
  following(index: number, within = 0, skipChildren = false): number {
    if (!skipChildren && this.isDirectory(index) && (this.childCounts[index] ?? 0) > 0) {
      return this.firstChildren[index] ?? none;
    }
    for (let step = index; step !== within; step = this.parents[step] ?? 0) {
      const parent = this.parents[step] ?? 0;
      if (step + 1 < (this.firstChildren[parent] ?? 0) + (this.childCounts[parent] ?? 0)) return step + 1;
    }
    return none;
  }
}

const encoder = new TextEncoder();

/**
 * Lets the sources answer in the order they are searched: the first that has a name wins it. Members that cannot be
 * read come last, so that they are shown only where nothing sound has the name; after them loose files that the engine
 * finds under their own spelling, but not under the one the tree gives to their directories.
 */
function resolveWinners(snapshot: Snapshot, rule: TreeRule): Winners {
  const { entryNodes, entryFlags, entryDamage, nodeFolds, nodeParents } = snapshot.columns;
  const entries = new Uint32Array(snapshot.nodeCount);
  const directories = new Uint32Array(snapshot.nodeCount);
  const keyOf = (node: number) => rule.ignoreCase ? nodeFolds[node] ?? node : node;
  /** Marks a directory and those above it; the source that is searched first spells them. */
  const addDirectory = (node: number) => {
    for (let step = node; step !== 0 && directories[keyOf(step)] === 0; step = nodeParents[step] ?? 0) {
      directories[keyOf(step)] = step;
    }
  };
  const looseCase = rule.ignoreCase && hasLooseFiles(snapshot, rule) ? rule.looseCase ?? "any" : "any";
  const isSpelled = looseCase !== "any";
  if (isSpelled) spellDirectories(snapshot, rule, addDirectory);
  const findingOf = findsUnderTree(looseCase, snapshot, directories);
  const damaged: number[] = [];
  const unfound: number[] = [];
  const takeIfFree = (entry: number) => {
    const key = keyOf(entryNodes[entry] ?? 0);
    if (entries[key] === 0) entries[key] = entry + 1;
  };
  const hidden = rule.hidden && rule.hidden.size > 0 ? rule.hidden : undefined;
  const replaces = replacement(snapshot, rule.duplicates);
  for (const number of rule.searchPath) {
    const source = snapshot.sources[number];
    if (!source) continue;
    const { firstEntry, entryCount } = source;
    const isLoose = looseCase !== "any" && isDirectorySource(source);
    const foundOtherwise: number[] = [];
    let lastDirectory = 0;
    for (let step = 0; step < entryCount; step++) {
      const entry = rule.duplicates === "first" ? firstEntry + step : firstEntry + entryCount - 1 - step;
      const node = entryNodes[entry] ?? 0;
      const key = keyOf(node);
      if (((entryFlags[entry] ?? 0) & entryIsDirectory) !== 0) addDirectory(node);
      else if (entries[key] !== 0 && !replaces?.(source, (entries[key] ?? 0) - 1, entry)) continue;
      else if (hidden?.has(entry) || rule.refuses?.(entry)) continue;
      else if (entries[key] !== 0) entries[key] = entry + 1;
      else {
        const directory = nodeParents[node] ?? 0;
        // Archives list what is in a directory together.
        if (!isSpelled && directory !== lastDirectory) addDirectory(directory);
        lastDirectory = directory;
        const finding = isLoose ? findingOf(node) : "own";
        if (finding === "never") unfound.push(entry);
        else if (entryDamage[entry] !== 0) damaged.push(entry);
        else if (finding === "otherwise") foundOtherwise.push(entry);
        else entries[key] = entry + 1;
      }
    }
    foundOtherwise.forEach(takeIfFree);
  }
  damaged.concat(unfound).forEach(takeIfFree);
  return { entries, directories };
}

function hasLooseFiles(snapshot: Snapshot, { searchPath }: TreeRule): boolean {
  return searchPath.some((number) => {
    const source = snapshot.sources[number];
    return source !== undefined && source.entryCount > 0 && isDirectorySource(source);
  });
}

/** Whether an entry takes the place of another of its source. */
type Replaces = (source: Source, known: number, entry: number) => boolean;

/** What decides between entries of one source, where their order does not. */
function replacement(snapshot: Snapshot, rule: DuplicateRule): Replaces | undefined {
  if (rule !== "last-stored" && rule !== "met") return undefined;
  const { entryOffsets, entryDamage } = snapshot.columns;
  return (source, known, entry) => {
    if (known < source.firstEntry || known >= source.firstEntry + source.entryCount) return false;
    if (entryDamage[entry] !== 0) return false;
    return rule === "met"
      ? isMetFirst(snapshot, source, entry)
      : (entryOffsets[entry] ?? 0) > (entryOffsets[known] ?? 0);
  };
}

/** Marks all directories before any file is looked at: how they are spelled decides which loose files are found. */
function spellDirectories(snapshot: Snapshot, rule: TreeRule, addDirectory: (node: number) => void): void {
  const { entryNodes, entryFlags, nodeParents } = snapshot.columns;
  for (const number of rule.searchPath) {
    const source = snapshot.sources[number];
    if (!source) continue;
    let last = 0;
    for (let entry = source.firstEntry; entry < source.firstEntry + source.entryCount; entry++) {
      const node = entryNodes[entry] ?? 0;
      const isDirectory = ((entryFlags[entry] ?? 0) & entryIsDirectory) !== 0;
      const directory = isDirectory ? node : nodeParents[node] ?? 0;
      // Archives list what is in a directory together.
      if (directory !== last) addDirectory(directory);
      last = directory;
    }
  }
}

/** As many nodes as a tree of these winners can have, the root included. */
function mostNodes({ entries, directories }: Winners): number {
  let most = 1;
  for (let node = 1; node < entries.length; node++) {
    if (entries[node] !== 0) most++;
    if (directories[node] !== 0) most++;
  }
  return most;
}

/** The winners in each directory, in the order of names. */
class Children {
  readonly #snapshot: Snapshot;
  readonly #ignoreCase: boolean;
  readonly #winners: Winners;
  /** Files beside a directory of their name, by the node that names them there. It sorts behind the directory. */
  readonly #beside = new Map<number, number>();

  constructor(snapshot: Snapshot, rule: TreeRule, winners: Winners) {
    this.#snapshot = snapshot;
    this.#ignoreCase = rule.ignoreCase;
    this.#winners = winners;
  }

  /** Writes what is in the directory that `node` names into `nodes` and `entries`, from `start` on; returns the end. */
  put(node: number, nodes: Uint32Array, entries: Uint32Array, start: number): number {
    const { nodeOrder, childStarts, nodeFolds, nodeParents, entryNodes } = this.#snapshot.columns;
    const { entries: won, directories } = this.#winners;
    const fold = nodeFolds[node] ?? node;
    const last = childStarts[fold + 1] ?? 0;
    let next = start;
    for (let place = childStarts[fold] ?? 0; place < last; place++) {
      const child = nodeOrder[place] ?? 0;
      if (child === 0 || (!this.#ignoreCase && nodeParents[child] !== node)) continue;
      const beside = this.#beside.size === 0 ? undefined : this.#beside.get(child);
      if (beside !== undefined) {
        nodes[next] = child;
        entries[next++] = beside;
      }
      if (this.#ignoreCase && nodeFolds[child] !== child) continue;
      const spelling = directories[child] ?? 0;
      const entry = (won[child] ?? 0) - 1;
      if (spelling !== 0) {
        if (entry >= 0) this.#putBeside(entry);
        nodes[next++] = spelling;
      } else if (entry >= 0) {
        nodes[next] = entryNodes[entry] ?? child;
        entries[next++] = entry;
      }
    }
    return next;
  }

  #putBeside(entry: number): void {
    const { clashes, columns } = this.#snapshot;
    const name = clashes.get(columns.entryNodes[entry] ?? 0);
    if (name !== undefined) this.#beside.set(name, entry);
  }
}
