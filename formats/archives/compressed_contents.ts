/**
 * Contents packed for formats whose header or table names compressed sizes and stands in front of the data: everything is
 * packed once to learn the sizes, and what does not fit into memory once more to be written. Large contents are packed
 * piece by piece, both times.
 * @module
 */
import { deflateSync } from "node:zlib";
import { UnwritableError } from "../core/errors.ts";
import type { WriteEntry, WriteOptions } from "../core/format.ts";
import { contentPieces, deflatedPieces, isLarge, type LargeEntry, wholeContent } from "./written_content.ts";

/** Most compressed bytes that are kept between the two passes. */
const maxKept = 64 * 1024 * 1024;

/** How contents are packed. Same content, same result. */
export interface Packer {
  /** Packs a content. */
  readonly whole: (content: Uint8Array) => Uint8Array;
  /** Packs a content that comes in pieces. */
  readonly pieces: (content: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  /** Whether contents that do not become smaller are written as they are. */
  readonly onlyIfSmaller?: boolean;
}

/** Contents as they are. */
export const storePacker: Packer = { whole: (content) => content, pieces: (content) => content };

/** Contents as zlib data of a level; default: zlib's own. */
export function zlibPacker(options: { level?: number; onlyIfSmaller?: boolean } = {}): Packer {
  const { level, onlyIfSmaller = false } = options;
  return {
    whole: (content) => deflateSync(content, level === undefined ? {} : { level }),
    pieces: (content) => deflatedPieces(content, { wrapper: "zlib", ...(level !== undefined && { level }) }),
    onlyIfSmaller,
  };
}

function packWhole({ whole, onlyIfSmaller }: Packer, content: Uint8Array): Uint8Array {
  const compressed = whole(content);
  return onlyIfSmaller && compressed.length >= content.length ? content : compressed;
}

/** What is known of a compressed content. Sizes in bytes. */
export interface CompressedSizes {
  /** Size of the content. */
  readonly size: number;
  /** Size of what is written of it; equal to `size` where nothing is gained. */
  readonly packedSize: number;
}

/** The compressed contents of the entries of one archive. */
export class CompressedContents {
  /** Sizes in the order of the entries. */
  readonly sizes: readonly CompressedSizes[];
  readonly #entries: readonly WriteEntry[];
  readonly #options: WriteOptions;
  readonly #packer: Packer;
  readonly #kept: Map<number, Uint8Array>;

  private constructor(
    parts: { entries: readonly WriteEntry[]; options: WriteOptions; packer: Packer },
    sizes: readonly CompressedSizes[],
    kept: Map<number, Uint8Array>,
  ) {
    this.sizes = sizes;
    this.#entries = parts.entries;
    this.#options = parts.options;
    this.#packer = parts.packer;
    this.#kept = kept;
  }

  /** Packs every content once. */
  static async prepare(
    entries: readonly WriteEntry[],
    options: WriteOptions,
    packer: Packer,
  ): Promise<CompressedContents> {
    const sizes: CompressedSizes[] = [];
    const kept = new Map<number, Uint8Array>();
    let keptBytes = 0;
    for (const [index, entry] of entries.entries()) {
      options.signal?.throwIfAborted();
      if (isLarge(entry)) {
        // deno-lint-ignore no-await-in-loop -- one content at a time
        sizes.push(await sizesOf(entry, options, packer));
        continue;
      }
      // deno-lint-ignore no-await-in-loop -- one content in memory at a time
      const content = await wholeContent(entry, options);
      const compressed = packWhole(packer, content);
      sizes.push({ size: content.length, packedSize: compressed.length });
      if (keptBytes + compressed.length > maxKept) continue;
      kept.set(index, compressed);
      keptBytes += compressed.length;
    }
    return new CompressedContents({ entries, options, packer }, sizes, kept);
  }

  /**
   * Everything that is to be written of the contents, one after another.
   * @throws {UnwritableError} if a content has changed since {@linkcode CompressedContents.prepare}.
   */
  async *bytes(): AsyncGenerator<Uint8Array> {
    const { signal, onProgress } = this.#options;
    for (const [index, entry] of this.#entries.entries()) {
      signal?.throwIfAborted();
      const kept = this.#kept.get(index);
      if (kept === undefined) yield* this.#packAgain(index, entry);
      else if (kept.length > 0) yield kept;
      this.#kept.delete(index);
      onProgress?.(index + 1, this.#entries.length);
    }
  }

  async *#packAgain(index: number, entry: WriteEntry): AsyncGenerator<Uint8Array> {
    const { size = 0, packedSize = 0 } = this.sizes[index] ?? {};
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
      yield* this.#packer.onlyIfSmaller && !isSmaller ? content : this.#packer.pieces(content);
    } else {
      yield packWhole(this.#packer, await wholeContent(entry, this.#options));
    }
  }
}

async function sizesOf(entry: LargeEntry, options: WriteOptions, packer: Packer): Promise<CompressedSizes> {
  let packedSize = 0;
  for await (const piece of packer.pieces(contentPieces(entry, options))) packedSize += piece.length;
  return { size: entry.size, packedSize: packer.onlyIfSmaller ? Math.min(packedSize, entry.size) : packedSize };
}
