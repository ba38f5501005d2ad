/**
 * The palette of the demo game, and pictures in its colours. Colours are our own: sixteen ramps of sixteen shades.
 * @module
 */
import { byteAt } from "../../formats/parts.ts";

/** Red, green and blue of a ramp's brightest shade. */
const ramps: readonly (readonly [number, number, number])[] = [
  [255, 255, 255],
  [214, 178, 134],
  [190, 190, 220],
  [170, 150, 90],
  [220, 70, 60],
  [150, 180, 90],
  [110, 130, 200],
  [230, 140, 70],
  [140, 110, 170],
  [100, 170, 170],
  [200, 200, 120],
  [120, 90, 70],
  [90, 160, 230],
  [240, 200, 60],
  [230, 110, 150],
  [255, 230, 160],
];

/** Returns 256 colours of three bytes, as in `gfx/palette.lmp`: colour 0 is black, the last of every ramp its brightest. */
export function demoPalette(): Uint8Array {
  const palette = new Uint8Array(768);
  for (const [ramp, colour] of ramps.entries()) {
    for (let shade = 0; shade < 16; shade++) {
      const brightness = shade / 15;
      for (const [channel, value] of colour.entries()) {
        palette[(ramp * 16 + shade) * 3 + channel] = Math.round(value * brightness);
      }
    }
  }
  return palette;
}

/** Finds the nearest colour of a palette, and caches the results. */
export class ColourMatcher {
  readonly #palette: Uint8Array;
  readonly #known = new Map<number, number>();

  /**
   * Stores the palette.
   * @param palette 256 colours of three bytes.
   */
  constructor(palette: Uint8Array) {
    this.#palette = palette;
  }

  /** Returns the index of the colour nearest to the given one. */
  nearest(red: number, green: number, blue: number): number {
    const key = (red << 16) | (green << 8) | blue;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    let best = 0;
    let bestDistance = Infinity;
    for (let index = 0; index < 256; index++) {
      const byRed = red - byteAt(this.#palette, index * 3);
      const byGreen = green - byteAt(this.#palette, index * 3 + 1);
      const byBlue = blue - byteAt(this.#palette, index * 3 + 2);
      // The eye minds green most and blue least.
      const distance = 3 * byRed * byRed + 4 * byGreen * byGreen + 2 * byBlue * byBlue;
      if (distance < bestDistance) [best, bestDistance] = [index, distance];
    }
    this.#known.set(key, best);
    return best;
  }
}

/** Returns `gfx/colormap.lmp`: for 64 levels from bright to dark, the colour that each of the 256 becomes; then one zero byte. */
export function demoColourMap(palette: Uint8Array): Uint8Array {
  const matcher = new ColourMatcher(palette);
  const map = new Uint8Array(64 * 256 + 1);
  for (let level = 0; level < 64; level++) {
    const brightness = (63 - level) / 32;
    for (let colour = 0; colour < 256; colour++) {
      const shade = (channel: number): number =>
        Math.min(255, Math.round(byteAt(palette, colour * 3 + channel) * brightness));
      map[level * 256 + colour] = matcher.nearest(shade(0), shade(1), shade(2));
    }
  }
  return map;
}
