/**
 * The message that libfuse received last, read in place: a request's node, names and arguments cost no copy, no bigint
 * and no further call. Layouts follow linux/fuse.h.
 * @module
 */
import { getUint64, IN_HEADER_BYTES, NAME_BYTES_MAX, wordAt } from "./kernel_abi.ts";

const FUSE_BUF_BYTES = 48;
const FUSE_BUF_MEMORY_WORD = 4;
const ARGUMENTS_WORD = IN_HEADER_BYTES / 4;

/** `struct fuse_buf` and the memory it points to, which libfuse allocates at the first receive. */
export class ReceivedMessage {
  /** `struct fuse_buf`: 40 bytes up to libfuse 3.16, 48 later, all zero at first. */
  readonly fuseBuffer: Uint8Array<ArrayBuffer> = new Uint8Array(FUSE_BUF_BYTES);
  readonly #fuseBufferWords = new Uint32Array(this.fuseBuffer.buffer);
  #memoryLow = 0;
  #memoryHigh = 0;
  #words = new Uint32Array(0);
  #bytes = new Uint8Array(0);
  /** Views of the first bytes of a name, by offset (in words) and length: created once and reused. */
  #names: Uint8Array[][] = [];

  /** Address of the memory that libfuse has allocated, or `null`: to be freed with the C library's `free`. */
  get memory(): Deno.PointerValue {
    const words = this.#fuseBufferWords;
    const high = BigInt(wordAt(words, FUSE_BUF_MEMORY_WORD + 1));
    return Deno.UnsafePointer.create(high << 32n | BigInt(wordAt(words, FUSE_BUF_MEMORY_WORD)));
  }

  /** Makes the first `length` bytes of the received message readable. */
  refresh(length: number): void {
    const low = wordAt(this.#fuseBufferWords, FUSE_BUF_MEMORY_WORD);
    const high = wordAt(this.#fuseBufferWords, FUSE_BUF_MEMORY_WORD + 1);
    if (low === this.#memoryLow && high === this.#memoryHigh && length <= this.#bytes.length) return;
    const memory = this.memory;
    if (memory === null) return;
    // At most the received length: libfuse does not report the size of its buffer.
    const visible = Math.max((length + 3) & ~3, low === this.#memoryLow ? this.#bytes.length : 0);
    this.#release();
    this.#memoryLow = low;
    this.#memoryHigh = high;
    const buffer = Deno.UnsafePointerView.getArrayBuffer(memory, visible);
    this.#words = new Uint32Array(buffer);
    this.#bytes = new Uint8Array(buffer);
  }

  /** Empties all views, including those that a handler has kept, before the memory is freed. */
  forget(): void {
    this.#release();
    this.#memoryLow = this.#memoryHigh = 0;
    this.fuseBuffer.fill(0);
  }

  /** Operation number. */
  get opcode(): number {
    return wordAt(this.#words, 1);
  }

  /** Number of the request, which the kernel uses to interrupt it. */
  get unique(): bigint {
    return this.#unsigned(2);
  }

  /** Number of the request that an INTERRUPT message refers to: its only argument. */
  get interrupted(): bigint {
    return this.#unsigned(ARGUMENTS_WORD);
  }

  /** Lower half of the node id. */
  get nodeLow(): number {
    return wordAt(this.#words, 4);
  }

  /** Upper half of the node id. */
  get nodeHigh(): number {
    return wordAt(this.#words, 5);
  }

  /** User id of the caller. */
  get userId(): number {
    return wordAt(this.#words, 6);
  }

  /** Group id of the caller. */
  get groupId(): number {
    return wordAt(this.#words, 7);
  }

  /** Process id of the caller. */
  get processId(): number {
    return wordAt(this.#words, 8);
  }

  /** Returns the 32-bit argument at word `index` after the header. */
  argument(index: number): number {
    return wordAt(this.#words, ARGUMENTS_WORD + index);
  }

  /** Returns the 64-bit argument at word `index` after the header. */
  longArgument(index: number): number {
    return getUint64(this.#words, ARGUMENTS_WORD + index);
  }

  /** Returns the name that begins at word `index` after the header and ends the message with a zero byte. */
  name(index: number): Uint8Array {
    const start = IN_HEADER_BYTES + index * 4;
    // The lower half of word 9 counts, in units of 8 bytes, extensions that follow the arguments.
    let end = wordAt(this.#words, 0) - (wordAt(this.#words, 9) & 0xffff) * 8 - 1;
    if (this.#bytes[end] !== 0) end = this.#bytes.indexOf(0, start);
    const length = end - start;
    if (length < 0 || length > NAME_BYTES_MAX) return this.#bytes.subarray(start, Math.max(start, end));
    const views = this.#names[index] ??= [];
    return views[length] ??= this.#bytes.subarray(start, end);
  }

  #unsigned(word: number): bigint {
    return BigInt(wordAt(this.#words, word + 1)) << 32n | BigInt(wordAt(this.#words, word));
  }

  #release(): void {
    // Moving an ArrayBuffer detaches it: a kept view is empty afterwards, instead of showing freed memory.
    if (this.#bytes.length > 0) this.#bytes.buffer.transfer(0);
    this.#words = new Uint32Array(0);
    this.#bytes = new Uint8Array(0);
    this.#names = [];
  }
}
