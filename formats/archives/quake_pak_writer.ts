/**
 * Writes Quake PAKs: header, data in the given order, directory at the end, in the layout of id's tool. The byte layout
 * is in `quake_pak.ts`.
 * @module
 */
import { FieldWriter } from "../core/cursor.ts";
import { UnwritableError } from "../core/errors.ts";
import type { WriteEntry, WriteOptions } from "../core/format.ts";
import { ArchiveRoom, requireRoom } from "./write_limits.ts";
import { contentPieces, isLarge, requireWritablePaths, wholeContent } from "./written_content.ts";

const encoder = new TextEncoder();
const magic = encoder.encode("PACK");
const headerSize = 12;
const entrySize = 64;
const nameSize = 56;

interface Prepared {
  readonly entry: WriteEntry;
  readonly name: Uint8Array;
  readonly size: number;
}

/** Determines every size, because the header, which is written first, holds the end of the data. */
async function prepare(entries: readonly WriteEntry[], options: WriteOptions): Promise<Prepared[]> {
  requireWritablePaths(entries, options.path);
  requireRoom("quake-pak", entries, options.path, true);
  const room = new ArchiveRoom("quake-pak", entries.length, options.path);
  const prepared: Prepared[] = [];
  for (const entry of entries) {
    options.signal?.throwIfAborted();
    const name = encoder.encode(entry.path);
    if (name.length > nameSize) {
      throw new UnwritableError(
        `${entry.path}: the name is ${name.length} bytes long, a Quake PAK has room for ${nameSize}; shorten it`,
        { path: options.path, member: entry.path, expected: nameSize, actual: name.length },
      );
    }
    if (entry.size !== undefined) {
      room.take(entry, entry.size);
      prepared.push({ entry, name, size: entry.size });
    } else {
      // deno-lint-ignore no-await-in-loop -- contents are read one at a time, in order
      const content = await entry.content();
      room.take(entry, content.length);
      prepared.push({ entry: { ...entry, content: () => content }, name, size: content.length });
    }
  }
  return prepared;
}

function header(directoryOffset: number, count: number): Uint8Array {
  return new FieldWriter(headerSize).raw(magic).u32(directoryOffset, count * entrySize).bytes;
}

function directory(prepared: readonly Prepared[]): Uint8Array {
  const writer = new FieldWriter(prepared.length * entrySize);
  let offset = headerSize;
  for (const { name, size } of prepared) {
    writer.raw(name, nameSize).u32(offset, size);
    offset += size;
  }
  return writer.bytes;
}

/**
 * Writes a Quake PAK. Names may be 56 bytes long, as the format allows; some engines read only 55 of them.
 * @throws {UnwritableError} if a name or the archive does not fit, or a content does not have the length in its entry.
 */
export async function* writeQuakePak(
  entries: readonly WriteEntry[],
  options: WriteOptions,
): AsyncGenerator<Uint8Array> {
  const prepared = await prepare(entries, options);
  yield header(prepared.reduce((end, { size }) => end + size, headerSize), prepared.length);
  let done = 0;
  for (const { entry, size } of prepared) {
    options.signal?.throwIfAborted();
    if (isLarge(entry)) {
      yield* contentPieces(entry, options);
    } else {
      // deno-lint-ignore no-await-in-loop -- one content in memory at a time
      const content = await wholeContent(entry, options);
      if (size > 0) yield content;
    }
    options.onProgress?.(++done, prepared.length);
  }
  yield directory(prepared);
}
