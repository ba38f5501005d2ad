/**
 * Texture WADs inside a view: Quake's `gfx.wad`, and those of its and Half-Life's map makers.
 *
 * `WAD2` or `WAD3`, u32 count, u32 offset of the table; its records have 32 bytes: u32 offset, u32 stored size, u32
 * size, u8 type, u8 packing, two bytes, name of 16. (id-Software/Quake `wad.h`.)
 * @module
 */
import type { Palette } from "./palette.ts";
import { decodeLmp, decodeMip, readMipHeader, type Texture } from "./quake_picture.ts";
import { PreviewError, Reader } from "./reader.ts";

/** What a lump is, by its type. */
export type LumpKind = "palette" | "picture" | "texture" | "font" | "other";

/** One lump of a WAD. */
export interface Lump {
  readonly name: string;
  readonly kind: LumpKind;
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  /** In pixels; null where it is no picture. */
  readonly width: number | null;
  /** In pixels; null where it is no picture. */
  readonly height: number | null;
}

const kinds: ReadonlyMap<number, LumpKind> = new Map<number, LumpKind>([
  [0x40, "palette"],
  [0x42, "picture"],
  [0x43, "texture"],
  [0x44, "texture"],
  [0x46, "font"],
]);

/** Whether a file begins like a texture WAD. */
export function isTextureWad(reader: Reader): boolean {
  return reader.startsWith("WAD2") || reader.startsWith("WAD3");
}

/** Quake's character set is called a texture, and is 128 x 128 pixels without a header. */
function isCharacterSet(name: string, size: number): boolean {
  return size === 128 * 128 && name.toLowerCase() === "conchars";
}

function sizeOf(reader: Reader, name: string, kind: LumpKind, offset: number, size: number): [number, number] | null {
  if (offset + size > reader.length) return null;
  if (isCharacterSet(name, size)) return [128, 128];
  if (kind === "picture" && size >= 8) return [reader.u32(offset), reader.u32(offset + 4)];
  if (kind !== "texture" || size < 40) return null;
  const { width, height } = readMipHeader(reader, offset);
  return [width, height];
}

/** Lumps that are listed. */
const mostLumps = 65_536;

/**
 * Lists a WAD.
 * @throws {PreviewError} if its table lies outside the file.
 */
export function readWad(bytes: Uint8Array): Lump[] {
  const reader = new Reader(bytes);
  if (!isTextureWad(reader)) throw new PreviewError("it does not begin like a texture WAD", { offset: 0 });
  const count = reader.u32(4);
  const table = reader.u32(8);
  if (count > mostLumps) throw new PreviewError(`it has ${count} lumps; up to ${mostLumps} are listed`, { offset: 4 });
  reader.require(table, count * 32, "the table");
  return Array.from({ length: count }, (_, index) => {
    const place = table + index * 32;
    const [offset, size] = [reader.u32(place), reader.u32(place + 4)];
    const name = reader.text(place + 16, 16);
    const kind = kinds.get(reader.u8(place + 12)) ?? "other";
    const [width, height] = sizeOf(reader, name, kind, offset, size) ?? [null, null];
    return { name, kind, offset, size, width, height };
  });
}

/**
 * The picture of a lump.
 * @throws {PreviewError} if it is no picture, or is cut short.
 */
export function decodeLump(bytes: Uint8Array, lump: Lump, palette: Palette): Texture {
  const { name, kind, offset, size } = lump;
  const content = new Reader(bytes).slice(offset, size, `lump ${name}`);
  if (isCharacterSet(name, size)) return { picture: decodeLmp(content, palette), palette };
  if (kind === "texture") return decodeMip(content, 0, palette, bytes[3] === 0x33);
  if (kind === "picture" || kind === "palette") return { picture: decodeLmp(content, palette), palette };
  throw new PreviewError(`lump ${name} is no picture`, { offset });
}
