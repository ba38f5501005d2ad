/**
 * The threads of a mount, before there is one. Imports nothing but types, so that the first of them is started at once.
 *
 * An index from the cache is sent to the session before it is compared with the disk: most often nothing has changed,
 * and the first view is resolved meanwhile. If something has, the session is sent another.
 * @module
 */
import type { Catalog } from "../views/mod.ts";
import type { ExpectMessage } from "./shared/thread_messages.ts";

/** Decompressing is bound by processors; more threads than this take more memory than they are worth. */
const maxDecoders = 4;

/** How many threads decompress members, at most. */
export const decoderCount: number = Math.max(1, Math.min(maxDecoders, navigator.hardwareConcurrency));

/**
 * How many threads convert files, at most: as many as decompress, one for models and maps, which can take seconds, and
 * one for views with files on remote file systems, which may hang.
 */
export const converterCount: number = decoderCount + 2;

/**
 * The thread of the session, started before there is anything to mount: it loads its code while the main thread loads
 * its own. Disposing of it ends it, unless a mount uses it.
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
   * Starts resolving, in the thread, a view of an index that the main thread still compares with the disk. Most often it is that
   * index which is mounted then.
   * @param view Name of the view.
   */
  expect(catalog: Catalog, view: string): void {
    if (!this.#session || this.#expected) return;
    this.#expected = catalog;
    const message: ExpectMessage = { type: "expect", catalog: catalog.index, view };
    this.#session.postMessage(message);
  }

  /** Returns whether the thread has this index already. */
  has(catalog: Catalog): boolean {
    return this.#expected === catalog;
  }

  /**
   * Returns the thread that blocks in libfuse. From now on it is a mount's, which ends it.
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
