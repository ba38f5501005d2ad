/**
 * The threads of remote file systems, seen from the main thread: started when the first file is read there, and
 * watched.
 * @module
 */
import { Errno, openReplier } from "deno-fuse-ffi";
import type { DecodeMemory } from "./shared/decode_memory.ts";
import type { DecoderMessage, IndexVersion, RemoteStart } from "./shared/thread_messages.ts";
import { failWaiting } from "./session/remote_reads.ts";
import { createRemoteQueueBuffer, maxRemoteThreads, RemoteReadQueue } from "./shared/remote_read_queue.ts";

/** Between two looks at whether the file systems answer; milliseconds. */
const betweenLooks = 250;

/** Before a thread that failed is restarted; milliseconds. */
const restartPause = 1000;

/** Parts of the mount that the threads need. */
export interface RemoteHost {
  /** Of the session: requests may be answered as long as it does not end. */
  readonly memory: DecodeMemory;
  readonly start: Omit<RemoteStart, "queue" | "thread" | "version">;
  /** Number of the first thread's row of counters. */
  readonly firstRow: number;
  /** After how many milliseconds without an answer a file system hangs. */
  readonly patience: number;
  /** Whether reads of files on it fail then, instead of waiting. */
  readonly fails: boolean;
  readonly onProblem: (message: string, source?: string) => void;
  /** Called at each look: whether thread `number` has waited for longer than that. */
  readonly onLook: (number: number, isHung: boolean) => void;
}

/** Starts and watches the threads. */
export class RemoteThreads {
  /** Memory of each thread's reads. */
  readonly buffers: readonly SharedArrayBuffer[] = Array.from({ length: maxRemoteThreads }, createRemoteQueueBuffer);
  readonly #queues = this.buffers.map((buffer) => new RemoteReadQueue(buffer));
  readonly #host: RemoteHost;
  readonly #workers = new Map<number, Worker>();
  #versions: readonly IndexVersion[];
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(version: IndexVersion, host: RemoteHost) {
    this.#versions = [version];
    this.#host = host;
  }

  /** Keeps another index ready, for threads that ask for it. */
  show(version: IndexVersion): void {
    this.#versions = [...this.#versions.slice(-1), version];
  }

  /** Has the threads let go of indexes before that of the number. */
  tidy(oldest: number): void {
    for (const queue of this.#queues) queue.tidy(oldest);
  }

  /** Starts the thread of a number. */
  start(number: number): void {
    const queue = this.buffers[number];
    const version = this.#versions.at(-1);
    if (!queue || !version || this.#host.memory.isStopping) return;
    const worker = new Worker(new URL("./remote/remote_worker.ts", import.meta.url), { type: "module" });
    this.#workers.set(number, worker);
    worker.onmessage = ({ data }: MessageEvent<DecoderMessage>) => {
      if (data.type === "wants") {
        const wanted = this.#versions.find((known) => known.number === data.version);
        worker.postMessage(wanted ? { type: "show", version: wanted } : { type: "forgotten" });
      } else if (data.type === "problem") this.#host.onProblem(data.message, data.source);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#host.onProblem(`a thread for a remote file system failed and is restarted: ${event.message}`);
      this.#workers.delete(number);
      this.#fail(number);
      Deno.unrefTimer(setTimeout(() => this.start(number), restartPause));
    };
    const thread = this.#host.firstRow + number;
    worker.postMessage({ ...this.#host.start, version, queue, thread } satisfies RemoteStart);
    this.#timer ??= setInterval(() => this.#look(), betweenLooks);
  }

  /** Ends all threads, one that hangs when its file system answers. */
  end(): void {
    clearInterval(this.#timer);
    for (const queue of this.#queues) queue.stop();
    for (const worker of this.#workers.values()) worker.terminate();
  }

  #look(): void {
    for (const number of this.#workers.keys()) {
      const queue = this.#queues[number];
      if (!queue) continue;
      const since = queue.busySince;
      const isHung = since !== 0 && Date.now() - since > this.#host.patience;
      if (isHung && this.#host.fails) {
        queue.isRefusing = true;
        this.#fail(number);
      }
      this.#host.onLook(number, isHung);
    }
  }

  /** Fails the reads that wait for a thread. */
  #fail(number: number): void {
    const { memory } = this.#host;
    const queue = this.#queues[number];
    memory.beginNotifying();
    try {
      // Then the session answers what is left.
      if (memory.isStopping || !queue) return;
      using replier = openReplier();
      failWaiting(queue, replier, Errno.EIO);
    } finally {
      memory.endNotifying();
    }
  }
}
