/**
 * Threads that convert files, one file at a time each, the newest request first: that is what a reader looks at now.
 * @module
 */
import type { Surroundings } from "../convert/converter.ts";
import { MediaError } from "../media/core/reader.ts";
import type { FromThread, ToThread, Wanted } from "./conversion_messages.ts";

/** Milliseconds that a conversion may take; what it asks for counts. */
const maxTime = 60_000;
/** Maximum conversions that wait for a thread; then the oldest is refused. */
const maxWaiting = 4096;

/** A file to convert. */
export interface Conversion {
  readonly qpath: string;
  readonly to: Wanted;
  /** Reads the file; called when a thread is free. */
  read(): Promise<Uint8Array<ArrayBuffer>>;
  /** Answers for other files. */
  readonly surroundings: Required<Surroundings>;
}

interface Waiting {
  readonly conversion: Conversion;
  readonly result: PromiseWithResolvers<Uint8Array<ArrayBuffer>>;
}

/** Reports a conversion that was given up before it began. */
export class DroppedError extends Error {
  override readonly name = "DroppedError";
}

/** A pool of {@linkcode Conversion} threads, which start when they are needed. */
export class ConversionThreads implements Disposable {
  readonly #maxThreads: number;
  readonly #idle: Worker[] = [];
  readonly #threads = new Set<Worker>();
  readonly #waiting: Waiting[] = [];
  #busy = 0;
  #isEnded = false;

  /** @param maxThreads Default: one for each processor. */
  constructor(maxThreads: number = navigator.hardwareConcurrency) {
    this.#maxThreads = Math.max(1, maxThreads);
  }

  /**
   * Converts a file.
   * @param signal Drops it if it has not begun.
   * @throws {MediaError} if the file is damaged, or of a kind that is not converted.
   * @throws {DroppedError} if it was dropped.
   */
  convert(conversion: Conversion, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const waiting: Waiting = { conversion, result: Promise.withResolvers() };
    const drop = (item: Waiting | undefined) => item?.result.reject(new DroppedError(`${conversion.qpath}: dropped`));
    const onAbort = () => {
      const index = this.#waiting.indexOf(waiting);
      if (index >= 0) drop(...this.#waiting.splice(index, 1) as [Waiting]);
    };
    if (signal.aborted || this.#isEnded) drop(waiting);
    else {
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(waiting);
      if (this.#waiting.length > maxWaiting) drop(this.#waiting.shift());
      this.#start();
    }
    return waiting.result.promise.finally(() => signal.removeEventListener("abort", onAbort));
  }

  /** Ends all threads. */
  [Symbol.dispose](): void {
    this.#isEnded = true;
    for (const { conversion, result } of this.#waiting.splice(0)) {
      result.reject(new DroppedError(`${conversion.qpath}: dropped`));
    }
    for (const thread of this.#threads) thread.terminate();
    this.#threads.clear();
  }

  #start(): void {
    while (!this.#isEnded && this.#busy < this.#maxThreads) {
      const next = this.#waiting.pop();
      if (!next) return;
      this.#busy++;
      this.#run(next).finally(() => {
        this.#busy--;
        this.#start();
      });
    }
  }

  async #run({ conversion, result }: Waiting): Promise<void> {
    try {
      const bytes = await conversion.read();
      if (this.#isEnded) throw new DroppedError(`${conversion.qpath}: dropped`);
      result.resolve(await this.#onThread(conversion, bytes));
    } catch (error) {
      result.reject(error);
    }
  }

  async #onThread(conversion: Conversion, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    const thread = this.#idle.pop() ?? this.#newThread();
    const done = Promise.withResolvers<FromThread & { type: "converted" | "refused" }>();
    const timer = setTimeout(
      () => done.reject(new MediaError(`converting took longer than ${maxTime / 1000} s`)),
      maxTime,
    );
    const send = (message: ToThread, transfer: Transferable[] = []) => thread.postMessage(message, transfer);
    thread.onmessage = ({ data }: MessageEvent<FromThread>) => {
      if (data.type !== "need") return done.resolve(data);
      const { request, what, name } = data;
      conversion.surroundings[what](name).then(
        (found) => send({ type: "found", request, found }),
        (error) => send({ type: "lost", request, message: `${name}: ${messageOf(error)}` }),
      );
    };
    thread.onerror = (event) => {
      event.preventDefault();
      done.reject(new MediaError(`the converter failed: ${event.message}`));
    };
    try {
      send({ type: "convert", qpath: conversion.qpath, bytes, to: conversion.to }, [bytes.buffer]);
      const answer = await done.promise;
      this.#idle.push(thread);
      if (answer.type === "refused") throw new MediaError(answer.message);
      return answer.bytes;
    } catch (error) {
      // One that failed or takes too long is not used again.
      if (!this.#idle.includes(thread)) this.#end(thread);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #newThread(): Worker {
    const thread = new Worker(new URL("./convert_worker.ts", import.meta.url), {
      type: "module",
    });
    this.#threads.add(thread);
    return thread;
  }

  #end(thread: Worker): void {
    thread.terminate();
    this.#threads.delete(thread);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
