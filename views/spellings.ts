/**
 * Content of a tree's directories by requested spelling: engines that fold the case of names in packs find loose files
 * by their own spelling only, so `maps/x.bsp` and `Maps/x.bsp` can be two files, or one file and none.
 *
 * A listing shows one spelling of a path (the packs', else lower case), but every lookup uses the requested spelling,
 * since these engines look up loose files in the file system.
 * @module
 */
import { entryIsDirectory } from "../formats/parts.ts";
import { at, beyond, isDirectorySource, none, type Snapshot } from "../index/mod.ts";
import { isSkipped, looseFinder, mayHoldBelow, skippedFor } from "./loose_files.ts";
import { isBroken } from "./member_methods.ts";
import { findsOwnSpelling, type TreeRule } from "./tree_rule.ts";
import { inLoose, type Winners } from "./winners.ts";

/** The requested spelling of a path, as far as it affects the winner. */
export interface Asked {
  /** Node with exactly that spelling, or {@linkcode none}; for a directory only if it has loose files. */
  readonly node: number;
  /** The path itself, if it may not be searched in packs, else null. */
  readonly path: string | null;
}

/** Request of a directory if its spelling does not matter. */
export const plainlyAsked: Asked = { node: none, path: null };

/** Receives the children of a directory, sorted by name. `entry` is {@linkcode none} for directories. */
type Sink = (nameNode: number, entry: number, asked: Asked | undefined) => void;

/** Resolves names in directories by their spelling. */
export class Spellings {
  readonly #snapshot: Snapshot;
  readonly #rule: TreeRule;
  readonly #winners: Winners;
  readonly #isOwn: boolean;
  readonly #isFound: (node: number, asked: number) => boolean;
  /** For each source: 1 if it is searched. */
  readonly #searched: Uint8Array;

  constructor(snapshot: Snapshot, rule: TreeRule, winners: Winners) {
    this.#snapshot = snapshot;
    this.#rule = rule;
    this.#winners = winners;
    this.#isOwn = findsOwnSpelling(rule);
    this.#isFound = looseFinder(rule.looseCase ?? "any", snapshot);
    this.#searched = new Uint8Array(snapshot.sources.length);
    for (const source of rule.searchPath) this.#searched[source] = 1;
  }

  /** Request of the root. */
  get root(): Asked {
    return { node: 0, path: (this.#rule.looseOnly ?? []).length > 0 ? "" : null };
  }

  /** Returns whether spelling affects a node of the tree, or a descendant. */
  differs(node: number): boolean {
    return this.#winners.differs
      ?.[this.#snapshot.columns.nodeFolds[node] ?? beyond(this.#snapshot.columns.nodeFolds)] === 1;
  }

  /** Returns whether it does for a name in a directory, listed or not. */
  differsChild(directory: number, name: Uint8Array): boolean {
    const fold = this.#snapshot.findChild(directory, name, 0, name.length, true);
    return fold !== none && this.#winners.differs?.[fold] === 1;
  }

  /** Passes the listing of the directory of node `directory`, requested as `asked`, to `sink`. */
  list(directory: number, asked: Asked, sink: Sink): void {
    const { nodeOrder, childStarts, nodeFolds, nodeParents, entryNodes } = this.#snapshot.columns;
    const { entries, directories, marks, differs } = this.#winners;
    if (!differs) return this.#listPlain(directory, sink);
    const { clashes } = this.#snapshot;
    const fold = nodeFolds[directory] ?? beyond(nodeFolds);
    const last = childStarts[fold + 1] ?? beyond(childStarts);
    /** Files next to a directory with the same name, by the node of their alias. The file sorts after the directory. */
    let beside: Map<number, number> | undefined;
    for (let position = childStarts[fold] ?? beyond(childStarts); position < last;) {
      const first = nodeOrder[position] ?? beyond(nodeOrder);
      const key = nodeFolds[first] ?? beyond(nodeFolds);
      let end = position + 1;
      while (end < last && nodeFolds[nodeOrder[end] ?? beyond(nodeOrder)] === key) end++;
      const start = position;
      position = end;
      if (beside) {
        for (let sibling = start; sibling < end; sibling++) {
          const entry = beside.get(nodeOrder[sibling] ?? beyond(nodeOrder));
          if (entry !== undefined) sink(nodeOrder[sibling] ?? beyond(nodeOrder), entry, undefined);
        }
      }
      if (first === 0) continue;
      let spelling: number;
      let name: number;
      let entry: number;
      const isPlain = asked.path === null &&
        (differs[key] === 0 || (end === start + 1 && (nodeParents[first] ?? beyond(nodeParents)) === asked.node));
      if (isPlain) {
        spelling = directories[key] ?? beyond(directories);
        if (this.#isOwn && ((marks[first] ?? beyond(marks)) & inLoose) !== 0) spelling = first;
        entry = (entries[key] ?? beyond(entries)) - 1;
        name = entry < 0 ? 0 : entryNodes[entry] ?? beyond(entryNodes);
      } else {
        spelling = this.#listedDirectory(key, start, end, asked);
        ({ name, entry } = this.#listedFile(key, start, end, asked));
      }
      if (spelling !== 0) {
        const alias = entry < 0 ? undefined : clashes.get(entryNodes[entry] ?? beyond(entryNodes));
        if (alias !== undefined) (beside ??= new Map()).set(alias, entry);
        const isAsked = differs[key] === 1 || asked.path !== null;
        sink(spelling, none, isAsked ? this.#askedDirectory(asked, spelling) : undefined);
      } else if (entry >= 0) sink(name, entry, undefined);
    }
  }

  /** Lists a directory in which spelling has no effect. */
  #listPlain(directory: number, sink: Sink): void {
    const { nodeOrder, childStarts, nodeFolds, nodeParents, entryNodes } = this.#snapshot.columns;
    const { entries, directories } = this.#winners;
    const { clashes } = this.#snapshot;
    const { ignoreCase, substitutes } = this.#rule;
    const fold = nodeFolds[directory] ?? beyond(nodeFolds);
    const last = childStarts[fold + 1] ?? beyond(childStarts);
    let beside: Map<number, number> | undefined;
    for (let position = childStarts[fold] ?? beyond(childStarts); position < last; position++) {
      const child = nodeOrder[position] ?? beyond(nodeOrder);
      if (child === 0 || (!ignoreCase && (nodeParents[child] ?? beyond(nodeParents)) !== directory)) continue;
      const named = beside?.get(child);
      if (named !== undefined) sink(child, named, undefined);
      if (ignoreCase && (nodeFolds[child] ?? beyond(nodeFolds)) !== child) continue;
      const spelling = directories[child] ?? beyond(directories);
      const entry = (entries[child] ?? beyond(entries)) - 1;
      if (spelling !== 0) {
        const alias = entry < 0 ? undefined : clashes.get(entryNodes[entry] ?? beyond(entryNodes));
        if (alias !== undefined) (beside ??= new Map()).set(alias, entry);
        sink(spelling, none, undefined);
      } else if (entry >= 0) {
        // Each file of a tree has a different node, by which a mount identifies it.
        const isSubstitute = substitutes?.get(child) === entry;
        sink(isSubstitute ? child : entryNodes[entry] ?? beyond(entryNodes), entry, undefined);
      }
    }
  }

  /**
   * Returns the winning entry for a name in a directory, {@linkcode none} for a directory, undefined if missing.
   * @param asked Request of the directory.
   */
  child(directory: number, asked: Asked, name: Uint8Array): { entry: number; fold: number; asked: Asked } | undefined {
    const fold = this.#snapshot.findChild(directory, name, 0, name.length, true);
    if (fold === none) return undefined;
    const exact = asked.node === none ? none : this.#snapshot.findChild(asked.node, name, 0, name.length, false);
    const path = asked.path === null ? null : this.#pathBelow(asked.path, decoder.decode(name.slice()));
    if (this.#isDirectory(fold, exact)) {
      const isLoose = exact !== none && (at(this.#winners.marks, exact) & inLoose) !== 0;
      return { entry: none, fold, asked: { node: isLoose ? exact : none, path } };
    }
    const entry = this.#best(fold, exact, path);
    return entry === none ? undefined : { entry, fold, asked: { node: exact, path } };
  }

  /** Returns the node with the listed spelling of a directory, or 0. */
  #listedDirectory(fold: number, start: number, end: number, asked: Asked): number {
    const known = at(this.#winners.directories, fold);
    if (known !== 0 || !this.#isOwn) return known;
    const { nodeOrder, nodeParents } = this.#snapshot.columns;
    // Spellings of one name are sorted by bytes: lower case last.
    for (let position = end - 1; position >= start; position--) {
      const node = at(nodeOrder, position);
      if ((at(this.#winners.marks, node) & inLoose) === 0) continue;
      const exact = asked.node !== none && at(nodeParents, node) === asked.node ? node : none;
      if (this.#isFound(node, exact)) return node;
    }
    return 0;
  }

  /** Returns the listed file, and the node with its spelling; the entry is -1 if missing. */
  #listedFile(fold: number, start: number, end: number, asked: Asked): { name: number; entry: number } {
    const { nodeOrder, entryNodes } = this.#snapshot.columns;
    const compressed = this.#best(fold, none, null, true);
    const first = compressed === none ? none : at(entryNodes, compressed);
    for (let position = end; position >= start; position--) {
      const name = position === end ? first : at(nodeOrder, position);
      if (name === none || (position !== end && !this.#hasFile(fold, name))) continue;
      const path = asked.path === null ? null : this.#pathBelow(asked.path, this.#snapshot.nameOf(name));
      const entry = this.#best(fold, this.#exactChild(asked.node, name), path);
      if (entry !== none) return { name, entry };
    }
    return { name: 0, entry: -1 };
  }

  /** Returns whether a searched source has a file with exactly that spelling: a refresh keeps unused names. */
  #hasFile(fold: number, name: number): boolean {
    const { candidateStarts, candidates, entryNodes, entryFlags, entrySources } = this.#snapshot.columns;
    for (let position = at(candidateStarts, fold); position < at(candidateStarts, fold + 1); position++) {
      const entry = at(candidates, position);
      const isFile = (at(entryFlags, entry) & entryIsDirectory) === 0;
      if (isFile && at(entryNodes, entry) === name && at(this.#searched, at(entrySources, entry)) === 1) return true;
    }
    return false;
  }

  /** Returns the child with exactly that spelling, for any spelling of the directory of `name`. */
  #exactChild(directory: number, name: number): number {
    if (directory === none) return none;
    if (this.#snapshot.columns.nodeParents[name] === directory) return name;
    const bytes = this.#snapshot.nameBytes(name);
    return this.#snapshot.findChild(directory, bytes, 0, bytes.length, false);
  }

  #askedDirectory(asked: Asked, spelling: number): Asked {
    const exact = this.#exactChild(asked.node, spelling);
    const isLoose = exact !== none && (at(this.#winners.marks, exact) & inLoose) !== 0;
    const path = asked.path === null ? null : this.#pathBelow(asked.path, this.#snapshot.nameOf(spelling));
    return { node: isLoose ? exact : none, path };
  }

  /** Returns the path of a child if it, or a descendant, may not be searched in packs, else null. */
  #pathBelow(directory: string, name: string): string | null {
    const path = directory === "" ? name : `${directory}/${name}`;
    const rules = this.#rule.looseOnly ?? [];
    return rules.some((rule) => mayHoldBelow(rule, path)) ? path : null;
  }

  /** Returns whether a name is a directory if it is requested with the spelling of `exact`. */
  #isDirectory(fold: number, exact: number): boolean {
    const { directories, marks } = this.#winners;
    if (at(directories, fold) !== 0) return true;
    if (!this.#isOwn) return false;
    if (exact !== none && (at(marks, exact) & inLoose) !== 0) return true;
    if (this.#rule.looseCase === "own") return false;
    const { nodeOrder, childStarts, nodeFolds, nodeParents } = this.#snapshot.columns;
    const parent = at(nodeFolds, at(nodeParents, fold));
    for (let position = at(childStarts, parent); position < at(childStarts, parent + 1); position++) {
      const node = at(nodeOrder, position);
      const isLoose = at(nodeFolds, node) === fold && (at(marks, node) & inLoose) !== 0;
      if (isLoose && this.#isFound(node, none)) return true;
    }
    return false;
  }

  /** Returns the winning entry if `exact` is the node with the requested spelling, or {@linkcode none}. */
  #best(fold: number, exact: number, path: string | null, onlyPacks = false): number {
    const { candidateStarts, candidates, entryNodes, entryFlags, entrySources, entryDamage } = this.#snapshot.columns;
    const { hidden, refuses, order, looseOnly = [], looseList } = this.#rule;
    const skipped = path === null ? undefined : skippedFor(looseOnly, path);
    let best = none;
    for (let position = at(candidateStarts, fold); position < at(candidateStarts, fold + 1); position++) {
      const entry = at(candidates, position);
      const source = at(entrySources, entry);
      if (at(this.#searched, source) === 0 || (at(entryFlags, entry) & entryIsDirectory) !== 0) continue;
      if (hidden?.has(entry) || looseList?.unlisted.has(entry) || refuses?.(entry)) continue;
      const from = this.#snapshot.sourceOf(entry);
      if (skipped && isSkipped(from, skipped)) continue;
      if (isDirectorySource(from) && (onlyPacks || !(looseList || this.#isFound(at(entryNodes, entry), exact)))) {
        continue;
      }
      if (best === none) best = entry;
      else {
        const damage = Number(isBroken(at(entryDamage, entry), this.#rule)) -
          Number(isBroken(at(entryDamage, best), this.#rule));
        if (damage < 0 || (damage === 0 && (order?.(entry, best, exact) ?? 0) < 0)) best = entry;
      }
    }
    if (!looseList || (best !== none && !isDirectorySource(this.#snapshot.sourceOf(best)))) return best;
    const own = Array.from(candidates.subarray(at(candidateStarts, fold), at(candidateStarts, fold + 1)))
      .filter((entry) => entryNodes[entry] === exact && at(this.#searched, at(entrySources, entry)) === 1)
      .filter((entry) => (at(entryFlags, entry) & entryIsDirectory) === 0 && !hidden?.has(entry));
    const isFirst = (entry: number) => best !== none && entrySources[entry] === entrySources[best];
    return own.find((entry) => isFirst(entry) && !looseList.unlisted.has(entry)) ??
      looseList.opened.flatMap((source) => own.find((entry) => entrySources[entry] === source) ?? [])[0] ?? none;
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
