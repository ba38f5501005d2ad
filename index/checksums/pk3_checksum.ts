/**
 * The checksums by which Quake III's engines identify a pack: in a server's list of packs, and in a client's reply.
 *
 * They cover only the checksums of the pack's files in the order of its central directory: the CRC-32, little-endian,
 * of every member with a decompressed size above 0, one after another; their MD4; the exclusive or of the four words of
 * the digest. Source: ioquake/ioq3 code/qcommon/files.c `FS_LoadZipFile`, md4.c `Com_BlockChecksum`.
 * @module
 */
import { at } from "../columns/columns.ts";
import type { EntryTable } from "../../formats/parts.ts";
import { emptyPackChecksum } from "../../engines/mod.ts";
import { md4 } from "./md4.ts";

/** Options of {@linkcode pk3Checksum}. */
export interface Pk3ChecksumOptions {
  /** The server's `sv_checksumFeed` for the pure checksum, a 32-bit integer; default 0. */
  readonly feed?: number;
  /** Checksum of a pack without a non-empty file; null: the MD4 of an empty message. Default: ioquake3's. */
  readonly ofEmpty?: number | null;
}

/** The checksums of a pack, as signed 32-bit integers, in the form that engines print. */
export interface Pk3Checksum {
  /** Checksum in `sv_paks` and the pure list. */
  readonly checksum: number;
  /** Checksum that a client sends to a pure server with this feed. */
  readonly pure: number;
  /** The feed of `pure`. */
  readonly feed: number;
}

function blockChecksum(bytes: Uint8Array): number {
  const view = new DataView(md4(bytes).buffer);
  return view.getInt32(0, true) ^ view.getInt32(4, true) ^ view.getInt32(8, true) ^ view.getInt32(12, true);
}

/**
 * Returns the checksums of a pack from columns; {@linkcode pk3Checksum} does the same for a table.
 * @param crcs CRC-32 of each member, in the order of the central directory.
 * @param sizes Decompressed size of each member, in the same order.
 */
export function pk3ChecksumOf(
  crcs: Uint32Array,
  sizes: Float64Array,
  { feed = 0, ofEmpty = emptyPackChecksum }: Pk3ChecksumOptions = {},
): Pk3Checksum {
  const list = new Uint8Array(4 + crcs.length * 4);
  const view = new DataView(list.buffer);
  view.setInt32(0, feed, true);
  let end = 4;
  crcs.forEach((crc, index) => {
    if (!(at(sizes, index) > 0)) return;
    view.setUint32(end, crc, true);
    end += 4;
  });
  const isEmpty = end === 4;
  return {
    checksum: isEmpty && ofEmpty !== null ? ofEmpty : blockChecksum(list.subarray(4, end)),
    pure: blockChecksum(list.subarray(0, end)),
    feed: feed | 0, // deliberately 32 bits, as in engines
  };
}

/**
 * Returns the checksum and the pure checksum of a pk3.
 * @param table Members of a zip, from `openArchive`. For formats without CRC-32 the result is meaningless.
 */
export function pk3Checksum(table: EntryTable, options: Pk3ChecksumOptions = {}): Pk3Checksum {
  return pk3ChecksumOf(table.crcs.subarray(0, table.length), table.sizes.subarray(0, table.length), options);
}
