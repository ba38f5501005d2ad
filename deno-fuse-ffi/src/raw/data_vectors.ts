/**
 * The `struct fuse_bufvec` with which data is sent, from an open file or from memory.
 * @module
 */

const FUSE_BUF_IS_FD = 1 << 1;
const FUSE_BUF_FD_SEEK = 1 << 2;

/**
 * A `struct fuse_bufvec` of one buffer, used again for every reply. 72 zeroed bytes serve both layouts: `struct
 * fuse_buf` has 40 bytes up to libfuse 3.16 and 48 from 3.17, where `mem_size` follows and stays 0.
 *
 * Offsets: count 0, index 8, offset 16, then the buffer: size 24, flags 32, mem 40, fd 48, position 56.
 */
export class FileDescriptorVector {
  readonly #bytes = new Uint8Array(72);
  readonly #view = new DataView(this.#bytes.buffer);

  constructor() {
    this.#view.setUint32(0, 1, true);
    this.#view.setInt32(32, FUSE_BUF_IS_FD | FUSE_BUF_FD_SEEK, true);
  }

  /**
   * Points the vector at part of a file.
   * @returns The structure, valid until the next call.
   * @throws {RangeError} If descriptor, position or size is negative or no safe integer.
   */
  set(fileDescriptor: number, position: number, size: number): Uint8Array<ArrayBuffer> {
    if (
      !(Number.isInteger(fileDescriptor) && fileDescriptor >= 0 && Number.isSafeInteger(position) && position >= 0 &&
        Number.isInteger(size) && size >= 0 && size <= 0xffff_ffff)
    ) {
      throw new RangeError(`Cannot send ${size} bytes at ${position} of file descriptor ${fileDescriptor}`);
    }
    const view = this.#view;
    // libfuse advances index and offset while it copies.
    view.setUint32(8, 0, true);
    view.setUint32(16, 0, true);
    view.setUint32(24, size, true);
    view.setInt32(48, fileDescriptor, true);
    view.setUint32(56, position % 0x1_0000_0000, true);
    view.setUint32(60, Math.floor(position / 0x1_0000_0000), true);
    return this.#bytes;
  }
}

/**
 * A `struct fuse_bufvec` of one buffer, used again for every call; see {@linkcode FileDescriptorVector} for the layout.
 */
export class MemoryVector {
  readonly #bytes = new Uint8Array(72);
  readonly #view = new DataView(this.#bytes.buffer);

  constructor() {
    this.#view.setUint32(0, 1, true);
  }

  /**
   * Points the vector at bytes, which must stay where they are while it is used.
   * @returns The structure, valid until the next call.
   */
  set(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const view = this.#view;
    // libfuse advances index and offset while it copies.
    view.setUint32(8, 0, true);
    view.setUint32(16, 0, true);
    view.setBigUint64(24, BigInt(bytes.length), true);
    view.setBigUint64(40, Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes)), true);
    return this.#bytes;
  }
}
