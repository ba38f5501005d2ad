/**
 * The session thread's side of reads on remote file systems: hands them on, and never waits.
 * @module
 */
import { Errno, type FuseRequest, type Replier } from "deno-fuse-ffi";
import { RemoteReadQueue } from "../shared/remote_read_queue.ts";

/** A range of an entry. */
export interface ReadOrder {
  /** Number of the index that `entry` belongs to. */
  readonly version: number;
  readonly entry: number;
  readonly offset: number;
  readonly size: number;
}

/** How long to wait at the end for another thread that is answering; milliseconds. */
const patience = 1000;

/** Hands reads to the threads of remote file systems. Session thread only. */
export class RemoteReads {
  readonly #queues: readonly RemoteReadQueue[];
  readonly #replier: Replier;
  readonly #start: (thread: number) => void;
  readonly #started = new Set<number>();

  /** @param start Has the main thread start the thread of a queue, which happens once. */
  constructor(buffers: readonly SharedArrayBuffer[], replier: Replier, start: (thread: number) => void) {
    this.#queues = buffers.map((buffer) => new RemoteReadQueue(buffer));
    this.#replier = replier;
    this.#start = start;
  }

  /** Hands on a read of a file on the remote file system of a number, from 1. */
  hand(request: FuseRequest, fileSystem: number, order: ReadOrder): void {
    const number = (fileSystem - 1) % this.#queues.length;
    const queue = this.#queues[number];
    if (!queue || queue.isRefusing) return request.replyError(Errno.EIO);
    const { unique } = request;
    const address = request.detach();
    if (!queue.put({ address, unique, ...order })) return this.#replier.error(address, Errno.EIO);
    if (this.#started.has(number)) return;
    this.#started.add(number);
    this.#start(number);
  }

  /** Answers an interrupted read with EINTR, unless it is being answered. */
  interrupt(unique: bigint): void {
    for (const queue of this.#queues) failWaiting(queue, this.#replier, Errno.EINTR, (read) => read.unique === unique);
  }

  /** Fails all reads: the mount ends. Returned when no other thread is about to answer one. */
  end(): void {
    const end = Date.now() + patience;
    for (const queue of this.#queues) {
      queue.stop();
      failWaiting(queue, this.#replier, Errno.EIO);
      // What has been claimed is answered by one call that never waits.
      while (queue.isAnswering && Date.now() < end);
    }
  }
}

/** Answers reads that wait with an error, the one that is being worked on too. */
export function failWaiting(
  queue: RemoteReadQueue,
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
