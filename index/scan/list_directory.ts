/**
 * The list of what is in a directory: loose files or a `.pk3dir`. What an earlier index knows of it is checked instead
 * of listed again where that is enough.
 *
 * Names can only change where a directory's own time changes, so only such directories are listed; and where their
 * names turn out to be the same, as after a file was replaced, it is enough to look at each file once. Files are always
 * looked at: a change of content does not show in the directory.
 * @module
 */
import { at } from "../columns/columns.ts";
import { type LinkRule, readDirectory } from "../../formats/core/directory.ts";
import { type Identity, identityFrom, isSameIdentity, isSettled } from "../columns/identity.ts";
import type { Source } from "../columns/source.ts";
import type { EarlierIndex } from "./earlier_index.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import type { Listing } from "./plan.ts";

/**
 * Called for every file and directory that is listed, with its path below the directory and its attributes. The last
 * call for a path counts: a check that fails is followed by a full listing.
 */
export type OnItem = (relativePath: string, information: Deno.FileInfo) => void;

/** A directory to list, and its earlier state. */
export interface DirectoryQuestion {
  /** Absolute path. */
  readonly path: string;
  /** Name of the format the listing gets. */
  readonly format: "loose" | "pk3dir";
  /** Leaves out files and directories. */
  readonly skip?: (relativePath: string, isDirectory: boolean) => boolean;
  readonly onItem?: OnItem;
  /** Which symbolic links are followed. */
  readonly links: "all" | LinkRule;
  /** The directory in an earlier index. */
  readonly earlier: Source | undefined;
  readonly index: EarlierIndex | undefined;
}

/** A changed file or directory where all names are the same. */
interface Patch {
  readonly row: number;
  readonly size: number;
  readonly mtime: number;
}

/**
 * Lists a directory.
 * @throws {Error} the operating system's error if it cannot be read.
 * @throws {LimitError} if there are too many files.
 */
export function listDirectory(question: DirectoryQuestion): Listing {
  const { path, format, earlier, index } = question;
  const readAt = Date.now();
  const identity = identityFrom(Deno.statSync(path));
  const found = earlier && index ? new Check(question, index, earlier).run(identity) : undefined;
  if (earlier && index && found) {
    const { patches, isListed } = found;
    if (patches.length > 0 || !isSameIdentity(earlier.identity, identity)) {
      return patched(index, earlier, patches, identity, readAt);
    }
    if (isListed) earlier.readAt = readAt;
    return { kind: "kept", source: earlier };
  }
  const table = readDirectory(path, {
    links: question.links,
    ...(question.skip ? { skip: question.skip } : {}),
    ...(question.onItem ? { onItem: question.onItem } : {}),
  });
  const list = { format, table, failure: null };
  return index ? index.settle(earlier, list, identity, readAt) : { kind: "read", ...list, identity, readAt };
}

/** Looks at what an earlier index knows of a directory, name by name. */
class Check {
  readonly #question: DirectoryQuestion;
  readonly #snapshot: Snapshot;
  readonly #source: Source;
  readonly #patches: Patch[] = [];

  constructor(question: DirectoryQuestion, { snapshot }: EarlierIndex, source: Source) {
    this.#question = question;
    this.#snapshot = snapshot;
    this.#source = source;
  }

  /**
   * Returns what has changed and whether names were listed; `undefined` if names may have changed or items were left
   * out.
   */
  run(identity: Identity): { readonly patches: readonly Patch[]; readonly isListed: boolean } | undefined {
    const { failure, warnings } = this.#source;
    if (failure !== null || warnings.length > 0) return undefined;
    try {
      const touched = this.#touchedDirectories(identity);
      if (!touched || !this.#haveSameNames(touched) || !this.#lookAtFiles()) return undefined;
      return { patches: this.#patches, isListed: touched.size > 0 };
    } catch {
      return undefined; // something went away meanwhile
    }
  }

  /** By node: paths of the directories whose names may have changed. `undefined` if one is no longer a directory. */
  #touchedDirectories(identity: Identity): Map<number, string> | undefined {
    const { path: root, readAt } = this.#source;
    const { entryNodes, entryTimes } = this.#snapshot.columns;
    const isUntouched = isSameIdentity(this.#source.identity, identity) && isSettled(identity, readAt);
    const touched = new Map(isUntouched ? [] : [[0, ""]]);
    for (const [row, entry] of this.#rows(true)) {
      const path = this.#snapshot.memberOf(entry);
      const information = Deno.statSync(`${root}/${path}`);
      if (!information.isDirectory) return undefined;
      const now = identityFrom(information);
      const isSame = now.mtime === entryTimes[entry];
      if (!isSame) this.#patches.push({ row, size: 0, mtime: now.mtime });
      if (!isSame || !isSettled(now, readAt)) touched.set(at(entryNodes, entry), path);
      this.#question.onItem?.(path, information);
    }
    return touched;
  }

  /** Returns whether these directories still hold just what is known, of the same kinds and without links. */
  #haveSameNames(touched: ReadonlyMap<number, string>): boolean {
    if (touched.size === 0) return true;
    const names = this.#namesIn(touched);
    if (!names) return false;
    for (const [node, path] of touched) {
      const known = names.get(node);
      const prefix = path === "" ? "" : `${path}/`;
      let count = 0;
      for (const { name, isDirectory, isSymlink } of Deno.readDirSync(`${this.#source.path}/${path}`)) {
        if (isSymlink) return false;
        if (this.#question.skip?.(prefix + name, isDirectory)) continue;
        if (known?.get(name) !== isDirectory) return false;
        count++;
      }
      if (count !== (known?.size ?? 0)) return false;
    }
    return true;
  }

  /** By directory: the names in it, and which are directories. `undefined` if some are shown otherwise than on disk. */
  #namesIn(directories: ReadonlyMap<number, string>): Map<number, Map<string, boolean>> | undefined {
    const { entryNodes, entryRawNames, nodeParents } = this.#snapshot.columns;
    const names = new Map(Array.from(directories.keys(), (node) => [node, new Map<string, boolean>()]));
    const { firstEntry, entryCount } = this.#source;
    for (let entry = firstEntry; entry < firstEntry + entryCount; entry++) {
      if (at(entryRawNames, entry) !== 0) return undefined;
      const node = at(entryNodes, entry);
      names.get(at(nodeParents, node))?.set(this.#snapshot.nameOf(node), this.#snapshot.isDirectory(entry));
    }
    return names;
  }

  /** Looks at each file; whether all are files. */
  #lookAtFiles(): boolean {
    const { entrySizes, entryTimes } = this.#snapshot.columns;
    for (const [row, entry] of this.#rows(false)) {
      const path = this.#snapshot.memberOf(entry);
      const information = Deno.statSync(`${this.#source.path}/${path}`);
      if (!information.isFile) return false;
      const mtime = information.mtime?.getTime() ?? 0;
      if (information.size !== entrySizes[entry] || mtime !== entryTimes[entry]) {
        this.#patches.push({ row, size: information.size, mtime });
      }
      this.#question.onItem?.(path, information);
    }
    return true;
  }

  /** Yields the rows and entries of the directories, or of the files. */
  *#rows(areDirectories: boolean): Generator<readonly [row: number, entry: number]> {
    const { firstEntry, entryCount } = this.#source;
    for (let row = 0; row < entryCount; row++) {
      if (this.#snapshot.isDirectory(firstEntry + row) === areDirectories) yield [row, firstEntry + row];
    }
  }
}

function patched(
  index: EarlierIndex,
  source: Source,
  patches: readonly Patch[],
  identity: Identity,
  readAt: number,
): Listing {
  const table = index.tableOf(source);
  for (const { row, size, mtime } of patches) {
    table.sizes[row] = size;
    table.compressedSizes[row] = size;
    table.mtimes[row] = mtime;
  }
  const { format, failure } = source;
  return { kind: "read", format, table, failure, identity, readAt, samePaths: source };
}
