/**
 * Types of files that browsers show themselves.
 * @module
 */
import { isJpeg } from "../media/pictures/jpeg.ts";
import { isPng } from "../media/pictures/png.ts";

const octets = "application/octet-stream";
/** By extension, if the first bytes agree. */
const signatures: ReadonlyMap<string, readonly [signature: string, type: string]> = new Map([
  ["ogg", ["OggS", "audio/ogg"]],
  ["opus", ["OggS", "audio/ogg"]],
  ["wav", ["RIFF", "audio/wav"]],
  ["flac", ["fLaC", "audio/flac"]],
  ["webp", ["RIFF", "image/webp"]],
]);

/** Returns the type of a picture or sound by its bytes; every other file is octets, which no browser runs. */
export function rawType(qpath: string, bytes: Uint8Array): string {
  if (isPng(bytes)) return "image/png";
  if (isJpeg(bytes)) return "image/jpeg";
  const extension = /\.([^./]+)$/.exec(qpath)?.[1]?.toLowerCase() ?? "";
  const [signature, type] = signatures.get(extension) ?? [];
  if (signature !== undefined && type !== undefined) {
    const start = String.fromCharCode(...bytes.subarray(0, signature.length));
    return start === signature ? type : octets;
  }
  return extension === "mp3" ? "audio/mpeg" : octets;
}
