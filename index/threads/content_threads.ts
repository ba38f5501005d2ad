/**
 * Threads that hash or search local files: one per processor, started on demand and ended when idle.
 * @module
 */
import type { Snapshot } from "../columns/snapshot.ts";
import type { ContentAnswer, ContentAnswerer, SubjectsQuestion } from "../content/remote/content_worker.ts";
import { Thread } from "../../system/mod.ts";

/** Maximum threads, regardless of processors: each holds a file of up to 16 MiB. */
const maxThreads = 32;
/** Milliseconds without work after which the threads end. */
const idleTime = 10_000;
const closed = "the index is closed";

/** A query exceeded its time limit. */
export class TooLongError extends Error {
  /** Name of the class. */
  override readonly name = "TooLongError";
}

type ContentThread = Thread<number, never, ContentAnswerer>;

/** A query that waits for a thread. */
interface Job {
  readonly snapshot: Snapshot;
  readonly question: SubjectsQuestion;
  readonly signal: AbortSignal | undefined;
  readonly result: PromiseWithResolvers<ContentAnswer>;
}

/** Reads subjects of any snapshots. */
export class ContentThreads implements Disposable {
  readonly #maxTime: number | undefined;
  readonly #idle: ContentThread[] = [];
  /** All threads, with the numbers of the snapshots that they have. */
  readonly #threads = new Map<ContentThread, Set<number>>();
  readonly #jobs: Job[] = [];
  readonly #numbers = new WeakMap<Snapshot, number>();
  #nextNumber = 1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /**
   * @param maxTime Time limit of a query in milliseconds, after which its thread is ended, as for a cancelled query.
   * Without a limit only queries that have not started are cancelled.
   */
  constructor(maxTime?: number) {
    this.#maxTime = maxTime;
  }

  /**
   * Sends a query about some subjects.
   * @throws {DOMException} if the signal cancelled it.
   * @throws {TooLongError} if it took too long.
   * @throws {ThreadError} if its thread failed.
   */
  ask(snapshot: Snapshot, question: SubjectsQuestion, signal?: AbortSignal): Promise<ContentAnswer> {
    if (this.#isClosed) return Promise.reject(new Error(closed));
    const result = Promise.withResolvers<ContentAnswer>();
    this.#jobs.push({ snapshot, question, signal, result });
    clearTimeout(this.#timer);
    this.#start();
    return result.promise;
  }

  /** Releases a snapshot. */
  forget(snapshot: Snapshot): void {
    const number = this.#numbers.get(snapshot);
    if (number === undefined) return;
    for (const [thread, known] of this.#threads) if (known.delete(number)) thread.post(number);
  }

  /** Ends all threads. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const { result } of this.#jobs.splice(0)) result.reject(new Error(closed));
    this.#endThreads();
  }

  #endThreads(): void {
    clearTimeout(this.#timer);
    for (const thread of this.#threads.keys()) thread.end(closed);
    this.#threads.clear();
    this.#idle.length = 0;
  }

  #start(): void {
    const most = Math.min(maxThreads, navigator.hardwareConcurrency);
    while (this.#jobs.length > 0 && (this.#idle.length > 0 || this.#threads.size < most)) {
      const job = this.#jobs.shift();
      if (!job) return;
      if (job.signal?.aborted) job.result.reject(job.signal.reason);
      else void this.#run(this.#idle.pop() ?? this.#newThread(), job);
    }
  }

  async #run(thread: ContentThread, { snapshot, question, signal, result }: Job): Promise<void> {
    const index = this.#numbers.get(snapshot) ?? this.#nextNumber++;
    this.#numbers.set(snapshot, index);
    const known = this.#threads.get(thread);
    const sent = known?.has(index) ? undefined : snapshot;
    known?.add(index);
    const end = (reason: string) => {
      this.#threads.delete(thread);
      thread.end(reason);
    };
    const cancel = () => end("it was cancelled");
    const isBounded = this.#maxTime !== undefined;
    let isTooLong = false;
    const timer = isBounded
      ? setTimeout(() => {
        isTooLong = true;
        end("it took too long");
      }, this.#maxTime)
      : undefined;
    if (isBounded) signal?.addEventListener("abort", cancel);
    try {
      result.resolve(await thread.ask({ index, snapshot: sent, question }));
    } catch (error) {
      const late = isTooLong ? new TooLongError(`no answer within ${this.#maxTime} ms`) : error;
      result.reject(signal?.aborted ? signal.reason : late);
    }
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
    if (this.#threads.has(thread)) this.#idle.push(thread);
    this.#start();
    if (this.#isClosed || this.#jobs.length > 0 || this.#idle.length < this.#threads.size) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#endThreads(), idleTime);
    Deno.unrefTimer(this.#timer);
  }

  #newThread(): ContentThread {
    const thread: ContentThread = new Thread(new URL("../content/remote/content_worker.ts", import.meta.url), {
      onFailure: () => void this.#threads.delete(thread),
    });
    this.#threads.set(thread, new Set());
    return thread;
  }
}
