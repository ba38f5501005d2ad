/**
 * Results of conversions, in memory up to a bound, dropped when a file that they were made of changes.
 * @module
 */
import type { RefreshedEvent } from "../protocol/rows.ts";

/** Bytes of a result, and what it was made of. */
export interface KeptResult {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: string;
  /** Paths that were looked up, found or not; null if not all are known. */
  readonly inputs: ReadonlySet<string> | null;
  /** Whether it is of a file that loses: changes of those are in no event. */
  readonly isOfLoser: boolean;
}

/** Returns what two spellings of a path have in common under every engine. */
export function inputName(qpath: string): string {
  return qpath.toLowerCase();
}

/** Keeps the results used last. */
export class ResultCache {
  readonly #results = new Map<string, KeptResult>();
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes Bound of all results together. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Number of results. */
  get size(): number {
    return this.#results.size;
  }

  /** Returns the result of a key. */
  get(key: string): KeptResult | undefined {
    const result = this.#results.get(key);
    if (!result) return undefined;
    this.#results.delete(key);
    this.#results.set(key, result);
    return result;
  }

  /** Keeps a result, and drops those that were not used for the longest time beyond the bound. */
  set(key: string, result: KeptResult): void {
    this.#delete(key);
    if (result.bytes.length > this.#maxBytes / 2) return;
    this.#results.set(key, result);
    this.#bytes += result.bytes.length;
    for (const oldest of this.#results.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#delete(oldest);
    }
  }

  /** Drops what a refresh may have changed; of a view that the event does not name, what is not `isListed`. */
  refresh({ views, dropped }: RefreshedEvent, isListed: (view: string) => boolean): void {
    if (dropped > 0) return this.clear();
    const changes = new Map(views.map(({ view, files, sample }) => {
      const isWhole = files.added + files.removed + files.changed === sample.length;
      return [view, isWhole ? new Set(sample.map(({ qpath }) => inputName(qpath))) : null];
    }));
    for (const [key, { view, inputs, isOfLoser }] of this.#results) {
      const changed = changes.get(view);
      if (!isOfLoser && changed === undefined && isListed(view)) continue;
      if (isOfLoser || !changed || !inputs || !inputs.isDisjointFrom(changed)) this.#delete(key);
    }
  }

  /** Drops everything. */
  clear(): void {
    this.#results.clear();
    this.#bytes = 0;
  }

  #delete(key: string): void {
    const result = this.#results.get(key);
    if (!result) return;
    this.#bytes -= result.bytes.length;
    this.#results.delete(key);
  }
}
