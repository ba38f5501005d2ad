/**
 * Hashed packs laid out by hand.
 * @module
 */
import { join, u32 } from "./bytes.ts";

/** A member as it is to be laid out. */
export interface HashedMember {
  readonly hash: number;
  /** Bytes in the pack. */
  readonly data: Uint8Array;
  /** Decompressed size; absent: the data are stored, and the record says so by a compressed size of 0. */
  readonly size?: number;
  /** Values for the record that differ from the truth. */
  readonly offset?: number;
  readonly packedSize?: number;
}

/** A hashed pack of `members`, in their order. */
export function hashedPack(members: readonly HashedMember[], count = members.length): Uint8Array {
  let position = 8 + 16 * members.length;
  const records = members.map(({ hash, data, size, offset, packedSize }) => {
    const record = u32(
      hash,
      size ?? data.length,
      packedSize ?? (size === undefined ? 0 : data.length),
      offset ?? position,
    );
    position += data.length;
    return record;
  });
  return join(u32(1, count), ...records, ...members.map(({ data }) => data));
}
