/**
 * Threads that hash local files: one for each processor, started when they are needed and ended when they are not.
 * @module
 */
import type { Snapshot } from "../columns/snapshot.ts";
import type { Hashes } from "../content/entry_hasher.ts";
import type { ContentAnswerer } from "../content/remote/content_worker.ts";
import { Thread } from "../../system/mod.ts";

/** Maximum threads, whatever the number of processors: each holds a file of up to 16 MiB. */
const maxThreads = 32;
/** Milliseconds without work after which the threads end. */
const idleTime = 10_000;
const closed = "the index is closed";

type HashThread = Thread<number, never, ContentAnswerer>;

/** Subjects that wait to be hashed. */
interface Job {
  readonly snapshot: Snapshot;
  readonly subjects: Uint32Array;
  readonly signal: AbortSignal | undefined;
  readonly result: PromiseWithResolvers<Hashes>;
}

/** Hashes subjects of any snapshots. */
export class HashThreads implements Disposable {
  readonly #idle: HashThread[] = [];
  /** All threads, with the numbers of the snapshots that they know. */
  readonly #threads = new Map<HashThread, Set<number>>();
  readonly #jobs: Job[] = [];
  readonly #numbers = new WeakMap<Snapshot, number>();
  #nextNumber = 1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /**
   * Hashes some subjects.
   * @param signal Drops them if no thread has begun with them.
   * @throws {DOMException} if they were dropped.
   * @throws {Error} if their thread failed.
   */
  hash(snapshot: Snapshot, subjects: Uint32Array, signal?: AbortSignal): Promise<Hashes> {
    if (this.#isClosed) return Promise.reject(new Error(closed));
    const result = Promise.withResolvers<Hashes>();
    this.#jobs.push({ snapshot, subjects, signal, result });
    clearTimeout(this.#timer);
    this.#start();
    return result.promise;
  }

  /** Forgets a snapshot. */
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

  async #run(thread: HashThread, { snapshot, subjects, result }: Job): Promise<void> {
    const index = this.#numbers.get(snapshot) ?? this.#nextNumber++;
    this.#numbers.set(snapshot, index);
    const known = this.#threads.get(thread);
    const sent = known?.has(index) ? undefined : snapshot;
    known?.add(index);
    try {
      result.resolve(await thread.ask({ index, snapshot: sent, question: { kind: "hash", subjects } }) as Hashes);
    } catch (error) {
      result.reject(error);
    }
    if (this.#threads.has(thread)) this.#idle.push(thread);
    this.#start();
    if (this.#isClosed || this.#jobs.length > 0 || this.#idle.length < this.#threads.size) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#endThreads(), idleTime);
    Deno.unrefTimer(this.#timer);
  }

  #newThread(): HashThread {
    const thread: HashThread = new Thread(new URL("../content/remote/content_worker.ts", import.meta.url), {
      onFailure: () => void this.#threads.delete(thread),
    });
    this.#threads.set(thread, new Set());
    return thread;
  }
}
