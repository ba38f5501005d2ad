/**
 * Stores a node's data in the kernel's page cache before it is requested.
 * @module
 */
import { Errno, errnoName } from "./raw/errno.ts";
import { FuseProtocolError } from "./raw/errors.ts";
import { LibraryUser, openPageStoreLibrary, type PageStoreLibrary } from "./raw/library.ts";
import type { pageStoreSymbols } from "./raw/symbols.ts";
import { MemoryVector } from "./raw/data_vectors.ts";

/**
 * Fills the kernel's page cache of a mounted session: reads of stored data cost no request.
 *
 * A call waits for pages that are being read at the moment, and so for the filesystem's reply: never call it on the
 * session's own thread, nor on a thread that the session waits for. The session may be destroyed only when no call is
 * in progress.
 */
export interface PageStore extends Disposable {
  /**
   * Stores bytes of a node, which the kernel caches as if it had read them. Incomplete pages are ignored, except the
   * last page of a file.
   * @param nodeHigh Upper 32 bits of the node id.
   * @param nodeLow Lower 32 bits of the node id.
   * @param offset Bytes from the beginning of the node's data.
   * @param bytes Copied before this returns.
   * @returns False if the kernel does not know the node, or has forgotten it: nothing is stored.
   * @throws {FuseProtocolError} If the kernel refuses.
   */
  store(nodeHigh: number, nodeLow: number, offset: number, bytes: Uint8Array<ArrayBuffer>): boolean;
  /** Unloads libfuse; may be called again. */
  close(): void;
}

class LibraryPageStore extends LibraryUser<typeof pageStoreSymbols> implements PageStore {
  readonly #session: bigint;
  readonly #vector = new MemoryVector();

  constructor(session: bigint, library: PageStoreLibrary) {
    super(library, "store data: the page store");
    this.#session = session;
  }

  store(nodeHigh: number, nodeLow: number, offset: number, bytes: Uint8Array<ArrayBuffer>): boolean {
    const node = (BigInt(nodeHigh) << 32n) | BigInt(nodeLow);
    const result = this.library.symbols.fuse_lowlevel_notify_store(
      this.#session,
      node,
      BigInt(offset),
      this.#vector.set(bytes),
      0,
    );
    if (result === 0) return true;
    if (result === -Errno.ENOENT) return false;
    throw new FuseProtocolError(`Cannot store data of node ${node}: the kernel answers ${errnoName(-result)}`, -result);
  }
}

/**
 * Opens a page store for the session whose {@linkcode FuseSession.address} this is, in any thread of its process.
 * Needs `--allow-ffi`.
 *
 * @throws {FuseLibraryError} If libfuse is not installed or incomplete.
 * @throws {FuseUnsupportedError} If machine or version are not supported.
 */
export function openPageStore(sessionAddress: bigint): PageStore {
  return new LibraryPageStore(sessionAddress, openPageStoreLibrary());
}
