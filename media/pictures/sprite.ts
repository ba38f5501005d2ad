/**
 * Reads sprites: Quake's SPR, whose frames are pictures in the file, and Quake 2's SP2, whose frames are files.
 *
 * SPR (id-Software/Quake `spritegn.h`): `IDSP`, i32 version 1; 8 i32 orientation, float radius, i32 greatest width and
 * height, 24 i32 frames, float beam length, i32 synchronised or not; from byte 36 frames: i32 0 and a frame, or i32 1,
 * count, times, frames. A frame is i32 left and top edge, width, height, then one index a pixel; 255 is not drawn. Version 2
 * is Half-Life's (`spritegn.h` of its tools): the way it is drawn is at 12 and moves the rest by 4, and u16 256 with the
 * colours precede the frames. Only in way 3 is colour 255 a hole.
 * Version 32 is DarkPlaces' (`model_sprite.c` `Mod_IDSP_Load`, `modelgen.h`): as version 1, with red, green, blue and opacity
 * for each pixel.
 * SP2 (id-Software/Quake-2 `qfiles.h`): `IDS2`, i32 2, i32 frames; each i32 width, height, left and top edge, and the file's
 * name in 64 bytes.
 * @module
 */
import type { Palette } from "./palette.ts";
import { IndexedPicture, type Picture, requireSize } from "./picture.ts";
import { drawSheet } from "./sheet.ts";
import { MediaError, type Reader } from "../core/reader.ts";

const transparentIndex = 255;
const rgbaVersion = 32;
/** Number of Half-Life's way of drawing whose last colour is a hole. */
const drawnWithHoles = 3;

/** Orientations of a sprite towards the player, by number. */
const facings = [
  "parallel and upright",
  "facing and upright",
  "parallel",
  "oriented",
  "parallel and oriented",
] as const;

/** A picture in an SPR. */
export interface SpriteFrame {
  readonly width: number;
  readonly height: number;
  /** Offset of its pixels in the file. */
  readonly offset: number;
}

/** An SPR. */
export interface Sprite {
  readonly version: number;
  readonly facing: string;
  /** All pictures, including pictures in groups. */
  readonly frames: readonly SpriteFrame[];
  /** Whether pixels are four bytes of colour and opacity, not indices. */
  readonly isRgba: boolean;
  /** Palette in the file: only Half-Life has one. */
  readonly colours: Uint8Array | undefined;
  /** Index of undrawn pixels, if any. */
  readonly transparent: number | undefined;
}

/** A frame of an SP2. */
export interface SpriteFile {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** Returns whether a file begins like an SPR. */
export function isSprite(reader: Reader): boolean {
  return reader.startsWith("IDSP");
}

/** Returns whether a file begins like an SP2. */
function isSpriteList(reader: Reader): boolean {
  return reader.startsWith("IDS2");
}

/**
 * Reads an SPR.
 * @throws {MediaError} if it is no sprite, of an unknown version, or truncated.
 */
export function readSprite(reader: Reader): Sprite {
  if (!isSprite(reader)) throw new MediaError("it does not begin like a sprite", { offset: 0 });
  const version = reader.i32(4);
  if (version !== 1 && version !== 2 && version !== rgbaVersion) {
    throw new MediaError(`unknown version ${version} of SPR; 1, 2 and 32 can be read`, { offset: 4 });
  }
  const isRgba = version === rgbaVersion;
  const isHalfLife = version === 2;
  const moved = isHalfLife ? 4 : 0;
  const count = reader.count(24 + moved, 20, "frames");
  let offset = 36 + moved;
  let colours: Uint8Array | undefined;
  if (isHalfLife) {
    const known = reader.u16(offset);
    if (known !== 256) throw new MediaError(`it has ${known} colours instead of 256`, { offset });
    colours = reader.slice(offset + 2, 768, "a palette");
    offset += 2 + 768;
  }
  const frames: SpriteFrame[] = [];
  const readFrame = () => {
    const [width, height] = [reader.u32(offset + 8), reader.u32(offset + 12)];
    requireSize(width, height);
    const size = width * height * (isRgba ? 4 : 1);
    reader.require(offset + 16, size, `frame ${frames.length}`);
    frames.push({ width, height, offset: offset + 16 });
    offset += 16 + size;
  };
  for (let frame = 0; frame < count; frame++) {
    const isGroup = reader.i32(offset) !== 0;
    const pictures = isGroup ? reader.count(offset + 4, 20, "frames of a group") : 1;
    offset += isGroup ? 8 + pictures * 4 : 4;
    for (let picture = 0; picture < pictures; picture++) readFrame();
  }
  const hasHoles = !isHalfLife || reader.i32(12) === drawnWithHoles;
  return {
    version,
    facing: facings[reader.i32(8)] ?? `of type ${reader.i32(8)}`,
    frames,
    isRgba,
    colours,
    transparent: hasHoles ? transparentIndex : undefined,
  };
}

/** Decodes one frame of an SPR. */
export function decodeFrame(
  reader: Reader,
  { transparent, isRgba }: Sprite,
  frame: SpriteFrame,
  palette: Palette,
): Picture {
  const { width, height, offset } = frame;
  if (isRgba) return { width, height, rgba: reader.slice(offset, width * height * 4, "a frame").slice() };
  const pixels = reader.slice(offset, width * height, "a frame");
  return new IndexedPicture(width, height, pixels, palette, transparent);
}

/**
 * Draws all frames of an SPR on one sheet, row by row, each in the upper left corner of a field as large as the largest
 * frame.
 * @throws {MediaError} if the sheet would be too large or empty.
 */
export function frameSheet(reader: Reader, sprite: Sprite, palette: Palette): Picture {
  const { frames } = sprite;
  const [only] = frames;
  if (only && frames.length === 1) return decodeFrame(reader, sprite, only, palette);
  return drawSheet(frames, (frame) => decodeFrame(reader, sprite, frame, palette));
}

/**
 * Reads an SP2.
 * @throws {MediaError} if it is no sprite, of an unknown version, or truncated.
 */
export function readSpriteList(reader: Reader): SpriteFile[] {
  if (!isSpriteList(reader)) throw new MediaError("it does not begin like an SP2", { offset: 0 });
  if (reader.i32(4) !== 2) {
    throw new MediaError(`unknown version ${reader.i32(4)} of SP2; 2 can be read`, { offset: 4 });
  }
  return Array.from({ length: reader.count(8, 80, "frames") }, (_, frame) => {
    const offset = 12 + frame * 80;
    return { name: reader.text(offset + 16, 64), width: reader.u32(offset), height: reader.u32(offset + 4) };
  });
}
