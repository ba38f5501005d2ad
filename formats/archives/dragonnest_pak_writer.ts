/**
 * Writes Dragon Nest paks in the layout of the article that described them: header of 1,024 bytes, zlib data of level 1
 * one after another, then the records. The byte layout is in `dragonnest_pak.ts`.
 * @module
 */
import { decodeCodePage949, encodeCodePage949 } from "../core/code_page_949.ts";
import { elementAt, FieldWriter } from "../core/cursor.ts";
import { UnwritableError } from "../core/errors.ts";
import type { WriteEntry, WriteOptions } from "../core/format.ts";
import { CompressedContents, zlibCompressor } from "./compressed_contents.ts";
import { ArchiveRoom, requireRoom } from "./write_limits.ts";
import { requireWritablePaths } from "./written_content.ts";

/** First bytes of an archive. */
export const dragonNestMagic = "EyedentityGames Packing File 0.1";

const encoder = new TextEncoder();
const version = 0x0b;
const headerSize = 1024;
const recordSize = 316;
/** Flag, checksum and reserved bytes of a record. */
const reserved = new Uint8Array(44);
/** The name field is 256 bytes long and ends with a NUL. */
const maxName = 255;

/** Returns the path of a record in code page 949. */
function recordName({ path }: WriteEntry, archive: string): Uint8Array {
  const name = encodeCodePage949(`\\${path.replaceAll("/", "\\")}`);
  if (!name || decodeCodePage949(name)?.replaceAll("\\", "/") !== `/${path}`) {
    throw new UnwritableError(
      `${path}: a Dragon Nest pak holds names in Korean and ASCII letters only (code page 949); rename the file`,
      { path: archive, member: path },
    );
  }
  if (name.length > maxName) {
    throw new UnwritableError(
      `${path}: the name is ${name.length} bytes long with its leading "\\", a Dragon Nest pak has room for ` +
        `${maxName}; shorten it`,
      { path: archive, member: path, expected: maxName, actual: name.length },
    );
  }
  return name;
}

function header(count: number, indexOffset: number): Uint8Array {
  return new FieldWriter(headerSize).raw(encoder.encode(dragonNestMagic), 256).u32(version, count, indexOffset).bytes;
}

function records(names: readonly Uint8Array[], { sizes }: CompressedContents): Uint8Array {
  const writer = new FieldWriter(names.length * recordSize);
  let offset = headerSize;
  for (const [index, name] of names.entries()) {
    const { size, packedSize } = elementAt(sizes, index);
    writer.raw(name, 256).u32(packedSize, size, packedSize, offset).raw(reserved);
    offset += packedSize;
  }
  return writer.bytes;
}

/**
 * Writes a Dragon Nest pak. Every content is read before the first byte is written, and again if it does not fit into
 * memory.
 * @throws {UnwritableError} if a name or the archive does not fit, or a content changes meanwhile.
 */
export async function* writeDragonNestPak(
  entries: readonly WriteEntry[],
  options: WriteOptions,
): AsyncGenerator<Uint8Array> {
  requireWritablePaths(entries, options.path);
  const names = entries.map((entry) => recordName(entry, options.path));
  requireRoom("dragonnest-pak", entries, options.path, false);
  const room = new ArchiveRoom("dragonnest-pak", entries.length, options.path);
  const contents = await CompressedContents.prepare(entries, options, room, zlibCompressor({ level: 1 }));
  yield header(entries.length, contents.sizes.reduce((end, { packedSize }) => end + packedSize, headerSize));
  yield* contents.bytes();
  yield records(names, contents);
}
