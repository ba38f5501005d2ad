/**
 * Numbers of the rows of sources, members and views in the tables of SQL. They stay the same from one index to the
 * next as long as the row does, so that a refresh changes only the rows of what it found.
 * @module
 */
import { at, type Snapshot, type SnapshotColumns, type Source } from "../../index/mod.ts";
import type { Catalog } from "../../views/mod.ts";

/** Difference between two indexes. */
export interface RowChanges {
  readonly numbers: RowNumbers;
  /** Numbers of the sources that are gone, or have other files. */
  readonly removed: readonly number[];
  /** Sources that are new, or have other files. */
  readonly added: readonly Source[];
}

/** Columns that decide what a row of `members` holds. */
const comparedColumns = [
  "entryNodes",
  "entryOffsets",
  "entryCompressedSizes",
  "entrySizes",
  "entryTimes",
  "entryCrcs",
  "entryMethods",
  "entryFlags",
] as const satisfies readonly (keyof SnapshotColumns)[];

/** Numbers of the rows of one index. */
export class RowNumbers {
  readonly #catalog: Catalog;
  /** Numbers of sources, from 1. */
  readonly #sources: readonly number[];
  /** Number of each source's first entry. */
  readonly #firstMembers: readonly number[];
  /** Numbers of views, from 1. */
  readonly #views: readonly number[];
  readonly #lastSource: number;
  readonly #nextMember: number;
  readonly #lastView: number;

  private constructor(
    catalog: Catalog,
    before?: RowNumbers,
    kept: ReadonlyMap<number, number> = new Map<number, number>(),
  ) {
    const { snapshot, views } = this.#catalog = catalog;
    let [lastSource, nextMember, lastView] = before
      ? [before.#lastSource, before.#nextMember, before.#lastView]
      : [0, 0, 0];
    const ofSource = (numbers: readonly number[] | undefined, { id }: Source) => numbers?.[kept.get(id) ?? -1];
    this.#sources = snapshot.sources.map((source) => ofSource(before && before.#sources, source) ?? ++lastSource);
    this.#firstMembers = snapshot.sources.map((source) => {
      const known = ofSource(before && before.#firstMembers, source);
      if (known !== undefined) return known;
      const first = nextMember;
      nextMember += source.entryCount;
      return first;
    });
    const known = new Map(before ? before.#catalog.views.map(({ name }, index) => [name, before.view(index)]) : []);
    this.#views = views.map(({ name }) => known.get(name) ?? ++lastView);
    [this.#lastSource, this.#nextMember, this.#lastView] = [lastSource, nextMember, lastView];
  }

  /** Returns the numbers of a first index. */
  static of(catalog: Catalog): RowNumbers {
    return new RowNumbers(catalog);
  }

  /** Returns what another index changes; undefined if it has little in common with this one. */
  changes(catalog: Catalog): RowChanges | undefined {
    const before = this.#catalog.snapshot;
    const after = catalog.snapshot;
    if (before.numbering !== after.numbering) return undefined;
    const old = Map.groupBy(before.sources, (source) => sourceKey(this.#catalog, source));
    const kept = new Map<number, number>();
    const removed = new Set(before.sources.map(({ id }) => id));
    const added = after.sources.filter((source) => {
      const earlier = old.get(sourceKey(catalog, source))?.shift();
      if (!earlier || !isSameSource(before, earlier, after, source)) return true;
      kept.set(source.id, earlier.id);
      removed.delete(earlier.id);
      return false;
    });
    return {
      numbers: new RowNumbers(catalog, this, kept),
      removed: Array.from(removed, (id) => this.source(id)),
      added,
    };
  }

  /** Returns the number of a source. */
  source(id: number): number {
    return known(this.#sources[id]);
  }

  /** Returns the number of an entry. */
  member(entry: number): number {
    const { columns: { entrySources }, sources } = this.#catalog.snapshot;
    const id = at(entrySources, entry);
    return entry - known(sources[id]?.firstEntry) + known(this.#firstMembers[id]);
  }

  /** Returns the number of a view, by its place in the catalog. */
  view(index: number): number {
    return known(this.#views[index]);
  }
}

function known(number: number | undefined): number {
  if (number === undefined) throw new RangeError("Cannot number a row that the index does not have");
  return number;
}

function sourceKey({ games }: Catalog, { game, gameDirectory, kind, path }: Source): string {
  return [games[game]?.name, gameDirectory, kind, path].join("\0");
}

/** Returns whether the rows of the members of two sources are the same. */
function isSameSource(before: Snapshot, old: Source, after: Snapshot, now: Source): boolean {
  // Damage is told in words that depend on more than its code; places in packs in packs follow from their layout.
  if (old.entryCount !== now.entryCount || old.format !== now.format || old.byteLayout || now.byteLayout) return false;
  const hasSameValues = comparedColumns.every((name) => {
    const left = before.columns[name];
    const right = after.columns[name];
    for (let row = 0; row < now.entryCount; row++) {
      if (left[old.firstEntry + row] !== right[now.firstEntry + row]) return false;
    }
    return true;
  });
  if (!hasSameValues) return false;
  for (let row = 0; row < now.entryCount; row++) {
    const entry = now.firstEntry + row;
    if (at(after.columns.entryDamage, entry) !== 0 || at(before.columns.entryDamage, old.firstEntry + row) !== 0) {
      return false;
    }
    const rawName = after.rawNameOf(entry);
    if (!rawName !== !before.rawNameOf(old.firstEntry + row)) return false;
    if (rawName && after.memberOf(entry) !== before.memberOf(old.firstEntry + row)) return false;
  }
  return true;
}
