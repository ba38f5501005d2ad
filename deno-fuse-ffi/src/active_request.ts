/**
 * The one request object of a session and its preallocated reply structures.
 * @module
 */
import { DirectoryBuffer } from "./raw/directory_buffer.ts";
import { Errno } from "./raw/errno.ts";
import { FuseStateError } from "./raw/errors.ts";
import { FileDescriptorVector } from "./raw/data_vectors.ts";
import {
  ATTR_OUT_BYTES,
  encodeAttrOut,
  encodeEntryOut,
  encodeNoEntryOut,
  encodeOpenOut,
  encodeStatfsOut,
  ENTRY_OUT_BYTES,
  type FileSystemStatistics,
  GETXATTR_OUT_BYTES,
  type NodeAttributes,
  OPEN_OUT_BYTES,
  STATFS_OUT_BYTES,
} from "./raw/kernel_abi.ts";
import type { SessionLibrary } from "./raw/library.ts";
import type { ReceivedMessage } from "./raw/received_message.ts";
import type { FuseRequest } from "./request.ts";

const ENTRY_OUT_SIZE = BigInt(ENTRY_OUT_BYTES);
const ATTR_OUT_SIZE = BigInt(ATTR_OUT_BYTES);
const OPEN_OUT_SIZE = BigInt(OPEN_OUT_BYTES);
const STATFS_OUT_SIZE = BigInt(STATFS_OUT_BYTES);
const GETXATTR_OUT_SIZE = BigInt(GETXATTR_OUT_BYTES);

/**
 * A {@linkcode FuseRequest} that is reused for each request.
 *
 * Results of the reply functions are ignored: libfuse frees the request in any case, and their only failures are
 * a caller that has been killed meanwhile and a mount that is gone.
 */
export class ActiveRequest implements FuseRequest {
  readonly directory: DirectoryBuffer = new DirectoryBuffer();
  operation = "";
  userId = 0;
  groupId = 0;
  processId = 0;
  size = 0;

  readonly #symbols: SessionLibrary["symbols"];
  readonly #message: ReceivedMessage;
  readonly #reply = new Uint8Array(ENTRY_OUT_BYTES);
  readonly #words = new Uint32Array(this.#reply.buffer);
  readonly #vector = new FileDescriptorVector();
  #pointer: Deno.PointerValue = null;

  /** @param message The message of the request, which was received last. */
  constructor(symbols: SessionLibrary["symbols"], message: ReceivedMessage) {
    this.#symbols = symbols;
    this.#message = message;
  }

  get unique(): bigint {
    return this.#message.unique;
  }

  /** Begins a new request; `pointer` is its `fuse_req_t`. */
  begin(pointer: Deno.PointerValue): void {
    this.#pointer = pointer;
    this.size = 0;
  }

  /** Whether a reply is still pending. */
  get isPending(): boolean {
    return this.#pointer !== null;
  }

  replyError(errno: number): void {
    this.#symbols.fuse_reply_err(this.#take(), errno);
  }

  replySuccess(): void {
    this.#symbols.fuse_reply_err(this.#take(), 0);
  }

  /** Ends a request that has no reply (`forget`). */
  replyNone(): void {
    this.#symbols.fuse_reply_none(this.#take());
  }

  replyEntry(attributes: NodeAttributes): void {
    encodeEntryOut(this.#words, 0, attributes);
    this.#symbols.fuse_reply_buf(this.#take(), this.#reply, ENTRY_OUT_SIZE);
  }

  replyNoEntry(timeout: number): void {
    if (!(timeout > 0)) return this.replyError(Errno.ENOENT);
    encodeNoEntryOut(this.#words, 0, timeout);
    this.#symbols.fuse_reply_buf(this.#take(), this.#reply, ENTRY_OUT_SIZE);
  }

  replyAttributes(attributes: NodeAttributes): void {
    encodeAttrOut(this.#words, 0, attributes);
    this.#symbols.fuse_reply_buf(this.#take(), this.#reply, ATTR_OUT_SIZE);
  }

  replyOpen(handle: number, flags: number): void {
    if (!Number.isSafeInteger(handle) || handle < 0) {
      throw new RangeError(`Cannot open with handle ${handle}: it must be a safe integer, not negative`);
    }
    encodeOpenOut(this.#words, 0, handle, flags);
    this.#symbols.fuse_reply_buf(this.#take(), this.#reply, OPEN_OUT_SIZE);
  }

  replyData(bytes: Uint8Array): void {
    if (bytes.length > this.size) {
      throw new RangeError(`Cannot reply with ${bytes.length} bytes: ${this.size} were requested`);
    }
    this.#send(bytes);
  }

  replyFileDescriptor(fileDescriptor: number, position: number, size: number): void {
    if (size > this.size) throw new RangeError(`Cannot reply with ${size} bytes: ${this.size} were requested`);
    const vector = this.#vector.set(fileDescriptor, position, size);
    this.#symbols.fuse_reply_data(this.#take(), vector, 0);
  }

  replyDirectory(): void {
    this.#symbols.fuse_reply_buf(this.#take(), this.directory.storage, BigInt(this.directory.length));
  }

  replyLink(target: Uint8Array): void {
    this.#send(target);
  }

  replyStatistics(statistics: FileSystemStatistics): void {
    encodeStatfsOut(this.#words, 0, statistics);
    this.#symbols.fuse_reply_buf(this.#take(), this.#reply, STATFS_OUT_SIZE);
  }

  replyExtendedAttribute(value: Uint8Array): void {
    if (this.size === 0) {
      this.#words[0] = value.length;
      this.#words[1] = 0;
      this.#symbols.fuse_reply_buf(this.#take(), this.#reply, GETXATTR_OUT_SIZE);
    } else if (value.length > this.size) {
      this.replyError(Errno.ERANGE);
    } else {
      this.#send(value);
    }
  }

  replyExtendedAttributeNames(names: Uint8Array): void {
    this.replyExtendedAttribute(names);
  }

  detach(): bigint {
    return Deno.UnsafePointer.value(this.#take());
  }

  #send(bytes: Uint8Array): void {
    // FFI accepts views of shared memory unchanged; only its type does not allow them.
    this.#symbols.fuse_reply_buf(this.#take(), bytes as Uint8Array<ArrayBuffer>, BigInt(bytes.length));
  }

  /** Returns the address of the request; from now on the caller must reply to it. */
  #take(): Deno.PointerValue {
    const pointer = this.#pointer;
    if (pointer === null) {
      throw new FuseStateError(`Cannot answer "${this.operation}": it has been answered or detached already`);
    }
    this.#pointer = null;
    return pointer;
  }
}
