/**
 * Reads the pictures of texture WADs: Quake's `gfx.wad`, and WADs for maps of Quake and Half-Life. `formats` reads
 * their table.
 * @module
 */
import { ArchiveError, MemoryReader, openArchive } from "../../formats/mod.ts";
import type { Palette } from "./palette.ts";
import { decodeLmp, decodeMip, decodeOwnPicture, readMipHeader, type Texture } from "./quake_picture.ts";
import { MediaError, Reader } from "../core/reader.ts";

/** One lump of a WAD. */
export interface Lump {
  /** Name as spelled in the WAD. */
  readonly name: string;
  /** Type with its name in `formats`: `qpic`, `miptex`, `palette`, `font`, ... */
  readonly type: string;
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  /** Width in pixels; null, like `height`, if it is no picture. */
  readonly width: number | null;
  readonly height: number | null;
}

/** Returns whether a file begins like a texture WAD. */
export function isTextureWad(reader: Reader): boolean {
  return reader.startsWith("WAD2") || reader.startsWith("WAD3");
}

/** Returns whether a texture is Quake's character set: 128 x 128 pixels without a header. */
function isCharacterSet(name: string, size: number): boolean {
  return size === 128 * 128 && name.toLowerCase() === "conchars";
}

function isTexture(type: string): boolean {
  return type === "miptex" || type === "decal";
}

function pixelsOf(reader: Reader, name: string, type: string, offset: number, size: number): [number, number] | null {
  if (offset + size > reader.length) return null;
  if (isCharacterSet(name, size)) return [128, 128];
  if (type === "qpic" && size >= 8) return [reader.u32(offset), reader.u32(offset + 4)];
  if (!isTexture(type) || size < 40) return null;
  const { width, height } = readMipHeader(reader, offset);
  return [width, height];
}

/**
 * Lists a WAD.
 * @throws {MediaError} if its table exceeds the file.
 */
export function readWad(bytes: Uint8Array): Lump[] {
  const reader = new Reader(bytes);
  if (!isTextureWad(reader)) throw new MediaError("it does not begin like a texture WAD", { offset: 0 });
  try {
    using archive = openArchive(new MemoryReader(bytes), { format: reader.startsWith("WAD2") ? "wad2" : "wad3" });
    return Array.from(archive, ({ member, qpath, offset, size }) => {
      const type = /\.([a-z0-9]+)(?:~\d+)?$/.exec(qpath)?.[1] ?? "";
      const [width, height] = pixelsOf(reader, member, type, offset, size) ?? [null, null];
      return { name: member, type, offset, size, width, height };
    });
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new MediaError(error.message, { cause: error });
  }
}

/**
 * Decodes a lump.
 * @throws {MediaError} if it is no picture, or truncated.
 */
export function decodeLump(bytes: Uint8Array, lump: Lump, palette: Palette): Texture {
  const { name, type, offset, size } = lump;
  const content = new Reader(bytes).slice(offset, size, `lump ${name}`);
  if (isCharacterSet(name, size)) return { picture: decodeLmp(content, palette), palette };
  if (isTexture(type)) return decodeMip(content, 0, palette, bytes[3] === 0x33);
  if (type === "qpic" && bytes[3] === 0x33) return decodeOwnPicture(content, palette);
  if (type === "qpic" || type === "palette") return { picture: decodeLmp(content, palette), palette };
  throw new MediaError(`lump ${name} is no picture`, { offset });
}
