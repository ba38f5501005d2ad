/**
 * Problems of a running daemon, for the log and for `status`. A program that reads a damaged pack from end to end
 * causes thousands: the log holds the first few per source, then one a minute, and the number of omitted ones.
 * @module
 */
import { RateLimiter } from "../server/rate_limiter.ts";
import { type Clock, type Log, type LogSubject, systemClock } from "../../system/mod.ts";
import type { LiveIndex } from "../../service/mod.ts";

/** Problems per source that are logged at once, and afterwards per minute. */
const maxAtOnce = 10;
const perMinute = 1;
/** Maximum number of sources with their own rate; all others share one. */
const maxSources = 1000;
/** Maximum number of problems kept for `status`; others are only counted. */
const maxKept = 1000;

/** Problems of one source in the log. */
interface Topic {
  readonly limiter: RateLimiter;
  omitted: number;
}

/** Facts about the sources that problems are about. */
export interface SourceFacts {
  /** Returns the name of the game that a pack or directory belongs to. */
  gameOf(source: string): string | undefined;
  /** Returns a string that changes when a pack does; undefined for a path that is no pack of the index. */
  versionOf(source: string): string | undefined;
}

/** Returns the facts that an index has. */
export function sourceFactsOf(index: Pick<LiveIndex, "catalog">): SourceFacts {
  return {
    gameOf(path) {
      const { snapshot, games } = index.catalog;
      const source = snapshot.sources.find((candidate) => candidate.path === path);
      return source && games[source.game]?.name;
    },
    versionOf(path) {
      const pack = index.catalog.packs.find((candidate) => candidate.path === path);
      return pack && JSON.stringify(pack.identity);
    },
  };
}

/** A problem that lasts as long as its pack is unchanged. */
interface Kept {
  readonly source: string | undefined;
  readonly version: string | undefined;
}

/** Logs and stores problems. */
export class ProblemReporter {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #topics = new Map<string, Topic>();
  /** Messages without duplicates. */
  readonly #kept = new Map<string, Kept>();
  #facts: SourceFacts | undefined;
  #omitted = 0;

  constructor(log: Log, clock: Clock = systemClock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Uses the facts of an index from now on. */
  follow(facts: SourceFacts): void {
    this.#facts = facts;
  }

  /** Problems that have not been cleared, logged or not; at most {@linkcode maxKept}. */
  get sentences(): readonly string[] {
    return Array.from(this.#kept.keys());
  }

  /** Number of problems beyond these. */
  get omitted(): number {
    return this.#omitted;
  }

  /** Clears all problems that a refresh may have solved: all except problems of unchanged packs. */
  refreshed(): void {
    const versions = new Map<string, string | undefined>();
    for (const [sentence, { source, version }] of this.#kept) {
      if (source !== undefined && !versions.has(source)) versions.set(source, this.#facts?.versionOf(source));
      const isSame = source !== undefined && version !== undefined && versions.get(source) === version;
      if (!isSame) this.#kept.delete(sentence);
    }
    this.#omitted = 0;
  }

  /**
   * Reports a problem.
   * @param source Path of the affected pack or directory; a problem without one is always logged.
   */
  report(message: string, source?: string): void {
    if (this.#kept.size === maxKept && !this.#kept.has(message)) this.#omitted++;
    else {this.#kept.set(message, {
        source,
        version: source === undefined ? undefined : this.#facts?.versionOf(source),
      });}
    const topic = source === undefined ? undefined : this.#topicOf(source);
    if (topic && !topic.limiter.tryAcquire()) {
      topic.omitted++;
      return;
    }
    if (topic && topic.omitted > 0) {
      this.#log.write("warning", omissionSentence(source ?? "", topic.omitted), this.#subject(source));
      topic.omitted = 0;
    }
    this.#log.write("warning", message, this.#subject(source));
  }

  #subject(source: string | undefined): LogSubject {
    return source === undefined ? {} : { source, game: this.#facts?.gameOf(source) };
  }

  #topicOf(source: string): Topic {
    const key = this.#topics.has(source) || this.#topics.size < maxSources ? source : "other sources";
    const known = this.#topics.get(key);
    if (known) return known;
    const topic = { limiter: new RateLimiter(maxAtOnce, perMinute / 60, this.#clock), omitted: 0 };
    this.#topics.set(key, topic);
    return topic;
  }
}

function omissionSentence(source: string, count: number): string {
  return `${source}: ${count} more ${count === 1 ? "problem was" : "problems were"} not logged one by one`;
}
