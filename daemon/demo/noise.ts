/**
 * Pseudo-random numbers that are the same every time.
 * @module
 */

/** Returns a number of [0, 1) that depends only on the whole numbers `x` and `y` and on `seed`. */
export function hash(x: number, y: number, seed: number): number {
  let value = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return ((value ^ (value >>> 16)) >>> 0) / 2 ** 32;
}

function smooth(t: number): number {
  return t * t * (3 - 2 * t);
}

/** Returns value noise of [0, 1) at (`x`, `y`), which repeats every `period` cells in both directions, so that textures tile. */
function valueNoise(x: number, y: number, period: number, seed: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const corner = (dx: number, dy: number): number => hash((left + dx) % period, (top + dy) % period, seed);
  const across = smooth(x - left);
  const upper = corner(0, 0) + (corner(1, 0) - corner(0, 0)) * across;
  const lower = corner(0, 1) + (corner(1, 1) - corner(0, 1)) * across;
  return upper + (lower - upper) * smooth(y - top);
}

/** Returns cloudy noise of [0, 1) over the unit square, which tiles: `octaves` layers, the coarsest of `cells` cells. */
export function cloud(u: number, v: number, cells: number, octaves: number, seed: number): number {
  let sum = 0;
  let weight = 0.5;
  let total = 0;
  for (let octave = 0; octave < octaves; octave++) {
    const period = cells * 2 ** octave;
    sum += weight * valueNoise(u * period, v * period, period, seed + octave);
    total += weight;
    weight /= 2;
  }
  return sum / total;
}
