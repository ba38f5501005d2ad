/**
 * Reads textures of the Source engine, VTF 7.0 to 7.5. The largest picture of the first frame is read, not the smaller
 * ones, other frames, or other sides of cubes.
 *
 * `VTF\0`, u32 7, u32 minor version, u32 length of the header; u16 width, height at 16; u32 flags at 20 (0x4000 a cube);
 * u16 frames, u16 first frame at 24; u32 kind of pixels at 52, u8 levels at 56; u32 kind, u8 width, u8 height of a thumbnail
 * at 57; from 7.2 on u16 depth at 63; from 7.3 on u32 number of parts at 68, and from 80 three letters, u8 flags, u32 offset
 * of each. Part 0x30 is the picture; before 7.3 it follows the header and the thumbnail. The smallest level comes first, and
 * each level has all frames, sides and layers. A cube before 7.5 has a seventh side if it has a first frame.
 * (ValveSoftware, Valve Texture Format; panzi/VTFLib src/VTFFile.cpp.)
 * @module
 */
import { MediaError, Reader } from "../core/reader.ts";
import { type Picture, requireSize } from "./picture.ts";
import { decodeStored, type StoredPicture, type StoredPixels, storedSize } from "./stored_pixels.ts";

const flagCube = 0x4000;
const picturePart = 0x30;
const thumbnailKind: StoredPixels = { blocks: "bc1", isSwizzled: false };
const masked = (bytes: number, ...masks: readonly number[]): StoredPixels => ({ bytes, masks });
const blocks = (kind: "bc1" | "bc2" | "bc3" | "bc4" | "bc5"): StoredPixels => ({ blocks: kind, isSwizzled: false });

/** Kinds of pixels by their numbers; what their names say of the order of channels is not always true. */
const kinds: ReadonlyMap<number, StoredPixels> = new Map([
  [0, masked(4, 0xff, 0xff00, 0xff0000, 0xff000000)], // RGBA8888
  [1, masked(4, 0xff000000, 0xff0000, 0xff00, 0xff)], // ABGR8888
  [2, masked(3, 0xff, 0xff00, 0xff0000, 0)], // RGB888
  [3, masked(3, 0xff0000, 0xff00, 0xff, 0)], // BGR888
  [4, masked(2, 0x1f, 0x7e0, 0xf800, 0)], // RGB565
  [5, masked(1, 0xff, 0xff, 0xff, 0)], // I8
  [6, masked(2, 0xff, 0xff, 0xff, 0xff00)], // IA88
  [8, masked(1, 0, 0, 0, 0xff)], // A8
  [11, masked(4, 0xff000000, 0xff, 0xff00, 0xff0000)], // ARGB8888
  [12, masked(4, 0xff0000, 0xff00, 0xff, 0xff000000)], // BGRA8888
  [13, blocks("bc1")], // DXT1
  [14, blocks("bc2")], // DXT3
  [15, blocks("bc3")], // DXT5
  [16, masked(4, 0xff0000, 0xff00, 0xff, 0)], // BGRX8888
  [17, masked(2, 0xf800, 0x7e0, 0x1f, 0)], // BGR565
  [18, masked(2, 0x7c00, 0x3e0, 0x1f, 0)], // BGRX5551
  [19, masked(2, 0xf00, 0xf0, 0xf, 0xf000)], // BGRA4444
  [20, blocks("bc1")], // DXT1 with holes
  [21, masked(2, 0x7c00, 0x3e0, 0x1f, 0x8000)], // BGRA5551
  [22, masked(2, 0xff, 0xff00, 0, 0)], // UV88
  [23, masked(4, 0xff, 0xff00, 0xff0000, 0xff000000)], // UVWQ8888
  [26, masked(4, 0xff, 0xff00, 0xff0000, 0xff000000)], // UVLX8888
  [37, blocks("bc5")], // ATI2N
  [38, blocks("bc4")], // ATI1N
]);

/**
 * Reads the header of a VTF.
 * @throws {MediaError} if it is no VTF, or of an unsupported kind.
 */
export function readVtfHeader(reader: Reader): StoredPicture {
  if (!reader.startsWith("VTF\0")) throw new MediaError("it does not begin like a VTF", { offset: 0 });
  const [major, minor] = [reader.u32(4), reader.u32(8)];
  if (major !== 7 || minor > 5) throw new MediaError(`version ${major}.${minor} of VTF is not known`, { offset: 4 });
  const [width, height, frames] = [reader.u16(16), reader.u16(18), Math.max(1, reader.u16(24))];
  requireSize(width, height);
  const kind = reader.u32(52);
  const pixels = kinds.get(kind);
  if (!pixels) throw new MediaError(`a VTF of pixels of kind ${kind} is not shown`, { offset: 52 });
  const isCube = (reader.u32(20) & flagCube) !== 0;
  const sides = isCube ? (minor < 5 && reader.u16(26) !== 0xffff ? 7 : 6) : 1;
  const depth = minor >= 2 ? Math.max(1, reader.u16(63)) : 1;
  let data = partOffset(reader, minor);
  for (let level = reader.u8(56) - 1; level > 0; level--) {
    const size = storedSize(Math.max(1, width >> level), Math.max(1, height >> level), pixels);
    data += size * frames * sides * Math.max(1, depth >> level);
  }
  return { width, height, data, pixels };
}

/** Returns the offset of the smallest picture. */
function partOffset(reader: Reader, minor: number): number {
  const header = reader.u32(12);
  const [thumbnailWidth, thumbnailHeight] = [reader.u8(61), reader.u8(62)];
  if (minor < 3) return header + storedSize(thumbnailWidth, thumbnailHeight, thumbnailKind);
  const parts = reader.count(68, 8, "parts");
  for (let part = 0; part < parts; part++) {
    const offset = 80 + part * 8;
    if ((reader.u32(offset) & 0xffffff) === picturePart) return reader.u32(offset + 4);
  }
  throw new MediaError("it has no picture", { offset: 68 });
}

/**
 * Reads a VTF.
 * @throws {MediaError} if it is no VTF, truncated, or of an unsupported kind.
 */
export function decodeVtf(bytes: Uint8Array): Picture {
  const reader = new Reader(bytes);
  return decodeStored(reader, readVtfHeader(reader));
}

const baseTexture = /(?:^|[\s{])"?\$basetexture"?[ \t]+"?([^"\s{}]+)"?/i;

/** Returns the path of the texture of a material (VMT), which is text; undefined if it names none. */
export function textureOfMaterial(bytes: Uint8Array): string | undefined {
  const name = baseTexture.exec(new TextDecoder().decode(bytes))?.[1]?.replaceAll("\\", "/").replace(/^\/+/, "");
  return name === undefined ? undefined : `materials/${name.toLowerCase().replace(/\.vtf$/, "")}.vtf`;
}
