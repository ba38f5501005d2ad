/**
 * Capabilities that kernel and filesystem may agree on when a session starts (`FUSE_CAP_*` of fuse_common.h, the low 32
 * bits).
 * @module
 */

/**
 * The capabilities that can be requested, with their bits in `struct fuse_conn_info`.
 *
 * `FUSE_CAP_SPLICE_READ` is left out on purpose: the session reads each request where libfuse received it, and spliced
 * requests are in a pipe instead of memory. Capabilities for writing are left out too.
 */
export const Capability = {
  /** Several reads of one file may be in flight at once. */
  ASYNC_READ: 1 << 0,
  /** The filesystem answers lookups of `.` and `..`, so that it can be exported over NFS. */
  EXPORT_SUPPORT: 1 << 4,
  /** Replies from a descriptor go through a pipe instead of a copy. Measure before requesting it. */
  SPLICE_WRITE: 1 << 7,
  /** Spliced pages are moved instead of copied. */
  SPLICE_MOVE: 1 << 8,
  /** A change of size or modification time seen in attributes drops the file's cached pages. */
  AUTO_INVAL_DATA: 1 << 12,
  /** Listing a directory brings the attributes of its entries. Needs a `readdirplus` handler. */
  READDIRPLUS: 1 << 13,
  /** The kernel chooses between `readdirplus` and `readdir`. Needs both handlers. */
  READDIRPLUS_AUTO: 1 << 14,
  /** Direct I/O may be asynchronous. */
  ASYNC_DIO: 1 << 15,
  /** Answering ENOSYS to `open` means that files need no opening and stops further `open` requests. */
  NO_OPEN_SUPPORT: 1 << 17,
  /** Lookups and listings of one directory may run at once (reaches the kernel from libfuse 3.17). */
  PARALLEL_DIROPS: 1 << 18,
  /** Targets of symbolic links are cached. */
  CACHE_SYMLINKS: 1 << 23,
  /** Answering ENOSYS to `opendir` means that directories need no opening and stops further `opendir` requests. */
  NO_OPENDIR_SUPPORT: 1 << 24,
  /** Cached pages are dropped only when the filesystem requests it. */
  EXPLICIT_INVAL_DATA: 1 << 25,
} as const;

/** Name of a capability: a key of {@linkcode Capability}. */
export type CapabilityName = keyof typeof Capability;

const capabilityNames = Object.keys(Capability).filter((name): name is CapabilityName => name in Capability);

/** Returns the names of the bits set in `bits`, in the order of {@linkcode Capability}; unknown bits are ignored. */
export function capabilityNamesOf(bits: number): CapabilityName[] {
  return capabilityNames.filter((name) => (bits & Capability[name]) !== 0);
}

/** Returns the bits of the capabilities named. */
export function capabilityBits(wanted: readonly CapabilityName[]): number {
  return wanted.reduce((bits, name) => bits | Capability[name], 0);
}
