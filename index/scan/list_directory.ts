/**
 * Lists a directory: loose files or a `.pk3dir`. If an earlier index has it, it is checked instead of listed again if
 * that is enough.
 *
 * Names can only change if a directory's time changes or another directory replaces it, so only such directories are
 * listed. If their names are unchanged, for example after a file was replaced, it is enough to check each file once.
 * Files are always checked: a change of content does not change the directory.
 * @module
 */
import {
  directoryNumber,
  entryIsDirectory,
  type EntryTable,
  type LinkRule,
  readDirectory,
} from "../../formats/parts.ts";
import { at, beyond } from "../columns/columns.ts";
import {
  type Identity,
  identityFrom,
  identityOf,
  isSameChange,
  isSameIdentity,
  isSettled,
  type LookAtFile,
  stateFrom,
} from "../columns/identity.ts";
import type { Source } from "../columns/source.ts";
import type { EarlierIndex } from "./earlier_index.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import type { RowPatch } from "../columns/snapshot_builder.ts";
import type { FileList } from "./plan.ts";

/**
 * Called for every listed file and directory, with its path below the directory and its attributes. The last call for a
 * path counts: after a failed check, a full listing follows.
 */
export type OnItem = (relativePath: string, information: Deno.FileInfo) => void;

/** A directory to list, and its earlier state. */
export interface DirectoryQuestion {
  /** Absolute path. */
  readonly path: string;
  /** Name of the format of the file list. */
  readonly format: "loose" | "pk3dir";
  /** Omits files and directories. */
  readonly skip?: (relativePath: string, isDirectory: boolean) => boolean;
  readonly onItem?: OnItem;
  /** Rule for symbolic links. */
  readonly links: "all" | LinkRule;
  /** The directory in an earlier index. */
  readonly earlier: Source | undefined;
  readonly index: EarlierIndex | undefined;
  /** Reads file attributes more precisely than Deno. */
  readonly look?: LookAtFile | undefined;
  /** Files of the directory that are packs in the earlier index: they are not reported to `onItem`. */
  readonly packs?: CheckedPacks;
  /** Known content of directories, by node. Filled while directories are checked. */
  readonly names?: KnownNames;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Names in a directory, and which of them are directories, by the directory's node. */
export type KnownNames = Map<number, ReadonlyMap<string, boolean>>;

/** Packs that are files of their directory. */
export interface CheckedPacks {
  readonly packs: readonly Source[];
  /** Index of the pack of each row, or -1. */
  readonly ofRow: Int32Array;
  /** Called with the index of a pack whose file has changed. */
  readonly onChange: (pack: number, identity: Identity) => void;
}

/**
 * Lists a directory.
 * @throws {Error} the operating system's error if it cannot be read.
 * @throws {LimitError} if there are too many files.
 */
export function listDirectory(question: DirectoryQuestion): FileList {
  const { path, format, earlier, index } = question;
  const readAt = Date.now();
  const identity = identityFrom(Deno.statSync(path));
  const found = check(question, identity, readAt);
  if (found) return found;
  const table = readDirectory(path, {
    links: question.links,
    ...(question.skip ? { skip: question.skip } : {}),
    ...(question.onItem ? { onItem: question.onItem } : {}),
  });
  if (question.look) lookCloser(table, path, question.look, earlier?.readAt ?? readAt);
  const list = { format, table, failure: null };
  return index ? index.settle(earlier, list, identity, readAt) : { kind: "read", ...list, identity, readAt };
}

/**
 * Reads again the attributes of files that changed just before they were listed, now or for the earlier index: Deno
 * reports only whole seconds, and a file may change again within one.
 */
function lookCloser(table: EntryTable, directory: string, look: LookAtFile, readAt: number): void {
  for (let row = 0; row < table.length; row++) {
    const [mtime, ctime] = [at(table.mtimes, row), at(table.compressedSizes, row)];
    if (isSettled({ mtime, ctime }, readAt)) continue;
    const raw = table.rawNames.get(row);
    const state = look(`${directory}/${raw ? decoder.decode(raw) : table.path(row)}`);
    if (!state?.isFile) continue;
    table.sizes[row] = state.size;
    table.mtimes[row] = state.mtime;
    table.compressedSizes[row] = state.ctime;
  }
}

/**
 * Returns the list of a directory whose names equal those in an earlier index; `undefined` if this cannot be proved.
 * @throws {Error} the operating system's error if the directory cannot be read.
 */
export function checkDirectory(question: DirectoryQuestion): FileList | undefined {
  const readAt = Date.now();
  return check(question, identityFrom(Deno.statSync(question.path)), readAt);
}

function check(question: DirectoryQuestion, identity: Identity, readAt: number): FileList | undefined {
  const { earlier, index } = question;
  const found = earlier && index ? new Check(question, index, earlier).run(identity) : undefined;
  if (!earlier || !index || !found) return undefined;
  const { patches, isListed } = found;
  if (patches.length > 0 || !isSameIdentity(earlier.identity, identity)) {
    return { kind: "patched", source: earlier, patches, identity, readAt };
  }
  if (isListed) earlier.readAt = readAt;
  return { kind: "kept", source: earlier };
}

/** Checks the content of a directory in an earlier index, name by name. */
class Check {
  readonly #question: DirectoryQuestion;
  readonly #snapshot: Snapshot;
  readonly #look: LookAtFile;
  readonly #source: Source;
  readonly #patches: RowPatch[] = [];
  /** Number of a directory, by node. */
  readonly #directories = new Map<number, number>();

  constructor(question: DirectoryQuestion, { snapshot, look }: EarlierIndex, source: Source) {
    this.#question = question;
    this.#snapshot = snapshot;
    this.#look = look;
    this.#source = source;
  }

  /**
   * Returns the changes and whether directories were listed; `undefined` if names may have changed or items were
   * omitted.
   */
  run(identity: Identity): { readonly patches: readonly RowPatch[]; readonly isListed: boolean } | undefined {
    const { failure, warnings } = this.#source;
    if (failure !== null || warnings.length > 0) return undefined;
    try {
      const touched = this.#touchedDirectories(identity);
      if (!touched || !this.#haveSameNames(touched) || !this.#lookAtFiles()) return undefined;
      return { patches: this.#patches, isListed: touched.size > 0 };
    } catch {
      return undefined; // a file was deleted meanwhile
    }
  }

  /** Paths of directories whose names may have changed, by node. `undefined` if one is no longer a directory. */
  #touchedDirectories(identity: Identity): Map<number, string> | undefined {
    const { path: root, readAt } = this.#source;
    const { entryNodes, entryTimes, entryFlags, entryCrcs } = this.#snapshot.columns;
    const { firstEntry, entryCount } = this.#source;
    const isUntouched = isSameIdentity(this.#source.identity, identity) && isSettled(identity, readAt);
    const touched = new Map(isUntouched ? [] : [[0, ""]]);
    this.#directories.set(0, directoryNumber(identity.inode));
    for (let row = 0; row < entryCount; row++) {
      const entry = firstEntry + row;
      if (((entryFlags[entry] ?? beyond(entryFlags)) & entryIsDirectory) === 0) continue;
      const path = this.#snapshot.memberOf(entry);
      const information = Deno.statSync(`${root}/${path}`);
      if (!information.isDirectory) return undefined;
      const now = identityFrom(information);
      const directory = directoryNumber(now.inode);
      const node = at(entryNodes, entry);
      this.#directories.set(node, directory);
      const isSame = now.mtime === entryTimes[entry] && directory === entryCrcs[entry];
      if (!isSame) this.#patches.push({ row, size: 0, mtime: now.mtime, ctime: 0, directory });
      if (!isSame || !isSettled(now, readAt)) touched.set(node, path);
      this.#question.onItem?.(path, information);
    }
    return touched;
  }

  /** Returns whether these directories still have exactly the known content, of the same kinds and without links. */
  #haveSameNames(touched: ReadonlyMap<number, string>): boolean {
    const names = this.#question.names ?? new Map();
    const unknown = Array.from(touched.keys()).filter((node) => !names.has(node));
    if (unknown.length > 0 && !this.#addNames(unknown, names)) return false;
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

  /** Adds the names in some directories; returns whether all are displayed as they are on disk. */
  #addNames(directories: readonly number[], known: KnownNames): boolean {
    const { entryNodes, entryRawNames, nodeParents } = this.#snapshot.columns;
    const names = new Map(directories.map((node) => [node, new Map<string, boolean>()]));
    const { firstEntry, entryCount } = this.#source;
    for (let entry = firstEntry; entry < firstEntry + entryCount; entry++) {
      if (at(entryRawNames, entry) !== 0) return false;
      const node = at(entryNodes, entry);
      names.get(at(nodeParents, node))?.set(this.#snapshot.nameOf(node), this.#snapshot.isDirectory(entry));
    }
    for (const [node, inside] of names) known.set(node, inside);
    return true;
  }

  /** Checks each file; returns whether all are files. */
  #lookAtFiles(): boolean {
    const { columns } = this.#snapshot;
    const { entrySizes, entryTimes, entryCompressedSizes, entryFlags, entryCrcs, entryNodes, nodeParents } = columns;
    const { path: root, firstEntry, entryCount, readAt } = this.#source;
    const { onItem, packs } = this.#question;
    for (let row = 0; row < entryCount; row++) {
      const entry = firstEntry + row;
      if (((entryFlags[entry] ?? beyond(entryFlags)) & entryIsDirectory) !== 0) continue;
      const number = packs?.ofRow[row] ?? -1;
      const pack = number < 0 ? undefined : packs?.packs[number];
      const member = pack ? "" : this.#snapshot.memberOf(entry);
      const path = pack?.path ?? `${root}/${member}`;
      const information = pack || !onItem ? undefined : Deno.statSync(path);
      const known = information && stateFrom(information);
      // Whole seconds do not show a second change within the second of the earlier index.
      const state = known && isSettled(known, readAt) ? known : this.#look(path);
      if (!state?.isFile) return false;
      const { size, mtime, ctime } = state;
      const before = entryCrcs[entry] ?? beyond(entryCrcs);
      // The displayed name of a directory may differ from its name on disk.
      const directory = this.#directories.get(at(nodeParents, at(entryNodes, entry))) ?? before;
      const isSame = size === entrySizes[entry] && mtime === entryTimes[entry] && directory === before &&
        isSameChange(ctime, entryCompressedSizes[entry] ?? beyond(entryCompressedSizes));
      if (!isSame) this.#patches.push({ row, size, mtime, ctime, directory });
      if (information) onItem?.(member, information);
      else if (pack && !isSameIdentity(state, pack.identity)) packs?.onChange(number, identityOf(state));
    }
    return true;
  }
}

/** Returns the folder of a path below a game directory; empty at the top level. */
export function folderOf(relativePath: string): string {
  const end = relativePath.lastIndexOf("/");
  return end < 0 ? "" : relativePath.slice(0, end);
}

/** Returns the last component of a path below a game directory. */
export function nameOf(relativePath: string): string {
  return relativePath.slice(relativePath.lastIndexOf("/") + 1);
}

/** Returns the extension of a path's last component with its dot, in lower case. */
export function endingOf(relativePath: string): string {
  const dot = relativePath.lastIndexOf(".");
  return dot > relativePath.lastIndexOf("/") ? relativePath.slice(dot).toLowerCase() : "";
}
