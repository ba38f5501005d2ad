/**
 * The session thread's side of requests that other threads handle: queues them, and never waits.
 * @module
 */
import { Errno, type FuseRequest, type Replier } from "deno-fuse-ffi";
import { type QueuedRequest, type RequestOrder, RequestQueue } from "../shared/request_queue.ts";

/** Time to wait at the end for another thread that is replying; milliseconds. */
const timeout = 1000;

/** Queues requests for the threads of remote file systems, or for converters. Session thread only. */
export class HandedRequests {
  readonly #queues: readonly RequestQueue[];
  readonly #replier: Replier;
  readonly #start: (thread: number) => void;
  readonly #isDying: (process: number) => boolean;
  readonly #started = new Set<number>();

  /**
   * @param start Tells the main thread to start the thread of a queue; called once per queue.
   * @param isDying Returns whether a signal ends a process.
   */
  constructor(
    buffers: readonly SharedArrayBuffer[],
    replier: Replier,
    start: (thread: number) => void,
    isDying: (process: number) => boolean = () => true,
  ) {
    this.#isDying = isDying;
    this.#queues = buffers.map((buffer) => new RequestQueue(buffer));
    this.#replier = replier;
    this.#start = start;
  }

  /** Number of the queues. */
  get length(): number {
    return this.#queues.length;
  }

  /** Queues a request for the thread with a number, modulo the number of threads. */
  hand(request: FuseRequest, wanted: number, order: RequestOrder): void {
    const number = wanted % this.#queues.length;
    const queue = this.#queues[number];
    if (!queue || queue.isRefusing) return request.replyError(Errno.EIO);
    const { unique, processId: process } = request;
    const address = request.detach();
    if (!queue.put({ address, unique, process, ...order })) return this.#replier.error(address, Errno.EIO);
    if (this.#started.has(number)) return;
    this.#started.add(number);
    this.#start(number);
  }

  /** Returns the requests without a reply. */
  waiting(): QueuedRequest[] {
    return this.#queues.flatMap((queue) => queue.waiting());
  }

  /**
   * Replies to an interrupted request with EINTR, unless a reply is in progress, or the process has a handler for the
   * signal: no program expects this error from open(2) or stat(2). The main thread looks later whether the process must
   * end, or the file system hangs.
   */
  interrupt(unique: bigint): void {
    for (const queue of this.#queues) {
      const read = queue.waiting().find((waiting) => waiting.unique === unique);
      if (!read) continue;
      if (this.#isDying(read.process)) failWaiting(queue, this.#replier, Errno.EINTR, (one) => one.unique === unique);
      else queue.noteInterruption(read);
    }
  }

  /** Fails all requests at the end of the mount. Returns when no other thread is about to reply. */
  end(): void {
    const end = Date.now() + timeout;
    for (const queue of this.#queues) {
      queue.stop();
      failWaiting(queue, this.#replier, Errno.EIO);
      // A claimed request gets its reply by one call that never waits.
      while (queue.isAnswering && Date.now() < end);
    }
  }
}

/** Fails waiting requests with an error, including the one in progress. */
export function failWaiting(
  queue: RequestQueue,
  replier: Pick<Replier, "error">,
  errno: number,
  isMeant: (read: QueuedRequest) => boolean = () => true,
): void {
  for (const read of queue.waiting()) {
    if (!isMeant(read) || !queue.claim(read)) continue;
    replier.error(read.address, errno);
    queue.release(read);
  }
}
