/**
 * Palettes: the 256 colours of a game's indexed pictures.
 * @module
 */
import { MediaError } from "../core/reader.ts";

/** 256 colours. */
export interface Palette {
  /** Red, green and blue of each colour: 768 bytes. */
  readonly colours: Uint8Array;
  /** Origin of the colours: a qpath, `the file itself`, or `built-in colours`. */
  readonly origin: string;
}

/**
 * Reads `gfx/palette.lmp`: 768 bytes and nothing else (id-Software/Quake `host.c`).
 * @throws {MediaError} if there are fewer.
 */
export function readPalette(bytes: Uint8Array, origin: string): Palette {
  if (bytes.length >= 768) return { colours: bytes.slice(0, 768), origin };
  throw new MediaError(`a palette has 768 bytes, this file ${bytes.length}`);
}

/** Brightest shade of each of sixteen ramps, with the order of hues in Quake's palette. */
const ramps: readonly (readonly [number, number, number])[] = [
  [235, 235, 235],
  [170, 130, 80],
  [150, 150, 215],
  [120, 120, 40],
  [140, 20, 10],
  [190, 170, 50],
  [220, 130, 60],
  [245, 190, 120],
  [195, 150, 165],
  [170, 120, 170],
  [220, 200, 185],
  [115, 155, 135],
  [255, 240, 40],
  [60, 60, 255],
  [250, 140, 30],
  [255, 250, 220],
];

/** Returns a guessed palette for views without one: sixteen ramps from dark to bright. */
export function builtInPalette(): Palette {
  const colours = new Uint8Array(768);
  ramps.forEach((brightest, ramp) => {
    for (let shade = 0; shade < 16; shade++) {
      brightest.forEach((value, channel) => {
        colours[(ramp * 16 + shade) * 3 + channel] = Math.round(value * shade / 15);
      });
    }
  });
  return { colours, origin: "built-in colours" };
}
