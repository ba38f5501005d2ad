/**
 * Describes files that are not archives.
 * @module
 */
import { hasZipDirectory } from "./archives/zip_directory.ts";
import type { ByteReader } from "./core/byte_reader.ts";
import { latin1 } from "./core/cursor.ts";
import { contentType, contentTypeBytes, otherArchive } from "./core/content_type.ts";

/** Describes the type of a file that is no archive of a known format, and suggests what to do. */
export function describeUnknown(source: ByteReader): string {
  const start = source.read(0, Math.min(contentTypeBytes, source.size));
  const kind = contentType(start, source.size);
  const other = otherArchive(kind);
  if (other) return `${other.title}, which is not read; extract it first: "${other.command} FILE"`;
  if (hasZipDirectory(source)) {
    return `a file of the kind ${kind} with a zip in it, not an archive; "archive extract FILE --format zip -o DIR" ` +
      "extracts that zip";
  }
  if (kind === "exe") {
    return 'a program of Windows, not an archive; if it is an installer: "innoextract FILE" or "7z x FILE" extracts it';
  }
  if (/^\s*<(?:!doctype html|html)/i.test(latin1(start))) return "a web page, not an archive; download it again";
  return `not an archive of a known format (${describeStart(source)}); "pakfs formats" lists them`;
}

function describeStart(source: ByteReader): string {
  if (source.size === 0) return "it is empty";
  const bytes = source.read(0, Math.min(4, source.size));
  const text = String.fromCharCode(...bytes);
  if (/^[\x20-\x7e]+$/.test(text)) return `it starts with ${JSON.stringify(text)}`;
  return `it starts with the bytes ${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ")}`;
}
