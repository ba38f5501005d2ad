/**
 * Points in the compressed data of a large member from which it can be decompressed, stored next to the index caches
 * for later mounts. They are valid only for the verified file, identified by its ctime, which no program can set.
 *
 * A member is cut into segments, which overlap, so that every request lies in one. For each segment the file stores
 * where decompression begins and ends, the CRC-32 of its bytes, and its window: the bytes before the beginning that the
 * compressed data refer to.
 *
 * | part        | content                                                                           |
 * | ----------- | --------------------------------------------------------------------------------- |
 * | title       | `pakfs seek points 1`, CRC-32 and size of the description in hexadecimal, newline |
 * | description | {@linkcode SeekPoints} in JSON                                                    |
 * | windows     | {@linkcode windowBytes} for each segment                                          |
 *
 * Large deflated members that were verified are cut into segments of 2 MiB, each with a point to decompress from, its
 * window and its checksum, stored next to that list by the same rules. They are created in the background, as only zlib
 * finds the blocks of deflated data; if the checksum of a segment differs, it is not used, and the whole member is
 * verified again.
 * @module
 */
import { crc32 } from "../../formats/parts.ts";
import { hasNumbers, isRecord } from "../../system/mod.ts";
import type { Identity } from "../columns/identity.ts";

/** Bytes of deflated data that later ones can refer to. */
export const windowBytes: number = 32 * 1024;
/** Bytes of a member from the beginning of one segment to the beginning of the next. */
export const segmentBytes: number = 2 * 1024 * 1024;
/** Bytes that a segment shares with the next one. */
const overlapBytes = 256 * 1024;
/** Maximum bytes that are decompressed for one segment: points lie between the blocks of the compressed data. */
const maxSpan = 16 * 1024 * 1024;

/** Sizes of members with points, in bytes: smaller members are decompressed as fast, and larger ones in chunks. */
const minMember = 8 * 1024 * 1024;
const maxMember = 1024 * 1024 * 1024;

const title = "pakfs seek points 1";
/** Bytes of the first line. */
export const titleBytes: number = title.length + 19;
/** Maximum bytes of a description; a longer one was not written by pakfs. */
const maxDescription = 512 * 1024;

/** A member of a pack according to the index. */
export interface SeekMember {
  readonly path: string;
  /** Identity of the pack that was verified. */
  readonly identity: Identity;
  /** Offset in the index, which is the offset of the header before the data. */
  readonly offset: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly crc32: number;
}

/** Point from which a segment is decompressed. Bit offsets are relative to the beginning of the compressed data. */
export interface SeekSegment {
  readonly startBit: number;
  /** Offset of the first decompressed byte; the window ends there. */
  readonly start: number;
  readonly endBit: number;
  /** Offset after the last decompressed byte. */
  readonly end: number;
  /** CRC-32 of the segment's bytes. */
  readonly crc32: number;
  readonly windowCrc32: number;
}

/** The points of a member. */
export interface SeekPoints {
  readonly member: SeekMember;
  /** Offset of the compressed data in the pack. */
  readonly dataOffset: number;
  readonly segments: readonly SeekSegment[];
}

/** Returns whether a deflated member of this size gets points. */
export function isSeekableSize(size: number): boolean {
  return size >= minMember && size <= maxMember;
}

/** Returns the number of segments of a member. */
export function segmentCount(size: number): number {
  return Math.ceil(size / segmentBytes);
}

/** Returns the offset after the last byte of a segment. */
export function segmentEnd(size: number, segment: number): number {
  return Math.min(size, (segment + 1) * segmentBytes + overlapBytes);
}

/** Returns the window size of a segment in bytes. */
export function windowLength({ start }: Pick<SeekSegment, "start">): number {
  return Math.min(start, windowBytes);
}

/** Returns whether a segment can be decompressed with little memory. */
export function hasShortSpan({ start, end, startBit, endBit }: Omit<SeekSegment, "crc32" | "windowCrc32">): boolean {
  return end - start <= maxSpan && endBit - startBit <= maxSpan * 8;
}

/** Returns the name of the file with the points of a member. */
export function seekFileName(member: SeekMember): string {
  return `${crc32(keyOf(member)).toString(16).padStart(8, "0")}-${member.offset.toString(16)}.seek`;
}

/**
 * Returns the bytes of the file with the points of a member.
 * @param windows {@linkcode windowBytes} for each segment.
 */
export function encodeSeekPoints(points: SeekPoints, windows: Uint8Array): Uint8Array<ArrayBuffer> {
  const description = new TextEncoder().encode(JSON.stringify(points));
  const bytes = new Uint8Array(titleBytes + description.length + windows.length);
  bytes.set(new TextEncoder().encode(titleOf(description)));
  bytes.set(description, titleBytes);
  bytes.set(windows, titleBytes + description.length);
  return bytes;
}

/**
 * Returns the length of the description after a first line.
 * @throws {Error} if the file is invalid or of another version.
 */
export function descriptionSize(firstLine: Uint8Array): number {
  const size = Number.parseInt(new TextDecoder().decode(firstLine).slice(title.length + 10), 16);
  if (!(size <= maxDescription)) throw new Error("its version is wrong");
  return size;
}

/**
 * Returns the points of a member.
 * @param head First line and description of the file.
 * @throws {Error} if they are damaged, of another version, or of another member.
 */
export function parseSeekPoints(head: Uint8Array, member: SeekMember): SeekPoints {
  const description = head.subarray(titleBytes);
  if (new TextDecoder().decode(head.subarray(0, titleBytes)) !== titleOf(description)) {
    throw new Error("its checksum or version is wrong");
  }
  const points: unknown = JSON.parse(new TextDecoder().decode(description));
  if (!isSeekPoints(points)) throw new Error("it has unexpected fields");
  if (keyOf(points.member) !== keyOf(member)) throw new Error("it is for another file");
  if (!fit(points)) throw new Error("its seek points are invalid");
  return points;
}

function titleOf(description: Uint8Array): string {
  const hexadecimal = (value: number) => value.toString(16).padStart(8, "0");
  return `${title} ${hexadecimal(crc32(description))} ${hexadecimal(description.length)}\n`;
}

function keyOf({ path, identity, offset, compressedSize, size, crc32 }: SeekMember): string {
  const { device, inode, mtime, ctime } = identity;
  return JSON.stringify([path, device, inode, identity.size, mtime, ctime, offset, compressedSize, size, crc32]);
}

function isSeekPoints(value: unknown): value is SeekPoints {
  if (!isRecord(value) || !hasNumbers(value, ["dataOffset"])) return false;
  const { member, segments } = value;
  return isRecord(member) && typeof member.path === "string" &&
    hasNumbers(member, ["offset", "compressedSize", "size", "crc32"]) &&
    hasNumbers(member.identity, ["device", "inode", "size", "mtime", "ctime"]) && Array.isArray(segments) &&
    segments.every((segment) => hasNumbers(segment, ["startBit", "start", "endBit", "end", "crc32", "windowCrc32"]));
}

/** Returns whether all segments lie in their member, and the member in its pack. */
function fit({ member, dataOffset, segments }: SeekPoints): boolean {
  const { identity, offset, compressedSize, size } = member;
  if (segments.length !== segmentCount(size)) return false;
  if (dataOffset < offset || dataOffset + compressedSize > identity.size) return false;
  return segments.every((segment, index) => {
    const { startBit, start, endBit, end } = segment;
    return [startBit, start, endBit, end].every(Number.isSafeInteger) && hasShortSpan(segment) &&
      start >= 0 && start <= index * segmentBytes && end >= segmentEnd(size, index) && end <= size &&
      startBit >= 0 && endBit > startBit && endBit <= compressedSize * 8;
  });
}
