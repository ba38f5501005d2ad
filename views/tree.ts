/**
 * A resolved tree: the winning entry of each path, with directories whose children are sorted and contiguous. Computed
 * once per view or pack, in a few passes over the columns without comparing names.
 * @module
 */
import {
  at,
  beyond,
  equalBytes,
  equalFolded,
  isDirectorySource,
  none,
  searchedEntries,
  type Snapshot,
} from "../index/mod.ts";
import { type Asked, plainlyAsked, Spellings } from "./spellings.ts";
import { type ListedColumns, TreeColumns } from "./tree_columns.ts";
import { requestedPath, type TreeRule } from "./tree_rule.ts";
import { resolveWinners, type Winners } from "./winners.ts";

/** Result of resolving a tree. It can be posted to another thread; the columns stay shared. */
export interface TreeParts {
  readonly winners: Winners;
  readonly columns: ListedColumns;
  /** Requests of directories in which spelling has an effect. */
  readonly asked: ReadonlyMap<number, Asked>;
}

/**
 * Nodes of one tree, breadth first: node 0 is the root, the children of a directory are contiguous. The listed nodes
 * are followed by *variants*: nodes that engines find with other spellings than the listed one. Variants are created on
 * demand, and are in no listing of a listed directory.
 */
export class Tree {
  readonly snapshot: Snapshot;
  readonly rule: TreeRule;
  /** Number of listed files and directories, the root included. */
  readonly length: number;
  /** Number of listed files. */
  readonly fileCount: number;
  readonly #columns: TreeColumns;
  readonly #winners: Winners;
  readonly #spellings: Spellings;
  /** For each listed node: 1 if the requested spelling affects it; undefined if it never does. */
  readonly #differs: Uint8Array | undefined;
  /** Requests of directories in which spelling has an effect. */
  readonly #asked: Map<number, Asked>;
  /** Names of variants, as first requested. */
  readonly #names = new Map<number, Uint8Array>();
  /** Variants by identity, so that equivalent spellings share one. */
  readonly #variants = new Map<string, number>();
  /** Variant directories whose children are not yet known. */
  readonly #unlooked = new Set<number>();
  #unlisted: readonly number[] | undefined;
  #unlistedChildren: ReadonlyMap<number, readonly number[]> | undefined;

  /** Resolves `rule` for `snapshot` in a few passes over the columns, unless `parts` holds the result. */
  constructor(snapshot: Snapshot, rule: TreeRule, parts?: TreeParts) {
    this.snapshot = snapshot;
    this.rule = rule;
    if (parts) {
      this.#winners = parts.winners;
      this.#spellings = new Spellings(snapshot, rule, parts.winners);
      this.#columns = TreeColumns.from(parts.columns);
      this.length = this.#columns.length;
      this.fileCount = this.#columns.fileCount;
      this.#asked = new Map(parts.asked);
      this.#differs = this.#differing();
      return;
    }
    const winners = resolveWinners(snapshot, rule);
    this.#winners = winners;
    this.#spellings = new Spellings(snapshot, rule, winners);
    const columns = new TreeColumns(winners.maxNodes);
    this.#columns = columns;
    this.#asked = new Map(winners.differs ? [[0, this.#spellings.root]] : []);
    let directoryCount = 0;
    for (let directory = 0; directory >= 0; directory = columns.nextDirectory(directory), directoryCount++) {
      this.#list(directory);
    }
    this.length = columns.length;
    this.fileCount = columns.length - directoryCount;
    columns.resize(this.length);
    this.#differs = this.#differing();
  }

  /** Parts from which another thread can create the same tree. */
  get parts(): TreeParts {
    const asked = new Map(Array.from(this.#asked).filter(([directory]) => directory < this.length));
    return { winners: this.#winners, columns: this.#columns.listed(this.length), asked };
  }

  /** Bytes of the columns. */
  get byteLength(): number {
    const { entries, directories, marks, differs } = this.#winners;
    const columns = [entries, directories, marks, ...Object.values(this.#columns.listed(this.length))];
    return columns.reduce((sum, { buffer }) => sum + buffer.byteLength, differs?.byteLength ?? 0);
  }

  /** Returns the listed nodes for which the spelling has an effect; `undefined` if it never has. */
  #differing(): Uint8Array | undefined {
    const { differs } = this.#winners;
    if (!differs) return undefined;
    const { nodeFolds } = this.snapshot.columns;
    const { nodes } = this.#columns;
    const differing = new Uint8Array(this.length);
    for (let index = 0; index < this.length; index++) {
      const fold = nodeFolds[nodes[index] ?? beyond(nodes)] ?? beyond(nodeFolds);
      differing[index] = differs[fold] ?? beyond(differs);
    }
    return differing;
  }

  /** The snapshot's node with the name of each node; for variants, a node whose path is equal except for case. */
  get nodes(): Uint32Array {
    return this.#columns.nodes;
  }

  /** The entry of each file; {@linkcode none} for directories. Looking up a path may replace it, like all columns. */
  get entries(): Uint32Array {
    return this.#columns.entries;
  }

  /** Returns the entry of a node; {@linkcode none} for directories. */
  entryOf(node: number): number {
    return at(this.entries, node);
  }

  /** Returns the entry of the file at a path; {@linkcode none} for directories, and if it is missing. */
  entryAt(path: string): number {
    const node = this.find(path);
    return node === none ? none : this.entryOf(node);
  }

  /** Yields a file, or all listed files below a directory. */
  *files(top = 0): Generator<number> {
    for (let node = top; node !== none; node = this.following(node, top)) if (!this.isDirectory(node)) yield node;
  }

  /** Returns the listed children of the directory at a path; none if it is missing, or a file. */
  childrenAt(path: string): number[] {
    const directory = this.find(path);
    if (directory === none || !this.isDirectory(directory)) return [];
    const first = at(this.firstChildren, directory);
    return Array.from({ length: at(this.childCounts, directory) }, (_, index) => first + index);
  }

  get parents(): Uint32Array {
    return this.#columns.parents;
  }

  /**
   * First child of each directory; undefined for files, and for variants for which {@linkcode Tree.list} was not
   * called.
   */
  get firstChildren(): Uint32Array {
    return this.#columns.firstChildren;
  }

  get childCounts(): Uint32Array {
    return this.#columns.childCounts;
  }

  /** Returns whether a node can only be reached with an unlisted spelling. */
  isVariant(index: number): boolean {
    return index >= this.length;
  }

  /**
   * Unlisted loose files, which only their own spelling finds: variants, which follow the listed nodes in a walk of all
   * files.
   */
  get unlisted(): readonly number[] {
    return this.#unlisted ??= this.#findUnlisted();
  }

  #findUnlisted(): number[] {
    const { differs } = this.#winners;
    if (!differs) return [];
    const { entryNodes, nodeFolds } = this.snapshot.columns;
    const listed = new Uint8Array(entryNodes.length);
    for (const entry of this.entries.subarray(0, this.length)) if (entry !== none) listed[entry] = 1;
    const found: number[] = [];
    for (const number of this.rule.searchPath) {
      const source = this.snapshot.sources[number];
      if (!source || !isDirectorySource(source)) continue;
      for (const { first, count } of searchedEntries(source)) {
        for (let entry = first; entry < first + count; entry++) {
          const node = at(entryNodes, entry);
          if (listed[entry] === 1 || differs[at(nodeFolds, node)] !== 1) continue;
          const index = this.find(this.snapshot.pathOf(node));
          if (index === none || !this.isVariant(index) || this.entryOf(index) !== entry) continue;
          this.#names.set(index, this.snapshot.nameBytes(node).slice());
          found.push(index);
        }
      }
    }
    return found;
  }

  /** Returns the unlisted children of a directory that lead to unlisted files. */
  unlistedChildren(directory: number): readonly number[] {
    const known = this.#unlistedChildren ??= Map.groupBy(
      new Set(this.unlisted.flatMap((file) => this.#unlistedAbove(file))),
      (child) => at(this.parents, child),
    );
    return known.get(directory) ?? [];
  }

  /** Returns which of a file and its parent directories are not listed in their parent. */
  #unlistedAbove(file: number): number[] {
    const found: number[] = [];
    for (let child = file; child !== 0; child = at(this.parents, child)) {
      const position = child - at(this.firstChildren, at(this.parents, child));
      if (position < 0 || position >= at(this.childCounts, at(this.parents, child))) found.push(child);
    }
    return found;
  }

  /** Determines the children of a directory, which may be unknown for a variant. */
  list(index: number): void {
    if (this.#unlooked.delete(index)) this.#list(index);
  }

  #list(directory: number): void {
    const columns = this.#columns;
    const first = columns.length;
    columns.firstChildren[directory] = first;
    const isVariant = this.#variants.size > 0;
    const asked = this.#asked.get(directory) ?? plainlyAsked;
    this.#spellings.list(columns.nodes[directory] ?? beyond(columns.nodes), asked, (node, entry, childAsked) => {
      const child = columns.add(node, entry, directory);
      if (childAsked) this.#asked.set(child, childAsked);
      if (isVariant && entry === none) this.#unlooked.add(child);
    });
    columns.childCounts[directory] = columns.length - first;
  }

  /** Returns whether a node is a directory. */
  isDirectory(index: number): boolean {
    return (this.entries[index] ?? beyond(this.entries)) === none;
  }

  /** Returns the child of directory `parent` for that spelling of its name, or {@linkcode none}. */
  findChild(parent: number, name: Uint8Array): number {
    if (parent >= this.length) this.list(parent);
    const found = this.listedChild(parent, name);
    if (this.#differs === undefined || this.#meansListed(parent, found, name)) return found;
    return this.#variant(parent, found, name);
  }

  /**
   * Returns the child of directory `parent` that is listed with that name, in any case if names ignore case, or
   * {@linkcode none}.
   */
  listedChild(parent: number, name: Uint8Array): number {
    const { ignoreCase } = this.rule;
    const { nodes, firstChildren, childCounts } = this.#columns;
    const found = this.#lowestChild(parent, name, ignoreCase);
    if (found === at(firstChildren, parent) + at(childCounts, parent)) return none;
    return this.snapshot.compareName(at(nodes, found), name, ignoreCase) === 0 ? found : none;
  }

  /** Returns whether the spelling of a name can only refer to the listed child. */
  #meansListed(parent: number, found: number, name: Uint8Array): boolean {
    if (found === none) {
      const node = at(this.nodes, parent);
      return !this.#spellings.differs(node) || !this.#spellings.differsChild(node, name);
    }
    if (found < this.length && this.#differs?.[found] === 0) return true;
    const { names, nameStarts, nodeNames } = this.snapshot.columns;
    const own = at(nodeNames, at(this.nodes, found));
    return equalBytes(names, at(nameStarts, own), at(nameStarts, own + 1), name, 0, name.length);
  }

  /** Returns the child for a spelling other than the listed one. `listed` is the child with the name in any case. */
  #variant(parent: number, listed: number, name: Uint8Array): number {
    if (listed !== none && this.snapshot.unclashed(at(this.nodes, listed)) !== this.nodes[listed]) return listed;
    const child = this.#spellings.child(at(this.nodes, parent), this.#asked.get(parent) ?? plainlyAsked, name);
    if (!child) return none;
    const { entry, fold, asked } = child;
    if (listed !== none && at(this.entries, listed) === entry) {
      const known = this.#asked.get(listed) ?? plainlyAsked;
      if (entry !== none || (known.node === asked.node && known.path === asked.path)) return listed;
    }
    const meaning = entry === none ? `${asked.node} ${asked.path ?? "/"}` : entry;
    const key = `${parent} ${fold} ${meaning}`;
    const known = this.#variants.get(key);
    if (known !== undefined) return known;
    const index = this.#columns.add(entry === none && asked.node !== none ? asked.node : fold, entry, parent);
    this.#variants.set(key, index);
    this.#names.set(index, name.slice());
    if (entry === none) {
      this.#asked.set(index, asked);
      this.#list(index);
    }
    return index;
  }

  /** Yields the children of directory `parent` whose names begin with `prefix` in any case, sorted by name. */
  *childrenBeginning(parent: number, prefix: Uint8Array): Generator<number> {
    const end = at(this.firstChildren, parent) + at(this.childCounts, parent);
    const { names, nameStarts, nodeNames } = this.snapshot.columns;
    // Case is the last sort criterion: names with the same beginning are adjacent.
    for (let child = this.#lowestChild(parent, prefix, true); child < end; child++) {
      const name = at(nodeNames, at(this.nodes, child));
      const start = at(nameStarts, name);
      const nameEnd = Math.min(at(nameStarts, name + 1), start + prefix.length);
      if (!equalFolded(names, start, nameEnd, prefix, 0, prefix.length)) return;
      yield child;
    }
  }

  /** Returns the first child of directory `parent` that is not before `name`, or the end of the children. */
  #lowestChild(parent: number, name: Uint8Array, ignoreCase: boolean): number {
    const { nodes, firstChildren, childCounts } = this.#columns;
    let low = firstChildren[parent] ?? beyond(firstChildren);
    let high = low + (childCounts[parent] ?? beyond(childCounts));
    while (low < high) {
      const middle = low + Math.floor((high - low) / 2);
      if (this.snapshot.compareName(nodes[middle] ?? beyond(nodes), name, ignoreCase) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the node of a path, or {@linkcode none}. Empty and `.` components are ignored. */
  find(path: string): number {
    const requested = requestedPath(this.rule, path);
    const found = this.#find(requested);
    const other = found === none ? this.rule.aliases?.get(requested.toLowerCase()) : undefined;
    return other === undefined ? found : this.#alias(requested, other);
  }

  /** Returns a variant for a file that answers a path of the root which no file has. */
  #alias(path: string, entry: number): number {
    return this.#variants.getOrInsertComputed(`alias ${path}`, () => {
      const index = this.#columns.add(at(this.snapshot.columns.entryNodes, entry), entry, 0);
      this.#names.set(index, encoder.encode(path));
      return index;
    });
  }

  #find(path: string): number {
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

  /** Returns the path of a node, without a leading slash; for a variant, a path that finds it. */
  pathOf(index: number): string {
    const parts: string[] = [];
    for (let step = index; step !== 0; step = at(this.parents, step)) parts.push(this.nameOf(step));
    return parts.reverse().join("/");
  }

  /**
   * Returns the path that an engine requests for a node: without the suffix that distinguishes a file from a directory.
   */
  askedPathOf(index: number): string {
    const node = at(this.nodes, index);
    const own = this.snapshot.unclashed(node);
    if (own === node) return this.pathOf(index);
    const directory = this.pathOf(at(this.parents, index));
    return directory === "" ? this.snapshot.nameOf(own) : `${directory}/${this.snapshot.nameOf(own)}`;
  }

  /** Returns the name of a node. */
  nameOf(index: number): string {
    const asked = this.#names.size === 0 ? undefined : this.#names.get(index);
    if (asked) return decoder.decode(asked);
    return this.snapshot.nameOf(at(this.nodes, index));
  }

  /**
   * Returns the node after `index` in the order of a walk (a directory before its content), or {@linkcode none} at the
   * end. With `skipChildren` the content of a directory is skipped.
   */
  following(index: number, within = 0, skipChildren = false): number {
    if (index >= this.#columns.length) return none; // a client's cursor
    if (index >= this.length) this.list(index);
    if (!skipChildren && this.isDirectory(index) && (this.childCounts[index] ?? beyond(this.childCounts)) > 0) {
      return this.firstChildren[index] ?? beyond(this.firstChildren);
    }
    for (let step = index; step !== within; step = this.parents[step] ?? beyond(this.parents)) {
      const parent = this.parents[step] ?? beyond(this.parents);
      if (
        step + 1 <
          (this.firstChildren[parent] ?? beyond(this.firstChildren)) +
            (this.childCounts[parent] ?? beyond(this.childCounts))
      ) return step + 1;
    }
    return none;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
