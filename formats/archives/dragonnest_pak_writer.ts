/**
 * Writing Dragon Nest paks as the packer of the article that described them does: header of 1,024 bytes, zlib data of
 * level 1 one after another, then the records. The byte layout stands in `dragonnest_pak.ts`.
 * @module
 */
import { decodeCodePage949, encodeCodePage949 } from "../core/code_page_949.ts";
import { UnwritableError } from "../core/errors.ts";
import type { WriteEntry, WriteOptions } from "../core/format.ts";
import { CompressedContents, zlibPacker } from "./compressed_contents.ts";
import { requireWritablePaths } from "./write_checks.ts";

const magic = "EyedentityGames Packing File 0.1";
const version = 0x0b;
const headerSize = 1024;
const recordSize = 316;
/** The name's field is 256 bytes long and ends with a NUL. */
const maxName = 255;
const maxPosition = 2 ** 32 - 1;

/** A path as it stands in a record, in code page 949. */
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
  const bytes = new Uint8Array(headerSize);
  new TextEncoder().encodeInto(magic, bytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(256, version, true);
  view.setUint32(260, count, true);
  view.setUint32(264, indexOffset, true);
  return bytes;
}

function records(names: readonly Uint8Array[], { sizes }: CompressedContents): Uint8Array {
  const bytes = new Uint8Array(names.length * recordSize);
  const view = new DataView(bytes.buffer);
  let offset = headerSize;
  for (const [index, name] of names.entries()) {
    const start = index * recordSize;
    const { size = 0, packedSize = 0 } = sizes[index] ?? {};
    bytes.set(name, start);
    view.setUint32(start + 256, packedSize, true);
    view.setUint32(start + 260, size, true);
    view.setUint32(start + 264, packedSize, true);
    view.setUint32(start + 268, offset, true);
    offset += packedSize;
  }
  return bytes;
}

/** Where the records go, behind all data. */
function indexOffset(entries: readonly WriteEntry[], { sizes }: CompressedContents, path: string): number {
  let position = headerSize;
  for (const [index, entry] of entries.entries()) {
    position += sizes[index]?.packedSize ?? 0;
    if (position <= maxPosition) continue;
    throw new UnwritableError(`${entry.path} would reach past 4 GiB, the most that a Dragon Nest pak can address`, {
      path,
      member: entry.path,
      expected: maxPosition,
      actual: position,
    });
  }
  return position;
}

/**
 * Writes a Dragon Nest pak. Every content is asked for before the first byte is written, and those that do not fit into
 * memory once more.
 * @throws {UnwritableError} if a name or the whole does not fit, or a content changes meanwhile.
 */
export async function* writeDragonNestPak(
  entries: readonly WriteEntry[],
  options: WriteOptions,
): AsyncGenerator<Uint8Array> {
  requireWritablePaths(entries, options.path);
  const names = entries.map((entry) => recordName(entry, options.path));
  const contents = await CompressedContents.prepare(entries, options, zlibPacker({ level: 1 }));
  yield header(entries.length, indexOffset(entries, contents, options.path));
  yield* contents.bytes();
  yield records(names, contents);
}
