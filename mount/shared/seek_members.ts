/**
 * The members whose seek points are stored across mounts.
 * @module
 */
import { methodCode } from "../../formats/parts.ts";
import { at, isDirectorySource, isSeekableSize, type SeekMember, type Snapshot } from "../../index/mod.ts";

/** The seek points of a member, as a file. */
export interface MadeSeekPoints {
  readonly member: SeekMember;
  /** Number of the index, and of the entry in it. */
  readonly version: number;
  readonly entry: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Returns a large deflated member of a single-file pack; undefined for any other entry. */
export function seekMemberOf(snapshot: Snapshot, entry: number): SeekMember | undefined {
  const { entryOffsets, entrySizes, entryCompressedSizes, entryMethods, entryDamage } = snapshot.columns;
  const size = at(entrySizes, entry);
  const isKind = isSeekableSize(size) && at(entryMethods, entry) === methodCode.deflate;
  const crc32 = isKind ? snapshot.crcOf(entry) : null;
  if (crc32 === null || at(entryDamage, entry) !== 0) return undefined;
  const source = snapshot.sourceOf(entry);
  if (isDirectorySource(source) || source.byteLayout) return undefined;
  const { path, identity } = source;
  const [offset, compressedSize] = [at(entryOffsets, entry), at(entryCompressedSizes, entry)];
  return { path, identity, offset, compressedSize, size, crc32 };
}
