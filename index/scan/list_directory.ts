/**
 * The list of what is in a directory: loose files or a `.pk3dir`. What an earlier index knows of it is checked instead of
 * listed anew where that is enough.
 *
 * Names can only change where a directory's own time changes, so as long as all directories have their old times it is
 * enough to look at each file once. Files are always looked at: a change of content does not show in the directory.
 * @module
 */
import { type LinkRule, readDirectory } from "../../formats/directory.ts";
import { type Identity, identityFrom, sameIdentity, type Source } from "../source.ts";
import type { EarlierIndex } from "./earlier.ts";
import type { Listing } from "./plan.ts";
import { isSettled } from "./settled.ts";

/**
 * Told of every file and directory that is listed: path below the directory, and what the file system says. The last
 * word counts: what was told before it was clear that everything has to be listed anew is told again.
 */
export type OnItem = (relativePath: string, information: Deno.FileInfo) => void;

/** What to list, and what is known. */
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
  /** What an earlier index knows of the directory. */
  readonly earlier: Source | undefined;
  readonly index: EarlierIndex | undefined;
}

/** A changed file of a directory whose names are all the same. */
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
  if (earlier && index && sameIdentity(earlier.identity, identity)) {
    const patches = check(index, earlier, identity, question.onItem ?? ignore);
    if (patches?.length === 0) return { kind: "kept", source: earlier };
    if (patches) return patched(index, earlier, patches, readAt);
  }
  const table = readDirectory(path, {
    links: question.links,
    ...(question.skip ? { skip: question.skip } : {}),
    ...(question.onItem ? { onItem: question.onItem } : {}),
  });
  const list = { format, table, failure: null };
  return index ? index.settle(earlier, list, identity, readAt) : { kind: "read", ...list, identity, readAt };
}

function ignore(): void {}

/** The files that have changed, or `undefined` if names may have changed or items were left out. */
function check(index: EarlierIndex, source: Source, identity: Identity, onItem: OnItem): Patch[] | undefined {
  if (source.failure !== null || source.warnings.length > 0 || !isSettled(identity, source.readAt)) return undefined;
  try {
    return haveSameNames(index, source, onItem) ? changedFiles(index, source, onItem) : undefined;
  } catch {
    return undefined; // something went away meanwhile
  }
}

function haveSameNames({ snapshot }: EarlierIndex, source: Source, onItem: OnItem): boolean {
  const end = source.firstEntry + source.entryCount;
  for (let entry = source.firstEntry; entry < end; entry++) {
    if (!snapshot.isDirectory(entry)) continue;
    const path = snapshot.memberOf(entry);
    const information = Deno.statSync(`${source.path}/${path}`);
    if (!information.isDirectory || information.mtime?.getTime() !== snapshot.columns.entryTimes[entry]) return false;
    if (!isSettled(identityFrom(information), source.readAt)) return false;
    onItem(path, information);
  }
  return true;
}

function changedFiles({ snapshot }: EarlierIndex, source: Source, onItem: OnItem): Patch[] | undefined {
  const { entrySizes, entryTimes } = snapshot.columns;
  const patches: Patch[] = [];
  for (let row = 0; row < source.entryCount; row++) {
    const entry = source.firstEntry + row;
    if (snapshot.isDirectory(entry)) continue;
    const path = snapshot.memberOf(entry);
    const information = Deno.statSync(`${source.path}/${path}`);
    if (!information.isFile) return undefined;
    const mtime = information.mtime?.getTime() ?? 0;
    if (information.size !== entrySizes[entry] || mtime !== entryTimes[entry]) {
      patches.push({ row, size: information.size, mtime });
    }
    onItem(path, information);
  }
  return patches;
}

function patched(index: EarlierIndex, source: Source, patches: readonly Patch[], readAt: number): Listing {
  const table = index.tableOf(source);
  for (const { row, size, mtime } of patches) {
    table.sizes[row] = size;
    table.packedSizes[row] = size;
    table.mtimes[row] = mtime;
  }
  const { format, failure, identity } = source;
  return { kind: "read", format, table, failure, identity, readAt };
}
