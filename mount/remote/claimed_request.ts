/**
 * Answering one request that the session thread has left to this one: it can be interrupted until it is answered.
 * @module
 */
import { Errno, type NodeAttributes, type Replier } from "deno-fuse-ffi";
import type { QueuedRequest, RequestQueue } from "../shared/request_queue.ts";

/** Answers the request in hand, once the answer is here: until then it still can be interrupted. */
export class ClaimedRequest implements Pick<Replier, "error" | "buffer">, Disposable {
  readonly #queue: RequestQueue;
  readonly #replier: Replier;
  #request: QueuedRequest | undefined;

  constructor(queue: RequestQueue, replier: Replier) {
    this.#queue = queue;
    this.#replier = replier;
  }

  begin(request: QueuedRequest): void {
    this.#request = request;
  }

  /** Fails the request if it has no reply. */
  end(): void {
    if (this.#request) this.replyError(Errno.EIO);
  }

  detach(): bigint {
    return this.#request?.address ?? 0n;
  }

  replyError(errno: number): void {
    this.#claim((address) => this.#replier.error(address, errno));
  }

  replyData(bytes: Uint8Array): void {
    this.#claim((address) => this.#replier.buffer(address, bytes));
  }

  replyEntry(attributes: NodeAttributes): void {
    this.#claim((address) => this.#replier.entry(address, attributes));
  }

  replyAttributes(attributes: NodeAttributes): void {
    this.#claim((address) => this.#replier.attributes(address, attributes));
  }

  error(_address: bigint, errno: number): void {
    this.replyError(errno);
  }

  buffer(_address: bigint, bytes: Uint8Array): void {
    this.replyData(bytes);
  }

  [Symbol.dispose](): void {
    this.#replier.close();
  }

  #claim(answer: (address: bigint) => void): void {
    const request = this.#request;
    this.#request = undefined;
    if (!request || !this.#queue.claim(request)) return;
    answer(request.address);
    this.#queue.release(request);
  }
}
