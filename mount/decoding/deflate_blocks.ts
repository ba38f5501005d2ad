/**
 * Bindings of zlib, if installed: finds the blocks of deflated data. Functions and structure as in zlib.h 1.2.13.
 * @module
 */

const symbols = {
  inflateInit2_: {
    parameters: [
      "buffer", // z_streamp strm
      "i32", // int windowBits: negative for raw data
      "buffer", // const char *version
      "i32", // int stream_size
    ],
    result: "i32",
  },
  inflate: {
    parameters: [
      "buffer", // z_streamp strm
      "i32", // int flush
    ],
    result: "i32",
  },
  inflateEnd: {
    parameters: ["buffer"], // z_streamp strm
    result: "i32",
  },
} as const satisfies Deno.ForeignLibraryInterface;

const streamBytes = 112;
/** Words of `z_stream`; pointers and counts of 64 bits have two. */
const word = {
  nextIn: 0,
  availableIn: 2,
  totalIn: 4,
  nextOut: 6,
  availableOut: 8,
  totalOut: 10,
  dataType: 22,
} as const;
const rawWindowBits = -15;
/** `Z_BLOCK`: return at the end of each block. */
const untilBlock = 5;
const ok = 0;
const streamEnd = 1;
/** Bits of `data_type`: bits of the last byte that were not used; in the last block; between blocks. */
const unusedBits = 0x7;
const inLastBlock = 0x40;
const betweenBlocks = 0x80;

const inputBytes = 128 * 1024;
const outputBytes = 256 * 1024;
const version = new TextEncoder().encode("1\0");

/** Position of decompression: between two blocks, at the end of the data, or elsewhere. */
export type DeflatePosition = "between" | "end" | "inside";

/** Decompresses raw deflate data only to find the beginnings of blocks. */
export class DeflateBlocks implements Disposable {
  readonly #library: Deno.DynamicLibrary<typeof symbols>;
  readonly #read: (target: Uint8Array, offset: number) => number;
  /** `struct z_stream`, which zlib identifies by its address. */
  readonly #stream = new Uint8Array(new ArrayBuffer(streamBytes));
  readonly #words = new Uint32Array(this.#stream.buffer);
  readonly #addresses = new BigUint64Array(this.#stream.buffer);
  readonly #input = new Uint8Array(inputBytes);
  readonly #output = new Uint8Array(outputBytes);
  #readBytes = 0;

  private constructor(
    library: Deno.DynamicLibrary<typeof symbols>,
    read: (target: Uint8Array, offset: number) => number,
  ) {
    this.#library = library;
    this.#read = read;
  }

  /**
   * Loads zlib, or returns undefined if it is not installed.
   * @param read Fills an array with compressed bytes from an offset; returns their number.
   */
  static open(read: (target: Uint8Array, offset: number) => number): DeflateBlocks | undefined {
    let library: Deno.DynamicLibrary<typeof symbols>;
    try {
      library = Deno.dlopen("libz.so.1", symbols);
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) throw error;
      return undefined;
    }
    const blocks = new DeflateBlocks(library, read);
    if (library.symbols.inflateInit2_(blocks.#stream, rawWindowBits, version, streamBytes) === ok) return blocks;
    library.close();
    return undefined;
  }

  /** Bits of the data before the position. */
  get bits(): number {
    return this.#count(word.totalIn) * 8 - (this.#word(word.dataType) & unusedBits);
  }

  /** Bytes decompressed before the position. */
  get bytes(): number {
    return this.#count(word.totalOut);
  }

  /**
   * Decompresses another block, or a part of one.
   * @throws {Error} if the data are damaged or end too early.
   */
  advance(): DeflatePosition {
    if (this.#word(word.availableIn) === 0) this.#fill();
    this.#addresses[word.nextOut / 2] = addressOf(this.#output);
    this.#words[word.availableOut] = outputBytes;
    const code = this.#library.symbols.inflate(this.#stream, untilBlock);
    if (code === streamEnd) return "end";
    if (code !== ok) throw new Error(`Cannot find the blocks of deflated data: zlib says ${code}`);
    return (this.#word(word.dataType) & (betweenBlocks | inLastBlock)) === betweenBlocks ? "between" : "inside";
  }

  /** Frees what zlib has allocated, and unloads it. */
  [Symbol.dispose](): void {
    this.#library.symbols.inflateEnd(this.#stream);
    this.#library.close();
  }

  #fill(): void {
    // At the end zlib already has the last bits; it reports if it needs more.
    const count = Math.max(0, this.#read(this.#input, this.#readBytes));
    this.#readBytes += count;
    this.#addresses[word.nextIn / 2] = addressOf(this.#input);
    this.#words[word.availableIn] = count;
  }

  #word(index: number): number {
    return this.#words[index] ?? 0;
  }

  #count(index: number): number {
    return this.#word(index) + this.#word(index + 1) * 2 ** 32;
  }
}

function addressOf(bytes: Uint8Array<ArrayBuffer>): bigint {
  return Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes));
}
