/**
 * The interface of a filesystem: one handler per operation, called synchronously on the thread that runs the session.
 * @module
 */
import type { CapabilityName } from "./raw/capabilities.ts";
import type { FuseRequest } from "./request.ts";

/** Agreement of a session with the kernel, as passed to the filesystem's `init`. */
export interface Connection {
  /** Version of the kernel's FUSE protocol, such as `[7, 45]`. */
  readonly protocol: readonly [major: number, minor: number];
  /** Capabilities that the kernel offers. */
  readonly capable: readonly CapabilityName[];
  /** Capabilities that this session uses: both requested and offered. */
  readonly wanted: readonly CapabilityName[];
  /** Maximum read-ahead, in bytes. */
  readonly maxReadahead: number;
  /** Maximum number of waiting background requests (read-ahead). 0: the kernel's default. */
  readonly maxBackground: number;
  /**
   * Number of background requests above which the kernel considers the filesystem congested. 0: the kernel's default.
   */
  readonly congestionThreshold: number;
}

/**
 * The operations of a read-only filesystem. Node ids come in two halves (upper and lower 32 bits, both unsigned), which
 * is measurably cheaper than a bigint and lets a filesystem keep two numbers in one id. The root is node `(0, 1)`.
 *
 * Every handler with a `request` must reply to it exactly once before it returns, or call {@linkcode
 * FuseRequest.detach}. If it throws or does not reply, the request fails with EIO and `onError` is called. Handlers are
 * not asynchronous: the session thread serves nothing else until a handler returns.
 *
 * `name` arguments are views of libfuse's own buffer: valid until the handler returns. Copy to keep.
 */
export interface FileSystem {
  /** Called when the session has begun, with the agreed capabilities. */
  init?(connection: Connection): void;
  /** Called once when the session has ended, from {@linkcode FuseSession.destroy}. */
  destroy?(): void;
  /**
   * Finds `name` in a directory: answer with {@linkcode FuseRequest.replyEntry} or {@linkcode
   * FuseRequest.replyNoEntry}. With the capability EXPORT_SUPPORT, `.` and `..` are looked up as well (NFS).
   */
  lookup(request: FuseRequest, parentHigh: number, parentLow: number, name: Uint8Array): void;
  /** The kernel drops `lookups` of its references to a node. No reply is sent. */
  forget?(nodeHigh: number, nodeLow: number, lookups: number): void;
  /** Attributes of a node: answer with {@linkcode FuseRequest.replyAttributes}. */
  getattr(request: FuseRequest, nodeHigh: number, nodeLow: number): void;
  /**
   * A process that waits for a detached request got a signal, as by Ctrl-C. If the signal ends it, the thread that
   * replies should do so now, with EINTR; a later reply delays the end. If the process has a handler, most programs do
   * not expect that error. A request that has its reply must be ignored.
   * @param unique {@linkcode FuseRequest.unique} of that request.
   */
  interrupt?(unique: bigint): void;
  /** Target of a symbolic link: answer with {@linkcode FuseRequest.replyLink}. */
  readlink?(request: FuseRequest, nodeHigh: number, nodeLow: number): void;
  /**
   * Opens a file; `flags` are flags of open(2). Answer with {@linkcode FuseRequest.replyOpen}. Without this handler the
   * kernel never sends `open` again and keeps cached pages.
   */
  open?(request: FuseRequest, nodeHigh: number, nodeLow: number, flags: number): void;
  /**
   * Reads `size` bytes at `offset`: answer with {@linkcode FuseRequest.replyData}, {@linkcode
   * FuseRequest.replyFileDescriptor}, or detach. Less than requested means end of file.
   */
  read?(
    request: FuseRequest,
    nodeHigh: number,
    nodeLow: number,
    offset: number,
    size: number,
    handle: number,
  ): void;
  /** Last close of an opened file: answer with {@linkcode FuseRequest.replySuccess}. */
  release?(request: FuseRequest, nodeHigh: number, nodeLow: number, handle: number): void;
  /** Opens a directory, like {@linkcode open}. Without this handler the kernel never sends `opendir` again. */
  opendir?(request: FuseRequest, nodeHigh: number, nodeLow: number, flags: number): void;
  /**
   * Lists a directory from `offset` (0: the beginning, else a `nextOffset` given earlier): fill {@linkcode
   * FuseRequest.directory} with `add` and answer with {@linkcode FuseRequest.replyDirectory}. No entry means the end. A
   * caller may seek, so any offset is possible.
   */
  readdir?(
    request: FuseRequest,
    nodeHigh: number,
    nodeLow: number,
    offset: number,
    size: number,
    handle: number,
  ): void;
  /** Like {@linkcode readdir}, but with `addWithAttributes`. */
  readdirplus?(
    request: FuseRequest,
    nodeHigh: number,
    nodeLow: number,
    offset: number,
    size: number,
    handle: number,
  ): void;
  /** Last close of an opened directory: answer with {@linkcode FuseRequest.replySuccess}. */
  releasedir?(request: FuseRequest, nodeHigh: number, nodeLow: number, handle: number): void;
  /** Statistics of the whole filesystem: answer with {@linkcode FuseRequest.replyStatistics}. */
  statfs?(request: FuseRequest, nodeHigh: number, nodeLow: number): void;
  /**
   * Value of an extended attribute: answer with {@linkcode FuseRequest.replyExtendedAttribute}, or ENODATA. Without
   * this handler the filesystem has none.
   */
  getxattr?(request: FuseRequest, nodeHigh: number, nodeLow: number, name: Uint8Array): void;
  /** Names of the extended attributes: answer with {@linkcode FuseRequest.replyExtendedAttributeNames}. */
  listxattr?(request: FuseRequest, nodeHigh: number, nodeLow: number): void;
  /**
   * Checks the access of the calling process (`mask`: 4 read, 2 write, 1 execute). Answer with {@linkcode
   * FuseRequest.replySuccess} or EACCES. Not called with the mount option `default_permissions`.
   */
  access?(request: FuseRequest, nodeHigh: number, nodeLow: number, mask: number): void;
}
