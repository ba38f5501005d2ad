/**
 * Reads pictures of Quake and Quake 2, which are indices of the game's palette.
 *
 * LMP (`qpic_t` of id-Software/Quake `wad.h`): u32 width, u32 height, then one index per pixel; index 255 is
 * transparent. MIP (`miptex_t` of `bspfile.h`): name of 16 bytes, u32 width, u32 height, four u32 offsets of ever
 * smaller pictures relative to the header; Half-Life appends u16 256 and the texture's palette to the smallest. WAL
 * (`miptex_t` of id-Software/Quake-2 `qfiles.h`): as MIP, with a name of 32 bytes, then the next texture's name, flags,
 * contents and value: 100 bytes.
 * @module
 */
import type { Palette } from "./palette.ts";
import { IndexedPicture, requireSize } from "./picture.ts";
import { MediaError, Reader } from "../core/reader.ts";

/** Transparent index in Quake. */
const transparentIndex = 255;
/** Width and height of a character set without a header (`gfx.wad`, `CONCHARS`). */
const characterSetSide = 128;

function indices(reader: Reader, offset: number, width: number, height: number): Uint8Array {
  requireSize(width, height);
  return reader.slice(offset, width * height, `a picture of ${width} x ${height} pixels`);
}

/** Draws 256 colours as 16 x 16 fields of 8 x 8 pixels. */
function palettePicture({ colours }: Palette): IndexedPicture {
  const side = 128;
  const fields = new Uint8Array(side * side);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) fields[y * side + x] = Math.floor(y / 8) * 16 + Math.floor(x / 8);
  }
  return new IndexedPicture(side, side, fields, { colours, origin: "" });
}

/** Kinds of `.lmp` without a header, by length: a colour map has 64 brightness levels of 256 colours and a byte. */
const headerless: ReadonlyMap<number, "palette" | "character set" | "colour map"> = new Map([
  [768, "palette"],
  [characterSetSide ** 2, "character set"],
  [256 * 64 + 1, "colour map"],
]);

/**
 * Returns the kind of a `.lmp` without a header by its length, unless it begins with the size of a picture of that length.
 * @param start The file, or its beginning.
 */
export function headerlessKind(start: Reader, fileSize: number) {
  const isPicture = start.length >= 8 && start.u32(0) * start.u32(4) + 8 === fileSize;
  return isPicture ? undefined : headerless.get(fileSize);
}

/**
 * Reads a `.lmp`.
 * @throws {MediaError} if it is no picture.
 */
export function decodeLmp(bytes: Uint8Array, palette: Palette): IndexedPicture {
  const reader = new Reader(bytes);
  const kind = headerlessKind(reader, bytes.length);
  if (kind === "palette") return palettePicture({ colours: bytes, origin: "" });
  if (kind === "character set") return new IndexedPicture(characterSetSide, characterSetSide, bytes, palette, 0);
  if (kind === "colour map") return new IndexedPicture(256, 64, bytes, palette);
  // In WADs of Half-Life the palette follows.
  return decodeOwnPicture(bytes, palette).picture;
}

/**
 * Reads a picture of a WAD of Half-Life: the format of `.lmp`, followed by a palette.
 * @throws {MediaError} if it is no picture.
 */
export function decodeOwnPicture(bytes: Uint8Array, palette: Palette): Texture {
  const reader = new Reader(bytes);
  const [width, height] = [reader.u32(0), reader.u32(4)];
  const pixels = indices(reader, 8, width, height);
  const used = paletteAt(reader, 8 + width * height) ?? palette;
  return { picture: new IndexedPicture(width, height, pixels, used, transparentIndex), palette: used };
}

/** Header of a texture. */
export interface MipHeader {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Offset of the largest picture from the header; 0 if the texture is in another file. */
  readonly data: number;
}

/** Reads the header of a MIP texture at `offset`. */
export function readMipHeader(reader: Reader, offset: number): MipHeader {
  reader.require(offset, 40, "a texture");
  const [width, height, data] = [reader.u32(offset + 16), reader.u32(offset + 20), reader.u32(offset + 24)];
  return { name: reader.text(offset, 16), width, height, data };
}

/** Reads a palette of Half-Life after pixels, if it is at `offset`. */
function paletteAt(reader: Reader, offset: number): Palette | undefined {
  if (offset + 2 + 768 > reader.length || reader.u16(offset) !== 256) return undefined;
  return { colours: reader.slice(offset + 2, 768, "a palette"), origin: "the file itself" };
}

/** Reads a palette of Half-Life after the smallest of the four pictures, if present. */
function ownPalette(reader: Reader, offset: number, { width, height }: MipHeader): Palette | undefined {
  const smallest = reader.u32(offset + 36);
  const end = offset + smallest + Math.floor(width / 8) * Math.floor(height / 8);
  return smallest === 0 ? undefined : paletteAt(reader, end);
}

/** A texture, and the palette of its pixels. */
export interface Texture {
  readonly picture: IndexedPicture;
  readonly palette: Palette;
}

/**
 * Reads a MIP texture whose header is at `offset` of a BSP, a WAD or a texture file.
 * @param mayOwnPalette Whether a palette after it is used: in maps and WADs of Half-Life.
 * @throws {MediaError} if it is truncated, or only refers to a texture in another file.
 */
export function decodeMip(bytes: Uint8Array, offset: number, palette: Palette, mayOwnPalette = false): Texture {
  const reader = new Reader(bytes);
  const header = readMipHeader(reader, offset);
  const { name, width, height, data } = header;
  if (data === 0) throw new MediaError(`texture ${name} is not in this file: it is in a WAD`, { offset });
  const pixels = indices(reader, offset + data, width, height);
  const used = (mayOwnPalette ? ownPalette(reader, offset, header) : undefined) ?? palette;
  const transparent = name.startsWith("{") ? transparentIndex : undefined;
  return { picture: new IndexedPicture(width, height, pixels, used, transparent), palette: used };
}

/**
 * Reads a `.wal`.
 * @throws {MediaError} if it is truncated.
 */
export function decodeWal(bytes: Uint8Array, palette: Palette): IndexedPicture {
  const reader = new Reader(bytes);
  reader.require(0, 100, "the header of a WAL");
  const [width, height, data] = [reader.u32(32), reader.u32(36), reader.u32(40)];
  return new IndexedPicture(width, height, indices(reader, data, width, height), palette);
}

/**
 * Decodes a picture without a header: a lump of a WAD or a skin of a model.
 * @throws {MediaError} if there are fewer bytes than pixels.
 */
export function decodeIndices(bytes: Uint8Array, width: number, height: number, palette: Palette): IndexedPicture {
  return new IndexedPicture(width, height, indices(new Reader(bytes), 0, width, height), palette);
}
