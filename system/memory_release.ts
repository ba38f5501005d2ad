/**
 * Releases memory. The columns of an index are shared by threads, and V8 does not count shared memory: a thread that
 * once had an index keeps it until its next garbage collection, which never happens while the thread sleeps in the
 * kernel. So all threads are told to collect garbage when indexes have been replaced and refreshes pause. `gc` exists
 * if Deno was started with `--expose-gc`, as by the launcher.
 * @module
 */
import type { ProcessCalls } from "./process_calls.ts";

/** Time without a new index after which memory is released; milliseconds. */
const quiet = 2000;
/** Maximum time without releasing memory while indexes are being replaced; milliseconds. */
const timeout = 5000;
/** Bytes above which memory is released soon, even while indexes are being replaced. */
const maxUnneeded = 16 * 1024 * 1024;
/** Delay for work after a refresh, such as the next query, before that; milliseconds. */
const soon = 250;
/** Bytes for making and showing a small index besides its columns. */
const besides = 128 * 1024;
/** Time after which the start is over; milliseconds. */
const startTime = 5000;
/** Interval of checks whether work for clients has taken much memory; milliseconds. */
const betweenLooks = 10_000;
/** Growth in bytes that is worth a garbage collection. */
const muchGrowth = 32 * 1024 * 1024;
/** Growth in bytes that is worth releasing memory that is free without a collection. */
const someGrowth = 8 * 1024 * 1024;
/** Time in which threads free unneeded memory; milliseconds. */
const freeing = 500;

/** Frees memory that this thread no longer needs. Takes some milliseconds. */
export function collectGarbage(): void {
  const collect: unknown = Reflect.get(globalThis, "gc");
  if (typeof collect === "function") collect();
}

/** Releases memory of replaced indexes, and of work for clients. */
export class MemoryReleaser implements Disposable {
  readonly #library: Pick<ProcessCalls, "trimHeap" | "releaseFilePages">;
  readonly #tidyThreads: () => void;
  #unneeded = 0;
  /** Time when the first index was replaced whose memory is not released. */
  #first: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #trimming: ReturnType<typeof setTimeout> | undefined;
  #looking: ReturnType<typeof setInterval> | undefined;
  /** Resident memory after the last release. */
  #residentBefore = Deno.memoryUsage().rss;

  /**
   * @param tidyThreads Makes all other threads collect garbage.
   */
  constructor(library: Pick<ProcessCalls, "trimHeap" | "releaseFilePages">, tidyThreads: () => void) {
    this.#library = library;
    this.#tidyThreads = tidyThreads;
  }

  /** Starts releasing memory of work for clients, and now the memory of the start. */
  start(): void {
    this.#looking = setInterval(() => this.#look(), betweenLooks);
    Deno.unrefTimer(this.#looking);
    this.#trimming = setTimeout(() => this.#trim(), startTime);
    Deno.unrefTimer(this.#trimming);
    // Most of the memory used for indexing is free.
    this.unneeded(0);
  }

  /** Records that an index with columns of that many bytes is no longer needed; 0: other memory. */
  unneeded(bytes: number): void {
    const now = performance.now();
    this.#first ??= now;
    // It is in progress.
    if (this.#unneeded > maxUnneeded) return;
    this.#unneeded += bytes + besides;
    clearTimeout(this.#timer);
    const isUrgent = this.#unneeded > maxUnneeded;
    const wait = isUrgent ? soon : Math.max(0, Math.min(quiet, this.#first + timeout - now));
    this.#timer = setTimeout(() => this.#tidy(), wait);
    Deno.unrefTimer(this.#timer);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#trimming);
    clearInterval(this.#looking);
  }

  #look(): void {
    const growth = Deno.memoryUsage().rss - this.#residentBefore;
    if (growth > muchGrowth) this.unneeded(0);
    else if (growth > someGrowth) this.#trim();
  }

  #tidy(): void {
    this.#unneeded = 0;
    this.#first = undefined;
    collectGarbage();
    this.#tidyThreads();
    clearTimeout(this.#trimming);
    this.#trimming = setTimeout(() => this.#trim(), freeing);
    Deno.unrefTimer(this.#trimming);
  }

  #trim(): void {
    this.#library.trimHeap();
    this.#library.releaseFilePages();
    this.#residentBefore = Deno.memoryUsage().rss;
  }
}
