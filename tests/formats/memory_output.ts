/**
 * Memory that an archive is extracted to.
 * @module
 */
import type { SpoolOutput } from "../../formats/unpacking/unpack.ts";

/** Contents in memory, which grows. */
export class MemoryOutput implements SpoolOutput {
  #bytes = new Uint8Array(0);
  #size = 0;

  write(bytes: Uint8Array, offset: number): void {
    const end = offset + bytes.length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(end * 2);
      larger.set(this.#bytes.subarray(0, this.#size));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, offset);
    this.#size = Math.max(this.#size, end);
  }

  truncate(offset: number): void {
    this.#bytes.fill(0, offset);
    this.#size = Math.min(this.#size, offset);
  }

  /** Returns some of the bytes; bytes never written are zero. */
  bytes(offset: number, size: number): Uint8Array {
    const bytes = new Uint8Array(size);
    bytes.set(this.#bytes.subarray(offset, offset + size));
    return bytes;
  }
}
