/**
 * Starts the threads of a mount before mounting. It imports only types, so that the first thread is started at once.
 *
 * An index from the cache is sent to the session before it is compared with the disk: usually nothing has changed, and
 * the first view is resolved meanwhile. After a change, the session gets another index.
 * @module
 */
import type { Catalog } from "../views/mod.ts";
import type { ExpectMessage } from "./shared/thread_messages.ts";

/** Decompression is limited by processors; more threads than this take more memory than they are worth. */
const maxDecoders = 4;

/** Maximum number of threads that decompress members. */
export const decoderCount: number = Math.max(1, Math.min(maxDecoders, navigator.hardwareConcurrency));

/**
 * Maximum number of threads that convert files: as many as decompress, one for models and maps, which can take seconds,
 * and one for views with files on remote file systems, which may hang.
 */
export const converterCount: number = decoderCount + 2;

/**
 * The thread of the session, started before anything is mounted: it loads its code while the main thread loads its own.
 * Disposing of it ends it, unless a mount uses it.
 */
export class PrestartedSession implements Disposable {
  #session: Worker | undefined;
  #failure: string | undefined;
  #expected: Catalog | undefined;

  constructor() {
    const session = new Worker(new URL("./session/session_worker.ts", import.meta.url), { type: "module" });
    // It may fail before a mount listens to it: a daemon may outlive the files of its program.
    session.onerror = (event) => {
      event.preventDefault();
      this.#failure = event.message;
    };
    this.#session = session;
  }

  /**
   * Starts resolving, in the thread, a view of an index that the main thread still compares with the disk. Usually this
   * index is mounted afterwards.
   * @param view Name of the view.
   */
  expect(catalog: Catalog, view: string): void {
    if (!this.#session || this.#expected) return;
    this.#expected = catalog;
    const message: ExpectMessage = { type: "expect", catalog: catalog.index, view };
    this.#session.postMessage(message);
  }

  /** Returns whether the thread already has this index. */
  has(catalog: Catalog): boolean {
    return this.#expected === catalog;
  }

  /**
   * Returns the thread that blocks in libfuse. From now on a mount owns it and ends it.
   * @throws {Error} if it has failed, or a mount uses it already.
   */
  take(): Worker {
    const session = this.#session;
    if (this.#failure !== undefined) throw new Error(`the session thread failed: ${this.#failure}`);
    if (!session) throw new Error("the session thread is in use by another mount");
    this.#session = undefined;
    return session;
  }

  /** Ends the thread if no mount uses it. */
  [Symbol.dispose](): void {
    this.#session?.terminate();
    this.#session = undefined;
  }
}
