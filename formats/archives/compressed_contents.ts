/**
 * Compressed contents for formats whose header or table comes before the data and holds compressed sizes: each content
 * is compressed once to learn its size, and again for writing if it did not fit into memory.
 *
 * Contents over 8 MiB are compressed and written in chunks.
 * @module
 */
import { stream, zlib } from "../core/builtins.ts";
import { elementAt } from "../core/cursor.ts";
import { UnwritableError } from "../core/errors.ts";
import type { WriteEntry, WriteOptions } from "../core/format.ts";
import type { ArchiveRoom } from "./write_limits.ts";
import { contentPieces, isLarge, type LargeEntry, wholeContent } from "./written_content.ts";

/** Maximum compressed bytes kept between the two passes. */
const maxKept = 64 * 1024 * 1024;

/** Compression of contents. It must be deterministic. */
export interface Compressor {
  /** Compresses a content. */
  readonly whole: (content: Uint8Array) => Uint8Array;
  /** Compresses a content that arrives in chunks. */
  readonly pieces: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  /** Whether contents that do not shrink are stored. */
  readonly onlyIfSmaller?: boolean;
}

/** Stores contents uncompressed. */
export const storeCompressor: Compressor = { whole: (content) => content, pieces: (content) => content };

/** Number of compressed bytes yielded at a time. */
const compressedPiece = 256 * 1024;

async function* zlibPieces(pieces: AsyncIterable<Uint8Array>, level: number): AsyncGenerator<Uint8Array> {
  const deflater = zlib().createDeflate({ level, chunkSize: compressedPiece });
  const input = stream().Readable.from(pieces);
  // The callback is required; the loop below throws the error.
  stream().pipeline(input, deflater, () => {});
  try {
    for await (const piece of deflater) yield new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
  } finally {
    input.destroy();
    deflater.destroy();
  }
}

/** Z_DEFAULT_COMPRESSION */
const defaultLevel = -1;

/** Makes zlib data with a compression level; default: zlib's default. */
export function zlibCompressor(
  { level = defaultLevel, onlyIfSmaller = false }: { level?: number; onlyIfSmaller?: boolean } = {},
): Compressor {
  return {
    whole: (content) => zlib().deflateSync(content, { level }),
    pieces: (content) => zlibPieces(content, level),
    onlyIfSmaller,
  };
}

function compressWhole({ whole, onlyIfSmaller }: Compressor, content: Uint8Array): Uint8Array {
  const compressed = whole(content);
  return onlyIfSmaller && compressed.length >= content.length ? content : compressed;
}

/** Sizes of a compressed content, in bytes. */
export interface CompressedSizes {
  /** Size of the content. */
  readonly size: number;
  /** Number of bytes written; equal to `size` if compression gains nothing. */
  readonly packedSize: number;
}

/** Compressed contents of the entries of one archive. */
export class CompressedContents {
  /** Sizes in the order of the entries. */
  readonly sizes: readonly CompressedSizes[];
  readonly #entries: readonly WriteEntry[];
  readonly #options: WriteOptions;
  readonly #compressor: Compressor;
  readonly #kept: Map<number, Uint8Array>;

  private constructor(
    parts: { entries: readonly WriteEntry[]; options: WriteOptions; compressor: Compressor },
    sizes: readonly CompressedSizes[],
    kept: Map<number, Uint8Array>,
  ) {
    this.sizes = sizes;
    this.#entries = parts.entries;
    this.#options = parts.options;
    this.#compressor = parts.compressor;
    this.#kept = kept;
  }

  /**
   * Compresses every content once.
   * @param room Available bytes in the archive, reduced by each content.
   * @throws {UnwritableError} if a content does not fit; the following contents are not compressed then.
   */
  static async prepare(
    entries: readonly WriteEntry[],
    options: WriteOptions,
    room: ArchiveRoom,
    compressor: Compressor,
  ): Promise<CompressedContents> {
    const sizes: CompressedSizes[] = [];
    const kept = new Map<number, Uint8Array>();
    let keptBytes = 0;
    for (const [index, entry] of entries.entries()) {
      options.signal?.throwIfAborted();
      if (isLarge(entry)) {
        // deno-lint-ignore no-await-in-loop -- one content at a time
        const found = await sizesOf(entry, options, compressor);
        room.take(entry, found.size, found.packedSize);
        sizes.push(found);
        continue;
      }
      // deno-lint-ignore no-await-in-loop -- one content in memory at a time
      const content = await wholeContent(entry, options);
      const compressed = compressWhole(compressor, content);
      room.take(entry, content.length, compressed.length);
      sizes.push({ size: content.length, packedSize: compressed.length });
      if (keptBytes + compressed.length > maxKept) continue;
      kept.set(index, compressed);
      keptBytes += compressed.length;
    }
    return new CompressedContents({ entries, options, compressor }, sizes, kept);
  }

  /**
   * Yields the compressed contents one after another.
   * @throws {UnwritableError} if a content has changed since {@linkcode CompressedContents.prepare}.
   */
  async *bytes(): AsyncGenerator<Uint8Array> {
    const { signal, onProgress } = this.#options;
    for (const [index, entry] of this.#entries.entries()) {
      signal?.throwIfAborted();
      const kept = this.#kept.get(index);
      if (kept === undefined) yield* this.#compressAgain(index, entry);
      else if (kept.length > 0) yield kept;
      this.#kept.delete(index);
      onProgress?.(index + 1, this.#entries.length);
    }
  }

  async *#compressAgain(index: number, entry: WriteEntry): AsyncGenerator<Uint8Array> {
    const { size, packedSize } = elementAt(this.sizes, index);
    let actual = 0;
    for await (const piece of this.#pieces(entry, packedSize < size)) {
      actual += piece.length;
      if (actual > packedSize) break;
      yield piece;
    }
    if (actual === packedSize) return;
    throw new UnwritableError(`${entry.path} changed while the archive was written`, {
      path: this.#options.path,
      member: entry.path,
      expected: packedSize,
      actual,
    });
  }

  async *#pieces(entry: WriteEntry, isSmaller: boolean): AsyncGenerator<Uint8Array> {
    if (isLarge(entry)) {
      const content = contentPieces(entry, this.#options);
      yield* this.#compressor.onlyIfSmaller && !isSmaller ? content : this.#compressor.pieces(content);
    } else {
      yield compressWhole(this.#compressor, await wholeContent(entry, this.#options));
    }
  }
}

async function sizesOf(entry: LargeEntry, options: WriteOptions, compressor: Compressor): Promise<CompressedSizes> {
  let packedSize = 0;
  for await (const piece of compressor.pieces(contentPieces(entry, options))) packedSize += piece.length;
  return { size: entry.size, packedSize: compressor.onlyIfSmaller ? Math.min(packedSize, entry.size) : packedSize };
}
