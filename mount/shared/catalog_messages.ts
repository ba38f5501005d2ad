/**
 * Messages that send indexes to the session thread: for an index that replaces another, only the differences. A refresh
 * may change one pack of thousands.
 *
 * The session recognizes unchanged columns and sources by object identity, and does not check their files again.
 * @module
 */
import { hasOrigin, type Identity, type IndexParts, type SnapshotColumns, type Source } from "../../index/mod.ts";

/** Consecutive sources that are also consecutive in the previous index. */
interface KeptSources {
  /** Number of the first one in the previous index. */
  readonly first: number;
  readonly count: number;
  /** Number of its first entry; the other entries have the next numbers. */
  readonly firstEntry: number;
}

/** Differences between an index and the previously sent one. */
export interface CatalogMessage extends Omit<IndexParts, "snapshot"> {
  readonly columns: Partial<SnapshotColumns>;
  readonly sources: readonly (Source | KeptSources)[];
  readonly clashes: ReadonlyMap<number, number>;
  readonly numbering: number;
}

/** Returns the message with the differences between `before` and `after`. */
export function catalogMessage(before: IndexParts, after: IndexParts): CatalogMessage {
  const { snapshot: { columns, sources, clashes, numbering }, games, problems } = after;
  const known = new Set(Object.values(before.snapshot.columns));
  return {
    columns: Object.fromEntries(Object.entries(columns).filter(([, column]) => !known.has(column))),
    sources: keptOrNew(before.snapshot.sources, sources),
    clashes,
    numbering,
    games,
    problems,
  };
}

/** Returns the index that results from a message and the previous index. */
export function catalogAfter({ snapshot }: IndexParts, message: CatalogMessage): IndexParts {
  const { columns, clashes, numbering, games, problems } = message;
  const sources: Source[] = [];
  for (const item of message.sources) {
    if (!("count" in item)) {
      sources.push(item);
      continue;
    }
    let { firstEntry } = item;
    for (const kept of snapshot.sources.slice(item.first, item.first + item.count)) {
      const id = sources.length;
      sources.push(kept.id === id && kept.firstEntry === firstEntry ? kept : { ...kept, id, firstEntry });
      firstEntry += kept.entryCount;
    }
  }
  return { snapshot: { columns: { ...snapshot.columns, ...columns }, sources, clashes, numbering }, games, problems };
}

function keptOrNew(before: readonly Source[], after: readonly Source[]): (Source | KeptSources)[] {
  const known = new Map<Identity, Source>(before.map((source) => [source.identity, source]));
  const items: (Source | KeptSources)[] = [];
  let next = -1;
  let nextEntry = -1;
  for (const source of after) {
    const kept = known.get(source.identity);
    if (!kept || !isKept(kept, source)) {
      items.push(source);
      next = -1;
      continue;
    }
    const run = items.at(-1);
    if (kept.id === next && source.firstEntry === nextEntry && run && "count" in run) {
      items[items.length - 1] = { ...run, count: run.count + 1 };
    } else items.push({ first: kept.id, count: 1, firstEntry: source.firstEntry });
    next = kept.id + 1;
    nextEntry = source.firstEntry + source.entryCount;
  }
  return items;
}

/** Returns whether a source differs only in its number and the number of its first entry. */
function isKept(before: Source, now: Source): boolean {
  return before === now || (before.identity === now.identity && hasOrigin(before, now) &&
    before.format === now.format && before.byteLayout === now.byteLayout && before.failure === now.failure &&
    before.readAt === now.readAt && before.entryCount === now.entryCount && before.recovery === now.recovery &&
    before.warnings === now.warnings);
}
