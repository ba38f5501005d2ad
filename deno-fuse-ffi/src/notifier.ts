/**
 * Notifying the kernel that something it remembers has changed.
 * @module
 */
import { Errno, errnoName } from "./raw/errno.ts";
import { FuseProtocolError } from "./raw/errors.ts";
import { LibraryUser, type NotifierLibrary, openNotifierLibrary } from "./raw/library.ts";
import type { notifierSymbols } from "./raw/symbols.ts";

/**
 * Makes the kernel forget names, attributes and data of a mounted session.
 *
 * A notification may have to wait for locks that a process holds while it waits for a reply of the filesystem. It
 * therefore runs on a separate thread, and the session must keep serving meanwhile: never wait for one of these
 * promises inside a handler, and on the session's own thread call {@linkcode FuseSession.run} before awaiting them. The
 * session may be destroyed only when all of them have settled.
 */
export interface Notifier extends Disposable {
  /**
   * Makes the kernel forget the directory entry `name`, existing or not, and its node. A missing cache entry is no
   * error.
   * @throws {FuseProtocolError} If the kernel refuses.
   */
  invalidateEntry(parentHigh: number, parentLow: number, name: Uint8Array): Promise<void>;
  /**
   * Makes the kernel forget a node's attributes and `length` bytes of its data (for a directory, its cached listing)
   * from `offset`. A missing cache entry is no error.
   * @param nodeHigh Upper 32 bits of the node id.
   * @param nodeLow Lower 32 bits of the node id.
   * @param offset Bytes; default 0. Negative: attributes only.
   * @param length Bytes; default 0, which means to the end.
   * @throws {FuseProtocolError} If the kernel refuses.
   */
  invalidateInode(nodeHigh: number, nodeLow: number, offset?: number, length?: number): Promise<void>;
  /** Unloads libfuse; may be called again. */
  close(): void;
}

function nodeId(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}

class LibraryNotifier extends LibraryUser<typeof notifierSymbols> implements Notifier {
  readonly #session: bigint;

  constructor(session: bigint, library: NotifierLibrary) {
    super(library, "notify the kernel: the notifier");
    this.#session = session;
  }

  async invalidateEntry(parentHigh: number, parentLow: number, name: Uint8Array): Promise<void> {
    // A copy: the thread that reads it must not see changes by the caller.
    const text = new Uint8Array(name.length + 1);
    text.set(name);
    const parent = nodeId(parentHigh, parentLow);
    const result = await this.library.symbols.fuse_lowlevel_notify_inval_entry(
      this.#session,
      parent,
      text,
      BigInt(name.length),
    );
    assertNotified(result, `name "${new TextDecoder().decode(name)}" of node ${parent}`);
  }

  async invalidateInode(nodeHigh: number, nodeLow: number, offset = 0, length = 0): Promise<void> {
    const node = nodeId(nodeHigh, nodeLow);
    const result = await this.library.symbols.fuse_lowlevel_notify_inval_inode(
      this.#session,
      node,
      BigInt(offset),
      BigInt(length),
    );
    assertNotified(result, `node ${node}`);
  }
}

function assertNotified(result: number, subject: string): void {
  // ENOENT: the kernel has nothing cached.
  if (result === 0 || result === -Errno.ENOENT) return;
  throw new FuseProtocolError(`Cannot invalidate ${subject}: the kernel answers ${errnoName(-result)}`, -result);
}

/**
 * Opens a notifier for the session whose {@linkcode FuseSession.address} this is, in any thread of its process.
 * Needs `--allow-ffi`.
 *
 * @throws {FuseLibraryError} If libfuse is not installed or incomplete.
 * @throws {FuseUnsupportedError} If machine or version are not supported.
 */
export function openNotifier(sessionAddress: bigint): Notifier {
  return new LibraryNotifier(sessionAddress, openNotifierLibrary());
}
