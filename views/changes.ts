/**
 * Differences between two indexes of the same games: packs, their files, and the paths of a tree.
 *
 * They are found without reading content: a file counts as changed if its time or its archive has changed.
 * @module
 */
import type { Catalog } from "./catalog.ts";
import {
  at,
  beyond,
  isDirectorySource,
  isIndexedDirectory,
  isSameByteLayout,
  isSameChange,
  isSameIdentity,
  isSettled,
  none,
  type Snapshot,
  type Source,
} from "../index/mod.ts";
import type { Tree } from "./tree.ts";

/** Change of a pack or a path. */
export type ChangeKind = "added" | "removed" | "changed";

/** Changes that a refresh found. */
export interface CatalogChanges {
  /** Absolute paths of packs, by kind of change. */
  readonly packs: Readonly<Record<ChangeKind, readonly string[]>>;
  /** Number of files in all packs and game directories, by kind of change. */
  readonly files: Readonly<Record<ChangeKind, number>>;
}

/** Returns the differences between two indexes. */
export function catalogChanges(before: Catalog, after: Catalog): CatalogChanges {
  const packs: Record<ChangeKind, string[]> = { added: [], removed: [], changed: [] };
  const files: Record<ChangeKind, number> = { added: 0, removed: 0, changed: 0 };
  if (before === after) return { packs, files };
  const [old, now] = withoutKept(before.snapshot.sources, after.snapshot.sources);
  const earlier = new Map(old.map((source) => [sourceKey(before, source), source]));
  for (const source of now) {
    const key = sourceKey(after, source);
    const known = earlier.get(key);
    earlier.delete(key);
    if (!known) {
      if (source.kind === "pack") packs.added.push(source.path);
      files.added += filesOf(after.snapshot, source);
    } else if (!isSameSource(known, source)) {
      const difference = countFiles(before.snapshot, known, after.snapshot, source);
      for (const change of ["added", "removed", "changed"] as const) files[change] += difference[change];
      if (source.kind === "pack") packs.changed.push(source.path);
    }
  }
  for (const source of earlier.values()) {
    if (source.kind === "pack") packs.removed.push(source.path);
    files.removed += filesOf(before.snapshot, source);
  }
  return { packs, files };
}

/** Returns whether there is no difference. */
export function isNoChange({ packs, files }: CatalogChanges): boolean {
  return [...Object.values(packs).map((paths) => paths.length), ...Object.values(files)].every((count) => count === 0);
}

/**
 * Calls `report` with each file or directory that differs between two trees, in the order of a walk, in the tree that has
 * it. If a directory exists only in one of them, everything in it is reported; a directory is never `changed`.
 */
export function reportChanges(
  before: Tree,
  after: Tree,
  report: (change: ChangeKind, tree: Tree, node: number) => void,
): void {
  const reportAll = (change: ChangeKind, tree: Tree, top: number) => {
    for (let node = top; node !== none; node = tree.following(node, top)) report(change, tree, node);
  };
  walkBoth(before, after, false, (old, now) => {
    if (now === none) reportAll("removed", before, old);
    else if (old === none) reportAll("added", after, now);
    else if (!isSameEntry(before.snapshot, before.entryOf(old), after.snapshot, after.entryOf(now))) {
      report("changed", after, now);
    }
  });
}

/** Returns both lists without the unchanged sources, which share their identity objects. */
function withoutKept(before: readonly Source[], after: readonly Source[]): [Source[], Source[]] {
  // Most have the same number in both.
  const old = before.filter((source, id) => !isKept(source, after[id]));
  const now = after.filter((source, id) => !isKept(source, before[id]));
  const known = new Map(old.map((source) => [source.identity, source]));
  const kept = new Set<Source>();
  for (const source of now) {
    const earlier = known.get(source.identity);
    if (earlier && isKept(earlier, source)) kept.add(earlier).add(source);
  }
  return [old.filter((source) => !kept.has(source)), now.filter((source) => !kept.has(source))];
}

/** Returns whether a source was reused in the next index. */
function isKept(before: Source, after: Source | undefined): boolean {
  return before === after ||
    (before.identity === after?.identity && before.readAt === after.readAt && before.path === after.path &&
      before.gameDirectory === after.gameDirectory && before.kind === after.kind &&
      before.byteLayout === after.byteLayout && before.entryCount === after.entryCount);
}

/** Returns the key that identifies a source across indexes. */
function sourceKey({ games }: Catalog, { game, gameDirectory, kind, path }: Source): string {
  return [games[game]?.name, gameDirectory, kind, path].join("\0");
}

/**
 * Returns whether a source's list of files, and for an archive its bytes, must be unchanged. Files of a directory can
 * change without the directory changing.
 */
function isSameSource(before: Source, after: Source): boolean {
  if (!isSameIdentity(before.identity, after.identity) || before.entryCount !== after.entryCount) return false;
  if (!isSameByteLayout(before.byteLayout, after.byteLayout)) return false;
  if (before.readAt === after.readAt) return true;
  return !isDirectorySource(before) && isSettled(before.identity, before.readAt);
}

function filesOf(snapshot: Snapshot, { firstEntry, entryCount }: Source): number {
  let count = 0;
  for (let entry = firstEntry; entry < firstEntry + entryCount; entry++) if (!snapshot.isDirectory(entry)) count++;
  return count;
}

function countFiles(before: Snapshot, old: Source, after: Snapshot, now: Source): Record<ChangeKind, number> {
  const isSameNumber = before.numbering === after.numbering;
  const keyOf = (snapshot: Snapshot, entry: number) => {
    const node = at(snapshot.columns.entryNodes, entry);
    return isSameNumber ? node : snapshot.pathOf(node);
  };
  /** Files by path, the first last; an archive may hold several with the same name. */
  const known = new Map<number | string, number[]>();
  for (let entry = old.firstEntry + old.entryCount - 1; entry >= old.firstEntry; entry--) {
    if (before.isDirectory(entry)) continue;
    known.getOrInsert(keyOf(before, entry), []).push(entry);
  }
  const count = { added: 0, removed: 0, changed: 0 };
  for (let entry = now.firstEntry; entry < now.firstEntry + now.entryCount; entry++) {
    if (after.isDirectory(entry)) continue;
    const earlier = known.get(keyOf(after, entry))?.pop();
    if (earlier === undefined) count.added++;
    else if (!isSameEntry(before, earlier, after, entry)) count.changed++;
  }
  for (const left of known.values()) count.removed += left.length;
  return count;
}

/** Returns whether two entries have the same bytes, as far as their listings show. */
export function isSameEntry(before: Snapshot, old: number, after: Snapshot, now: number): boolean {
  const source = before.sourceOf(old);
  const other = after.sourceOf(now);
  if (source.path !== other.path) return false;
  const isSameSize = before.columns.entrySizes[old] === after.columns.entrySizes[now];
  if (!isSameSize || before.columns.entryTimes[old] !== after.columns.entryTimes[now]) return false;
  if (isDirectorySource(source)) {
    // A new directory in its place may hold files with the same names, sizes and times.
    const [ctime, later] = [at(before.columns.entryCompressedSizes, old), at(after.columns.entryCompressedSizes, now)];
    // Of a file that had just changed, whole seconds do not show whether it changed again.
    const isSameTime = ctime === later || (isSameChange(ctime, later) &&
      isSettled({ mtime: at(before.columns.entryTimes, old), ctime }, source.readAt));
    return isSameTime && isIndexedDirectory(source.identity, other.identity) &&
      before.directoryOf(old) === after.directoryOf(now) && before.memberOf(old) === after.memberOf(now);
  }
  return isSameSource(source, other) && old - source.firstEntry === now - other.firstEntry;
}

/** Compares many entries of two snapshots like {@linkcode isSameEntry}, but archives only once. */
export class EntryComparison {
  readonly #before: Snapshot;
  readonly #after: Snapshot;
  /**
   * For each archive by number in the old snapshot, the number of the same archive in the new one, as far as compared.
   */
  readonly #same: Uint32Array;
  /** For each source by number: 1 if both snapshots share its object, so that equal entries have equal numbers. */
  readonly #sharedSources: Uint8Array;

  constructor(before: Snapshot, after: Snapshot) {
    this.#before = before;
    this.#after = after;
    this.#same = new Uint32Array(before.sources.length).fill(none);
    this.#sharedSources = Uint8Array.from(before.sources, (source, id) => source === after.sources[id] ? 1 : 0);
  }

  /** Returns whether an old entry equals the new one with the same number, because both snapshots share its source. */
  isShared(entry: number): boolean {
    const { entrySources } = this.#before.columns;
    return this.#sharedSources[entrySources[entry] ?? beyond(entrySources)] === 1;
  }

  /** Returns whether an old and a new entry have the same bytes, as far as their listings show. */
  isSame(old: number, now: number): boolean {
    const was = this.#before.columns;
    const is = this.#after.columns;
    if (old === now && this.isShared(old)) return true;
    const id = at(was.entrySources, old);
    const other = at(is.entrySources, now);
    if (this.#same[id] !== other) {
      const isSame = isSameEntry(this.#before, old, this.#after, now);
      const source = this.#before.sources[id];
      // Each file of a directory is compared, since it can change without the directory changing.
      if (isSame && source && !isDirectorySource(source)) this.#same[id] = other;
      return isSame;
    }
    return at(was.entrySizes, old) === at(is.entrySizes, now) && at(was.entryTimes, old) === at(is.entryTimes, now) &&
      old - this.#firstEntry(this.#before, id) === now - this.#firstEntry(this.#after, other);
  }

  #firstEntry({ sources }: Snapshot, id: number): number {
    return sources[id]?.firstEntry ?? beyond(sources);
  }
}

/**
 * Calls `visit` with both nodes of each file that two trees have, and for a file or directory that only one of them has
 * with its node and {@linkcode none}. In both trees children have the same order.
 * @param ignoreCase Whether names that differ only in case are one.
 */
export function walkBoth(
  before: Tree,
  after: Tree,
  ignoreCase: boolean,
  visit: (old: number, now: number) => void,
): void {
  const isSameNumber = before.snapshot.numbering === after.snapshot.numbering;
  const compareNames = (old: number, now: number) => {
    const [a, b] = [at(before.nodes, old), at(after.nodes, now)];
    return isSameNumber && a === b ? 0 : before.snapshot.compareName(a, after.snapshot.nameBytes(b), ignoreCase);
  };
  // Paths are short enough for recursion.
  const walk = (oldDirectory: number, nowDirectory: number) => {
    let old = at(before.firstChildren, oldDirectory);
    let now = at(after.firstChildren, nowDirectory);
    const oldEnd = old + at(before.childCounts, oldDirectory);
    const nowEnd = now + at(after.childCounts, nowDirectory);
    while (old < oldEnd || now < nowEnd) {
      const order = old === oldEnd ? 1 : now === nowEnd ? -1 : compareNames(old, now);
      if (order < 0) visit(old++, none);
      else if (order > 0) visit(none, now++);
      else {
        const isDirectory = before.isDirectory(old);
        if (isDirectory !== after.isDirectory(now)) {
          visit(old, none);
          visit(none, now);
        } else if (isDirectory) walk(old, now);
        else visit(old, now);
        old++;
        now++;
      }
    }
  };
  walk(0, 0);
}
