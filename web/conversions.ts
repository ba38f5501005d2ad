/**
 * Files of views as a browser shows them: converted once, kept in memory and on disk.
 * @module
 */
import { type Caller, ViewFiles } from "../protocol/mod.ts";
import type { RefreshedEvent } from "../protocol/rows.ts";
import type { Wanted } from "./convert_worker.ts";
import { ConversionThreads } from "./conversion_threads.ts";
import { ResultCache } from "./result_cache.ts";
import { type FileAddress, readFile } from "./view_files.ts";
import { NotedSurroundings } from "./noted_surroundings.ts";

/** Bytes of results that are kept: thumbnails, and large things apart from them, such as maps. */
const bounds = { thumbnails: 128 * 1024 * 1024, others: 256 * 1024 * 1024 } as const;

/** Maximum views whose files are kept. */
const maxViews = 16;

/** A conversion under way, which several requests may wait for. */
interface Running {
  readonly bytes: Promise<Uint8Array<ArrayBuffer>>;
  readonly cancel: AbortController;
  readers: number;
}

/** Converts and keeps. */
export class Conversions implements Disposable {
  readonly #caller: Caller;
  readonly #threads: ConversionThreads;
  readonly #thumbnails = new ResultCache(bounds.thumbnails);
  readonly #others = new ResultCache(bounds.others);
  readonly #running = new Map<string, Running>();
  /** Files of views; their palettes and skins are kept until the next refresh. */
  readonly #views = new Map<string, ViewFiles>();
  /** Number of refreshes, so that no result of the index before one is kept. */
  #refreshes = 0;

  /** @param directory Directory that results are kept in, from one process to the next; default: none are. */
  constructor(caller: Caller, directory?: string) {
    this.#caller = caller;
    this.#threads = new ConversionThreads(directory);
  }

  /**
   * Returns a file in another format.
   * @param signal Ends waiting; the conversion is dropped if no one else waits and it has not begun.
   * @throws {MediaError} if it is damaged, or of a kind that is not converted.
   * @throws {RpcError} if it is missing or cannot be read.
   */
  async get(address: FileAddress, to: Wanted, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const key = JSON.stringify([address.view, address.qpath, address.candidate, to]);
    const kept = this.#cacheOf(to).get(key);
    if (kept) return kept.bytes;
    const running = this.#running.get(key) ?? this.#begin(key, address, to);
    running.readers++;
    const leave = () => {
      if (--running.readers === 0) running.cancel.abort();
    };
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await running.bytes;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** Drops what a refresh may have changed. */
  refresh(event: RefreshedEvent, isListed: (view: string) => boolean): void {
    this.#forgetRunning();
    this.#thumbnails.refresh(event, isListed);
    this.#others.refresh(event, isListed);
  }

  /** Drops everything: refreshes may have been missed. */
  clear(): void {
    this.#forgetRunning();
    this.#thumbnails.clear();
    this.#others.clear();
  }

  [Symbol.dispose](): void {
    this.#threads[Symbol.dispose]();
  }

  /** Forgets what is running, so that later requests begin again. */
  #forgetRunning(): void {
    this.#refreshes++;
    this.#running.clear();
    this.#views.clear();
  }

  #filesOf(view: string): ViewFiles {
    const known = this.#views.get(view);
    if (known) return known;
    if (this.#views.size >= maxViews) this.#views.clear();
    const files = new ViewFiles(this.#caller, { view });
    this.#views.set(view, files);
    return files;
  }

  #cacheOf(to: Wanted): ResultCache {
    return to === "thumbnail" ? this.#thumbnails : this.#others;
  }

  #begin(key: string, address: FileAddress, to: Wanted): Running {
    const { view, qpath, candidate } = address;
    const surroundings = new NotedSurroundings(this.#filesOf(view), qpath);
    const begun = this.#refreshes;
    const cancel = new AbortController();
    const conversion = { qpath, to, surroundings, read: () => readFile(this.#caller, address) };
    const bytes = this.#threads.convert(conversion, cancel.signal).then((bytes) => {
      if (begun === this.#refreshes) {
        this.#cacheOf(to).set(key, { bytes, view, inputs: surroundings.inputs, isOfLoser: candidate > 1 });
      }
      return bytes;
    });
    const running: Running = { bytes, cancel, readers: 0 };
    this.#running.set(key, running);
    const end = () => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    };
    bytes.then(end, end);
    // One that is dropped is not joined by later requests.
    cancel.signal.addEventListener("abort", end, { once: true });
    return running;
  }
}
