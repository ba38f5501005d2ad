/**
 * Bytes of a file before or after the zip in it.
 *
 * Engines look for the last end record `PK\\5\\6` of the last 64 KiB and add the number of bytes before the archive to
 * all offsets, regardless of these bytes: ioquake3 and its forks (code/qcommon/unzip.c `unzlocal_SearchCentralDir`,
 * `byte_before_the_zipfile`; minizip in Quake3e, OpenJK, iortcw, ET: Legacy, dhewm3, Yamagi), DarkPlaces (fs.c
 * `PK3_GetEndOfCentralDir`), FTE if the directory is not at its stated offset (engine/common/fs_zip.c
 * `FSZIP_LoadArchive`). So a truncated pack on a search path shows the last whole zip in it, a stored pk3, and a tar
 * shows its last zip. Only GZDoom requires `PK\\3\\4` at byte 0 (src/common/filesystem/source/file_zip.cpp `CheckZip`).
 * Packs are listed as engines list them, with a warning. If a file is opened as an archive, without an engine, its
 * first bytes are checked too: a file of another format is not a zip ({@linkcode isOtherFormat}).
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { contentType, contentTypeBytes, otherArchive } from "../core/content_type.ts";
import { viewOf } from "../core/cursor.ts";
import { grouped } from "../core/grouped.ts";
import { notAllListed, partOfArchive } from "../core/omissions.ts";

const endSignature = 0x06054b50;
const endSize = 22;
/** Signatures at the start of archives that were to be split but fit into one part, before the first member. */
const partSignatures: ReadonlySet<number> = new Set([0x08074b50, 0x30304b50]);

/** Kinds of files that have a zip appended on purpose, and kinds that are only a guess. */
const carriers: ReadonlySet<string> = new Set([
  ...["exe", "so", "pdf", "xml", "ent", "txt", "bsp"],
  ...["bin", "bmp", "tga", "ttf", "swf", "mp3"],
]);

/** Returns the kind of a file by its first bytes. */
function kindOf(reader: ByteReader): string {
  return contentType(reader.read(0, Math.min(contentTypeBytes, reader.size)), reader.size);
}

/** Returns whether a file with the end of a zip has the beginning of another format that may hold zips. */
export function isOtherFormat(reader: ByteReader): boolean {
  const kind = kindOf(reader);
  return kind !== "zip" && !carriers.has(kind);
}

/** Offset of the first byte of an archive, and of the first byte after it. */
interface Bounds {
  readonly start: number;
  readonly end: number;
  /** Whether its offsets are relative to its first byte, which is not the first byte of the file. */
  readonly isShifted: boolean;
}

/** Returns a message about data before and after a zip in its file, if any. */
export function surroundingWarnings(reader: ByteReader, { start, end, isShifted }: Bounds): string[] {
  const before = isPartMark(reader, start) ? 0 : start;
  const rest = reader.read(end, reader.size - end);
  // Padding, and a newline that a transfer in text mode added.
  const after = rest.every((byte) => byte === 0 || byte === 0x0a || byte === 0x0d || byte === 0x1a) ? 0 : rest.length;
  if (before === 0 && after === 0) return [];
  const bytes = [...before > 0 ? [`${grouped(before)} bytes before it`] : []];
  if (after > 0) bytes.push(`${grouped(after)} bytes after it`);
  const left = bytes.join(" and ");
  const kind = before > 0 ? kindOf(reader) : "bin";
  if (endsLikeZip(reader, before) || (kind === "zip" && isShifted)) {
    return [`${partOfArchive}the file is cut short, or several zips joined; this is the last, with ${left}`];
  }
  if (kind !== "zip" && !carriers.has(kind)) {
    const title = otherArchive(kind)?.title ?? `of the kind ${kind}`;
    return [`${partOfArchive}the file is ${title}; this is the last zip in it, with ${left}`];
  }
  if (after > 0 && contentType(rest, rest.length) === "zip") {
    return [`${partOfArchive}several zips joined, the last one cut short; this is the last whole one, with ${left}`];
  }
  return [`${notAllListed}the file has ${left.replaceAll(" it", " the zip")}`];
}

function isPartMark(reader: ByteReader, start: number): boolean {
  return start === 4 && partSignatures.has(viewOf(reader.read(0, 4)).getUint32(0, true));
}

/** Returns whether a zip without a comment ends at byte `end`. */
function endsLikeZip(reader: ByteReader, end: number): boolean {
  return end >= endSize && viewOf(reader.read(end - endSize, 4)).getUint32(0, true) === endSignature;
}
