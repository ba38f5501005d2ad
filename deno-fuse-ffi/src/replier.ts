/**
 * Replies to detached requests from any thread of the process.
 * @module
 */
import { FileDescriptorVector } from "./raw/data_vectors.ts";
import {
  ATTR_OUT_BYTES,
  encodeAttrOut,
  encodeEntryOut,
  ENTRY_OUT_BYTES,
  type NodeAttributes,
} from "./raw/kernel_abi.ts";
import { LibraryUser, openReplierLibrary, type ReplierLibrary } from "./raw/library.ts";
import type { replierSymbols } from "./raw/symbols.ts";

/**
 * Replies to requests that a handler has detached with {@linkcode FuseRequest.detach}, typically in another Worker.
 * Each address must get exactly one reply, before its session is destroyed: libfuse frees the request with the reply,
 * so a second reply would corrupt memory.
 */
export interface Replier extends Disposable {
  /** Fails the request with an error number of {@linkcode Errno}. */
  error(address: bigint, errno: number): void;
  /** Answers with bytes, copied before this returns; views of a SharedArrayBuffer are passed as they are. */
  buffer(address: bigint, bytes: Uint8Array): void;
  /**
   * Answers with `size` bytes at `position` of an open file; the bytes do not enter JavaScript.
   * @throws {RangeError} If position or size is not possible. No reply is sent then.
   */
  fileDescriptor(address: bigint, fileDescriptor: number, position: number, size: number): void;
  /** Answers `lookup` with a node. */
  entry(address: bigint, attributes: NodeAttributes): void;
  /** Answers `getattr`. */
  attributes(address: bigint, attributes: NodeAttributes): void;
  /** Unloads libfuse; may be called again. */
  close(): void;
}

class LibraryReplier extends LibraryUser<typeof replierSymbols> implements Replier {
  readonly #vector = new FileDescriptorVector();
  readonly #reply = new Uint8Array(ENTRY_OUT_BYTES);
  readonly #words = new Uint32Array(this.#reply.buffer);

  constructor(library: ReplierLibrary) {
    super(library, "answer a request: the replier");
  }

  // Results are ignored: a request that was interrupted or whose mount is gone is freed too.

  error(address: bigint, errno: number): void {
    this.library.symbols.fuse_reply_err(address, errno);
  }

  buffer(address: bigint, bytes: Uint8Array): void {
    // FFI accepts views of shared memory unchanged; only its type does not allow them.
    this.library.symbols.fuse_reply_buf(address, bytes as Uint8Array<ArrayBuffer>, BigInt(bytes.length));
  }

  fileDescriptor(address: bigint, fileDescriptor: number, position: number, size: number): void {
    const symbols = this.library.symbols;
    symbols.fuse_reply_data(address, this.#vector.set(fileDescriptor, position, size), 0);
  }

  entry(address: bigint, attributes: NodeAttributes): void {
    encodeEntryOut(this.#words, 0, attributes);
    this.buffer(address, this.#reply);
  }

  attributes(address: bigint, attributes: NodeAttributes): void {
    encodeAttrOut(this.#words, 0, attributes);
    this.buffer(address, this.#reply.subarray(0, ATTR_OUT_BYTES));
  }
}

/**
 * Loads libfuse in this thread for replying to detached requests. Needs `--allow-ffi`.
 *
 * @throws {FuseLibraryError} If libfuse is not installed or incomplete.
 * @throws {FuseUnsupportedError} If machine or version are not supported.
 */
export function openReplier(): Replier {
  return new LibraryReplier(openReplierLibrary());
}
