/**
 * Bindings of libdeflate, if installed: inflates into given memory, about twice as fast as zlib. Functions and results
 * as in libdeflate.h 1.14.
 * @module
 */
import type { Method } from "../../formats/parts.ts";

const symbols = {
  libdeflate_alloc_decompressor: { parameters: [], result: "pointer" },
  libdeflate_free_decompressor: {
    parameters: ["pointer"], // struct libdeflate_decompressor *
    result: "void",
  },
  libdeflate_deflate_decompress: {
    parameters: [
      "pointer", // struct libdeflate_decompressor *
      "buffer", // const void *in
      "usize", // size_t in_nbytes
      "buffer", // void *out
      "usize", // size_t out_nbytes_avail
      "pointer", // size_t *actual_out_nbytes_ret: null, so that only exactly out_nbytes_avail is success
    ],
    result: "i32",
  },
  deflate_elsewhere: {
    name: "libdeflate_deflate_decompress",
    parameters: ["pointer", "pointer", "usize", "pointer", "usize", "pointer"],
    result: "i32",
    nonblocking: true,
  },
  zlib_elsewhere: {
    name: "libdeflate_zlib_decompress",
    parameters: ["pointer", "pointer", "usize", "pointer", "usize", "pointer"],
    result: "i32",
    nonblocking: true,
  },
  libdeflate_zlib_decompress: {
    parameters: [
      "pointer", // struct libdeflate_decompressor *
      "buffer", // const void *in
      "usize", // size_t in_nbytes
      "buffer", // void *out
      "usize", // size_t out_nbytes_avail
      "pointer", // size_t *actual_out_nbytes_ret
    ],
    result: "i32",
  },
  libdeflate_crc32: {
    parameters: [
      "u32", // uint32_t crc
      "buffer", // const void *buffer
      "usize", // size_t len
    ],
    result: "u32",
  },
} as const satisfies Deno.ForeignLibraryInterface;

const success = 0;

/** The methods that libdeflate decompresses: on this thread, and on another one. */
const decompressors = {
  deflate: { here: "libdeflate_deflate_decompress", elsewhere: "deflate_elsewhere" },
  zlib: { here: "libdeflate_zlib_decompress", elsewhere: "zlib_elsewhere" },
} as const;

/** A method that libdeflate decompresses. */
type KnownMethod = keyof typeof decompressors & Method;

/** A decompressor of libdeflate, for one thread. */
export class Libdeflate implements Disposable {
  readonly #library: Deno.DynamicLibrary<typeof symbols>;
  readonly #decompressor: Deno.PointerValue;

  private constructor(library: Deno.DynamicLibrary<typeof symbols>, decompressor: Deno.PointerValue) {
    this.#library = library;
    this.#decompressor = decompressor;
  }

  /** Loads libdeflate, or returns undefined if it is not installed. */
  static open(): Libdeflate | undefined {
    let library: Deno.DynamicLibrary<typeof symbols>;
    try {
      library = Deno.dlopen("libdeflate.so.0", symbols);
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) throw error;
      return undefined;
    }
    const decompressor = library.symbols.libdeflate_alloc_decompressor();
    if (decompressor !== null) return new Libdeflate(library, decompressor);
    library.close();
    return undefined;
  }

  /** Returns whether libdeflate supports a method. */
  knows(method: Method): method is KnownMethod {
    return method in decompressors;
  }

  /**
   * Decompresses data of a supported method into all of `output`; false if they are damaged or do not fill it exactly.
   */
  decompress(method: Method, compressed: Uint8Array, output: Uint8Array): boolean {
    if (!this.knows(method)) return false;
    return this.#library.symbols[decompressors[method].here](
      this.#decompressor,
      unshared(compressed),
      BigInt(compressed.length),
      unshared(output),
      BigInt(output.length),
      null,
    ) === success;
  }

  /**
   * Decompresses likewise on a thread of Deno. Both memories, and this object, must not be freed until it is done.
   * Meanwhile this object may decompress here, as the other thread has its own decompressor: two calls with the same
   * one would write past the output.
   */
  async decompressElsewhere(
    method: KnownMethod,
    compressed: Uint8Array<ArrayBuffer>,
    output: Uint8Array<ArrayBuffer>,
  ): Promise<boolean> {
    const { symbols } = this.#library;
    const decompressor = symbols.libdeflate_alloc_decompressor();
    if (decompressor === null) return false;
    try {
      return await symbols[decompressors[method].elsewhere](
        decompressor,
        Deno.UnsafePointer.of(compressed),
        BigInt(compressed.length),
        Deno.UnsafePointer.of(output),
        BigInt(output.length),
        null,
      ) === success;
    } finally {
      symbols.libdeflate_free_decompressor(decompressor);
    }
  }

  /** Returns the CRC-32 of `bytes`, continued from `previous`. */
  crc32(bytes: Uint8Array, previous = 0): number {
    return this.#library.symbols.libdeflate_crc32(previous, unshared(bytes), BigInt(bytes.length));
  }

  /** Frees the decompressor and unloads the library. */
  [Symbol.dispose](): void {
    this.#library.symbols.libdeflate_free_decompressor(this.#decompressor);
    this.#library.close();
  }
}

/** Changes only the type: FFI accepts views of shared memory. */
function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}
