/**
 * A mount, seen from the main thread: starts the session thread and the decoders, and stops them.
 * @module
 */
import { isMountPoint, openWaker, unmount } from "deno-fuse-ffi";
import type { Catalog } from "../index/views/catalog.ts";
import type { FailureRow } from "../protocol/rows.ts";
import { createCounterBuffer, readCounters } from "./shared/counters.ts";
import { createDecodeBuffers, createEntryBuffers, DecodeMemory } from "./shared/decode_memory.ts";
import { DecoderPool } from "./decoder_pool.ts";
import type { PlannedFaults } from "./shared/planned_faults.ts";
import { invalidateNames } from "./invalidation.ts";
import type { LayoutOptions } from "./layout/mount_layout.ts";
import { FailedReads } from "./failed_reads.ts";
import type {
  IndexVersion,
  SessionMessage,
  SessionOrder,
  SessionStart,
  ShowMessage,
} from "./shared/thread_messages.ts";
import type { ParsedMountOptions } from "../config/mount_options.ts";
import type { CachedName } from "./layout/mounted_tree.ts";
import type { HungMode } from "../config/defaults.ts";
import type { RemoteSources } from "../content/remote/remote_sources.ts";
import { maxRemoteThreads } from "./shared/remote_read_queue.ts";
import { RemoteThreads } from "./remote_threads.ts";
import { decoderCount, type PrestartedSession } from "./prestarted_session.ts";
import { createArchiveStates } from "./shared/decompressed_archives.ts";

/** How something is to be mounted. */
export interface MountOptions {
  readonly mountPoint: string;
  readonly layout: LayoutOptions;
  readonly mountOptions: ParsedMountOptions;
  /** Bytes of memory for decompressed members. */
  readonly cacheBytes: number;
  /** Bytes that decompressed members too large for memory may take in `spillDirectory`. */
  readonly spillBytes: number;
  readonly spillDirectory: string;
  /** The remote file systems that sources are on. */
  readonly remotes: RemoteSources;
  readonly hung: HungOptions;
  /** What is to break, for tests. */
  readonly faults: PlannedFaults;
  /** Given, told of each request of the kernel, a line each. */
  readonly onRequest?: ((line: string) => void) | undefined;
  /** Told of each damaged member, vanished file or broken thread. */
  readonly onProblem: (message: string, source?: string) => void;
}

/** What becomes of a file system that does not answer. */
export interface HungOptions {
  /** Milliseconds without an answer after which it hangs. */
  readonly patience: number;
  /** What reads of its files do then. */
  readonly mode: HungMode;
}

/** It could not be mounted. The message is for the user. */
export class MountError extends Error {
  override readonly name = "MountError";
}

/** A running mount. */
export interface Mount {
  readonly mountPoint: string;
  /** Resolved when nothing is mounted any more and all threads are gone; rejected if the session broke. */
  readonly ended: Promise<void>;
  /**
   * Shows another index in the place of the one that is shown, and makes the kernel forget what is different: nothing
   * else. Resolved when whoever looks sees the new one. One call at a time.
   */
  show(catalog: Catalog): Promise<void>;
  /** Has the threads give back memory of indexes that were shown before. */
  tidy(): void;
  /** Counters since the start. */
  counters(): Record<string, number>;
  /** Reads that failed since the start, by pack or game directory, most first. */
  failures(): FailureRow[];
  /** Unmounts; a busy mount disappears from the tree at once and its open files end. */
  stop(): void;
}

/**
 * Mounts a catalog. Returned when the mount answers.
 * @throws {MountError} if it cannot be mounted.
 */
export async function mountCatalog(
  catalog: Catalog,
  threads: PrestartedSession,
  options: MountOptions,
): Promise<Mount> {
  const worker = threads.take();
  const { mountPoint, layout, mountOptions, spillBytes: spillLimit, spillDirectory, faults, onProblem } = options;
  const counters = createCounterBuffer(1 + decoderCount + maxRemoteThreads);
  const buffers = createDecodeBuffers(options.cacheBytes);
  const version = indexVersion(catalog, 0, options.remotes);
  const failures = new FailedReads(version);
  const common = { type: "start", version, buffers, counters } as const;
  let decoders: DecoderPool | null = null;
  const memory = new DecodeMemory(buffers);
  const remoteThreads = new RemoteThreads(version, {
    memory,
    start: { type: "start", counters, cacheBytes: options.cacheBytes, spillLimit, spillDirectory },
    firstRow: 1 + decoderCount,
    patience: options.hung.patience,
    fails: options.hung.mode === "error",
    onProblem,
    onLook: (thread, isHung) => noteHung(options.remotes, thread, isHung),
  });
  const session = new SessionThread(worker, memory, options, (thread) => remoteThreads.start(thread));
  const everything = session.ended.finally(() => {
    memory.askToStop();
    remoteThreads.end();
    return decoders?.end();
  });
  // The caller may look at `ended` much later than it rejects.
  everything.catch(() => {});
  try {
    const start = {
      ...common,
      thread: 0,
      mountPoint,
      layout,
      mountOptions,
      spillLimit,
      decoderCount,
      remoteQueues: remoteThreads.buffers,
      traces: options.onRequest !== undefined,
    };
    await session.start({ ...start, faultAfter: faults.session });
  } catch (error) {
    await everything.catch(() => {});
    throw error;
  }
  decoders = new DecoderPool(
    decoderCount,
    { ...common, session: session.address, spillDirectory, faultAfter: faults.decoder },
    memory,
    onProblem,
  );
  let number = 0;
  return {
    mountPoint,
    ended: everything,
    show(next) {
      const message: ShowMessage = { type: "show", version: indexVersion(next, ++number, options.remotes) };
      remoteThreads.show(message.version);
      failures.add(message.version);
      decoders?.show(message);
      return session.show(message);
    },
    tidy() {
      memory.askToReleaseMemory(number);
      remoteThreads.tidy(number);
      session.tidy();
    },
    counters: () => readCounters(counters),
    failures: () => failures.rows(),
    stop: () => session.stop(),
  };
}

/** Notes for all file systems that share a thread whether it hangs. */
function noteHung(remotes: RemoteSources, thread: number, isHung: boolean): void {
  for (let number = thread + 1; remotes.fileSystem(number); number += maxRemoteThreads) {
    remotes.note(number, "mount", isHung);
  }
}

function indexVersion(catalog: Catalog, number: number, remotes: RemoteSources): IndexVersion {
  const numbers = remotes.numbersOf(catalog);
  const shared = new SharedArrayBuffer(numbers.length);
  new Uint8Array(shared).set(numbers);
  return {
    number,
    remotes: shared,
    catalog: catalog.parts(),
    entries: createEntryBuffers(catalog.snapshot.entryCount),
    decompressed: createArchiveStates(catalog.snapshot),
    failures: new SharedArrayBuffer(catalog.snapshot.sources.length * Uint32Array.BYTES_PER_ELEMENT),
  };
}

class SessionThread {
  readonly ended: Promise<void>;
  readonly #worker: Worker;
  readonly #options: MountOptions;
  readonly #memory: DecodeMemory;
  readonly #onRemote: (thread: number) => void;
  readonly #ready = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<void>();
  /** Whoever waits for an index to be shown. */
  #shown: PromiseWithResolvers<readonly CachedName[]> | undefined;
  #address = 0n;
  #wakeFileDescriptor = -1;

  /** @param onRemote Called when the thread of remote file systems of a number is needed. */
  constructor(worker: Worker, memory: DecodeMemory, options: MountOptions, onRemote: (thread: number) => void) {
    this.#onRemote = onRemote;
    this.#memory = memory;
    this.#options = options;
    this.ended = this.#over.promise;
    this.#worker = worker;
    this.#worker.onmessage = ({ data }: MessageEvent<SessionMessage>) => this.#receive(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#release(`the session thread failed: ${event.message}`);
    };
    this.#over.promise.catch(() => {});
  }

  /** Resolved when the mount answers. */
  start(start: SessionStart): Promise<void> {
    this.#worker.postMessage(start);
    return this.#ready.promise;
  }

  /** Has another index shown, and the kernel forget what was different; does nothing where nothing is mounted. */
  async show(message: ShowMessage): Promise<void> {
    if (this.#wakeFileDescriptor < 0) return;
    this.#shown = Promise.withResolvers();
    this.#send(message);
    const names = await this.#shown.promise;
    try {
      await invalidateNames(this.#memory, this.#address, names);
    } catch (error) {
      this.#options.onProblem(`the kernel may show what was there before: ${String(error)}`);
    }
  }

  tidy(): void {
    if (this.#wakeFileDescriptor >= 0) this.#send({ type: "tidy" });
  }

  /** Address of libfuse's session, once it has started. */
  get address(): bigint {
    return this.#address;
  }

  stop(): void {
    if (this.#wakeFileDescriptor < 0) return;
    this.#send({ type: "stop" });
  }

  #send(message: SessionOrder): void {
    this.#memory.beginNotifying();
    try {
      // From here on the session may not be there any more; whoever waits for it is told of its end.
      if (this.#memory.isStopping) return;
      this.#memory.countMessage();
      this.#worker.postMessage(message);
      using waker = openWaker(this.#wakeFileDescriptor);
      waker.wake();
    } finally {
      this.#memory.endNotifying();
    }
  }

  #receive(message: SessionMessage): void {
    if (message.type === "started") {
      this.#wakeFileDescriptor = message.wakeFileDescriptor;
      this.#address = message.address;
    } else if (message.type === "shown") this.#shown?.resolve(message.names);
    else if (message.type === "ready") this.#ready.resolve();
    else if (message.type === "problem") this.#options.onProblem(message.message, message.source);
    else if (message.type === "remote") this.#onRemote(message.thread);
    else if (message.type === "request") this.#options.onRequest?.(message.line);
    else if (message.type === "failed") this.#fail(message.message);
    else {
      this.#wakeFileDescriptor = -1;
      this.#shown?.resolve([]);
      this.#ready.reject(new MountError(`${this.#options.mountPoint} was unmounted before it answered`));
      this.#over.resolve();
    }
  }

  /** Takes the mount away that a broken session thread cannot: whoever waits for an answer gets an error. */
  async #release(message: string): Promise<void> {
    const { mountPoint } = this.#options;
    this.#wakeFileDescriptor = -1;
    try {
      if (this.#address !== 0n && isMountPoint(mountPoint)) await unmount(mountPoint, { lazy: true });
    } catch (error) {
      this.#options.onProblem(String(error));
    }
    this.#fail(message);
  }

  #fail(message: string): void {
    this.#wakeFileDescriptor = -1;
    this.#shown?.resolve([]);
    const error = new MountError(message);
    this.#ready.reject(error);
    this.#over.reject(error);
  }
}
