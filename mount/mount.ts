/**
 * A mount, seen from the main thread: starts the session thread and the decoders, and stops them.
 * @module
 */
import type { Catalog } from "../views/catalog.ts";
import type { FailureRow } from "../protocol/rows.ts";
import { createCounterBuffer, readCounters } from "./shared/counters.ts";
import { createDecodeBuffers, DecodeMemory } from "./shared/decode_memory.ts";
import type { PlannedFaults } from "./shared/planned_faults.ts";
import type { LayoutOptions } from "./layout/mount_layout.ts";
import type { ParsedMountOptions } from "./shared/mount_options.ts";
import { SessionThread } from "./session_thread.ts";
import type { HungMode } from "./shared/mount_options.ts";
import type { RemoteSources } from "../index/content/remote/remote_sources.ts";
import { createInputNotes, maxRemoteThreads } from "./shared/request_queue.ts";
import { RequestThreads } from "./request_threads.ts";
import { converterCount, decoderCount, type PrestartedSession } from "./prestarted_session.ts";
import type { MemberReading } from "./member_reading.ts";
import type { VerifiedCache } from "./verified_entries.ts";
import { FileCalls } from "../system/file_calls.ts";
import { memoryLimit } from "../system/memory_limit.ts";
import { ShownIndexes } from "./shown_indexes.ts";

/** Bytes with which converters work besides all else; with less the kernel may end the whole daemon. */
const minMemoryToConvert = 256 * 1024 * 1024;

export { MountError } from "./session_thread.ts";

/** How something is to be mounted. */
export interface MountOptions {
  readonly mountPoint: string;
  readonly layout: LayoutOptions;
  /** Names of the games that are shown. */
  readonly games: readonly string[];
  readonly mountOptions: ParsedMountOptions;
  /** Bytes of memory for decompressed members. */
  readonly cacheBytes: number;
  /** Bytes that decompressed members too large for memory may take in `spillDirectory`. */
  readonly spillBytes: number;
  readonly spillDirectory: string;
  /** Where verified members are kept from one mount to the next; undefined: nowhere. */
  readonly verifiedCache: VerifiedCache | undefined;
  /** The remote file systems that sources are on. */
  readonly remotes: RemoteSources;
  readonly hung: HungOptions;
  /** Called when the thread of the mount has begun to work: until it answers, this thread has time. */
  readonly onStarting?: () => void;
  /** Threads that break on purpose, for tests. */
  readonly faults: PlannedFaults;
  /** Called with a line for each request of the kernel. */
  readonly onRequest?: ((line: string) => void) | undefined;
  /** Called once per damaged member, missing file or broken thread. */
  readonly onProblem: (message: string, source?: string) => void;
}

/** Treatment of a file system that does not answer. */
export interface HungOptions {
  /** Milliseconds without an answer after which it hangs. */
  readonly patience: number;
  /** Whether reads of its files wait or fail then. */
  readonly mode: HungMode;
}

/** A running mount. */
export interface Mount {
  readonly mountPoint: string;
  /** Resolved when nothing is mounted any more and all threads are gone; rejected if the session broke. */
  readonly ended: Promise<void>;
  /**
   * Replaces the index that is shown, and makes the kernel forget what is different: nothing else. Resolved when every
   * program sees the new one. One call at a time.
   * @param games Names of the games that are shown.
   */
  show(catalog: Catalog, games: readonly string[]): Promise<void>;
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
  const isExpected = threads.has(catalog);
  const worker = threads.take();
  const { mountPoint, layout, mountOptions, spillBytes: spillLimit, spillDirectory, faults, onProblem } = options;
  const counters = createCounterBuffer(1 + decoderCount + maxRemoteThreads + converterCount);
  const buffers = createDecodeBuffers(options.cacheBytes);
  const indexes = new ShownIndexes(catalog, options.games, options.remotes);
  let reading: MemberReading | undefined;
  const memory = new DecodeMemory(buffers);
  const threadStart = { type: "start", counters, cacheBytes: options.cacheBytes, spillLimit, spillDirectory } as const;
  const remoteThreads = new RequestThreads({
    memory,
    indexes,
    program: new URL("./remote/remote_worker.ts", import.meta.url),
    title: "thread for a remote file system",
    count: maxRemoteThreads,
    start: (own) => ({ ...threadStart, ...own }),
    firstRow: 1 + decoderCount,
    patience: options.hung.patience,
    fails: options.hung.mode === "error",
    onProblem,
    onLook: (thread, isHung) => noteHung(options.remotes, thread, isHung),
  });
  const inputNotes = Array.from({ length: converterCount }, createInputNotes);
  const converters = new RequestThreads({
    memory,
    indexes,
    program: new URL("./converting/converter_worker.ts", import.meta.url),
    title: "converter",
    count: converterCount,
    start: (own, number) => ({
      ...threadStart,
      ...own,
      inputNotes: inputNotes[number] ?? createInputNotes(),
      umask: mountOptions.umask,
    }),
    firstRow: 1 + decoderCount + maxRemoteThreads,
    patience: options.hung.patience,
    fails: options.hung.mode === "error",
    onProblem,
    onMessage: (message) => {
      if (!message) session.announceKinds(null);
      else if (message.type === "kinds") session.announceKinds(message.kinds);
    },
    onLook: () => {},
  });
  const session = new SessionThread(worker, memory, {
    mountPoint,
    onRequest: options.onRequest,
    onProblem,
    onTree: (version, view, tree) => {
      const { shown } = indexes;
      if (version === shown.number) shown.catalog.views.find(({ name }) => name === view)?.adopt(tree);
    },
    onWork: () => reading?.work(),
    onRemote: (thread) => remoteThreads.start(thread),
    onConverter: (thread) => {
      if (hasMemoryToConvert(onProblem)) converters.start(thread);
      else session.announceKinds(null);
    },
  });
  const everything = session.ended.finally(async () => {
    memory.askToStop();
    remoteThreads.end();
    converters.end();
    await reading?.end();
  });
  // The caller may look at `ended` much later than it rejects.
  everything.catch(() => {});
  try {
    const { version } = indexes.shown;
    const ready = session.start({
      type: "start",
      version: { ...version, catalog: isExpected ? null : version.catalog },
      buffers,
      counters,
      thread: 0,
      mountPoint,
      layout,
      mountOptions,
      spillLimit,
      decoderCount,
      remoteQueues: remoteThreads.buffers,
      converterQueues: converters.buffers,
      inputNotes,
      traces: options.onRequest !== undefined,
      faultAfter: faults.session,
    });
    // The end of the session reports the failure.
    ready.catch(() => {});
    options.onStarting?.();
    const { MemberReading } = await loadReading();
    reading = new MemberReading(options.verifiedCache, indexes.shown);
    await Promise.all([ready, reading.read()]);
    const start = { buffers, counters, session: session.address, spillDirectory, faultAfter: faults.decoder };
    reading.start({ memory, indexes, start, onProblem });
  } catch (error) {
    await everything.catch(() => {});
    throw error;
  }
  return {
    mountPoint,
    ended: everything,
    show(next, games) {
      const before = indexes.shown;
      const index = indexes.add(next, games);
      reading?.follow(index);
      return session.show(index.replacing(before));
    },
    tidy() {
      memory.askToReleaseMemory(indexes.shown.number);
      remoteThreads.tidy();
      converters.tidy();
      session.tidy();
    },
    counters: () => readCounters(counters),
    failures: () => indexes.failures(),
    stop: () => session.stop(),
  };
}

/** Returns whether this process may use as much memory as conversions need; false and a report if not. */
function hasMemoryToConvert(onProblem: MountOptions["onProblem"]): boolean {
  using files = new FileCalls();
  const limit = memoryLimit(files);
  if (limit >= minMemoryToConvert) return true;
  const [needed, given] = [minMemoryToConvert, limit].map((bytes) => Math.floor(bytes / 2 ** 20));
  onProblem(
    `files below .as not converted: that takes ${needed} MiB of memory, and the limit of pakfs is ${given} MiB`,
  );
  return false;
}

/** Loads what reads members; `as string` has Deno read it only then (`repl/command/modules.ts`). */
function loadReading(): Promise<typeof import("./member_reading.ts")> {
  return import("./member_reading.ts" as string);
}

/** Notes for all file systems that share a thread whether it hangs. */
function noteHung(remotes: RemoteSources, thread: number, isHung: boolean): void {
  for (let number = thread + 1; remotes.fileSystem(number); number += maxRemoteThreads) {
    remotes.note(number, "mount", isHung);
  }
}
