/**
 * Contents packed for formats whose header or table names packed sizes and stands in front of the data: everything is
 * packed once to learn the sizes, and what does not fit into memory once more to be written.
 * @module
 */
import { UnwritableError } from "./errors.ts";
import type { WriteEntry, WriteOptions } from "./format.ts";

/** Most packed bytes that are kept between the two passes. */
const largestKept = 64 * 1024 * 1024;

/** How one content is packed. Same content, same result. */
export type Packer = (content: Uint8Array) => Uint8Array;

/** What is known of a packed content. Sizes in bytes. */
export interface PackedSizes {
  /** Size of the content. */
  readonly size: number;
  /** Size of what is written of it; equal to `size` where nothing is gained. */
  readonly packedSize: number;
}

/** The packed contents of the entries of one archive. */
export class PackedContents {
  /** Sizes in the order of the entries. */
  readonly sizes: readonly PackedSizes[];
  readonly #entries: readonly WriteEntry[];
  readonly #options: WriteOptions;
  readonly #pack: Packer;
  readonly #kept: Map<number, Uint8Array>;

  private constructor(
    parts: { entries: readonly WriteEntry[]; options: WriteOptions; pack: Packer },
    sizes: readonly PackedSizes[],
    kept: Map<number, Uint8Array>,
  ) {
    this.sizes = sizes;
    this.#entries = parts.entries;
    this.#options = parts.options;
    this.#pack = parts.pack;
    this.#kept = kept;
  }

  /** Packs every content once. */
  static async prepare(entries: readonly WriteEntry[], options: WriteOptions, pack: Packer): Promise<PackedContents> {
    const sizes: PackedSizes[] = [];
    const kept = new Map<number, Uint8Array>();
    let keptBytes = 0;
    for (const [index, entry] of entries.entries()) {
      options.signal?.throwIfAborted();
      // deno-lint-ignore no-await-in-loop -- one content in memory at a time
      const content = await entry.content();
      const packed = pack(content);
      sizes.push({ size: content.length, packedSize: packed.length });
      if (keptBytes + packed.length > largestKept) continue;
      kept.set(index, packed);
      keptBytes += packed.length;
    }
    return new PackedContents({ entries, options, pack }, sizes, kept);
  }

  /**
   * Everything that is to be written of the contents, one after another.
   * @throws {UnwritableError} if a content has changed since {@linkcode PackedContents.prepare}.
   */
  async *bytes(): AsyncGenerator<Uint8Array> {
    const { signal, onProgress } = this.#options;
    for (const [index, entry] of this.#entries.entries()) {
      signal?.throwIfAborted();
      // deno-lint-ignore no-await-in-loop -- one content in memory at a time
      const packed = this.#kept.get(index) ?? await this.#packAgain(index, entry);
      if (packed.length > 0) yield packed;
      this.#kept.delete(index);
      onProgress?.(index + 1, this.#entries.length);
    }
  }

  async #packAgain(index: number, entry: WriteEntry): Promise<Uint8Array> {
    const content = await entry.content();
    const packed = this.#pack(content);
    const before = this.sizes[index];
    if (packed.length === before?.packedSize && content.length === before.size) return packed;
    throw new UnwritableError(`${entry.path} changed while the archive was written`, {
      path: this.#options.path,
      member: entry.path,
      expected: before?.size ?? 0,
      actual: content.length,
    });
  }
}
