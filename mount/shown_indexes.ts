/**
 * The indexes of a mount, one after the other, as used by all its parts on the main thread.
 * @module
 */
import type { RemoteSources, Snapshot } from "../index/mod.ts";
import type { Catalog, TreeParts } from "../views/mod.ts";
import { catalogMessage } from "./shared/catalog_messages.ts";
import { createArchiveStates } from "./shared/decompressed_archives.ts";
import { createEntryBuffers, EntryStates } from "./shared/entry_states.ts";
import type { IndexVersion, ReplaceMessage } from "./shared/thread_messages.ts";

/** Number of indexes whose files may be open, or whose reads may wait; counts of older ones no longer change. */
const maxOpen = 4;

/** A shown index, and the memory that the threads share for it. */
export class ShownIndex {
  readonly number: number;
  readonly snapshot: Snapshot;
  /** Copy for threads, with the same columns and the same shared memory. */
  readonly version: IndexVersion;
  readonly states: EntryStates;
  /** Number of the remote file system of each source, 0 for a local one. */
  readonly remotes: Uint8Array;

  /** @param remotes Like {@linkcode ShownIndex.remotes}; undefined: all are local. */
  constructor(number: number, catalog: Catalog, games: readonly string[], remotes?: Uint8Array) {
    const { snapshot } = catalog;
    this.number = number;
    this.snapshot = snapshot;
    this.version = {
      number,
      catalog: catalog.index,
      games,
      entries: createEntryBuffers(snapshot.entryCount),
      decompressed: createArchiveStates(snapshot),
      remotes: new SharedArrayBuffer(snapshot.sources.length),
      failures: new SharedArrayBuffer(snapshot.sources.length * Uint32Array.BYTES_PER_ELEMENT),
    };
    this.states = new EntryStates(this.version.entries);
    this.remotes = new Uint8Array(this.version.remotes);
    if (remotes) this.remotes.set(remotes);
  }

  /** Returns the message that makes the session show this index instead of the previously sent one. */
  replacing({ version: { catalog: before } }: ShownIndex): ReplaceMessage {
    const { catalog, ...version } = this.version;
    return { type: "replace", version, catalog: catalogMessage(before, catalog) };
  }

  /** Adds the failed reads by source path. */
  addFailedReads(sums: Map<string, number>): void {
    const counts = new Uint32Array(this.version.failures);
    for (const { id, path } of this.snapshot.sources) {
      const count = counts[id] ?? 0;
      if (count > 0) sums.set(path, (sums.get(path) ?? 0) + count);
    }
  }
}

/** The shown index, and earlier ones as long as their files may be open. */
export class ShownIndexes {
  readonly #remotes: Pick<RemoteSources, "numbersOf">;
  /** Failed reads of released indexes, by source. */
  readonly #failedReads = new Map<string, number>();
  /** Catalog of the newest index: older ones are kept without their views, whose trees take memory. */
  #catalog: Catalog;
  #shown: ShownIndex;
  /** The newest last. */
  #open: ShownIndex[];

  /**
   * @param games Names of the shown games.
   */
  constructor(catalog: Catalog, games: readonly string[], remotes: Pick<RemoteSources, "numbersOf">) {
    this.#remotes = remotes;
    this.#catalog = catalog;
    this.#shown = new ShownIndex(0, catalog, games, remotes.numbersOf(catalog));
    this.#open = [this.#shown];
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  /** The newest index. */
  get shown(): ShownIndex {
    return this.#shown;
  }

  /** Creates the index that is shown from now on, and releases the oldest. */
  add(catalog: Catalog, games: readonly string[]): ShownIndex {
    this.#catalog = catalog;
    this.#shown = new ShownIndex(this.#shown.number + 1, catalog, games, this.#remotes.numbersOf(catalog));
    this.#open.push(this.#shown);
    for (const left of this.#open.splice(0, this.#open.length - maxOpen)) left.addFailedReads(this.#failedReads);
    return this.#shown;
  }

  /** Adopts the tree of a view that the session has resolved, unless another index is shown by now. */
  adopt(number: number, view: string, tree: TreeParts): void {
    if (number === this.#shown.number) this.#catalog.views.find(({ name }) => name === view)?.adopt(tree);
  }

  /**
   * Returns the index with a number for a thread that requests it; undefined if it is no longer kept. Threads request
   * indexes on demand: for a sleeping thread, messages with indexes would pile up.
   */
  versionOf(number: number): IndexVersion | undefined {
    return this.#open.find((open) => open.number === number)?.version;
  }

  /** Returns the number of failed reads since the start, by source path. */
  failedReads(): Map<string, number> {
    const sums = new Map(this.#failedReads);
    for (const index of this.#open) index.addFailedReads(sums);
    return sums;
  }
}
