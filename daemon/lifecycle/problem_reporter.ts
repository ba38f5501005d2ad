/**
 * What goes wrong while the mount is served. A program that reads a damaged pack from end to end meets thousands of
 * errors: of each source the log has the first, then now and then one, and how many were left out.
 * @module
 */
import { Allowance } from "../server/rate_limiter.ts";
import type { Log, LogSubject } from "../../system/log.ts";
import { type Clock, systemClock } from "../../service/watch/coalescer.ts";

/** Sentences about one source that are logged at once, and how many more a minute. */
const maxAtOnce = 10;
const perMinute = 1;
/** Sources that are told apart; what is about others counts as about one. */
const maxSources = 1000;
/** Problems kept for `status`; of further ones only their number. */
const maxKept = 1000;

/** What is known of one source. */
interface Topic {
  readonly allowance: Allowance;
  omitted: number;
}

/** Options of {@linkcode ProblemLog}. */
export interface ProblemLogOptions {
  readonly clock?: Clock;
  /** Name of the game that a pack or directory belongs to. */
  readonly gameOf?: (source: string) => string | undefined;
  /** A word that changes when a pack does; undefined for what is not a pack of the index. */
  readonly versionOf?: (source: string) => string | undefined;
}

/** A problem that holds as long as its pack is the same. */
interface Kept {
  readonly source: string | undefined;
  readonly version: string | undefined;
}

/** Writes problems to the log, and keeps them. */
export class ProblemLog {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #gameOf: (source: string) => string | undefined;
  readonly #topics = new Map<string, Topic>();
  readonly #versionOf: (source: string) => string | undefined;
  /** Each sentence once. */
  readonly #kept = new Map<string, Kept>();
  #omitted = 0;

  constructor(
    log: Log,
    { clock = systemClock, gameOf = () => undefined, versionOf = () => undefined }: ProblemLogOptions = {},
  ) {
    this.#versionOf = versionOf;
    this.#log = log;
    this.#clock = clock;
    this.#gameOf = gameOf;
  }

  /** What went wrong and has not been cleared, the first {@linkcode maxKept} of it, whether it was logged or not. */
  get sentences(): readonly string[] {
    return Array.from(this.#kept.keys());
  }

  /** Number of problems beyond these. */
  get omitted(): number {
    return this.#omitted;
  }

  /** Clears what need not be so any more after a refresh: all but problems of packs that are the same as before. */
  refreshed(): void {
    const versions = new Map<string, string | undefined>();
    for (const [sentence, { source, version }] of this.#kept) {
      if (source !== undefined && !versions.has(source)) versions.set(source, this.#versionOf(source));
      const isSame = source !== undefined && version !== undefined && versions.get(source) === version;
      if (!isSame) this.#kept.delete(sentence);
    }
    this.#omitted = 0;
  }

  /**
   * Something went wrong.
   * @param source Path of the pack or directory that it is about; without one it is always logged.
   */
  report(message: string, source?: string): void {
    if (this.#kept.size === maxKept && !this.#kept.has(message)) this.#omitted++;
    else this.#kept.set(message, { source, version: source === undefined ? undefined : this.#versionOf(source) });
    const topic = source === undefined ? undefined : this.#topicOf(source);
    if (topic && !topic.allowance.tryTake()) {
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
    return source === undefined ? {} : { source, game: this.#gameOf(source) };
  }

  #topicOf(source: string): Topic {
    const key = this.#topics.has(source) || this.#topics.size < maxSources ? source : "other sources";
    const known = this.#topics.get(key);
    if (known) return known;
    const topic = { allowance: new Allowance(maxAtOnce, perMinute / 60, this.#clock), omitted: 0 };
    this.#topics.set(key, topic);
    return topic;
  }
}

function omissionSentence(source: string, count: number): string {
  return `${source}: ${count} more ${count === 1 ? "problem was" : "problems were"} not logged one by one`;
}
