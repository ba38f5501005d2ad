/**
 * The session thread's side of requests that other threads answer: hands them on, and never waits.
 * @module
 */
import { Errno, type FuseRequest, type Replier } from "deno-fuse-ffi";
import { type QueuedRequest, type RequestOrder, RequestQueue } from "../shared/request_queue.ts";

/** How long to wait at the end for another thread that is answering; milliseconds. */
const timeout = 1000;

/** Hands requests to the threads of remote file systems, or to converters. Session thread only. */
export class HandedRequests {
  readonly #queues: readonly RequestQueue[];
  readonly #replier: Replier;
  readonly #start: (thread: number) => void;
  readonly #started = new Set<number>();

  /** @param start Has the main thread start the thread of a queue, which happens once. */
  constructor(buffers: readonly SharedArrayBuffer[], replier: Replier, start: (thread: number) => void) {
    this.#queues = buffers.map((buffer) => new RequestQueue(buffer));
    this.#replier = replier;
    this.#start = start;
  }

  /** Number of the queues. */
  get length(): number {
    return this.#queues.length;
  }

  /** Hands a request to the thread of a number; those beyond the last begin again at the first. */
  hand(request: FuseRequest, wanted: number, order: RequestOrder): void {
    const number = wanted % this.#queues.length;
    const queue = this.#queues[number];
    if (!queue || queue.isRefusing) return request.replyError(Errno.EIO);
    const { unique } = request;
    const address = request.detach();
    if (!queue.put({ address, unique, ...order })) return this.#replier.error(address, Errno.EIO);
    if (this.#started.has(number)) return;
    this.#started.add(number);
    this.#start(number);
  }

  /** Returns the requests that no thread has answered yet. */
  waiting(): QueuedRequest[] {
    return this.#queues.flatMap((queue) => queue.waiting());
  }

  /** Answers an interrupted request with EINTR, unless it is being answered. */
  interrupt(unique: bigint): void {
    for (const queue of this.#queues) failWaiting(queue, this.#replier, Errno.EINTR, (read) => read.unique === unique);
  }

  /** Fails all requests: the mount ends. Returned when no other thread is about to answer one. */
  end(): void {
    const end = Date.now() + timeout;
    for (const queue of this.#queues) {
      queue.stop();
      failWaiting(queue, this.#replier, Errno.EIO);
      // A claimed request is answered by one call that never waits.
      while (queue.isAnswering && Date.now() < end);
    }
  }
}

/** Answers requests that wait with an error, the one that is being worked on too. */
export function failWaiting(
  queue: RequestQueue,
  replier: Pick<Replier, "error">,
  errno: number,
  isMeant: (read: { readonly unique: bigint }) => boolean = () => true,
): void {
  for (const read of queue.waiting()) {
    if (!isMeant(read) || !queue.claim(read)) continue;
    replier.error(read.address, errno);
    queue.release(read);
  }
}
