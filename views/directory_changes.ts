/**
 * Directories of a search path after names came or went: which are left, and how they are spelled. Only those that
 * these names are in are looked at.
 * @module
 */
import { entryIsDirectory } from "../formats/parts.ts";
import { at, isDirectorySource, none, type Snapshot } from "../index/mod.ts";
import { looseFinder } from "./loose_files.ts";
import { findsOwnSpelling, type TreeRule } from "./tree_rule.ts";
import { inLoose, inPack, isSpelledBetter, type Winners } from "./winners.ts";

/** Brings the columns `marks` and `directories` of winners up to date. */
export class DirectoryChanges {
  readonly #snapshot: Snapshot;
  readonly #rule: TreeRule;
  readonly #marks: Uint8Array;
  readonly #directories: Uint32Array;
  /** By source: its mark if it is searched, else 0. */
  readonly #searched: Uint8Array;
  readonly #isFindable: ((node: number, asked: number) => boolean) | undefined;
  readonly #changed = new Set<number>();

  /** @param winners Columns of the earlier index, as long as those of this one; they are written. */
  constructor(snapshot: Snapshot, rule: TreeRule, { marks, directories }: Pick<Winners, "marks" | "directories">) {
    this.#snapshot = snapshot;
    this.#rule = rule;
    this.#marks = marks;
    this.#directories = directories;
    this.#searched = new Uint8Array(snapshot.sources.length);
    for (const id of rule.searchPath) {
      const source = snapshot.sources[id];
      if (source) this.#searched[id] = isDirectorySource(source) ? inLoose : inPack;
    }
    this.#isFindable = rule.ignoreCase && rule.looseCase === "small-directory"
      ? looseFinder(rule.looseCase, snapshot)
      : undefined;
  }

  /** Notes an entry that is new. */
  add(entry: number): void {
    const { entryNodes, entryFlags, entrySources, nodeParents } = this.#snapshot.columns;
    const node = at(entryNodes, entry);
    const isDirectory = (at(entryFlags, entry) & entryIsDirectory) !== 0;
    const mark = at(this.#searched, at(entrySources, entry));
    if (!this.#counts(entry, node, mark, isDirectory)) return;
    for (
      let step = isDirectory ? node : at(nodeParents, node);
      step !== 0 && (at(this.#marks, step) & mark) === 0;
      step = at(nodeParents, step)
    ) this.#mark(step, at(this.#marks, step) | mark);
  }

  /**
   * Notes that the directory of node `directory` has lost a name. Call it after {@linkcode DirectoryChanges.add}.
   * @param mark That of the source which had the name.
   */
  remove(directory: number, mark: number): void {
    const { nodeParents } = this.#snapshot.columns;
    for (
      let step = directory;
      step !== 0 && (at(this.#marks, step) & mark) !== 0 && !this.#hasAny(step, mark);
      step = at(nodeParents, step)
    ) this.#mark(step, at(this.#marks, step) & ~mark);
  }

  /** Spells directories by what is left of them; returns the nodes of those that are different. */
  finish(): Iterable<number> {
    const { nodeFolds } = this.#snapshot.columns;
    for (const node of this.#changed) {
      const key = this.#rule.ignoreCase ? at(nodeFolds, node) : node;
      this.#directories[key] = this.#spelling(key);
    }
    return this.#changed;
  }

  #mark(node: number, marks: number): void {
    this.#marks[node] = marks;
    this.#changed.add(node);
  }

  /** Returns whether an entry keeps the directory that it is in. */
  #counts(entry: number, node: number, mark: number, isDirectory: boolean): boolean {
    if (!isDirectory && this.#rule.hidden?.has(entry)) return false;
    return mark !== inLoose || this.#isFindable === undefined || this.#isFindable(node, none);
  }

  /** Returns whether anything in sources of that mark is in a directory. */
  #hasAny(directory: number, mark: number): boolean {
    if (this.#hasEntry(directory, mark, true)) return true;
    const { nodeOrder, childStarts, nodeFolds, nodeParents } = this.#snapshot.columns;
    const fold = at(nodeFolds, directory);
    const end = at(childStarts, fold + 1);
    for (let position = at(childStarts, fold); position < end; position++) {
      const child = at(nodeOrder, position);
      if (child === 0 || at(nodeParents, child) !== directory) continue;
      if ((at(this.#marks, child) & mark) !== 0 || this.#hasEntry(child, mark, false)) return true;
    }
    return false;
  }

  /** Returns whether a source of that mark has a file, or lists a directory, of exactly that name. */
  #hasEntry(node: number, mark: number, isDirectory: boolean): boolean {
    const { candidateStarts, candidates, entryNodes, entryFlags, entrySources, nodeFolds } = this.#snapshot.columns;
    const fold = at(nodeFolds, node);
    const end = at(candidateStarts, fold + 1);
    for (let position = at(candidateStarts, fold); position < end; position++) {
      const entry = at(candidates, position);
      const isLike = at(entryNodes, entry) === node && at(this.#searched, at(entrySources, entry)) === mark &&
        ((at(entryFlags, entry) & entryIsDirectory) !== 0) === isDirectory;
      if (isLike && this.#counts(entry, node, mark, isDirectory)) return true;
    }
    return false;
  }

  /** Returns the node that spells a directory, or 0 if nothing is in it. */
  #spelling(key: number): number {
    if (!this.#rule.ignoreCase) return at(this.#marks, key) === 0 ? 0 : key;
    const decisive = findsOwnSpelling(this.#rule) ? inPack : inPack | inLoose;
    const known = at(this.#directories, key);
    let best = known !== 0 && (at(this.#marks, known) & decisive) !== 0 ? known : 0;
    for (const node of this.#spellingsOf(key)) {
      if (node === best || (at(this.#marks, node) & decisive) === 0) continue;
      if (best === 0 || isSpelledBetter(this.#snapshot, this.#marks, node, best)) best = node;
    }
    return best;
  }

  /** Yields the nodes of one fold node: they lie together. */
  *#spellingsOf(fold: number): Generator<number> {
    const { nodeOrder, childStarts, nodeFolds, nodeParents } = this.#snapshot.columns;
    const parent = at(nodeFolds, at(nodeParents, fold));
    const name = this.#snapshot.nameBytes(fold);
    const end = at(childStarts, parent + 1);
    let low = at(childStarts, parent);
    for (let high = end; low < high;) {
      const middle = (low + high) >>> 1;
      if (this.#snapshot.compareName(at(nodeOrder, middle), name, true) < 0) low = middle + 1;
      else high = middle;
    }
    for (; low < end && at(nodeFolds, at(nodeOrder, low)) === fold; low++) yield at(nodeOrder, low);
  }
}
