/**
 * Reports to subscribers what refreshes have changed.
 * @module
 */
import { isNoChange } from "../index/views/changes.ts";
import { type ViewDifference, viewDifferences } from "../index/views/view_changes.ts";
import type { Replacement } from "./live_index.ts";
import type { Subscriber } from "./methods/method.ts";
import { maxPackPaths } from "../protocol/limits.ts";
import type { RefreshResult, ViewChanges } from "../protocol/rows.ts";

/** Maximum refreshes whose differences are still unknown; each holds two indexes in memory. */
const maxUnderWay = 4;

/** The subscribers of one index. */
export class RefreshReports {
  /** Each with how many reports it has not been given. */
  readonly #subscribers = new Map<Subscriber, number>();
  #underWay = 0;
  #working: Promise<void> = Promise.resolve();

  /**
   * Reports each refresh to `subscriber` from now on.
   * @returns Removes the subscriber.
   */
  add(subscriber: Subscriber): () => void {
    this.#subscribers.set(subscriber, 0);
    return () => this.#subscribers.delete(subscriber);
  }

  /** Reports a replacement to all subscribers, soon. */
  publish(replacement: Replacement, result: RefreshResult): void {
    const subscribers = Array.from(this.#subscribers.keys());
    if (subscribers.length === 0) return;
    if (this.#underWay === maxUnderWay) {
      for (const [subscriber, lost] of this.#subscribers) this.#subscribers.set(subscriber, lost + 1);
      return;
    }
    this.#underWay++;
    const time = Date.now();
    this.#working = this.#working
      .then(() => this.#report(subscribers, replacement, { ...result, time }))
      .finally(() => this.#underWay--);
  }

  /** Resolves when everything published has been reported. */
  get settled(): Promise<void> {
    return this.#working;
  }

  async #report(
    subscribers: readonly Subscriber[],
    { before, after, changes }: Replacement,
    { packs, files, milliseconds, time }: RefreshResult & { time: number },
  ): Promise<void> {
    const most = Math.max(...subscribers.map(({ sample }) => sample));
    const wantsAll = subscribers.some(({ views }) => views === null);
    const named = subscribers.flatMap(({ views }) => views ?? []);
    const usual = wantsAll ? [...before.views, ...after.views].map((view) => view.name) : [];
    const differences: ViewDifference[] = [];
    for (const difference of viewDifferences(before, after, [...usual, ...named], most)) {
      differences.push(difference);
      // deno-lint-ignore no-await-in-loop -- between two views it is the turn of others
      await new Promise((resolve) => setTimeout(resolve));
    }
    const packPaths = {
      added: changes.packs.added.slice(0, maxPackPaths),
      removed: changes.packs.removed.slice(0, maxPackPaths),
      changed: changes.packs.changed.slice(0, maxPackPaths),
    };
    if (isNoChange(changes) && differences.length === 0) return; // only what is said of it is different
    const isDefault = new Set(usual);
    for (const subscriber of subscribers) {
      const dropped = this.#subscribers.get(subscriber);
      if (dropped === undefined) continue; // gone meanwhile
      this.#subscribers.set(subscriber, 0);
      const wanted = subscriber.views === null ? isDefault : new Set(subscriber.views);
      const views = differences.filter(({ view }) => wanted.has(view)).map((row) => rowOf(row, subscriber.sample));
      subscriber.deliver({ time, milliseconds, packs, packPaths, files, views, dropped });
    }
  }
}

function rowOf({ view, change, files, sample }: ViewDifference, most: number): ViewChanges {
  return { view, change, files: { ...files }, sample: sample.slice(0, most).map((path) => ({ ...path })) };
}
