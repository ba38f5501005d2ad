/**
 * The listing of a directory in the kernel's layout, filled entry by entry.
 * @module
 */
import {
  DIRENT_BYTES,
  encodeDirent,
  encodeEntryOut,
  ENTRY_OUT_BYTES,
  NAME_BYTES_MAX,
  type NodeAttributes,
} from "./kernel_abi.ts";

/**
 * A reusable buffer that a `readdir` or `readdirplus` handler fills. Adding returns `false` once an entry does not fit:
 * stop, reply, and continue from that entry when the kernel asks for the rest.
 *
 * @example
 * ```ts
 * import { assert, assertEquals } from "@std/assert";
 * import { DirectoryBuffer, NodeAttributes, S_IFREG } from "deno-fuse-ffi";
 *
 * const attributes = new NodeAttributes();
 * attributes.setNode(0, 2);
 * attributes.mode = S_IFREG | 0o444;
 * const buffer = new DirectoryBuffer();
 * buffer.reset(4096);
 * assert(buffer.add(new TextEncoder().encode("hello.txt"), 1, attributes));
 * assertEquals(buffer.bytes.length, 24 + 16);
 * ```
 */
export class DirectoryBuffer {
  #bytes: Uint8Array<ArrayBuffer>;
  #words: Uint32Array<ArrayBuffer>;
  #limit: number;
  #length = 0;

  /**
   * Makes an empty buffer.
   *
   * @param capacity Bytes to begin with; {@linkcode reset} grows it if necessary.
   */
  constructor(capacity = 32 * 1024) {
    const buffer = new ArrayBuffer((capacity + 7) & ~7);
    this.#bytes = new Uint8Array(buffer);
    this.#words = new Uint32Array(buffer);
    this.#limit = capacity;
  }

  /** Empties the buffer; from now on it takes `limit` bytes, which is the size the kernel requested. */
  reset(limit: number): void {
    if (limit > this.#bytes.length) {
      const buffer = new ArrayBuffer((limit + 7) & ~7);
      this.#bytes = new Uint8Array(buffer);
      this.#words = new Uint32Array(buffer);
    }
    this.#limit = limit;
    this.#length = 0;
  }

  /**
   * Adds an entry without attributes, for `readdir`: only the node id and the type in the mode are used.
   *
   * @param name Bytes of the name; `nameStart` and `nameEnd` select a range.
   * @param nextOffset Offset at which the listing continues after this entry; the kernel passes it back as `offset`.
   * Not 0.
   * @param attributes The node.
   * @param nameStart First byte of the name.
   * @param nameEnd Byte after the last of the name.
   * @returns Whether it fitted.
   * @throws {RangeError} If the name is empty or longer than 1024 bytes.
   */
  add(
    name: Uint8Array,
    nextOffset: number,
    attributes: NodeAttributes,
    nameStart = 0,
    nameEnd: number = name.length,
  ): boolean {
    return this.#append(0, name, nextOffset, attributes, nameStart, nameEnd);
  }

  /**
   * Adds an entry with its attributes, for `readdirplus`. The kernel counts it as a lookup, except `.` and `..`.
   * Parameters, result and errors are as for {@linkcode add}.
   */
  addWithAttributes(
    name: Uint8Array,
    nextOffset: number,
    attributes: NodeAttributes,
    nameStart = 0,
    nameEnd: number = name.length,
  ): boolean {
    return this.#append(ENTRY_OUT_BYTES, name, nextOffset, attributes, nameStart, nameEnd);
  }

  /**
   * Adds an entry without its attributes to a `readdirplus` listing: the kernel looks the name up when a program
   * requests it. Parameters, result and errors are as for {@linkcode add}.
   */
  addWithoutAttributes(
    name: Uint8Array,
    nextOffset: number,
    attributes: NodeAttributes,
    nameStart = 0,
    nameEnd: number = name.length,
  ): boolean {
    const start = this.#length / 4;
    if (!this.#append(ENTRY_OUT_BYTES, name, nextOffset, attributes, nameStart, nameEnd)) return false;
    // Node 0 means that attributes are not given.
    this.#words.fill(0, start, start + ENTRY_OUT_BYTES / 4);
    return true;
  }

  /** A view of the added entries, valid until the next {@linkcode reset}. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Bytes used so far. */
  get length(): number {
    return this.#length;
  }

  /** The whole underlying buffer; its first {@linkcode length} bytes are filled. */
  get storage(): Uint8Array<ArrayBuffer> {
    return this.#bytes;
  }

  #append(
    attributeBytes: number,
    name: Uint8Array,
    nextOffset: number,
    attributes: NodeAttributes,
    nameStart: number,
    nameEnd: number,
  ): boolean {
    const nameLength = nameEnd - nameStart;
    if (!(nameLength > 0 && nameLength <= NAME_BYTES_MAX && nameStart >= 0 && nameEnd <= name.length)) {
      throw new RangeError(
        `Cannot list a name of ${nameLength} bytes: the kernel takes 1 to ${NAME_BYTES_MAX} bytes, within the array`,
      );
    }
    const entryBytes = attributeBytes + DIRENT_BYTES + ((nameLength + 7) & ~7);
    const offset = this.#length;
    if (offset + entryBytes > this.#limit) return false;
    if (attributeBytes > 0) encodeEntryOut(this.#words, offset / 4, attributes);
    encodeDirent(
      this.#bytes,
      this.#words,
      offset + attributeBytes,
      attributes,
      nextOffset,
      name,
      nameStart,
      nameEnd,
    );
    this.#length = offset + entryBytes;
    return true;
  }
}
