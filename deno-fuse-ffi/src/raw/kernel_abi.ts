/**
 * FUSE structures of the kernel (linux/fuse.h) in replies made with `fuse_reply_buf`: the same for every version of
 * libfuse and on every little-endian 64-bit processor, unlike `struct stat` and `struct fuse_entry_param`. Offsets here
 * count 32-bit words; 64-bit fields are two words, the low one first.
 * @module
 */

const TWO_TO_32 = 0x1_0000_0000;

/** Operation numbers (`enum fuse_opcode`) of the operations that a session handles. */
export const Opcode = {
  LOOKUP: 1,
  FORGET: 2,
  GETATTR: 3,
  READLINK: 5,
  OPEN: 14,
  READ: 15,
  STATFS: 17,
  RELEASE: 18,
  GETXATTR: 22,
  LISTXATTR: 23,
  OPENDIR: 27,
  READDIR: 28,
  RELEASEDIR: 29,
  ACCESS: 34,
  INTERRUPT: 36,
  BATCH_FORGET: 42,
  READDIRPLUS: 44,
} as const;

/** Bytes of `struct fuse_in_header`; the arguments of a request follow it. */
export const IN_HEADER_BYTES = 40;
/** Bytes of `struct fuse_entry_out`. */
export const ENTRY_OUT_BYTES = 128;
/** Bytes of `struct fuse_attr_out`. */
export const ATTR_OUT_BYTES = 104;
/** Bytes of `struct fuse_open_out`. */
export const OPEN_OUT_BYTES = 16;
/** Bytes of `struct fuse_statfs_out`. */
export const STATFS_OUT_BYTES = 80;
/** Bytes of `struct fuse_getxattr_out`. */
export const GETXATTR_OUT_BYTES = 8;
/** Bytes of `struct fuse_dirent` without the name. */
export const DIRENT_BYTES = 24;
/** Maximum length of a name in a listing (`FUSE_NAME_MAX`), in bytes. */
export const NAME_BYTES_MAX = 1024;

/** Bits of a mode with the type of a file (`S_IFMT`). */
export const S_IFMT = 0o170000;
/** Type of a directory, in a mode. */
export const S_IFDIR = 0o040000;
/** Type of a regular file, in a mode. */
export const S_IFREG = 0o100000;
/** Type of a symbolic link, in a mode. */
export const S_IFLNK = 0o120000;

/** Flags of a reply to `open` and `opendir` (`FOPEN_*` of linux/fuse.h). */
export const OpenFlag = {
  /** Bypass the page cache: every read is a request. */
  DIRECT_IO: 1 << 0,
  /** Keep the cached content of the file from an earlier open. */
  KEEP_CACHE: 1 << 1,
  /** The file cannot be seeked. */
  NONSEEKABLE: 1 << 2,
  /** The directory's listing may be cached. */
  CACHE_DIR: 1 << 3,
  /** Closing needs no flush. */
  NOFLUSH: 1 << 5,
} as const;

/**
 * Attributes of a node, as sent to the kernel. Mutable and meant to be reused: one instance, filled again for each
 * reply, costs no allocation.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { NodeAttributes, S_IFREG } from "deno-fuse-ffi";
 *
 * const attributes = new NodeAttributes();
 * attributes.setNode(0, 7);
 * attributes.mode = S_IFREG | 0o444;
 * attributes.size = 5 * 2 ** 32;
 * assertEquals(attributes.linkCount, 1);
 * ```
 */
export class NodeAttributes {
  /** Upper 32 bits of the node id. */
  nodeHigh = 0;
  /** Lower 32 bits of the node id. The root is node 1; 0 is no node. */
  nodeLow = 0;
  /**
   * Inode number that programs see; 0: the node id. Programs of 32 bits without support for large files fail on numbers
   * from 2^32 on.
   */
  inodeNumber = 0;
  /** Distinguishes two nodes that had the same id at different times. */
  generation = 0;
  /** Type (`S_IFDIR`, `S_IFREG`, `S_IFLNK`...) and permission bits. */
  mode = 0;
  /** Bytes, below 2^53. */
  size = 0;
  /** Number of hard links. */
  linkCount = 1;
  /** Owner. */
  userId = 0;
  /** Group. */
  groupId = 0;
  /** Preferred size of a read, in bytes. */
  blockSize = 4096;
  /** Last access, whole seconds since 1970; may be negative. */
  accessedSeconds = 0;
  /** Last access, nanoseconds of the second. */
  accessedNanoseconds = 0;
  /** Last modification, whole seconds since 1970; may be negative. */
  modifiedSeconds = 0;
  /** Last modification, nanoseconds of the second. */
  modifiedNanoseconds = 0;
  /** Last change of attributes, whole seconds since 1970; may be negative. */
  changedSeconds = 0;
  /** Last change of attributes, nanoseconds of the second. */
  changedNanoseconds = 0;
  /** Seconds for which the kernel may remember the name; fractions and Infinity are allowed. */
  entryTimeout = 1;
  /** Seconds for which the kernel may remember the attributes; fractions and Infinity are allowed. */
  attributeTimeout = 1;

  /** Sets both halves of the node id. */
  setNode(high: number, low: number): void {
    this.nodeHigh = high;
    this.nodeLow = low;
  }

  /** Sets the times of access, modification and change to the same time. */
  setTimes(seconds: number, nanoseconds = 0): void {
    this.accessedSeconds = this.modifiedSeconds = this.changedSeconds = seconds;
    this.accessedNanoseconds = this.modifiedNanoseconds = this.changedNanoseconds = nanoseconds;
  }
}

/** Statistics of the whole filesystem, for `statfs` and so for `df`. */
export interface FileSystemStatistics {
  /** Size in units of `fragmentSize`. Default 0. */
  readonly blocks?: number;
  /** Free space in units of `fragmentSize`. Default 0. */
  readonly freeBlocks?: number;
  /** Number of files. Default 0. */
  readonly files?: number;
  /** Preferred size of a read, in bytes. Default 4096. */
  readonly blockSize?: number;
  /** Unit of `blocks`, in bytes. Default 4096. */
  readonly fragmentSize?: number;
  /** Maximum length of a name, in bytes. Default 255. */
  readonly nameLength?: number;
}

/** Stores a whole number below 2^63 in two words. Storing into a Uint32Array keeps the value modulo 2^32. */
function setUint64(words: Uint32Array, index: number, value: number): void {
  words[index] = value;
  words[index + 1] = Math.floor(value / TWO_TO_32);
}

/**
 * Returns an element of a message or structure.
 * @throws {RangeError} If it is shorter.
 */
export function wordAt(words: Uint32Array, index: number): number {
  const word = words[index];
  if (word === undefined) throw new RangeError(`Cannot read word ${index}: the structure has ${words.length}`);
  return word;
}

/** Returns the 64-bit field at `index`; a value above 2^53 has lost its lowest bits and is no safe integer. */
export function getUint64(words: Uint32Array, index: number): number {
  return wordAt(words, index + 1) * TWO_TO_32 + wordAt(words, index);
}

/** Maximum timeout given to the kernel, in seconds: 68 years. */
const TIMEOUT_MAX = 0x7fff_ffff;

function wholeSeconds(timeout: number): number {
  return timeout >= TIMEOUT_MAX ? TIMEOUT_MAX : timeout > 0 ? Math.floor(timeout) : 0;
}

function nanosecondsOf(timeout: number): number {
  return timeout >= TIMEOUT_MAX || !(timeout > 0) ? 0 : Math.floor((timeout - Math.floor(timeout)) * 1e9);
}

function encodeInode(words: Uint32Array, index: number, { inodeNumber, nodeLow, nodeHigh }: NodeAttributes): void {
  if (inodeNumber > 0) return setUint64(words, index, inodeNumber);
  words[index] = nodeLow;
  words[index + 1] = nodeHigh;
}

/** Writes `struct fuse_attr`, 22 words. */
function encodeAttr(words: Uint32Array, index: number, attributes: NodeAttributes): void {
  encodeInode(words, index, attributes);
  setUint64(words, index + 2, attributes.size);
  setUint64(words, index + 4, Math.ceil(attributes.size / 512));
  setUint64(words, index + 6, attributes.accessedSeconds);
  setUint64(words, index + 8, attributes.modifiedSeconds);
  setUint64(words, index + 10, attributes.changedSeconds);
  words[index + 12] = attributes.accessedNanoseconds;
  words[index + 13] = attributes.modifiedNanoseconds;
  words[index + 14] = attributes.changedNanoseconds;
  words[index + 15] = attributes.mode;
  words[index + 16] = attributes.linkCount;
  words[index + 17] = attributes.userId;
  words[index + 18] = attributes.groupId;
  words[index + 19] = 0; // rdev: a read-only filesystem mounted nodev has no devices
  words[index + 20] = attributes.blockSize;
  words[index + 21] = 0; // flags
}

/** Writes `struct fuse_attr_out`: 26 words, 104 bytes. */
export function encodeAttrOut(words: Uint32Array, index: number, attributes: NodeAttributes): void {
  setUint64(words, index, wholeSeconds(attributes.attributeTimeout));
  words[index + 2] = nanosecondsOf(attributes.attributeTimeout);
  words[index + 3] = 0;
  encodeAttr(words, index + 4, attributes);
}

/** Writes `struct fuse_entry_out`: 32 words, 128 bytes. */
export function encodeEntryOut(words: Uint32Array, index: number, attributes: NodeAttributes): void {
  words[index] = attributes.nodeLow;
  words[index + 1] = attributes.nodeHigh;
  setUint64(words, index + 2, attributes.generation);
  setUint64(words, index + 4, wholeSeconds(attributes.entryTimeout));
  setUint64(words, index + 6, wholeSeconds(attributes.attributeTimeout));
  words[index + 8] = nanosecondsOf(attributes.entryTimeout);
  words[index + 9] = nanosecondsOf(attributes.attributeTimeout);
  encodeAttr(words, index + 10, attributes);
}

/** Writes a `struct fuse_entry_out` of node 0: the name does not exist, and the kernel may remember that. */
export function encodeNoEntryOut(words: Uint32Array, index: number, timeout: number): void {
  words.fill(0, index, index + ENTRY_OUT_BYTES / 4);
  setUint64(words, index + 4, wholeSeconds(timeout));
  words[index + 8] = nanosecondsOf(timeout);
}

/** Writes `struct fuse_open_out`: 4 words, 16 bytes. */
export function encodeOpenOut(words: Uint32Array, index: number, handle: number, flags: number): void {
  setUint64(words, index, handle);
  words[index + 2] = flags;
  words[index + 3] = 0; // backing_id of a passed-through file
}

/** Writes `struct fuse_statfs_out`: 20 words, 80 bytes. */
export function encodeStatfsOut(words: Uint32Array, index: number, statistics: FileSystemStatistics): void {
  words.fill(0, index, index + STATFS_OUT_BYTES / 4);
  setUint64(words, index, statistics.blocks ?? 0);
  setUint64(words, index + 2, statistics.freeBlocks ?? 0);
  setUint64(words, index + 4, statistics.freeBlocks ?? 0);
  setUint64(words, index + 6, statistics.files ?? 0);
  words[index + 10] = statistics.blockSize ?? 4096;
  words[index + 11] = statistics.nameLength ?? 255;
  words[index + 12] = statistics.fragmentSize ?? 4096;
}

/** Writes a `struct fuse_dirent` and its name, padded with zeros to 8 bytes; returns the bytes written. */
export function encodeDirent(
  bytes: Uint8Array,
  words: Uint32Array,
  offset: number,
  attributes: NodeAttributes,
  nextOffset: number,
  name: Uint8Array,
  nameStart: number,
  nameEnd: number,
): number {
  const index = offset / 4;
  const length = nameEnd - nameStart;
  encodeInode(words, index, attributes);
  setUint64(words, index + 2, nextOffset);
  words[index + 4] = length;
  words[index + 5] = (attributes.mode & S_IFMT) >>> 12; // the DT_* type of a listing
  const paddedLength = (length + 7) & ~7;
  words[index + DIRENT_BYTES / 4 + paddedLength / 4 - 2] = 0;
  words[index + DIRENT_BYTES / 4 + paddedLength / 4 - 1] = 0;
  // Names are short: a loop beats making a view of the name for Uint8Array.set.
  const target = offset + DIRENT_BYTES;
  for (let position = 0; position < length; position++) {
    const byte = name[nameStart + position];
    if (byte === undefined) throw new RangeError(`Cannot list bytes ${nameStart} to ${nameEnd} of ${name.length}`);
    bytes[target + position] = byte;
  }
  return DIRENT_BYTES + paddedLength;
}
