/**
 * Collects sources and their members, and turns them into one snapshot.
 * @module
 */
import { clashSuffix, entryIsDirectory, type EntryTable } from "../../formats/parts.ts";
import { at, sharedUint32, type SnapshotColumns } from "./columns.ts";
import { type Growable, GrowableFloat64, GrowableUint32, GrowableUint8 } from "./growable.ts";
import type { Identity } from "./identity.ts";
import { NameBuilder } from "./name_builder.ts";
import { Snapshot } from "./snapshot.ts";
import { hasOrigin, type Source, type SourceDescription, type SourceOrigin } from "./source.ts";

const suffix = new TextEncoder().encode(clashSuffix);

/** A changed file or directory in a directory with unchanged names. */
export interface RowPatch {
  /** Index relative to the first entry of its source. */
  readonly row: number;
  readonly size: number;
  readonly mtime: number;
  /** Ctime of a file; 0 for a directory. */
  readonly ctime: number;
  /** Number of its directory, or its own number if it is a directory. */
  readonly directory: number;
}

/** A directory with the same names as in an earlier snapshot. */
export interface PatchedSource {
  /** The source of the earlier snapshot. */
  readonly source: Source;
  /** Changed files and directories. */
  readonly patches: readonly RowPatch[];
  readonly identity: Identity;
  /** Time of reading; milliseconds since the epoch. */
  readonly readAt: number;
}

/** Columns of entries except their sources, by the names in a snapshot. */
type EntryColumns = Readonly<
  Record<Exclude<keyof SnapshotColumns & `entry${string}`, "entrySources">, Growable>
>;

/** The columns that tables of format readers have too, with their names there. */
const tableColumns = [
  ["entryOffsets", "offsets"],
  ["entryCompressedSizes", "compressedSizes"],
  ["entrySizes", "sizes"],
  ["entryTimes", "mtimes"],
  ["entryCrcs", "crcs"],
  ["entryMethods", "methods"],
  ["entryFlags", "flags"],
  ["entryDamage", "damage"],
] as const;

function entryNames(entries: EntryColumns): (keyof EntryColumns)[] {
  return Object.keys(entries) as (keyof EntryColumns)[];
}

/** Builds one {@linkcode Snapshot}; used once. */
export class SnapshotBuilder {
  readonly #base: Snapshot | undefined;
  readonly #names: NameBuilder;
  readonly #entries: EntryColumns;
  readonly #nodes: Growable;
  readonly #rawIndexes: Growable;
  readonly #rawNames: GrowableUint8;
  readonly #rawStarts: GrowableUint32;
  readonly #list: Source[] = [];

  /** Rows of the base to copy; adjacent rows are copied together. */
  #keptStart = 0;
  #keptEnd = 0;
  /** Number of nodes that no entry of the finished snapshot needs; 0 without a base, or if all its paths are used. */
  unusedNodes = 0;

  /** @param base An earlier snapshot whose sources can be kept; its names and paths keep their numbers. */
  constructor(base?: Snapshot) {
    this.#base = base;
    const columns = base?.columns;
    this.#names = new NameBuilder(columns);
    this.#entries = {
      entryNodes: new GrowableUint32(columns?.entryNodes),
      entryOffsets: new GrowableFloat64(columns?.entryOffsets),
      entryCompressedSizes: new GrowableFloat64(columns?.entryCompressedSizes),
      entrySizes: new GrowableFloat64(columns?.entrySizes),
      entryTimes: new GrowableFloat64(columns?.entryTimes),
      entryCrcs: new GrowableUint32(columns?.entryCrcs),
      entryMethods: new GrowableUint8(columns?.entryMethods),
      entryFlags: new GrowableUint8(columns?.entryFlags),
      entryDamage: new GrowableUint8(columns?.entryDamage),
      entryRawNames: new GrowableUint32(columns?.entryRawNames),
    };
    this.#nodes = this.#entries.entryNodes;
    this.#rawIndexes = this.#entries.entryRawNames;
    this.#rawNames = new GrowableUint8(columns?.rawNames);
    this.#rawStarts = new GrowableUint32(columns?.rawNameStarts);
    this.#rawStarts.push(0);
  }

  /** Reserves `entries` rows in all, so that the finished columns need not be copied. */
  reserve(entries: number): void {
    for (const column of Object.values(this.#entries)) column.reserveExactly(entries);
  }

  /** Adds a source with its members; returns it with its number. */
  addSource(description: SourceDescription, table: EntryTable): Source {
    this.#copyKept();
    const source: Source = {
      ...description,
      id: this.#list.length,
      firstEntry: this.#nodes.length,
      entryCount: table.length,
      warnings: table.warnings,
    };
    this.#list.push(source);
    for (let index = 0; index < table.length; index++) this.#nodes.push(this.#names.addPath(table.pathBytes(index)));
    this.#rawIndexes.append(new Uint32Array(table.length));
    for (const [name, own] of tableColumns) this.#entries[name].append(table[own].subarray(0, table.length));
    for (const [index, rawName] of table.rawNames) this.#addRawName(source.firstEntry + index, rawName);
    return source;
  }

  /** Adds a source of the base again, with a new origin; returns it with its new number. */
  addKept(kept: Source, origin: SourceOrigin): Source {
    const isNext = kept.firstEntry === this.#keptEnd && this.#keptEnd > this.#keptStart;
    if (!isNext) {
      this.#copyKept();
      this.#keptStart = kept.firstEntry;
      this.#keptEnd = kept.firstEntry;
    }
    const id = this.#list.length;
    const firstEntry = this.#nodes.length + this.#keptEnd - this.#keptStart;
    const moved = hasOrigin(kept, origin) ? kept : { ...kept, ...origin };
    const source = moved.id === id && moved.firstEntry === firstEntry ? moved : { ...moved, id, firstEntry };
    this.#keptEnd += kept.entryCount;
    this.#list.push(source);
    return source;
  }

  /** Adds a directory of the base again, with some changed files. */
  addPatched({ source: kept, patches, identity, readAt }: PatchedSource, origin: SourceOrigin): Source {
    const source: Source = { ...this.addKept(kept, origin), identity, readAt };
    this.#list[source.id] = source;
    this.#copyKept();
    const { entrySizes, entryCompressedSizes, entryTimes, entryCrcs } = this.#entries;
    for (const { row, size, mtime, ctime, directory } of patches) {
      entrySizes.set(source.firstEntry + row, size);
      entryCompressedSizes.set(source.firstEntry + row, ctime);
      entryTimes.set(source.firstEntry + row, mtime);
      entryCrcs.set(source.firstEntry + row, directory);
    }
    return source;
  }

  #copyKept(): void {
    const columns = this.#base?.columns;
    const start = this.#keptStart;
    const end = this.#keptEnd;
    this.#keptStart = 0;
    this.#keptEnd = 0;
    if (!columns || start === end) return;
    const first = this.#nodes.length;
    for (const name of entryNames(this.#entries)) this.#entries[name].append(columns[name].subarray(start, end));
    if (columns.rawNameStarts.length === 1) return;
    for (let entry = first; entry < this.#rawIndexes.length; entry++) {
      const raw = at(this.#rawIndexes.values, entry);
      if (raw === 0) continue;
      this.#addRawName(entry, columns.rawNames.subarray(columns.rawNameStarts[raw - 1], columns.rawNameStarts[raw]));
    }
  }

  #addRawName(entry: number, rawName: Uint8Array): void {
    this.#rawNames.append(rawName);
    this.#rawIndexes.set(entry, this.#rawStarts.length);
    this.#rawStarts.push(this.#rawNames.length);
  }

  /** Returns the finished snapshot. */
  finish(): Snapshot {
    this.#copyKept();
    const clashes = this.#clashes();
    const entries = entryNames(this.#entries).map((name) => [name, this.#entries[name].shared()] as const);
    const { entryNodes, ...others } = Object.fromEntries(entries) as Pick<SnapshotColumns, keyof EntryColumns>;
    return new Snapshot(
      {
        ...this.#names.finish(),
        entryNodes,
        entrySources: this.#entrySources(),
        ...others,
        rawNames: this.#rawNames.shared(),
        rawNameStarts: this.#rawStarts.shared(),
        ...this.#candidates(),
      },
      this.#list,
      clashes,
      this.#base?.numbering,
    );
  }

  #entrySources(): Uint32Array {
    const earlier = this.#base;
    const isSame = earlier?.sources.length === this.#list.length &&
      this.#list.every(({ id, firstEntry }) => firstEntry === earlier.sources[id]?.firstEntry);
    if (isSame && earlier.entryCount === this.#nodes.length) return earlier.columns.entrySources;
    const sources = sharedUint32(this.#nodes.length);
    for (const { id, firstEntry, entryCount } of this.#list) sources.fill(id, firstEntry, firstEntry + entryCount);
    return sources;
  }

  /** Returns the clashes of the base, and at most its unused nodes, if the same paths are used. */
  #clashes(): ReadonlyMap<number, number> {
    const isSame = this.#nodes.isUnchanged && this.#entries.entryFlags.isUnchanged;
    return isSame && this.#base ? this.#base.clashes : this.#addClashNames();
  }

  /**
   * A name can be a file in one source and a directory in another (`sound` and `sound/x.wav`). The directory keeps the
   * name; the file gets an alias, for views that show both.
   */
  #addClashNames(): Map<number, number> {
    const names = this.#names;
    const { isUsed, isUsedFold, isDirectory, usedCount } = this.#usedNames();
    const clashes = new Map<number, number>();
    const aliases = new Set<number>();
    /** For the fold node of an alias, the fold node that it was created for. Spellings of one name may share it. */
    const madeFor = new Map<number, number>();
    for (let entry = 0; entry < this.#nodes.length; entry++) {
      const node = at(this.#nodes.values, entry);
      const ownFold = names.foldOf(node);
      if (isDirectory[ownFold] !== 1 || this.#isDirectoryEntry(entry) || clashes.has(node)) continue;
      let name = names.nameOf(node);
      let alias = node;
      do {
        name = Uint8Array.of(...name, ...suffix);
        alias = names.addChild(names.parentOf(node), name, 0, name.length);
        const fold = names.foldOf(alias);
        const isTaken = isUsed[alias] === 1 || aliases.has(alias) ||
          ((isUsedFold[fold] === 1 || madeFor.has(fold)) && madeFor.get(fold) !== ownFold);
        if (isTaken) alias = node; // append one more suffix
      } while (alias === node);
      aliases.add(alias);
      madeFor.set(names.foldOf(alias), ownFold);
      clashes.set(node, alias);
    }
    this.unusedNodes = names.nodeCount - usedCount - aliases.size;
    return clashes;
  }

  /** Nodes that entries need, fold nodes that have such nodes, and fold nodes that are directories. */
  #usedNames() {
    const names = this.#names;
    const isUsed = new Uint8Array(names.nodeCount);
    const isUsedFold = new Uint8Array(names.nodeCount);
    const isDirectory = new Uint8Array(names.nodeCount);
    isUsed[0] = 1;
    let usedCount = 1;
    for (let entry = 0; entry < this.#nodes.length; entry++) {
      const own = at(this.#nodes.values, entry);
      if (this.#isDirectoryEntry(entry)) isDirectory[names.foldOf(own)] = 1;
      for (let node = own; at(isUsed, node) === 0; node = names.parentOf(node)) {
        isUsed[node] = 1;
        isUsedFold[names.foldOf(node)] = 1;
        isDirectory[names.foldOf(names.parentOf(node))] = 1;
        usedCount++;
      }
    }
    return { isUsed, isUsedFold, isDirectory, usedCount };
  }

  #isDirectoryEntry(entry: number): boolean {
    return (at(this.#entries.entryFlags.values, entry) & entryIsDirectory) !== 0;
  }

  #candidates() {
    if (this.#base && this.#nodes.isUnchanged && this.#names.nodeCount === this.#base.nodeCount) {
      const { candidateStarts, candidates } = this.#base.columns;
      return { candidateStarts, candidates };
    }
    const starts = sharedUint32(this.#names.nodeCount + 1);
    const nodes = this.#nodes.values;
    const count = this.#nodes.length;
    for (let entry = 0; entry < count; entry++) {
      const after = this.#names.foldOf(at(nodes, entry)) + 1;
      starts[after] = at(starts, after) + 1;
    }
    for (let node = 1; node < starts.length; node++) starts[node] = at(starts, node) + at(starts, node - 1);
    const next = starts.slice();
    const candidates = sharedUint32(count);
    for (let entry = 0; entry < count; entry++) {
      const fold = this.#names.foldOf(at(nodes, entry));
      const position = at(next, fold);
      candidates[position] = entry;
      next[fold] = position + 1;
    }
    return { candidateStarts: starts, candidates };
  }
}
