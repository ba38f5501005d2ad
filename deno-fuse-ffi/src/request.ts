/**
 * A request of the kernel, as passed to the handlers of a filesystem.
 * @module
 */
import type { DirectoryBuffer } from "./raw/directory_buffer.ts";
import type { FileSystemStatistics, NodeAttributes } from "./raw/kernel_abi.ts";

/**
 * One request, to be answered exactly once with one of the `reply` methods. A session uses one object for all requests:
 * a handler must not keep it after it returns.
 *
 * Each `reply` method throws {@linkcode FuseStateError} if the request already has a reply or was detached.
 */
export interface FuseRequest {
  /** Name of the operation, such as `"lookup"`. */
  readonly operation: string;
  /** User id of the calling process. */
  readonly userId: number;
  /** Group id of the calling process. */
  readonly groupId: number;
  /** Process id of the caller; 0 if it is in another process namespace, or for read-ahead. */
  readonly processId: number;
  /** Number of the request, which `interrupt` of the filesystem refers to after it was detached. */
  readonly unique: bigint;
  /** Bytes requested by `read`, `readdir`, `getxattr` and `listxattr`; 0 otherwise. */
  readonly size: number;
  /** An empty buffer as large as the requested listing, to be filled and sent with {@linkcode replyDirectory}. */
  readonly directory: DirectoryBuffer;

  /** Fails with an error number of {@linkcode Errno}. */
  replyError(errno: number): void;
  /** Succeeds without a result: `release`, `releasedir`, `access`. */
  replySuccess(): void;
  /** Answers `lookup` with a node. */
  replyEntry(attributes: NodeAttributes): void;
  /** Answers `lookup`: the name does not exist, and the kernel may cache this for `timeout` seconds (0: not). */
  replyNoEntry(timeout: number): void;
  /** Answers `getattr`. */
  replyAttributes(attributes: NodeAttributes): void;
  /**
   * Answers `open` and `opendir`.
   * @param handle A safe integer that is passed to `read`, `release` and similar.
   * @param flags Bits of {@linkcode OpenFlag}.
   */
  replyOpen(handle: number, flags: number): void;
  /**
   * Answers `read` with bytes; they are copied before this returns.
   * @throws {RangeError} If there are more bytes than were requested.
   */
  replyData(bytes: Uint8Array): void;
  /**
   * Answers `read` from an open file: the bytes do not enter JavaScript. A file that ends early shortens the reply.
   * @param fileDescriptor An open file of this process.
   * @param position Offset in that file, in bytes, up to 2^53.
   * @param size Bytes, at most what was requested.
   * @throws {RangeError} If position or size is not possible.
   */
  replyFileDescriptor(fileDescriptor: number, position: number, size: number): void;
  /** Answers `readdir` and `readdirplus` with the content of {@linkcode directory}. */
  replyDirectory(): void;
  /** Answers `readlink` with the target's bytes. */
  replyLink(target: Uint8Array): void;
  /** Answers `statfs`. */
  replyStatistics(statistics: FileSystemStatistics): void;
  /**
   * Answers `getxattr` with a value, with its size if only the size was requested, or with ERANGE if it is too long.
   */
  replyExtendedAttribute(value: Uint8Array): void;
  /** Answers `listxattr` likewise. Each name is followed by a zero byte. */
  replyExtendedAttributeNames(names: Uint8Array): void;
  /**
   * Detaches the request; the handler may return without a reply. The receiver of the address must reply exactly once
   * with a {@linkcode Replier}, in any thread of this process, before the session is destroyed.
   * @returns The address of the request.
   */
  detach(): bigint;
}
