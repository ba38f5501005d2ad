/**
 * Error numbers of Linux, the same on x86-64 and aarch64 (asm-generic/errno-base.h and errno.h).
 * @module
 */

/** Error numbers that can occur in a read-only filesystem or while mounting, by their C names. */
export const Errno = {
  /** Operation not permitted. */
  EPERM: 1,
  /** No such file or directory. */
  ENOENT: 2,
  /** Interrupted system call. */
  EINTR: 4,
  /** Input/output error. */
  EIO: 5,
  /** No such device or address. */
  ENXIO: 6,
  /** Bad file descriptor. */
  EBADF: 9,
  /** Resource temporarily unavailable. */
  EAGAIN: 11,
  /** Cannot allocate memory. */
  ENOMEM: 12,
  /** Permission denied. */
  EACCES: 13,
  /** Bad address. */
  EFAULT: 14,
  /** Device or resource busy. */
  EBUSY: 16,
  /** File exists. */
  EEXIST: 17,
  /** No such device. */
  ENODEV: 19,
  /** Not a directory. */
  ENOTDIR: 20,
  /** Is a directory. */
  EISDIR: 21,
  /** Invalid argument. */
  EINVAL: 22,
  /** Too many open files in system. */
  ENFILE: 23,
  /** Too many open files. */
  EMFILE: 24,
  /** File too large. */
  EFBIG: 27,
  /** No space left on device. */
  ENOSPC: 28,
  /** Illegal seek. */
  ESPIPE: 29,
  /** Read-only file system. */
  EROFS: 30,
  /** Numerical result out of range: the buffer given for an extended attribute is too small. */
  ERANGE: 34,
  /** File name too long. */
  ENAMETOOLONG: 36,
  /** The operation is not supported: for most operations the kernel remembers this and sends no more requests. */
  ENOSYS: 38,
  /** Too many levels of symbolic links. */
  ELOOP: 40,
  /** No data available: the extended attribute does not exist. */
  ENODATA: 61,
  /** Protocol error. */
  EPROTO: 71,
  /** Value too large for defined data type. */
  EOVERFLOW: 75,
  /** Operation not supported. */
  EOPNOTSUPP: 95,
  /** Connection aborted. */
  ECONNABORTED: 103,
  /** Transport endpoint is not connected: the mount whose server has died. */
  ENOTCONN: 107,
  /** Connection timed out. */
  ETIMEDOUT: 110,
  /** Stale file handle. */
  ESTALE: 116,
} as const;

const names = new Map<number, string>(Object.entries(Errno).map(([name, number]) => [number, name]));

/**
 * Returns the C name of an error number, or `errno N` for one that is not listed in {@linkcode Errno}.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Errno, errnoName } from "deno-fuse-ffi";
 *
 * assertEquals(errnoName(Errno.ENOENT), "ENOENT");
 * assertEquals(errnoName(4095), "errno 4095");
 * ```
 */
export function errnoName(errno: number): string {
  return names.get(errno) ?? `errno ${errno}`;
}
