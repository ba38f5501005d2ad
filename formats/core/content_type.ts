/**
 * Detects the type of a file by its first bytes, for files whose names are lost.
 * @module
 */

import { Cursor, latin1, viewOf } from "./cursor.ts";

/** Number of first bytes that {@linkcode contentType} needs. */
export const contentTypeBytes = 512;
/** Number of first bytes that are checked for text. */
const textBytes = 256;

/** File name extensions by the first bytes of a file. */
const marks: Readonly<Record<string, string>> = {
  "IBSP": "bsp",
  "VBSP": "bsp",
  "RBSP": "bsp",
  "FBSP": "bsp",
  "BSP2": "bsp",
  "2PSB": "bsp",
  "IDPO": "mdl",
  "IDST": "mdl",
  "IDP2": "md2",
  "IDP3": "md3",
  "IDP4": "md4",
  "IDPC": "mdc",
  "IDSP": "spr",
  "IDS2": "sp2",
  "INTERQUAKEMODEL\0": "iqm",
  "MD5Version": "md5mesh",
  "OggS": "ogg",
  "fLaC": "flac",
  "ID3": "mp3",
  "\x89PNG": "png",
  "GIF8": "gif",
  "BM": "bmp",
  "DDS ": "dds",
  "8BPS": "psd",
  "VTF\0": "vtf",
  "RoQ": "roq",
  "\x84\x10\xff\xff\xff\xff": "roq",
  "BIKi": "bik",
  "BIKf": "bik",
  "PACK": "pak",
  "SPAK": "sin",
  "IWAD": "wad",
  "PWAD": "wad",
  "WAD2": "wad",
  "WAD3": "wad",
  "PK\x03\x04": "zip",
  "PK\x05\x06": "zip",
  "Rar!\x1a\x07": "rar",
  "7z\xbc\xaf\x27\x1c": "7z",
  "!<arch>\ndebian-": "deb",
  "!<arch>\n": "ar",
  "070701": "cpio",
  "070702": "cpio",
  "070707": "cpio",
  "\xc7\x71": "cpio",
  "hsqs": "squashfs",
  "\x1f\x8b\x08": "gz",
  "\xfd7zXZ\0": "xz",
  "\x28\xb5\x2f\xfd": "zst",
  "BZh": "bz2",
  "MSCF\0\0\0\0": "cab",
  "SQLite format 3\0": "sqlite",
  "%PDF-": "pdf",
  "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "doc",
  "\x1bLua": "luac",
  "\x7fELF": "so",
  "MZ": "exe",
  "\0\x01\0\0\0": "ttf",
  "OTTO": "otf",
  "CWS": "swf",
  "FWS": "swf",
  "\x1aE\xdf\xa3": "webm",
  "MThd": "mid",
};

/** Magic numbers that also begin many other files; accepted only if the file is large enough for a header. */
const weakMarks: ReadonlySet<string> = new Set([
  ...["BM", "MZ", "CWS", "FWS", "ID3", "\0\x01\0\0\0", "070701", "070702", "070707", "\xc7\x71", "BZh"],
]);
const minWeakSize = 64;

/** Kinds of RIFF files, at byte 8. */
const riffKinds: Readonly<Record<string, string>> = { "WAVE": "wav", "AVI ": "avi", "WEBP": "webp" };

/** Bytes of a header of a tar archive. */
const tarHeader = 512;

/** Returns whether a file begins with a header of a tar archive, which contains its checksum in octal digits. */
function isTar(bytes: Uint8Array): boolean {
  if (bytes.length < tarHeader || bytes[0] === 0) return false;
  const stated = /^ *([0-7]{4,7})[\0 ]/.exec(latin1(bytes.subarray(148, 156)))?.[1];
  if (stated === undefined) return false;
  const sum = bytes.subarray(0, tarHeader).reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  return parseInt(stated, 8) === sum;
}

function isTga(bytes: Uint8Array): boolean {
  if (bytes.length < 18) return false;
  const view = viewOf(bytes);
  const at = (index: number) => view.getUint8(index);
  const short = (index: number) => view.getUint16(index, true);
  const hasMap = at(1) === 1;
  const mapped = at(2) === 1 || at(2) === 9;
  if (at(1) > 1 || hasMap !== mapped) return false;
  if (![1, 2, 3, 9, 10, 11].includes(at(2))) return false;
  if (hasMap ? ![16, 24, 32].includes(at(7)) || short(5) > 256 : short(3) !== 0 || short(5) !== 0) return false;
  const width = short(12);
  const height = short(14);
  if (width === 0 || height === 0 || width > 16384 || height > 16384) return false;
  const gray = at(2) === 3 || at(2) === 11;
  const depths = mapped || gray ? [8] : [15, 16, 24, 32];
  return depths.includes(at(16)) && (at(17) & 0xc0) === 0;
}

/** Returns whether a file begins like a map of Quake or Half-Life: version number, first lump after the header. */
function isQuakeMap(bytes: Uint8Array, size: number): boolean {
  if (bytes.length < 12) return false;
  const header = new Cursor(bytes);
  const version = header.uint32();
  const offset = header.uint32();
  return (version === 29 || version === 30) && offset >= 124 && offset + header.uint32() <= size;
}

/**
 * Returns whether a file begins with a frame of MPEG audio layer III: sync, version 1 or 2, valid bit rate and sampling
 * rate.
 */
function isMp3(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = bytes;
  return first === 0xff && (second & 0xf6) === 0xf2 && (third >> 4) > 0 && (third >> 4) < 15 && (third & 0x0c) !== 0x0c;
}

function textKind(bytes: Uint8Array, isWhole: boolean): string | undefined {
  let text: string;
  try {
    // A character may be truncated at the end of the bytes.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isWhole });
  } catch {
    if (!bytes.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d))) return undefined;
    // Other code pages: mostly ASCII.
    if (bytes.filter((byte) => byte >= 0x80).length * 4 > bytes.length) return undefined;
    text = latin1(bytes);
  }
  // deno-lint-ignore no-control-regex -- control characters mark binary data
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text)) return undefined;
  if (/^\s*<\?xml/.test(text)) return "xml";
  return /^\s*(?:\/\/[^\n]*\n\s*)*\{\s*"/.test(text) && text.includes('"classname"') ? "ent" : "txt";
}

/**
 * Returns the common extension, without its dot, of files with these first bytes: `bsp`, `wav`, `tga`, `txt`...; `bin`
 * if unknown.
 * @param bytes The first bytes; {@linkcode contentTypeBytes} are enough.
 * @param size Length of the whole file in bytes.
 */
export function contentType(bytes: Uint8Array, size: number): string {
  if (bytes.length === 0) return "bin";
  const start = latin1(bytes.subarray(0, 16));
  for (const [mark, kind] of Object.entries(marks)) {
    if (start.startsWith(mark) && (size >= minWeakSize || !weakMarks.has(mark))) return kind;
  }
  if (start.startsWith("RIFF")) return riffKinds[start.slice(8, 12)] ?? "riff";
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "jpg";
  if (isTar(bytes)) return "tar";
  if (/^-lh.-$/.test(start.slice(2, 7))) return "lha";
  if (isQuakeMap(bytes, size)) return "bsp";
  if (isMp3(bytes)) return "mp3";
  if (isTga(bytes)) return "tga";
  const head = bytes.subarray(0, textBytes);
  return textKind(head, bytes.length === head.length && head.length === size) ?? "bin";
}

/** Unsupported container formats, by {@linkcode contentType}, and the command that extracts them. */
const otherArchives: Readonly<Record<string, readonly [title: string, command: string]>> = {
  "7z": ["a 7-Zip archive", "7z x"],
  ar: ["an ar archive", "ar x"],
  bz2: ["compressed by bzip2", "bunzip2 -k"],
  cab: ["a cabinet of Windows", "cabextract"],
  cpio: ["a cpio archive", "cpio -idF"],
  deb: ["a package of Debian", "ar x"],
  gz: ["compressed by gzip", "gunzip -k"],
  lha: ["an LHA archive", "lha x"],
  rar: ["a RAR archive", "unrar x"],
  squashfs: ["a squashfs image", "unsquashfs"],
  tar: ["a tar archive", "tar -xf"],
  xz: ["compressed by xz", "unxz -k"],
  zst: ["compressed by zstd", "unzstd"],
};

/** Title of an unsupported container format, and the command that extracts it; `undefined` for other types. */
export function otherArchive(kind: string): { readonly title: string; readonly command: string } | undefined {
  const known = Object.hasOwn(otherArchives, kind) ? otherArchives[kind] : undefined;
  return known && { title: known[0], command: known[1] };
}
