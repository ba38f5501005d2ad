/**
 * The one `struct fuse_bufvec` with which data is sent from memory.
 * @module
 */

/**
 * A `struct fuse_bufvec` of one buffer, used again for every call; laid out as {@linkcode FileDescriptorVector} says.
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
