/**
 * The listing of a tree whose winners differ little from those of the tree before it: directories in which nothing is
 * different are copied.
 * @module
 */
import { at, beyond, none } from "../index/mod.ts";
import type { Asked, Spellings } from "./spellings.ts";
import type { Moved } from "./tree_changes.ts";
import { TreeColumns } from "./tree_columns.ts";

/** Listed nodes of a tree. */
export interface TreeListing {
  readonly columns: TreeColumns;
  /** How directories are asked for in which spelling decides something. */
  readonly asked: ReadonlyMap<number, Asked>;
}

/** How a directory is asked for in which spelling decides nothing. */
export const plainlyAsked: Asked = { node: none, path: null };

/** Content of a directory. */
interface Content {
  readonly nodes: number[];
  readonly entries: number[];
  readonly asked: (Asked | undefined)[];
}

/** Room for what is in new directories. */
const spareRoom = 1024;

/** Lists the next tree. */
export class NextListing {
  readonly #before: TreeListing;
  /** The columns before, with the entries as they are numbered now. */
  readonly #old: TreeColumns;
  readonly #spellings: Spellings;
  readonly #keyOf: (node: number) => number;
  /** Content of the changed directories of the tree before; null: to be listed once it is known how it is asked for. */
  readonly #contents = new Map<number, Content | null>();

  /**
   * @param length Number of nodes that the tree before lists.
   * @param keyOf Returns the same for nodes that are spellings of one name.
   */
  constructor(
    before: TreeListing,
    length: number,
    { spellings, moved, keyOf }: {
      readonly spellings: Spellings;
      readonly moved: Moved | undefined;
      readonly keyOf: (node: number) => number;
    },
  ) {
    this.#before = before;
    this.#old = before.columns.next(length, moved);
    this.#spellings = spellings;
    this.#keyOf = keyOf;
  }

  /** Returns the listing where `changed` are the directories of the tree before whose content may be different. */
  with(changed: Iterable<number>): TreeListing {
    const { columns: { nodes }, asked } = this.#before;
    let isSame = true;
    for (const directory of changed) {
      const content = this.#content(at(nodes, directory), asked.get(directory));
      this.#contents.set(directory, content);
      isSame &&= this.#hasStructure(directory, content);
    }
    return isSame ? { columns: this.#patched(), asked } : this.#restructured();
  }

  #content(directory: number, how: Asked = plainlyAsked): Content {
    const content: Content = { nodes: [], entries: [], asked: [] };
    this.#spellings.list(directory, how, (node, entry, asked) => {
      content.nodes.push(node);
      content.entries.push(entry);
      content.asked.push(asked);
    });
    return content;
  }

  /** Returns whether a directory of the tree before has the same directories, and as many files between them. */
  #hasStructure(directory: number, { nodes, entries, asked }: Content): boolean {
    const { columns: old, asked: known } = this.#before;
    const first = at(old.firstChildren, directory);
    return nodes.length === at(old.childCounts, directory) && nodes.every((node, index) => {
      const child = first + index;
      const isDirectory = entries[index] === none;
      if (isDirectory !== (old.entries[child] === none)) return false;
      return !isDirectory ||
        (this.#keyOf(node) === this.#keyOf(at(old.nodes, child)) && isSame(asked[index], known.get(child)));
    });
  }

  #patched(): TreeColumns {
    const { firstChildren } = this.#old;
    for (const [directory, content] of this.#contents) {
      for (const [index, node] of content?.nodes.entries() ?? []) {
        this.#old.replace(at(firstChildren, directory) + index, node, content?.entries[index] ?? none);
      }
    }
    return this.#old;
  }

  #restructured(): TreeListing {
    const old = this.#old;
    const { asked: known } = this.#before;
    const columns = new TreeColumns(old.length + spareRoom);
    const asked = new Map<number, Asked>();
    const root = known.get(0);
    if (root) asked.set(0, root);
    /** By directory with the same content as before: how far that has moved. */
    const shifts = new Map<number, number>();
    /** By directory in one with other content: its number in the tree before. */
    const numbers = new Map([[0, 0]]);
    for (let directory = 0; directory >= 0; directory = columns.nextDirectory(directory)) {
      const shift = directory === 0 ? undefined : shifts.get(columns.parents[directory] ?? beyond(columns.parents));
      const before = shift === undefined ? numbers.get(directory) : directory - shift;
      const first = columns.length;
      columns.firstChildren[directory] = first;
      if (before !== undefined && !this.#contents.has(before)) {
        const start = old.firstChildren[before] ?? beyond(old.firstChildren);
        columns.append(old, start, old.childCounts[before] ?? beyond(old.childCounts), directory);
        shifts.set(directory, first - start);
        for (let child = first; child < columns.length; child++) {
          const how = known.get(child - first + start);
          if (how) asked.set(child, how);
        }
      } else {
        const content = (before === undefined ? null : this.#contents.get(before)) ??
          this.#content(at(columns.nodes, directory), asked.get(directory));
        for (const [index, node] of content.nodes.entries()) {
          const child = columns.add(node, content.entries[index] ?? none, directory);
          const how = content.asked[index];
          if (how) asked.set(child, how);
        }
        if (before !== undefined) this.#match(before, columns, first, numbers, asked);
      }
      columns.childCounts[directory] = columns.length - first;
    }
    return { columns, asked };
  }

  /** Finds directories that were in `before` already among the nodes from `first` on. */
  #match(
    before: number,
    columns: TreeColumns,
    first: number,
    numbers: Map<number, number>,
    asked: ReadonlyMap<number, Asked>,
  ): void {
    const { columns: old, asked: known } = this.#before;
    const directories = new Map<number, number>();
    const start = at(old.firstChildren, before);
    for (let child = start; child < start + at(old.childCounts, before); child++) {
      if (at(old.entries, child) === none) directories.set(this.#keyOf(at(old.nodes, child)), child);
    }
    for (let child = first; child < columns.length; child++) {
      const same = at(columns.entries, child) === none
        ? directories.get(this.#keyOf(at(columns.nodes, child)))
        : undefined;
      if (same === undefined) continue;
      numbers.set(child, same);
      if (!isSame(asked.get(child), known.get(same))) this.#contents.set(same, null);
    }
  }
}

function isSame(a: Asked | undefined, b: Asked | undefined): boolean {
  return a?.node === b?.node && a?.path === b?.path;
}
