/**
 * Threads that convert files, one file at a time each, the newest request first, since that is what the user looks at
 * now.
 * @module
 */
import type { WholeSurroundings } from "../convert/converter.ts";
import { MediaError } from "../core/reader.ts";
import type { Palette } from "../pictures/palette.ts";
import { Thread, ThreadError } from "../../system/mod.ts";
import type { FileConverter, Finder } from "./conversion_worker.ts";
import type { Wanted } from "./conversions.ts";

/** Maximum milliseconds of a conversion, including its requests. */
const maxTime = 60_000;
/** Milliseconds that a thread waits for a file; then it converts others, and the conversion starts again. */
const maxReadTime = 200;
/** Maximum conversions that wait for a thread; then the oldest is rejected. */
const maxWaiting = 4096;

/** A file to convert. */
export interface Conversion {
  readonly qpath: string;
  readonly to: Wanted;
  /** Reads the file; called when a thread is free, and again if other files took long. */
  read(): Promise<Uint8Array<ArrayBuffer>>;
  /** Answers lookups of other files. */
  readonly surroundings: WholeSurroundings;
  /** Palette that is used instead of the view's. */
  readonly palette?: Palette | undefined;
}

type ConversionThread = Thread<never, never, FileConverter, Finder>;

interface Waiting {
  readonly conversion: Conversion;
  readonly result: PromiseWithResolvers<Uint8Array<ArrayBuffer>>;
  /** The file, if reading it took long. */
  lateFile?: Promise<Uint8Array<ArrayBuffer>> | undefined;
  /** Results of slow lookups of other files. */
  readonly lateAnswers: Map<string, ReturnType<Finder>>;
}

/** Reports a file that is still being read after {@linkcode maxReadTime}. */
class LateError extends Error {
  override readonly name = "LateError";
  readonly reading: Promise<unknown>;

  constructor(reading: Promise<unknown>) {
    super("the file is still being read");
    this.reading = reading;
  }
}

/** @throws {LateError} if it takes long. */
async function inTime<T>(reading: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new LateError(reading)), maxReadTime);
  return await Promise.race([reading, late.promise]).finally(() => clearTimeout(timer));
}

/** Reports a conversion that was dropped before it began. */
export class DroppedError extends Error {
  override readonly name = "DroppedError";
}

/** A pool of {@linkcode Conversion} threads, which are started on demand. */
export class ConversionThreads implements Disposable {
  readonly #directory: string | undefined;
  readonly #maxThreads: number;
  readonly #idle: ConversionThread[] = [];
  readonly #threads = new Set<ConversionThread>();
  readonly #waiting: Waiting[] = [];
  /** Conversions that wait for a file, without a thread. */
  readonly #reading = new Set<Waiting>();
  #busy = 0;
  #isEnded = false;

  /**
   * @param directory Directory for cached results; default: none.
   * @param maxThreads Default: one per processor.
   */
  constructor(directory?: string, maxThreads: number = navigator.hardwareConcurrency) {
    this.#directory = directory;
    this.#maxThreads = Math.max(1, maxThreads);
  }

  /**
   * Converts a file.
   * @param signal Drops it if it has not begun.
   * @throws {MediaError} if the file is damaged, or of an unsupported kind.
   * @throws {DroppedError} if it was dropped.
   */
  convert(conversion: Conversion, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const waiting: Waiting = { conversion, result: Promise.withResolvers(), lateAnswers: new Map() };
    const onAbort = () => {
      const index = this.#waiting.indexOf(waiting);
      if (index >= 0) this.#waiting.splice(index, 1);
      if (index >= 0 || this.#reading.delete(waiting)) drop(waiting);
    };
    if (signal.aborted || this.#isEnded) drop(waiting);
    else {
      signal.addEventListener("abort", onAbort, { once: true });
      this.#enqueue(waiting);
    }
    return waiting.result.promise.finally(() => signal.removeEventListener("abort", onAbort));
  }

  /** Ends all threads. */
  [Symbol.dispose](): void {
    this.#isEnded = true;
    for (const waiting of [...this.#waiting.splice(0), ...this.#reading]) drop(waiting);
    this.#reading.clear();
    for (const thread of this.#threads) thread.end("they are not needed any more");
    this.#threads.clear();
  }

  #enqueue(waiting: Waiting): void {
    this.#waiting.push(waiting);
    if (this.#waiting.length > maxWaiting) drop(this.#waiting.shift());
    this.#start();
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

  async #run(waiting: Waiting): Promise<void> {
    const { conversion, result } = waiting;
    try {
      waiting.lateFile ??= conversion.read();
      const bytes = await inTime(waiting.lateFile);
      waiting.lateFile = undefined;
      if (this.#isEnded) return drop(waiting);
      result.resolve(await this.#onThread(waiting, bytes));
    } catch (error) {
      if (this.#isEnded) drop(waiting);
      else if (error instanceof LateError) this.#leaveThread(waiting, error);
      else result.reject(error);
    }
  }

  /** Restarts a conversion when the file that it waits for was read. */
  #leaveThread(waiting: Waiting, { reading }: LateError): void {
    this.#reading.add(waiting);
    const again = () => {
      if (this.#reading.delete(waiting)) this.#enqueue(waiting);
    };
    reading.then(again, again);
  }

  async #onThread(waiting: Waiting, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    const { conversion: { qpath, to, surroundings, palette }, lateAnswers } = waiting;
    let late: LateError | undefined;
    const thread = this.#idle.pop() ?? this.#newThread();
    thread.answer = async ({ what, name }) => {
      if (late) throw new Error(`${name}: ${late.message}`);
      const key = `${what} ${name}`;
      const reading = lateAnswers.get(key) ?? surroundings[what](name);
      try {
        return await inTime(reading);
      } catch (error) {
        if (error instanceof LateError) {
          late = error;
          lateAnswers.set(key, reading);
        }
        throw new Error(`${name}: ${messageOf(error)}`);
      }
    };
    const timer = setTimeout(() => thread.end(`converting took longer than ${maxTime / 1000} s`), maxTime);
    const result = await thread.ask({ qpath, bytes, to, palette, directory: this.#directory }, [bytes.buffer])
      .catch((error: Error) => error).finally(() => clearTimeout(timer));
    if (result instanceof ThreadError) {
      // A thread that failed or timed out is not reused.
      this.#threads.delete(thread);
      throw new MediaError(result.message);
    }
    this.#idle.push(thread);
    // Without a file the result is different.
    if (late) throw late;
    if (result instanceof Error) throw new MediaError(result.message);
    return result;
  }

  #newThread(): ConversionThread {
    const thread: ConversionThread = new Thread(new URL("./conversion_worker.ts", import.meta.url), {
      onFailure: (reason) => thread.end(`the converter failed: ${reason}`),
    });
    this.#threads.add(thread);
    return thread;
  }
}

function drop(waiting: Waiting | undefined): void {
  waiting?.result.reject(new DroppedError(`${waiting.conversion.qpath}: dropped`));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
