/**
 * A resolved tree: which entry answers each path, with directories whose children are sorted and lie together.
 * Computed once per view or pack, in a few passes over the columns without comparing names.
 * @module
 */
import { entryIsDirectory } from "../formats/entry_table.ts";
import { none, sharedUint32 } from "./columns.ts";
import { findsUnderTree, type LooseCase } from "./loose_case.ts";
import type { Snapshot } from "./snapshot.ts";
import { isDirectorySource, type Source } from "./source.ts";

/** Which of several equal names inside one source answers; `last-stored` is the one at the highest offset. */
export type DuplicateRule = "first" | "last" | "last-stored";

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
    const children = gatherChildren(snapshot, rule, winners);
    const length = children.total + 1;
    this.length = length;
    this.nodes = sharedUint32(length);
    this.entries = sharedUint32(length).fill(none);
    this.parents = sharedUint32(length);
    this.firstChildren = sharedUint32(length);
    this.childCounts = sharedUint32(length);
    let fileCount = 0;
    let next = 1;
    for (let directory = 0; directory < length; directory++) {
      if (this.entries[directory] !== none) continue;
      const node = this.nodes[directory] ?? 0;
      const key = rule.ignoreCase ? snapshot.columns.nodeFolds[node] ?? node : node;
      const start = children.starts[key] ?? 0;
      const end = children.ends[key] ?? 0;
      this.firstChildren[directory] = next;
      this.childCounts[directory] = end - start;
      for (let index = start; index < end; index++) {
        this.parents[next] = directory;
        this.nodes[next] = children.nodes[index] ?? 0;
        const entry = children.entries[index] ?? none;
        this.entries[next] = entry;
        if (entry !== none) fileCount++;
        next++;
      }
    }
    this.fileCount = fileCount;
  }

  /** Whether a node is a directory. */
  isDirectory(index: number): boolean {
    return this.entries[index] === none;
  }

  /** The child of directory `parent` with that name, or {@linkcode none}. */
  findChild(parent: number, name: Uint8Array): number {
    const first = this.firstChildren[parent] ?? 0;
    let low = first;
    let high = first + (this.childCounts[parent] ?? 0);
    const { snapshot } = this;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (snapshot.compareName(this.nodes[middle] ?? 0, name, this.rule.ignoreCase) < 0) low = middle + 1;
      else high = middle;
    }
    if (low === first + (this.childCounts[parent] ?? 0)) return none;
    return snapshot.compareName(this.nodes[low] ?? 0, name, this.rule.ignoreCase) === 0 ? low : none;
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
  const looseCase = rule.ignoreCase ? rule.looseCase ?? "any" : "any";
  if (looseCase !== "any") spellDirectories(snapshot, rule, addDirectory);
  const findingOf = findsUnderTree(looseCase, snapshot, directories);
  const damaged: number[] = [];
  const unfound: number[] = [];
  const takeIfFree = (entry: number) => {
    const key = keyOf(entryNodes[entry] ?? 0);
    if (entries[key] === 0) entries[key] = entry + 1;
  };
  const hidden = rule.hidden && rule.hidden.size > 0 ? rule.hidden : undefined;
  for (const number of rule.searchPath) {
    const source = snapshot.sources[number];
    if (!source) continue;
    const { firstEntry, entryCount } = source;
    const isLoose = looseCase !== "any" && isDirectorySource(source);
    const foundOtherwise: number[] = [];
    for (let step = 0; step < entryCount; step++) {
      const entry = rule.duplicates === "first" ? firstEntry + step : firstEntry + entryCount - 1 - step;
      const node = entryNodes[entry] ?? 0;
      const key = keyOf(node);
      if (((entryFlags[entry] ?? 0) & entryIsDirectory) !== 0) addDirectory(node);
      else if (entries[key] !== 0) {
        if (isStoredLater(snapshot, rule, source, (entries[key] ?? 0) - 1, entry)) entries[key] = entry + 1;
      } else if (hidden?.has(entry) || rule.refuses?.(entry)) continue;
      else {
        addDirectory(nodeParents[node] ?? 0);
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

/** Whether an entry takes the place of another of its source that was met before it. */
function isStoredLater(snapshot: Snapshot, rule: TreeRule, source: Source, known: number, entry: number): boolean {
  if (rule.duplicates !== "last-stored" || known < source.firstEntry) return false;
  if (known >= source.firstEntry + source.entryCount) return false;
  const { entryOffsets, entryDamage } = snapshot.columns;
  return entryDamage[entry] === 0 && (entryOffsets[entry] ?? 0) > (entryOffsets[known] ?? 0);
}

/** Marks all directories before any file is looked at: how they are spelled decides which loose files are found. */
function spellDirectories(snapshot: Snapshot, rule: TreeRule, addDirectory: (node: number) => void): void {
  const { entryNodes, entryFlags, nodeParents } = snapshot.columns;
  for (const number of rule.searchPath) {
    const source = snapshot.sources[number];
    if (!source) continue;
    for (let entry = source.firstEntry; entry < source.firstEntry + source.entryCount; entry++) {
      const node = entryNodes[entry] ?? 0;
      const isDirectory = ((entryFlags[entry] ?? 0) & entryIsDirectory) !== 0;
      addDirectory(isDirectory ? node : nodeParents[node] ?? 0);
    }
  }
}

/** Deals the winners and their directories out to their parents, in the order of names. */
function gatherChildren(snapshot: Snapshot, rule: TreeRule, winners: Winners) {
  const { nodeParents, nodeFolds, nodeOrder, entryNodes } = snapshot.columns;
  const { entries, directories } = winners;
  const keyOf = (node: number) => rule.ignoreCase ? nodeFolds[node] ?? node : node;
  const parentKey = (node: number) => keyOf(nodeParents[node] ?? 0);
  const ends = new Uint32Array(entries.length);
  let total = 0;
  const clashing: number[] = [];
  for (let node = 1; node < entries.length; node++) {
    const isFile = entries[node] !== 0;
    const isDirectory = directories[node] !== 0;
    if (!isFile && !isDirectory) continue;
    const parent = parentKey(node);
    const count = isFile && isDirectory ? 2 : 1;
    if (count === 2) clashing.push(node);
    ends[parent] = (ends[parent] ?? 0) + count;
    total += count;
  }
  const starts = new Uint32Array(entries.length);
  let start = 0;
  for (let node = 0; node < entries.length; node++) {
    const count = ends[node] ?? 0;
    starts[node] = start;
    ends[node] = start;
    start += count;
  }
  const childNodes = new Uint32Array(total);
  const childEntries = new Uint32Array(total);
  const put = (parent: number, node: number, entry: number) => {
    const place = ends[parent] ?? 0;
    childNodes[place] = node;
    childEntries[place] = entry;
    ends[parent] = place + 1;
  };
  const aliases = new Map<number, number>();
  for (const node of clashing) {
    const entry = (entries[node] ?? 0) - 1;
    const alias = snapshot.clashes.get(entryNodes[entry] ?? 0);
    if (alias !== undefined) aliases.set(alias, entry);
  }
  for (const node of nodeOrder) {
    const clashed = aliases.get(node);
    if (clashed !== undefined) put(parentKey(node), node, clashed);
    if (node === 0 || keyOf(node) !== node) continue;
    const spelling = directories[node] ?? 0;
    if (spelling !== 0) put(parentKey(node), spelling, none);
    else if (entries[node] !== 0) {
      const entry = (entries[node] ?? 0) - 1;
      put(parentKey(node), entryNodes[entry] ?? node, entry);
    }
  }
  return { total, starts, ends, nodes: childNodes, entries: childEntries };
}
