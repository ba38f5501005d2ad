/**
 * A mount, as used by the main thread: starts and stops the session thread and the decoders.
 * @module
 */
import type { Catalog } from "../views/mod.ts";
import { createCounterBuffer, readCounters } from "./shared/counters.ts";
import { createDecodeBuffers, type DecodeBuffers, DecodeMemory } from "./shared/decode_memory.ts";
import type { PlannedFaults } from "./shared/planned_faults.ts";
import type { LayoutOptions } from "./layout/mount_layout.ts";
import type { ConverterMessage } from "./shared/thread_messages.ts";
import { SessionThread } from "./session_thread.ts";
import type { HungOptions, ParsedMountOptions } from "./shared/mount_options.ts";
import type { RemoteSources } from "../index/mod.ts";
import { createInputNotes, maxRemoteThreads } from "./shared/request_queue.ts";
import { RequestThreads } from "./request_threads.ts";
import { converterCount, decoderCount, type PrestartedSession } from "./prestarted_session.ts";
import type { MemberReading } from "./member_reading.ts";
import type { MemberCache } from "./seek_point_cache.ts";
import { FileCalls, memoryLimit } from "../system/mod.ts";
import { ShownIndexes } from "./shown_indexes.ts";

/** Bytes that conversions need in addition; with less memory the kernel may kill the whole daemon. */
const minMemoryToConvert = 256 * 1024 * 1024;

export { MountError } from "./session_thread.ts";

/** Options of a mount. */
export interface MountOptions {
  readonly mountPoint: string;
  readonly layout: LayoutOptions;
  /** Names of the games that are shown. */
  readonly games: readonly string[];
  readonly mountOptions: ParsedMountOptions;
  /** Bytes of memory for decompressed members. */
  readonly cacheBytes: number;
  /** Maximum bytes in `spillDirectory` of decompressed members that are too large for memory. */
  readonly spillBytes: number;
  readonly spillDirectory: string;
  /** Directory of the cache of converted files; undefined: none. */
  readonly convertedDirectory: string | undefined;
  /** Directory for facts about members; undefined: none. */
  readonly memberCache: MemberCache | undefined;
  /** The remote file systems of the sources. */
  readonly remotes: RemoteSources;
  readonly hung: HungOptions;
  /** Called when the thread of the mount has begun to work: this thread is idle until the mount is ready. */
  readonly onStarting?: () => void;
  /** Threads that fail on purpose, for tests. */
  readonly faults: PlannedFaults;
  /** Called with a line for each request of the kernel. */
  readonly onRequest?: ((line: string) => void) | undefined;
  /** Called once per damaged member, missing file or failed thread. */
  readonly onProblem: (message: string, source?: string) => void;
}

/** A running mount: its indexes, its threads, and their shared memory. */
export class Mount {
  readonly mountPoint: string;
  /** Resolves when nothing is mounted any more and all threads have ended; rejects if the session failed. */
  readonly ended: Promise<void>;
  readonly #options: MountOptions;
  readonly #indexes: ShownIndexes;
  readonly #counters = createCounterBuffer(1 + decoderCount + maxRemoteThreads + converterCount);
  readonly #generation = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  readonly #inputNotes = Array.from({ length: converterCount }, createInputNotes);
  readonly #buffers: DecodeBuffers;
  readonly #memory: DecodeMemory;
  readonly #remoteThreads: RequestThreads;
  readonly #converters: RequestThreads;
  readonly #session: SessionThread;
  #reading: MemberReading | undefined;

  private constructor(catalog: Catalog, worker: Worker, options: MountOptions) {
    const { cacheBytes, spillBytes: spillLimit, spillDirectory, remotes, convertedDirectory } = options;
    this.mountPoint = options.mountPoint;
    this.#options = options;
    this.#indexes = new ShownIndexes(catalog, options.games, remotes);
    this.#buffers = createDecodeBuffers(cacheBytes);
    this.#memory = new DecodeMemory(this.#buffers);
    const shared = { ...options, memory: this.#memory, indexes: this.#indexes };
    const start = { type: "start", counters: this.#counters, cacheBytes, spillLimit, spillDirectory } as const;
    this.#remoteThreads = new RequestThreads({
      ...shared,
      program: new URL("./remote/remote_worker.ts", import.meta.url),
      title: "thread for a remote file system",
      count: maxRemoteThreads,
      start: (own) => ({ ...start, ...own }),
      firstRow: 1 + decoderCount,
      needs: (thread, fileSystem) => (fileSystem - 1) % maxRemoteThreads === thread,
    });
    this.#converters = new RequestThreads({
      ...shared,
      program: new URL("./converting/converter_worker.ts", import.meta.url),
      title: "converter",
      count: converterCount,
      start: (own, number) => ({
        ...start,
        ...own,
        inputNotes: this.#inputNotes[number] ?? createInputNotes(),
        umask: options.mountOptions.umask,
        generation: this.#generation,
        convertedDirectory,
        readsRemotes: number === converterCount - 1 ||
          (convertedDirectory !== undefined && remotes.isRemote(convertedDirectory)),
      }),
      firstRow: 1 + decoderCount + maxRemoteThreads,
      onMessage: (message) => this.#announceKinds(message),
    });
    this.#session = new SessionThread(worker, this.#memory, {
      ...options,
      onTree: (version, view, tree) => this.#indexes.adopt(version, view, tree),
      onWork: () => this.#reading?.work(),
      onRemote: (thread) => this.#remoteThreads.start(thread),
      onConverter: (thread) => this.#startConverter(thread),
    });
    this.ended = this.#session.ended.finally(() => this.#end());
    // The caller may await `ended` long after it rejects.
    this.ended.catch(() => {});
  }

  /**
   * Mounts a catalog. Resolves when the mount is ready.
   * @throws {MountError} if it cannot be mounted.
   */
  static async start(catalog: Catalog, threads: PrestartedSession, options: MountOptions): Promise<Mount> {
    const mount = new Mount(catalog, threads.take(), options);
    try {
      await mount.#start(threads.has(catalog));
    } catch (error) {
      await mount.ended.catch(() => {});
      throw error;
    }
    return mount;
  }

  /** @param isExpected Whether the session has the index already. */
  async #start(isExpected: boolean): Promise<void> {
    const { mountPoint, layout, mountOptions, onStarting, onRequest, onProblem } = this.#options;
    const { spillBytes: spillLimit, spillDirectory, memberCache, faults } = this.#options;
    const { version } = this.#indexes.shown;
    const shared = { buffers: this.#buffers, counters: this.#counters };
    const ready = this.#session.start({
      ...shared,
      type: "start",
      version: { ...version, catalog: isExpected ? null : version.catalog },
      thread: 0,
      mountPoint,
      generation: this.#generation,
      layout,
      mountOptions,
      spillLimit,
      decoderCount,
      remoteQueues: this.#remoteThreads.buffers,
      converterQueues: this.#converters.buffers,
      inputNotes: this.#inputNotes,
      traces: onRequest !== undefined,
      faultAfter: faults.session,
    });
    // The end of the session reports the failure.
    ready.catch(() => {});
    onStarting?.();
    const { MemberReading } = await import("./member_reading.ts");
    this.#reading = new MemberReading(memberCache, this.#indexes.shown);
    await Promise.all([ready, this.#reading.read()]);
    this.#reading.start({
      memory: this.#memory,
      indexes: this.#indexes,
      start: { ...shared, session: this.#session.address, spillDirectory, faultAfter: faults.decoder },
      onProblem,
    });
  }

  /**
   * Replaces the shown index, and makes the kernel forget only the differences. Resolves when every program sees the
   * new one. One call at a time.
   * @param games Names of the games that are shown.
   */
  async show(catalog: Catalog, games: readonly string[]): Promise<void> {
    if (catalog === this.#indexes.catalog) return;
    const before = this.#indexes.shown;
    const index = this.#indexes.add(catalog, games);
    this.#reading?.follow(index);
    await this.#session.show(index.replacing(before));
  }

  /** Tells the threads to release memory of earlier indexes. */
  tidy(): void {
    this.#memory.askToReleaseMemory(this.#indexes.shown.number);
    this.#remoteThreads.tidy();
    this.#converters.tidy();
    this.#session.tidy();
  }

  /** Returns counters since the start. */
  counters(): Record<string, number> {
    return readCounters(this.#counters);
  }

  /** Returns the number of failed reads since the start, by path of the pack or game directory. */
  failedReads(): Map<string, number> {
    return this.#indexes.failedReads();
  }

  /** Unmounts; a busy mount disappears from the tree at once and its open files fail. */
  stop(): void {
    this.#session.stop();
  }

  /** Starts a converter, if this process may use enough memory for conversions. */
  #startConverter(thread: number): void {
    using files = new FileCalls();
    const limit = memoryLimit(files);
    if (limit >= minMemoryToConvert) return this.#converters.start(thread);
    const [needed, given] = [minMemoryToConvert, limit].map((bytes) => Math.floor(bytes / 2 ** 20));
    this.#options.onProblem(
      `files below .as not converted: that takes ${needed} MiB of memory, and the limit of pakfs is ${given} MiB`,
    );
    this.#session.announceKinds(null);
  }

  /** @param message From a converter; undefined: it failed. */
  #announceKinds(message: ConverterMessage | undefined): void {
    if (!message) this.#session.announceKinds(null);
    else if (message.type === "kinds") this.#session.announceKinds(message.kinds);
  }

  /** Ends the threads of a session that has ended. */
  async #end(): Promise<void> {
    this.#memory.askToStop();
    this.#remoteThreads.end();
    this.#converters.end();
    await this.#reading?.end();
  }
}
