/**
 * A resolved tree: which entry answers each path, with directories whose children are sorted and lie together.
 * Computed once per view or pack, in a few passes over the columns without comparing names.
 * @module
 */
import { entryIsDirectory } from "../../formats/core/entry_table.ts";
import { none } from "../columns/columns.ts";
import { compareBytes, equalBytes, equalFolded } from "../columns/fold.ts";
import { type LooseCase, looseFinder } from "../profiles/loose_case.ts";
import type { LooseOnly } from "../profiles/loose_only.ts";
import { isBroken } from "../profiles/member_methods.ts";
import { isFoundByBinarySearch } from "../profiles/met_in_pack.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import { isDirectorySource, type Source } from "../columns/source.ts";
import { type Asked, findsOwnSpelling, inLoose, inPack, Spellings, type Winners } from "./spellings.ts";

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
  /** Where case is ignored: paths for which packs are passed over, by the spelling that is asked for. */
  readonly looseOnly?: readonly LooseOnly[];
  /**
   * Where case is ignored: negative if the first of two entries is preferred, when the path is asked for as the node
   * `asked` is spelled. Without it the spelling decides nothing.
   */
  readonly order?: (a: number, b: number, asked: number) => number;
  /** Code of the damage that does not keep an entry from answering before sound ones; default: none. */
  readonly acceptedDamage?: number;
  /** By number of a source: the first of those with which it ties, so that `last-stored` decides; default: none does. */
  readonly ties?: ReadonlyMap<number, number>;
  /** Entries left out: packs that are themselves on the search path. */
  readonly hidden?: ReadonlySet<number>;
  /** Whether an entry cannot be used at all; default: none. */
  readonly refuses?: (entry: number) => boolean;
}

/** The columns of a tree. They grow when a path is asked for in a spelling that is not listed. */
class Places {
  nodes: Uint32Array;
  entries: Uint32Array;
  parents: Uint32Array;
  firstChildren: Uint32Array;
  childCounts: Uint32Array;
  length = 1;

  constructor(room: number) {
    this.nodes = new Uint32Array(room);
    this.entries = new Uint32Array(room).fill(none);
    this.parents = new Uint32Array(room);
    this.firstChildren = new Uint32Array(room);
    this.childCounts = new Uint32Array(room);
  }

  add(node: number, entry: number, parent: number): number {
    const place = this.length++;
    if (place >= this.nodes.length) this.resize(Math.max(64, place * 2));
    this.nodes[place] = node;
    this.entries[place] = entry;
    this.parents[place] = parent;
    return place;
  }

  resize(room: number): void {
    const resized = (column: Uint32Array) => {
      if (room <= column.length) return column.subarray(0, room);
      const larger = new Uint32Array(room);
      larger.set(column);
      return larger;
    };
    this.nodes = resized(this.nodes);
    this.entries = resized(this.entries);
    this.parents = resized(this.parents);
    this.firstChildren = resized(this.firstChildren);
    this.childCounts = resized(this.childCounts);
  }
}

/**
 * Nodes of one tree, breadth first: node 0 is the root, the children of a directory follow each other. Behind those that
 * are listed are *variants*: what a path is when it is asked for in another spelling than the listed one, for engines to
 * which that is something else. They are made when they are asked for, and no listing of a listed directory has them.
 */
export class Tree {
  readonly snapshot: Snapshot;
  readonly rule: TreeRule;
  /** Number of listed files and directories, the root included. */
  readonly length: number;
  /** Number of listed files. */
  readonly fileCount: number;
  readonly #places: Places;
  readonly #spellings: Spellings;
  /** By listed node: 1 where the spelling that is asked for decides what it is; undefined where it never does. */
  readonly #differs: Uint8Array | undefined;
  /** How directories are asked for in which spelling decides something. */
  readonly #asked = new Map<number, Asked>();
  /** Names of variants, as they were asked for first. */
  readonly #names = new Map<number, Uint8Array>();
  /** Variants by what they are, so that spellings which mean the same lead to the same. */
  readonly #variants = new Map<string, number>();
  /** Directories in variants whose children have not been looked at. */
  readonly #unlisted = new Set<number>();

  /** Resolves `rule` over `snapshot`. Costs a few passes over the columns. */
  constructor(snapshot: Snapshot, rule: TreeRule) {
    this.snapshot = snapshot;
    this.rule = rule;
    const winners = resolveWinners(snapshot, rule);
    const places = new Places(maxNodes(winners));
    this.#places = places;
    this.#spellings = new Spellings(snapshot, rule, winners);
    if (winners.differs) this.#asked.set(0, this.#spellings.root);
    let fileCount = 0;
    for (let directory = 0; directory < places.length; directory++) {
      if (directory > 0 && places.entries[directory] !== none) continue;
      this.#list(directory);
      const first = places.firstChildren[directory] ?? 0;
      for (let child = first; child < places.length; child++) if (places.entries[child] !== none) fileCount++;
    }
    this.length = places.length;
    this.fileCount = fileCount;
    places.resize(this.length);
    if (!winners.differs) return;
    this.#differs = new Uint8Array(this.length);
    for (let node = 0; node < this.length; node++) {
      if (this.#spellings.differs(places.nodes[node] ?? 0)) this.#differs[node] = 1;
    }
  }

  /** The snapshot's node that names each node; of variants one of the same path but for case. */
  get nodes(): Uint32Array {
    return this.#places.nodes;
  }

  /** The entry of each file; {@linkcode none} for directories. */
  get entries(): Uint32Array {
    return this.#places.entries;
  }

  get parents(): Uint32Array {
    return this.#places.parents;
  }

  /** First child of each directory; meaningless for files, and for variants that {@linkcode Tree.list} was not called for. */
  get firstChildren(): Uint32Array {
    return this.#places.firstChildren;
  }

  get childCounts(): Uint32Array {
    return this.#places.childCounts;
  }

  /** Whether a node is one that is only reached by a spelling which is not listed. */
  isVariant(index: number): boolean {
    return index >= this.length;
  }

  /** Makes the children of a directory known, which those of a variant may not be. */
  list(index: number): void {
    if (this.#unlisted.delete(index)) this.#list(index);
  }

  #list(directory: number): void {
    const places = this.#places;
    const first = places.length;
    places.firstChildren[directory] = first;
    const isVariant = this.#variants.size > 0;
    const asked = this.#asked.get(directory) ?? plainlyAsked;
    this.#spellings.list(places.nodes[directory] ?? 0, asked, (node, entry, childAsked) => {
      const child = places.add(node, entry, directory);
      if (childAsked) this.#asked.set(child, childAsked);
      if (isVariant && entry === none) this.#unlisted.add(child);
    });
    places.childCounts[directory] = places.length - first;
  }

  /** Whether a node is a directory. */
  isDirectory(index: number): boolean {
    return this.entries[index] === none;
  }

  /** The child of directory `parent` that is meant by that spelling of its name, or {@linkcode none}. */
  findChild(parent: number, name: Uint8Array): number {
    if (parent >= this.length) this.list(parent);
    const found = this.listedChild(parent, name);
    if (this.#differs === undefined || this.#meansListed(parent, found, name)) return found;
    return this.#variant(parent, found, name);
  }

  /** The child of directory `parent` that is listed under that name, whatever the case if names have none, or {@linkcode none}. */
  listedChild(parent: number, name: Uint8Array): number {
    const { ignoreCase } = this.rule;
    const { nodes, firstChildren, childCounts } = this.#places;
    const found = this.#lowestChild(parent, name, ignoreCase);
    if (found === (firstChildren[parent] ?? 0) + (childCounts[parent] ?? 0)) return none;
    return this.snapshot.compareName(nodes[found] ?? 0, name, ignoreCase) === 0 ? found : none;
  }

  /** Whether the spelling of a name cannot mean anything but what is listed under it. */
  #meansListed(parent: number, found: number, name: Uint8Array): boolean {
    if (found === none) {
      const node = this.nodes[parent] ?? 0;
      return !this.#spellings.differs(node) || !this.#spellings.differsChild(node, name);
    }
    if (found < this.length && this.#differs?.[found] === 0) return true;
    const { names, nameStarts, nodeNames } = this.snapshot.columns;
    const own = nodeNames[this.nodes[found] ?? 0] ?? 0;
    return equalBytes(names, nameStarts[own] ?? 0, nameStarts[own + 1] ?? 0, name, 0, name.length);
  }

  /** What another spelling of a name than the listed one means. `listed` is the child of the name in any case. */
  #variant(parent: number, listed: number, name: Uint8Array): number {
    if (listed !== none && this.snapshot.unclashed(this.nodes[listed] ?? 0) !== this.nodes[listed]) return listed;
    const child = this.#spellings.child(this.nodes[parent] ?? 0, this.#asked.get(parent) ?? plainlyAsked, name);
    if (!child) return none;
    const { entry, fold, asked } = child;
    if (listed !== none && this.entries[listed] === entry) {
      const known = this.#asked.get(listed) ?? plainlyAsked;
      if (entry !== none || (known.node === asked.node && known.path === asked.path)) return listed;
    }
    const meaning = entry === none ? `${asked.node} ${asked.path ?? "/"}` : entry;
    const key = `${parent} ${fold} ${meaning}`;
    const known = this.#variants.get(key);
    if (known !== undefined) return known;
    const index = this.#places.add(entry === none && asked.node !== none ? asked.node : fold, entry, parent);
    this.#variants.set(key, index);
    this.#names.set(index, name.slice());
    if (entry === none) {
      this.#asked.set(index, asked);
      this.#list(index);
    }
    return index;
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
    const { nodes, firstChildren, childCounts } = this.#places;
    let low = firstChildren[parent] ?? 0;
    let high = low + (childCounts[parent] ?? 0);
    while (low < high) {
      const middle = low + Math.floor((high - low) / 2);
      if (this.snapshot.compareName(nodes[middle] ?? 0, name, ignoreCase) < 0) low = middle + 1;
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
    this.list(index);
    return index;
  }

  /** Path of a node, without a leading slash; of a variant one that leads to it. */
  pathOf(index: number): string {
    const parts: string[] = [];
    for (let step = index; step !== 0; step = this.parents[step] ?? 0) parts.push(this.nameOf(step));
    return parts.reverse().join("/");
  }

  /** The path that an engine asks for to get a node: without the ending that tells a file from a directory. */
  askedPathOf(index: number): string {
    const node = this.nodes[index] ?? 0;
    const own = this.snapshot.unclashed(node);
    if (own === node) return this.pathOf(index);
    const directory = this.pathOf(this.parents[index] ?? 0);
    return directory === "" ? this.snapshot.nameOf(own) : `${directory}/${this.snapshot.nameOf(own)}`;
  }

  /** Own name of a node. */
  nameOf(index: number): string {
    const asked = this.#names.size === 0 ? undefined : this.#names.get(index);
    if (asked) return decoder.decode(asked);
    return this.snapshot.nameOf(this.nodes[index] ?? 0);
  }

  /**
   * The node after `index` in the order of a walk (a directory before what is in it), or {@linkcode none} at the end.
   * With `skipChildren` the inside of a directory is passed over.
   */
  following(index: number, within = 0, skipChildren = false): number {
    if (index >= this.length) this.list(index);
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
const decoder = new TextDecoder();
/** How a directory is asked for in which spelling decides nothing. */
const plainlyAsked: Asked = { node: none, path: null };

/**
 * Lets the sources answer in the order they are searched: the first that has a name in any spelling wins it. Members that
 * cannot be read come last, so that they are shown only where nothing sound has the name.
 */
function resolveWinners(snapshot: Snapshot, rule: TreeRule): Winners {
  const { entryNodes, entryFlags, entryDamage, nodeFolds, nodeParents } = snapshot.columns;
  const entries = new Uint32Array(snapshot.nodeCount);
  const directories = new Uint32Array(snapshot.nodeCount);
  const marks = new Uint8Array(snapshot.nodeCount);
  const keyOf = (node: number) => rule.ignoreCase ? nodeFolds[node] ?? node : node;
  const isOwn = findsOwnSpelling(rule);
  /** Marks a directory and those above it. */
  const addDirectory = (node: number, mark: number) => {
    for (let step = node; step !== 0 && ((marks[step] ?? 0) & mark) === 0; step = nodeParents[step] ?? 0) {
      marks[step] = (marks[step] ?? 0) | mark;
      if (isOwn && mark === inLoose) continue;
      const key = keyOf(step);
      const known = directories[key] ?? 0;
      if (known === 0 || (known !== step && isSpelledBetter(snapshot, marks, step, known))) directories[key] = step;
    }
  };
  const damaged: number[] = [];
  const hidden = rule.hidden && rule.hidden.size > 0 ? rule.hidden : undefined;
  const replaces = replacement(snapshot, rule);
  const isFindable = rule.ignoreCase && rule.looseCase === "small-directory"
    ? looseFinder(rule.looseCase, snapshot)
    : undefined;
  const differences = new Differences(snapshot, rule, isOwn);
  for (const number of rule.searchPath) {
    const source = snapshot.sources[number];
    if (!source) continue;
    const { firstEntry, entryCount } = source;
    const isLoose = isDirectorySource(source);
    const mark = isLoose ? inLoose : inPack;
    let lastDirectory = 0;
    for (let step = 0; step < entryCount; step++) {
      const entry = rule.duplicates === "first" ? firstEntry + step : firstEntry + entryCount - 1 - step;
      const node = entryNodes[entry] ?? 0;
      const key = keyOf(node);
      const isDirectory = ((entryFlags[entry] ?? 0) & entryIsDirectory) !== 0;
      if (isLoose) {
        if (isFindable && !isFindable(node, none)) continue;
        differences.add(node);
      }
      const known = entries[key] ?? 0;
      const isTaken = known !== 0 && !replaces?.(source, known - 1, entry);
      if (!isDirectory && (hidden?.has(entry) || (!isTaken && rule.refuses?.(entry)))) continue;
      const directory = isDirectory ? node : nodeParents[node] ?? 0;
      // Archives list what is in a directory together.
      if (directory !== lastDirectory) addDirectory(directory, mark);
      lastDirectory = directory;
      if (isDirectory || isTaken) continue;
      if (isBroken(entryDamage[entry] ?? 0, rule)) damaged.push(entry);
      else entries[key] = entry + 1;
    }
  }
  for (const entry of damaged) {
    const key = keyOf(entryNodes[entry] ?? 0);
    if (entries[key] === 0) entries[key] = entry + 1;
  }
  return { entries, directories, marks, differs: differences.found };
}

/** Whether a listing spells a directory as `node` rather than as `other`: packs decide, then small letters. */
function isSpelledBetter(snapshot: Snapshot, marks: Uint8Array, node: number, other: number): boolean {
  const compressed = ((marks[node] ?? 0) & inPack) - ((marks[other] ?? 0) & inPack);
  if (compressed !== 0) return compressed > 0;
  const [name, known] = [snapshot.nameBytes(node), snapshot.nameBytes(other)];
  // Of names that differ only in case, the one in small letters is the last by bytes.
  return compareBytes(name, 0, name.length, known, 0, known.length) > 0;
}

/** Notes for which names it matters how they are spelled when they are asked for, and for all that they are in. */
class Differences {
  readonly #snapshot: Snapshot;
  readonly #isPossible: boolean;
  /** Whether every loose file has such a name, or only one whose name has several spellings. */
  readonly #isOwn: boolean;
  found: Uint8Array | undefined;

  constructor(snapshot: Snapshot, rule: TreeRule, isOwn: boolean) {
    this.#snapshot = snapshot;
    this.#isPossible = rule.ignoreCase && rule.order !== undefined;
    this.#isOwn = isOwn;
    for (const { path } of rule.looseOnly ?? []) {
      const node = snapshot.findNode(path, true);
      if (node !== none) this.#mark(node);
    }
  }

  /** Looks at a loose file or directory. */
  add(node: number): void {
    const { nodeFolds } = this.#snapshot.columns;
    if (this.#isPossible && (this.#isOwn || nodeFolds[node] !== node)) this.#mark(nodeFolds[node] ?? node);
  }

  #mark(fold: number): void {
    const { nodeFolds, nodeParents } = this.#snapshot.columns;
    this.found ??= new Uint8Array(this.#snapshot.nodeCount);
    for (let step = fold; this.found[step] === 0; step = nodeFolds[nodeParents[step] ?? 0] ?? 0) this.found[step] = 1;
  }
}

/** Whether an entry takes the place of another. */
type Replaces = (source: Source, known: number, entry: number) => boolean;

/** What decides between entries of one source, or of sources that tie, where their order does not. */
function replacement(snapshot: Snapshot, { duplicates, ties }: TreeRule): Replaces | undefined {
  if (duplicates !== "last-stored" && duplicates !== "met") return undefined;
  const { entryOffsets, entrySources } = snapshot.columns;
  const firstOf = (source: number) => ties?.get(source) ?? source;
  return (source, known, entry) => {
    if (firstOf(entrySources[known] ?? none) !== firstOf(source.id)) return false;
    return duplicates === "met"
      ? isFoundByBinarySearch(snapshot, source, entry)
      : (entryOffsets[entry] ?? 0) > (entryOffsets[known] ?? 0);
  };
}

/** As many nodes as a tree of these winners can have, the root included. */
function maxNodes({ entries, marks }: Winners): number {
  let most = 1;
  for (let node = 1; node < entries.length; node++) {
    if (entries[node] !== 0) most++;
    if (marks[node] !== 0) most++;
  }
  return most;
}
