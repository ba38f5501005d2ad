/**
 * Reports changes by refreshes to subscribers.
 * @module
 */
import { type Catalog, catalogChanges, isNoChange, type ViewDifference, viewDifferences } from "../views/mod.ts";
import { countsOf, type Replacement } from "./live_index.ts";
import type { Subscriber } from "./methods/method.ts";
import { type Clock, systemClock } from "../system/mod.ts";
import { maxPackPaths } from "../protocol/mod.ts";
import type { PackProblem, RefreshResult, ViewChanges } from "../protocol/rows.ts";

/** Maximum refreshes whose differences are not computed yet; each holds two indexes in memory. */
const maxUnderWay = 4;
/** Time without a refresh after which a program's writes count as complete; milliseconds. */
const settledAfter = 1500;
/** Maximum delay of changes for settling subscribers; milliseconds. */
const maxHeld = 30_000;

/** State of one subscriber. */
interface Subscription {
  /** Number of missed reports. */
  lost: number;
  /** Time until which the last refresh is not settled. */
  unsettledUntil: number;
  /** Delayed refreshes, merged. */
  held: (Report & { readonly since: number }) | undefined;
  cancelTimer: () => void;
}

/** Refreshes that are reported as one. */
interface Report extends Replacement {
  readonly time: number;
  readonly milliseconds: number;
}

/** The subscribers of one index. */
export class RefreshReports {
  readonly #clock: Clock;
  readonly #subscribers = new Map<Subscriber, Subscription>();
  #underWay = 0;
  #working: Promise<void> = Promise.resolve();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /**
   * Reports each refresh to `subscriber` from now on.
   * @returns A function that removes the subscriber.
   */
  add(subscriber: Subscriber): () => void {
    const state: Subscription = { lost: 0, unsettledUntil: -Infinity, held: undefined, cancelTimer: () => {} };
    this.#subscribers.set(subscriber, state);
    return () => {
      state.cancelTimer();
      this.#subscribers.delete(subscriber);
    };
  }

  /** Reports a replacement to all subscribers soon; to settling ones only if it does not continue another. */
  publish(replacement: Replacement, { milliseconds }: RefreshResult): void {
    const report = { ...replacement, time: this.#clock.wall(), milliseconds };
    const prompt = Array.from(this.#subscribers).filter(([subscriber, state]) =>
      !subscriber.settles || !this.#hold(subscriber, state, report)
    );
    this.#send(prompt.map(([subscriber]) => subscriber), report);
  }

  /** Delays a report if another has come shortly before: a file that is being written changes once a second. */
  #hold(subscriber: Subscriber, state: Subscription, report: Report): boolean {
    const now = this.#clock.now();
    const isSettled = now >= state.unsettledUntil && state.held === undefined;
    state.unsettledUntil = now + settledAfter;
    if (isSettled) return false;
    const { before, since, milliseconds } = state.held ?? { ...report, since: now, milliseconds: 0 };
    state.held = { ...report, before, since, milliseconds: milliseconds + report.milliseconds };
    state.cancelTimer();
    const wait = Math.min(settledAfter, Math.max(0, since + maxHeld - now));
    state.cancelTimer = this.#clock.after(wait, () => {
      const { held } = state;
      state.held = undefined;
      if (held) this.#send([subscriber], { ...held, changes: catalogChanges(held.before, held.after) });
    });
    return true;
  }

  #send(subscribers: readonly Subscriber[], report: Report): void {
    if (subscribers.length === 0) return;
    if (this.#underWay === maxUnderWay) {
      for (const subscriber of subscribers) {
        const state = this.#subscribers.get(subscriber);
        if (state) state.lost++;
      }
      return;
    }
    this.#underWay++;
    this.#working = this.#working.catch(() => {}).then(() => this.#report(subscribers, report))
      .finally(() => this.#underWay--);
  }

  /** Resolves when everything that is not delayed has been reported. */
  get settled(): Promise<void> {
    return this.#working;
  }

  async #report(
    subscribers: readonly Subscriber[],
    { before, after, changes, time, milliseconds }: Report,
  ): Promise<void> {
    const { packs, files } = countsOf(changes);
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
    const packProblems = problemsOf(after, [...packPaths.added, ...packPaths.changed]);
    if (isNoChange(changes) && differences.length === 0) return; // only its description differs
    const isDefault = new Set(usual);
    for (const subscriber of subscribers) {
      const state = this.#subscribers.get(subscriber);
      if (state === undefined) continue; // deleted meanwhile
      const dropped = state.lost;
      state.lost = 0;
      const wanted = subscriber.views === null ? isDefault : new Set(subscriber.views);
      const views = differences.filter(({ view }) => wanted.has(view)).map((row) => rowOf(row, subscriber.sample));
      subscriber.deliver({ time, milliseconds, packs, packPaths, packProblems, files, views, dropped });
    }
  }
}

function problemsOf({ packs }: Catalog, paths: readonly string[]): PackProblem[] {
  const named = new Set(paths);
  return packs.flatMap(({ path, failure, warnings }) => {
    const [problem] = failure === null ? warnings : [failure];
    if (!named.delete(path) || problem === undefined) return [];
    return [{ source: path, problem: problem.startsWith(`${path}: `) ? problem.slice(path.length + 2) : problem }];
  });
}

function rowOf({ view, change, files, sample }: ViewDifference, most: number): ViewChanges {
  return { view, change, files: { ...files }, sample: sample.slice(0, most).map((path) => ({ ...path })) };
}
