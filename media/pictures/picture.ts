/**
 * Pictures in memory.
 * @module
 */
import { byteAt } from "../../formats/parts.ts";
import type { Palette } from "./palette.ts";
import { MediaError } from "../core/reader.ts";

/** A decoded picture. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel, row by row from the top. */
  readonly rgba: Uint8Array;
}

/** Maximum number of decoded pixels: 256 MiB of memory. */
export const maxPixels = 64 * 1024 * 1024;

/**
 * Checks that a picture of that size may be decoded.
 * @throws {MediaError} if it is empty or has more than `max` pixels.
 */
export function requireSize(width: number, height: number, max = maxPixels): void {
  if (width < 1 || height < 1) throw new MediaError(`its size is ${width} x ${height} pixels: it is empty`);
  if (width * height <= max) return;
  throw new MediaError(`its size is ${width} x ${height} pixels; up to ${max} pixels are shown`);
}

/** Returns a transparent black picture; its size must have been checked with {@linkcode requireSize}. */
export function emptyPicture(width: number, height: number): Picture {
  return { width, height, rgba: new Uint8Array(width * height * 4) };
}

/** A picture whose pixels are indices of a palette. */
export class IndexedPicture implements Picture {
  readonly width: number;
  readonly height: number;
  /** One index per pixel, row by row from the top. */
  readonly indices: Uint8Array;
  readonly palette: Palette;
  /** Index of undrawn pixels, if any. */
  readonly transparent: number | undefined;
  #rgba: Uint8Array | undefined;

  constructor(width: number, height: number, indices: Uint8Array, palette: Palette, transparent?: number) {
    this.width = width;
    this.height = height;
    this.indices = indices;
    this.palette = palette;
    this.transparent = transparent;
  }

  /** Returns the colours, which are looked up on first use. */
  get rgba(): Uint8Array {
    return this.#rgba ??= this.#coloured();
  }

  #coloured(): Uint8Array {
    const { rgba } = emptyPicture(this.width, this.height);
    const { colours } = this.palette;
    for (let pixel = 0; pixel < this.width * this.height; pixel++) {
      const index = byteAt(this.indices, pixel);
      rgba[pixel * 4] = byteAt(colours, index * 3);
      rgba[pixel * 4 + 1] = byteAt(colours, index * 3 + 1);
      rgba[pixel * 4 + 2] = byteAt(colours, index * 3 + 2);
      rgba[pixel * 4 + 3] = index === this.transparent ? 0 : 255;
    }
    return rgba;
  }
}

/** Returns whether any pixel is not opaque. */
export function hasTransparency({ rgba }: Picture): boolean {
  for (let offset = 3; offset < rgba.length; offset += 4) {
    if (rgba[offset] !== 255) return true;
  }
  return false;
}
