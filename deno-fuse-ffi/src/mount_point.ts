/**
 * Checks mount points, and removes mounts of killed servers. Everything goes through the C library, since Deno's own
 * file functions refuse `/proc` and `/dev` without `--allow-all`.
 * @module
 */
import { Errno, errnoName } from "./raw/errno.ts";
import { FuseMountError, FuseUnsupportedError } from "./raw/errors.ts";
import {
  lastErrno,
  openSystemLibrary,
  openTableLibrary,
  type SystemLibrary,
  type TableLibrary,
  toCString,
} from "./raw/library.ts";

const O_RDONLY = 0;
const O_RDWR = 2;
const O_CLOEXEC = 0o2000000;
const O_PATH = 0o10000000;
const MNT_DETACH = 2;
const MNT_EXPIRE = 4;
const AT_FDCWD = -100;
const AT_STATX_FORCE_SYNC = 0x2000;
const STATX_TYPE = 1;
const STATX_MODE_OFFSET = 28;
const S_IFMT = 0o170000;
const S_IFDIR = 0o040000;

/** One line of `/proc/self/mountinfo`. */
export interface MountInformation {
  /** Absolute path of the mount point. */
  readonly mountPoint: string;
  /** The type, such as `fuse.example`. */
  readonly type: string;
}

function withSystem<Result>(action: (system: SystemLibrary) => Result): Result {
  return usingLibrary(openSystemLibrary(), action);
}

function usingLibrary<Library extends TableLibrary, Result>(
  system: Library,
  action: (system: Library) => Result,
): Result {
  try {
    return action(system);
  } finally {
    system.close();
  }
}

function readTextFile(system: TableLibrary, path: string): string {
  const { open, read, close } = system.symbols;
  const file = open(toCString(path), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw new FuseUnsupportedError(`Cannot read ${path}: ${errnoName(lastErrno(system))}`);
  try {
    const decoder = new TextDecoder();
    const chunk = new Uint8Array(64 * 1024);
    let text = "";
    for (;;) {
      const count = Number(read(file, chunk, BigInt(chunk.length)));
      if (count <= 0) return text + decoder.decode();
      text += decoder.decode(chunk.subarray(0, count), { stream: true });
    }
  } finally {
    close(file);
  }
}

/**
 * Parses the text of `/proc/self/mountinfo` (proc(5)): fields are separated by spaces, and space, tab, newline and
 * backslash inside a field are written as three octal digits.
 */
export function parseMountInformation(text: string): MountInformation[] {
  return text.split("\n").filter((line) => line !== "").map((line) => {
    const fields = line.split(" ");
    // Optional fields come between the sixth and a lone hyphen; the type follows it.
    const separator = fields.indexOf("-", 6);
    const [mountPoint, type] = [fields[4], fields[separator + 1]];
    if (mountPoint === undefined || type === undefined) throw new FuseUnsupportedError(`Not a line of mounts: ${line}`);
    return { mountPoint: unescapeField(mountPoint), type: unescapeField(type) };
  });
}

function unescapeField(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

/** Returns the path without symbolic links; the last component is not accessed, so that a dead mount does no harm. */
function canonicalPath(system: TableLibrary, path: string): string | undefined {
  const { open, readlink, close } = system.symbols;
  const file = open(toCString(path), O_PATH | O_CLOEXEC);
  if (file < 0) return undefined;
  try {
    const target = new Uint8Array(4096);
    const length = Number(readlink(toCString(`/proc/self/fd/${file}`), target, BigInt(target.length)));
    return length > 0 ? new TextDecoder().decode(target.subarray(0, length)) : undefined;
  } finally {
    close(file);
  }
}

/** Returns the uppermost mount at `path`, or `undefined`. */
function mountAt(system: TableLibrary, path: string): MountInformation | undefined {
  const canonical = canonicalPath(system, path);
  if (canonical === undefined) return undefined;
  return parseMountInformation(readTextFile(system, "/proc/self/mountinfo"))
    .findLast((mount) => mount.mountPoint === canonical);
}

/**
 * Returns whether something is mounted at `path`. Reads the kernel's table and does not access the filesystem, so it
 * works even for a mount that this thread serves. Needs `--allow-ffi`.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { isMountPoint } from "deno-fuse-ffi";
 *
 * assert(isMountPoint("/proc"));
 * assert(!isMountPoint("/no/such/directory"));
 * ```
 *
 * @throws {FuseUnsupportedError} If `/proc/self/mountinfo` cannot be read.
 */
export function isMountPoint(path: string): boolean {
  return mountIn(path) !== undefined;
}

/** Returns the mount at `path`, and loads only the few functions that this needs. */
function mountIn(path: string): MountInformation | undefined {
  return usingLibrary(openTableLibrary(), (system) => mountAt(system, path));
}

/** Returns 0 and the mode of `path`, or the error number; asks the filesystem, not a cache. */
function statMode(system: SystemLibrary, path: string): { readonly errno: number; readonly mode: number } {
  const result = new Uint8Array(256);
  if (system.symbols.statx(AT_FDCWD, toCString(path), AT_STATX_FORCE_SYNC, STATX_TYPE, result) !== 0) {
    return { errno: lastErrno(system), mode: 0 };
  }
  return { errno: 0, mode: new DataView(result.buffer).getUint16(STATX_MODE_OFFSET, true) };
}

function isDead(system: SystemLibrary, path: string): boolean {
  return isFuse(mountAt(system, path)) && statMode(system, path).errno === Errno.ENOTCONN;
}

function isFuse(mount: MountInformation | undefined): boolean {
  return mount !== undefined && /^fuse(blk)?(\.|$)/.test(mount.type);
}

/**
 * Removes a mount whose server has died: every access to it fails with "Transport endpoint is not connected", and
 * nothing can be mounted over it. A working mount is left alone. Call it before mounting. As root it unmounts directly,
 * else with `fusermount3`, which needs `--allow-run=fusermount3`. Do not call it on a mount that this thread serves.
 *
 * @returns Whether a dead mount was removed.
 * @throws {FuseMountError} If a dead mount cannot be removed.
 */
export function releaseDeadMount(path: string): boolean {
  if (!isFuse(mountIn(path))) return false;
  return withSystem((system) => {
    let released = false;
    // Several may be stacked, one per crash.
    while (isDead(system, path)) {
      detachMount(system, path);
      released = true;
    }
    return released;
  });
}

function detachMount(system: SystemLibrary, path: string): void {
  if (system.symbols.geteuid() === 0) {
    if (system.symbols.umount2(toCString(path), MNT_DETACH) === 0) return;
    const errno = lastErrno(system);
    throw new FuseMountError(`Cannot unmount what a dead server left: ${errnoName(errno)}`, path, errno);
  }
  const { success, stderr } = new Deno.Command("fusermount3", { args: ["-u", "-z", "--", path] }).outputSync();
  if (!success) {
    throw new FuseMountError(
      `Cannot unmount what a dead server left: ${new TextDecoder().decode(stderr).trim()}`,
      path,
    );
  }
}

/** Options of unmounting. */
export interface UnmountOptions {
  /** Detaches the mount at once and ends it after its last use, instead of failing while it is in use. */
  readonly lazy?: boolean;
}

/**
 * Unmounts from outside the session, in any thread or process: its `run()` then returns `"ended"`. As root it unmounts
 * directly, else with `fusermount3`, which needs `--allow-run=fusermount3`.
 *
 * @throws {FuseMountError} If nothing is mounted there, or it is in use and `lazy` is not given, or it is not
 * permitted.
 */
export async function unmount(path: string, options: UnmountOptions = {}): Promise<void> {
  using system = disposable(openSystemLibrary());
  const { symbols } = system.library;
  if (symbols.geteuid() === 0) {
    // A separate thread: unmounting may have to wait for the session.
    const result = await symbols.umount2_elsewhere(toCString(path), options.lazy === true ? MNT_DETACH : 0);
    if (result === 0) return;
    const reason = mountAt(system.library, path) === undefined
      ? "nothing is mounted there"
      : "it is in use (lazy unmounting would wait for its users) or not permitted";
    throw new FuseMountError(`Cannot unmount: ${reason}`, path);
  }
  const args = options.lazy === true ? ["-u", "-z", "--", path] : ["-u", "--", path];
  const { success, stderr } = await new Deno.Command("fusermount3", { args }).output();
  if (!success) throw new FuseMountError(`Cannot unmount: ${new TextDecoder().decode(stderr).trim()}`, path);
}

/**
 * Returns whether a process has files of a mount open or its working directory there; undefined if unknown: this
 * requires root. Does not unmount.
 */
export function isInUse(path: string): boolean | undefined {
  return withSystem((system) => {
    // Such a call marks an unused mount as expired, and a second call would unmount it.
    system.symbols.umount2(toCString(path), MNT_EXPIRE);
    const errno = lastErrno(system);
    if (errno !== Errno.EAGAIN) return errno === Errno.EBUSY ? true : undefined;
    // Using the mount clears the mark; opening only the path sends no request to the server of the mount.
    system.symbols.close(system.symbols.open(toCString(path), O_PATH | O_CLOEXEC));
    return false;
  });
}

function disposable(library: SystemLibrary): Disposable & { readonly library: SystemLibrary } {
  return { library, [Symbol.dispose]: () => library.close() };
}

/**
 * Refuses a mount point that mounting would fail on, with a better message than libfuse prints.
 *
 * @throws {FuseMountError} If it is not absolute, absent, no directory, or a dead mount.
 * @throws {FuseUnsupportedError} If `/dev/fuse` is missing or may not be used.
 */
export function assertMountable(system: SystemLibrary, path: string): void {
  if (!path.startsWith("/")) throw new FuseMountError("Cannot mount: the mount point must be an absolute path", path);
  if (path.includes("\0")) throw new FuseMountError("Cannot mount: the path contains a zero byte", path);
  const { errno, mode } = statMode(system, path);
  if (errno === Errno.ENOTCONN) {
    throw new FuseMountError("Cannot mount: a dead mount is in the way; release it first", path, errno);
  }
  if (errno === Errno.ENOENT) throw new FuseMountError("Cannot mount: no such directory", path, errno);
  if (errno !== 0) throw new FuseMountError(`Cannot mount: ${errnoName(errno)}`, path, errno);
  if ((mode & S_IFMT) !== S_IFDIR) {
    throw new FuseMountError("Cannot mount: it is not a directory", path, Errno.ENOTDIR);
  }
  assertDevice(system);
}

function assertDevice(system: SystemLibrary): void {
  const file = system.symbols.open(toCString("/dev/fuse"), O_RDWR | O_CLOEXEC);
  if (file >= 0) {
    system.symbols.close(file);
    return;
  }
  const errno = lastErrno(system);
  const reason = errno === Errno.ENOENT || errno === Errno.ENODEV || errno === Errno.ENXIO
    ? "it does not exist: load the kernel module (modprobe fuse), or start the container with --device /dev/fuse"
    : errno === Errno.EACCES || errno === Errno.EPERM
    ? "permission denied: the user needs read and write access to it; a container needs --device /dev/fuse"
    : errnoName(errno);
  throw new FuseUnsupportedError(`Cannot open /dev/fuse: ${reason}`);
}
