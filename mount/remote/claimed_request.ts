/**
 * Answering one request that the session thread has left to this one: it can be interrupted until it is answered.
 * @module
 */
import { Errno, type NodeAttributes, type Replier } from "deno-fuse-ffi";
import type { FileCalls } from "../../system/mod.ts";
import type { QueuedRequest, RequestQueue } from "../shared/request_queue.ts";

/** Answers the request in hand, once the answer is here: until then it still can be interrupted. */
export class ClaimedRequest implements Replier {
  readonly #queue: RequestQueue;
  readonly #library: FileCalls;
  readonly #replier: Replier;
  #request: QueuedRequest | undefined;

  constructor(queue: RequestQueue, library: FileCalls, replier: Replier) {
    this.#queue = queue;
    this.#library = library;
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

  replyFileDescriptor(fileDescriptor: number, position: number, size: number): void {
    const bytes = new Uint8Array(size);
    let done = 0;
    while (done < size) {
      const count = this.#library.readAt(fileDescriptor, bytes.subarray(done), position + done);
      // A short reply would mean the end of the file.
      if (count <= 0) return this.replyError(Errno.EIO);
      done += count;
    }
    this.replyData(bytes);
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

  fileDescriptor(_address: bigint, fileDescriptor: number, position: number, size: number): void {
    this.replyFileDescriptor(fileDescriptor, position, size);
  }

  entry(_address: bigint, attributes: NodeAttributes): void {
    this.replyEntry(attributes);
  }

  attributes(_address: bigint, attributes: NodeAttributes): void {
    this.replyAttributes(attributes);
  }

  close(): void {
    this.#replier.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #claim(answer: (address: bigint) => void): void {
    const request = this.#request;
    this.#request = undefined;
    if (!request || !this.#queue.claim(request)) return;
    answer(request.address);
    this.#queue.release(request);
  }
}
