/**
 * Reads that failed, by source. Each index that is shown has counters of its own, as its sources have other numbers.
 * @module
 */
import type { FailureRow } from "../protocol/rows.ts";
import type { IndexVersion } from "./shared/thread_messages.ts";

/** Indexes whose files may still be open; counts of older ones no longer change. */
const maxOpen = 4;
/** Maximum number of sources that are reported. */
const maxRows = 100;

/** The counters of all indexes that a mount has shown. */
export class FailedReads {
  readonly #sums = new Map<string, number>();
  #open: IndexVersion[];

  constructor(first: IndexVersion) {
    this.#open = [first];
  }

  /** Adds an index that is shown from now on. */
  add(version: IndexVersion): void {
    this.#open.push(version);
    for (const left of this.#open.splice(0, this.#open.length - maxOpen)) addTo(this.#sums, left);
  }

  /** Returns the sources with the most failed reads. */
  rows(): FailureRow[] {
    const sums = new Map(this.#sums);
    for (const version of this.#open) addTo(sums, version);
    const rows = Array.from(sums, ([source, reads]) => ({ source, reads }));
    return rows.sort((a, b) => b.reads - a.reads).slice(0, maxRows);
  }
}

function addTo(sums: Map<string, number>, { catalog, failures }: IndexVersion): void {
  const counts = new Uint32Array(failures);
  for (const { id, path } of catalog.snapshot.sources) {
    const count = counts[id] ?? 0;
    if (count > 0) sums.set(path, (sums.get(path) ?? 0) + count);
  }
}
