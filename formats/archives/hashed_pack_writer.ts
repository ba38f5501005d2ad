/**
 * Writing hashed packs: the header, the records sorted by hash, the data in the same order. The byte layout stands in
 * `hashed_pack.ts`. Data are zlib's where that saves anything, else stored.
 * @module
 */
import { UnwritableError } from "../core/errors.ts";
import type { WriteEntry, WriteOptions } from "../core/format.ts";
import { hashName, type NameHashVariant, nameHashVariants, variantName } from "../core/name_hashes.ts";
import { CompressedContents, storePacker, zlibPacker } from "./compressed_contents.ts";
import { requireWritablePaths } from "./write_checks.ts";

const version = 1;
const headerSize = 8;
const recordSize = 16;
const maxPosition = 2 ** 32 - 1;

interface Hashed {
  readonly entry: WriteEntry;
  readonly hash: number;
}

/** Entries by hash. Two of one hash could not be told apart. */
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

function table(hashed: readonly Hashed[], { sizes }: CompressedContents, archive: string): Uint8Array {
  const bytes = new Uint8Array(headerSize + hashed.length * recordSize);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, version, true);
  view.setInt32(4, hashed.length, true);
  let offset = bytes.length;
  for (const [index, { entry, hash }] of hashed.entries()) {
    const start = headerSize + index * recordSize;
    const { size = 0, packedSize = 0 } = sizes[index] ?? {};
    if (offset + packedSize > maxPosition || size > maxPosition) {
      throw new UnwritableError(`${entry.path} would reach past 4 GiB, the most that a hashed pack can address`, {
        path: archive,
        member: entry.path,
        expected: maxPosition,
        actual: offset + packedSize,
      });
    }
    view.setUint32(start, hash, true);
    view.setUint32(start + 4, size, true);
    view.setUint32(start + 8, packedSize < size ? packedSize : 0, true);
    view.setUint32(start + 12, offset, true);
    offset += packedSize;
  }
  return bytes;
}

/**
 * Writes a hashed pack. Every content is asked for before the first byte is written, and those that do not fit into
 * memory once more.
 * @throws {UnwritableError} if two paths have one hash, the whole does not fit, or a content changes meanwhile.
 */
export async function* writeHashedPack(
  entries: readonly WriteEntry[],
  options: WriteOptions,
): AsyncGenerator<Uint8Array> {
  requireWritablePaths(entries, options.path);
  const [usual] = nameHashVariants;
  const variant = options.hash ?? usual;
  if (!variant) throw new RangeError("Cannot write a hashed pack: there is no hash function");
  const hashed = sortedByHash(entries, variant, options.path);
  const sorted = hashed.map(({ entry }) => entry);
  const contents = await CompressedContents.prepare(
    sorted,
    options,
    options.method === "store" ? storePacker : zlibPacker({ onlyIfSmaller: true }),
  );
  yield table(hashed, contents, options.path);
  yield* contents.bytes();
}
