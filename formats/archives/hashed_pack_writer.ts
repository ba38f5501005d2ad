/**
 * Writes hashed packs: the header, the records sorted by hash, the data in the same order. The byte layout is in
 * `hashed_pack.ts`. Data are zlib data where that saves space, else stored.
 * @module
 */
import { elementAt, FieldWriter } from "../core/cursor.ts";
import { UnwritableError } from "../core/errors.ts";
import type { WriteEntry, WriteOptions } from "../core/format.ts";
import { hashName, type NameHashVariant, nameHashVariants, variantName } from "../core/name_hashes.ts";
import { CompressedContents, storeCompressor, zlibCompressor } from "./compressed_contents.ts";
import { ArchiveRoom, requireRoom } from "./write_limits.ts";
import { requireWritablePaths } from "./written_content.ts";

const version = 1;
const headerSize = 8;
const recordSize = 16;

interface Hashed {
  readonly entry: WriteEntry;
  readonly hash: number;
}

/** Sorts entries by hash, and rejects two entries with the same hash, since a game would find only one. */
function sortedByHash(entries: readonly WriteEntry[], variant: NameHashVariant, archive: string): Hashed[] {
  const hashed = entries.map((entry) => ({ entry, hash: hashName(entry.path, variant) }))
    .sort((a, b) => a.hash - b.hash);
  for (const [index, { entry, hash }] of hashed.entries()) {
    const previous = hashed[index - 1];
    if (previous?.hash !== hash) continue;
    throw new UnwritableError(
      `${previous.entry.path} and ${entry.path} have the same hash by ${variantName(variant)} ` +
        `(${hash.toString(16).padStart(8, "0")}); rename one, or choose another --hash`,
      { path: archive, member: entry.path },
    );
  }
  return hashed;
}

function table(hashed: readonly Hashed[], { sizes }: CompressedContents): Uint8Array {
  const writer = new FieldWriter(headerSize + hashed.length * recordSize).u32(version, hashed.length);
  let offset = writer.bytes.length;
  for (const [index, { hash }] of hashed.entries()) {
    const { size, packedSize } = elementAt(sizes, index);
    writer.u32(hash, size, packedSize < size ? packedSize : 0, offset);
    offset += packedSize;
  }
  return writer.bytes;
}

/**
 * Writes a hashed pack. Every content is read before the first byte is written, and again if it does not fit into
 * memory.
 * @throws {UnwritableError} if two paths have the same hash, the archive does not fit, or a content changes meanwhile.
 */
export async function* writeHashedPack(
  entries: readonly WriteEntry[],
  options: WriteOptions,
): AsyncGenerator<Uint8Array> {
  requireWritablePaths(entries, options.path);
  const variant = options.hash ?? elementAt(nameHashVariants, 0);
  const hashed = sortedByHash(entries, variant, options.path);
  const sorted = hashed.map(({ entry }) => entry);
  const isStored = options.method === "store";
  requireRoom("hashed-pack", sorted, options.path, isStored);
  const contents = await CompressedContents.prepare(
    sorted,
    options,
    new ArchiveRoom("hashed-pack", sorted.length, options.path),
    isStored ? storeCompressor : zlibCompressor({ onlyIfSmaller: true }),
  );
  yield table(hashed, contents);
  yield* contents.bytes();
}
