/**
 * Reading for one request of a remote file system, which can be interrupted and whose silence is measured.
 * @module
 */
import { Errno, type Replier } from "deno-fuse-ffi";
import { FileCalls } from "../../system/file_calls.ts";
import type { QueuedRead, RemoteReadQueue } from "../shared/remote_read_queue.ts";

/** Bytes read at a time: each piece that comes shows that the file system answers, however slowly. */
const maxPiece = 1024 * 1024;

/** The C library, as it reads files of a file system whose silence is measured. */
export class MeasuredLibrary extends FileCalls {
  readonly #queue: RemoteReadQueue;

  constructor(queue: RemoteReadQueue) {
    super();
    this.#queue = queue;
  }

  override readAt(fileDescriptor: number, bytes: Uint8Array, offset: number): number {
    const count = super.readAt(fileDescriptor, bytes.subarray(0, maxPiece), offset);
    if (this.#queue.busySince !== 0) this.#queue.busySince = Date.now();
    return count;
  }
}

/** Answers the read in hand, once its bytes are here: while they are fetched it still can be interrupted. */
export class ClaimedRead implements Replier {
  readonly #queue: RemoteReadQueue;
  readonly #library: FileCalls;
  readonly #replier: Replier;
  #read: QueuedRead | undefined;

  constructor(queue: RemoteReadQueue, library: FileCalls, replier: Replier) {
    this.#queue = queue;
    this.#library = library;
    this.#replier = replier;
  }

  begin(read: QueuedRead): void {
    this.#read = read;
  }

  /** Fails the read if nothing has answered it. */
  end(): void {
    if (this.#read) this.replyError(Errno.EIO);
  }

  detach(): bigint {
    return this.#read?.address ?? 0n;
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
      // A short answer would be the end of the file.
      if (count <= 0) return this.replyError(Errno.EIO);
      done += count;
    }
    this.replyData(bytes);
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

  close(): void {
    this.#replier.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #claim(answer: (address: bigint) => void): void {
    const read = this.#read;
    this.#read = undefined;
    if (!read || !this.#queue.claim(read)) return;
    answer(read.address);
    this.#queue.release(read);
  }
}
