/**
 * The functions that libfuse calls: one slot per operation.
 * @module
 */

/** Index of each operation in `struct fuse_lowlevel_ops`, in pointers. */
export const OperationSlot = {
  init: 0,
  lookup: 2,
  forget: 3,
  getattr: 4,
  readlink: 6,
  open: 14,
  read: 15,
  release: 18,
  opendir: 20,
  readdir: 21,
  releasedir: 22,
  statfs: 24,
  getxattr: 26,
  listxattr: 27,
  access: 29,
  forget_multi: 38,
  readdirplus: 41,
} as const;

/** Bytes of `struct fuse_lowlevel_ops` up to libfuse 3.16; later versions accept this size too. */
export const OPERATIONS_BYTES = 44 * 8;

/** Object whose methods are the operations of a filesystem. */
type Operations = { readonly [Name in keyof typeof OperationSlot]?: unknown };

/**
 * Makes the `struct fuse_lowlevel_ops` of a filesystem: `request` in the slot of every implemented operation, NULL in
 * the others. For NULL libfuse replies ENOSYS, which stops further requests, or a harmless default for `release` and
 * `statfs`. `open` and `opendir` are always set: for NULL libfuse would reply with success, which costs a request for
 * every opened file.
 */
export function operationTable(fileSystem: Operations, init: bigint, request: bigint): Uint8Array<ArrayBuffer> {
  const table = new BigUint64Array(OPERATIONS_BYTES / 8);
  table[OperationSlot.init] = init;
  table[OperationSlot.open] = request;
  table[OperationSlot.opendir] = request;
  if (fileSystem.forget !== undefined) table[OperationSlot.forget_multi] = request;
  const optional = [
    "lookup",
    "forget",
    "getattr",
    "readlink",
    "read",
    "release",
    "readdir",
    "readdirplus",
    "releasedir",
    "statfs",
    "getxattr",
    "listxattr",
    "access",
  ] as const;
  for (const name of optional) {
    if (fileSystem[name] !== undefined) table[OperationSlot[name]] = request;
  }
  return new Uint8Array(table.buffer);
}
