/**
 * Draws patterns, and writes pictures in the formats of games.
 * @module
 */
import { byteAt } from "../../formats/parts.ts";
import { emptyPicture, type Picture } from "../../media/mod.ts";
import { concatenate } from "./bytes.ts";
import { ColourMatcher } from "./palette.ts";

/** Red, green, blue and opacity, each of [0, 255]. */
export type Colour = readonly [number, number, number, number];

/** Colour of a picture at (`u`, `v`), both of [0, 1), from the upper left corner. */
export type Pattern = (u: number, v: number) => Colour;

/** Draws `pattern`. */
export function draw(width: number, height: number, pattern: Pattern): Picture {
  const picture = emptyPicture(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = pattern((x + 0.5) / width, (y + 0.5) / height);
      const pixel = (y * width + x) * 4;
      for (const [channel, value] of colour.entries()) {
        picture.rgba[pixel + channel] = Math.max(0, Math.min(255, Math.round(value)));
      }
    }
  }
  return picture;
}

/** Writes Truevision TGA, 32 bits, uncompressed, rows from the bottom: what every engine since Quake 2 reads. */
export function encodeTga({ width, height, rgba }: Picture): Uint8Array {
  const file = new Uint8Array(18 + rgba.length);
  const view = new DataView(file.buffer);
  view.setUint8(2, 2); // true colour, no compression
  view.setUint16(12, width, true);
  view.setUint16(14, height, true);
  view.setUint8(16, 32);
  view.setUint8(17, 8); // bits of opacity; origin at the lower left
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = ((height - 1 - y) * width + x) * 4;
      const to = 18 + (y * width + x) * 4;
      file[to] = byteAt(rgba, from + 2);
      file[to + 1] = byteAt(rgba, from + 1);
      file[to + 2] = byteAt(rgba, from);
      file[to + 3] = byteAt(rgba, from + 3);
    }
  }
  return file;
}

/**
 * Writes ZSoft PCX, 256 colours of `palette`, run-length coded: Quake 2's pictures, also written by old paint programs.
 */
export function encodePcx(image: Picture, palette: Uint8Array): Uint8Array {
  const { width, height } = image;
  const stride = width + width % 2;
  const header = new Uint8Array(128);
  const view = new DataView(header.buffer);
  header.set([10, 5, 1, 8]); // maker, version 3.0, run-length coded, bits a pixel
  view.setUint16(8, width - 1, true);
  view.setUint16(10, height - 1, true);
  view.setUint16(12, 72, true);
  view.setUint16(14, 72, true);
  view.setUint8(65, 1); // planes
  view.setUint16(66, stride, true);
  view.setUint16(68, 1, true); // colours, not greys

  const indices = toIndices(image, palette);
  const data: number[] = [];
  for (let y = 0; y < height; y++) {
    const row = new Uint8Array(stride);
    row.set(indices.subarray(y * width, (y + 1) * width));
    for (let x = 0; x < stride;) {
      const value = byteAt(row, x);
      let run = 1;
      while (run < 63 && x + run < stride && row[x + run] === value) run++;
      // A byte with its two highest bits set means a run, so such a colour needs one even for itself.
      if (run > 1 || value >= 0xc0) data.push(0xc0 | run);
      data.push(value);
      x += run;
    }
  }
  return concatenate([header, new Uint8Array(data), new Uint8Array([12]), palette]);
}

/** Writes a Quake picture: width and height as 32-bit numbers, then one index of `palette` a pixel, row by row. */
export function encodeLmp(image: Picture, palette: Uint8Array): Uint8Array {
  const header = new Uint8Array(8);
  const view = new DataView(header.buffer);
  view.setUint32(0, image.width, true);
  view.setUint32(4, image.height, true);
  return concatenate([header, toIndices(image, palette)]);
}

/** Returns the nearest colour of `palette` for each pixel. */
export function toIndices({ width, height, rgba }: Picture, palette: Uint8Array): Uint8Array {
  const matcher = new ColourMatcher(palette);
  const indices = new Uint8Array(width * height);
  for (let index = 0; index < indices.length; index++) {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(index * 4, index * 4 + 3);
    indices[index] = matcher.nearest(red, green, blue);
  }
  return indices;
}
