/**
 * Giving memory back. The columns of an index are shared by threads, and V8 does not count shared memory: a thread that
 * once knew an index keeps it until it happens to collect garbage, which one that sleeps in the kernel never does. So
 * all threads are asked to, when indexes have been replaced. `gc` is there where Deno was started with `--expose-gc`,
 * as the launcher does.
 *
 * V8 does not count shared memory, and a thread that sleeps in the kernel collects no garbage; so every thread collects
 * when refreshes pause.
 * @module
 */
import type { ProcessCalls } from "./process_calls.ts";

/** After this long without a new index, memory is given back; milliseconds. */
const quiet = 2000;
/** Maximum time without giving memory back while indexes are being replaced; milliseconds. */
const timeout = 5000;
/** More bytes than this are given back soon, whether indexes are being replaced or not. */
const maxUnneeded = 16 * 1024 * 1024;
/** Time for what follows a refresh, such as the next question, before that; milliseconds. */
const soon = 250;
/** Bytes that making and showing a small index takes besides its columns. */
const besides = 128 * 1024;
/** The start is over after so long; milliseconds. */
const startTime = 5000;
/** Between two looks at whether work for clients has taken much memory; milliseconds. */
const betweenLooks = 10_000;
/** Growth in bytes that is worth the collection. */
const muchGrowth = 32 * 1024 * 1024;
/** Growth in bytes that is worth giving back what no thread has to look for. */
const someGrowth = 8 * 1024 * 1024;
/** Threads have freed what they found not to be needed after so long; milliseconds. */
const freeing = 500;

/** Frees what this thread does not need any more. Takes some milliseconds. */
export function collectGarbage(): void {
  const collect: unknown = Reflect.get(globalThis, "gc");
  if (typeof collect === "function") collect();
}

/** Gives memory back of indexes that have been replaced, and of work for clients. */
export class MemoryReleaser implements Disposable {
  readonly #library: Pick<ProcessCalls, "trimHeap" | "releaseFilePages">;
  readonly #tidyThreads: () => void;
  #unneeded = 0;
  /** When the first index was replaced that still takes memory. */
  #first: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #trimming: ReturnType<typeof setTimeout> | undefined;
  #looking: ReturnType<typeof setInterval> | undefined;
  /** Resident memory after it was last given back. */
  #residentBefore = Deno.memoryUsage().rss;

  /** @param tidyThreads Has all other threads collect their garbage. */
  constructor(library: Pick<ProcessCalls, "trimHeap" | "releaseFilePages">, tidyThreads: () => void) {
    this.#library = library;
    this.#tidyThreads = tidyThreads;
  }

  /** Begins to give back what work for clients has taken, and now what the start has. */
  start(): void {
    this.#looking = setInterval(() => this.#look(), betweenLooks);
    Deno.unrefTimer(this.#looking);
    this.#trimming = setTimeout(() => this.#trim(), startTime);
    Deno.unrefTimer(this.#trimming);
    // Most of the memory that indexing took is free.
    this.unneeded(0);
  }

  /** Notes that an index with columns of that many bytes is no longer needed; 0: other memory. */
  unneeded(bytes: number): void {
    const now = performance.now();
    this.#first ??= now;
    // It is under way.
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
