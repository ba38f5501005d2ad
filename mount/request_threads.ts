/**
 * Threads that reply to requests for the session, as used by the main thread: for remote file systems, and for
 * conversions. Each is started on demand, and monitored.
 * @module
 */
import { Errno, openReplier } from "deno-fuse-ffi";
import type { RemoteSources } from "../index/mod.ts";
import { callsUnderWay, createCallMemory, FileCalls, isDying, RestartedThreads } from "../system/mod.ts";
import type { DecodeMemory } from "./shared/decode_memory.ts";
import type { ConverterMessage, IndexAnswerer, RemoteStart } from "./shared/thread_messages.ts";
import type { HungOptions } from "./shared/mount_options.ts";
import { failWaiting } from "./session/handed_requests.ts";
import { createRequestQueueBuffer, type QueuedRequest, RequestQueue } from "./shared/request_queue.ts";
import type { ShownIndexes } from "./shown_indexes.ts";

/** Parts of the mount that the threads need. */
export interface RequestThreadsHost {
  /** Memory of the session: requests may be replied to until it ends. */
  readonly memory: DecodeMemory;
  readonly indexes: ShownIndexes;
  /** Program of the threads. */
  readonly program: URL;
  /** Kind of the threads, for messages. */
  readonly title: string;
  /** Maximum number of threads. */
  readonly count: number;
  /** Returns what the thread of a number is started with, besides `own`. */
  readonly start: (own: Pick<RemoteStart, "queue" | "calls" | "thread" | "version">, number: number) => RemoteStart;
  /** Number of the first thread's row of counters. */
  readonly firstRow: number;
  readonly remotes: Pick<RemoteSources, "watch">;
  readonly hung: HungOptions;
  /** Returns whether all requests of a thread are for a file system. */
  readonly needs?: (number: number, fileSystem: number) => boolean;
  readonly onProblem: (message: string, source?: string) => void;
  /** Called with other messages of a thread, and with undefined when a thread fails. */
  readonly onMessage?: (message: ConverterMessage | undefined) => void;
}

/** Starts and monitors the threads. */
export class RequestThreads {
  /** Memory of each thread's requests. */
  readonly buffers: readonly SharedArrayBuffer[];
  readonly #queues: readonly RequestQueue[];
  readonly #host: RequestThreadsHost;
  readonly #threads: RestartedThreads<RemoteStart, ConverterMessage, IndexAnswerer>;
  readonly #open: typeof openReplier;
  /** Functions that stop watching the calls of a thread, by its number. */
  readonly #unwatch = new Map<number, () => void>();

  /**
   * @param open Creates the object that replies to requests of failed threads.
   */
  constructor(host: RequestThreadsHost, open: typeof openReplier = openReplier) {
    this.#host = host;
    this.#open = open;
    this.buffers = Array.from({ length: host.count }, createRequestQueueBuffer);
    this.#queues = this.buffers.map((buffer) => new RequestQueue(buffer));
    const { program, memory, indexes } = host;
    this.#threads = new RestartedThreads({
      program,
      pauses: [1000, 1000],
      start: (number) => this.#orderFor(number),
      onMessage: (message) => {
        if (message.type === "problem") host.onProblem(message.message, message.source);
        else host.onMessage?.(message);
      },
      answer: (number) => indexes.versionOf(number),
      onFailure: (reason, number) => {
        host.onProblem(`a ${host.title} failed and is restarted: ${reason}`);
        this.#fail(number);
        host.onMessage?.(undefined);
      },
      isEnding: () => memory.isStopping,
    });
  }

  /** Tells the threads to release indexes older than the shown one. */
  tidy(): void {
    for (const queue of this.#queues) queue.tidy(this.#host.indexes.shown.number);
  }

  /** Starts the thread with a number, unless it runs. */
  start(number: number): void {
    if (number < this.buffers.length) this.#threads.start(number);
  }

  /** Ends all threads, a hung one when its file system replies. Each closes its files. */
  end(): void {
    for (const queue of this.#queues) queue.stop();
    void this.#threads.ended().then(() => this.#unwatch.forEach((unwatch) => unwatch()));
  }

  #orderFor(number: number): RemoteStart {
    const { start, firstRow, indexes, remotes, needs, hung } = this.#host;
    const [queue, buffer = createRequestQueueBuffer()] = [this.#queues[number], this.buffers[number]];
    const calls = createCallMemory();
    const watch = remotes.watch({
      calls: () => callsUnderWay(calls),
      needs: (fileSystem) => needs?.(number, fileSystem) === true,
      timeout: hung.timeout,
    }, (call) => {
      const isRefusing = call !== undefined && hung.mode === "error";
      if (queue) queue.isRefusing = isRefusing;
      if (isRefusing) this.#fail(number);
      else if (queue) this.#failInterrupted(number, queue, call !== undefined);
    });
    // A thread that failed has left its calls as they were.
    this.#unwatch.get(number)?.();
    this.#unwatch.set(number, watch);
    return start({ version: indexes.shown.version, queue: buffer, calls, thread: firstRow + number }, number);
  }

  /**
   * Fails the reads of processes that got a signal, and must end although they had survived an earlier one.
   * @param isHung Whether they may wait without end: then any signal is enough.
   */
  #failInterrupted(number: number, queue: RequestQueue, isHung: boolean): void {
    const interrupted = queue.waiting().filter(({ isInterrupted }) => isInterrupted);
    if (interrupted.length === 0) return;
    using files = new FileCalls();
    const failing = interrupted.filter(({ process }) => isHung || isDying(files, process)).map(({ unique }) => unique);
    if (failing.length > 0) this.#fail(number, Errno.EINTR, ({ unique }) => failing.includes(unique));
  }

  /** Fails reads that wait for a thread, by default all. */
  #fail(number: number, errno: number = Errno.EIO, isMeant?: (read: QueuedRequest) => boolean): void {
    const queue = this.#queues[number];
    // Once the session ends, it replies to the rest.
    this.#host.memory.beforeEnd(() => {
      if (!queue) return;
      using replier = this.#open();
      failWaiting(queue, replier, errno, isMeant);
    });
  }
}
