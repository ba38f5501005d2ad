/**
 * Encodes pictures in DEC's Sixel, which foot, mlterm, xterm and others show.
 *
 * `ESC P 0;1 q "1;1;width;height`, colours `#n;2;red;green;blue` in hundredths, then bands of six rows: for each colour
 * `#n` and a character per column (`?` plus a number of six bits, the lowest bit for the upper row; `!count` repeats
 * it); `$` returns to the left, `-` starts the next band; `ESC \`. (DEC, VT330/VT340 Programmer Reference Manual, ch.
 * 14)
 * @module
 */
import { byteAt } from "../../formats/parts.ts";
import type { Picture } from "../pictures/picture.ts";

/** Maximum colours that terminals support per picture. */
const maxColours = 256;

interface Indexed {
  readonly indices: Uint8Array;
  /** Red, green and blue of each colour. */
  readonly colours: readonly (readonly [number, number, number])[];
}

/** Returns a picture with its original colours; undefined if it has more than the maximum. */
function exactly({ width, height, rgba }: Picture): Indexed | undefined {
  const numbers = new Map<number, number>();
  const indices = new Uint8Array(width * height);
  for (let pixel = 0; pixel < indices.length; pixel++) {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(pixel * 4, pixel * 4 + 3);
    const key = red * 65536 + green * 256 + blue;
    const number = numbers.get(key) ?? numbers.size;
    if (number === maxColours) return undefined;
    numbers.set(key, number);
    indices[pixel] = number;
  }
  const colours = Array.from(numbers.keys(), (key) => [key >> 16, key >> 8 & 255, key & 255] as const);
  return { indices, colours };
}

/** Values of red, green and blue in the 252 colours of reduced pictures. */
const strengths = [6, 7, 6] as const;

function errorAt(errors: Float32Array, index: number): number {
  const error = errors[index];
  if (error === undefined) throw new RangeError(`error ${index} is outside of ${errors.length}`);
  return error;
}

/** Reduces a picture to 252 colours with the error diffusion of Floyd and Steinberg. */
function dithered({ width, height, rgba }: Picture): Indexed {
  const indices = new Uint8Array(width * height);
  let errors = new Float32Array((width + 2) * 3);
  for (let y = 0; y < height; y++) {
    const below = new Float32Array((width + 2) * 3);
    for (let x = 0; x < width; x++) {
      let index = 0;
      strengths.forEach((strength, channel) => {
        const offset = (x + 1) * 3 + channel;
        const wanted = Math.max(
          0,
          Math.min(255, byteAt(rgba, (y * width + x) * 4 + channel) + errorAt(errors, offset)),
        );
        const level = Math.round(wanted * (strength - 1) / 255);
        const lacking = wanted - level * 255 / (strength - 1);
        index = index * strength + level;
        errors[offset + 3] = errorAt(errors, offset + 3) + lacking * 7 / 16;
        below[offset - 3] = errorAt(below, offset - 3) + lacking * 3 / 16;
        below[offset] = errorAt(below, offset) + lacking * 5 / 16;
        below[offset + 3] = errorAt(below, offset + 3) + lacking / 16;
      });
      indices[y * width + x] = index;
    }
    errors = below;
  }
  const [reds, greens, blues] = strengths;
  const colours = Array.from({ length: reds * greens * blues }, (_, index) =>
    [
      Math.floor(index / (greens * blues)) * 255 / (reds - 1),
      Math.floor(index / blues) % greens * 255 / (greens - 1),
      index % blues * 255 / (blues - 1),
    ] as const);
  return { indices, colours };
}

/** Returns the characters of one colour in a band, run-length encoded. */
function runs(bits: Uint8Array): string {
  let text = "";
  const end = bits.findLastIndex((value) => value !== 0) + 1;
  for (let x = 0; x < end;) {
    let count = 1;
    while (x + count < end && bits[x + count] === bits[x]) count++;
    const character = String.fromCharCode(63 + byteAt(bits, x));
    text += count > 3 ? `!${count}${character}` : character.repeat(count);
    x += count;
  }
  return text;
}

function band({ indices }: Indexed, width: number, height: number, top: number): string {
  const byColour = new Map<number, Uint8Array>();
  for (let y = top; y < Math.min(height, top + 6); y++) {
    for (let x = 0; x < width; x++) {
      const index = byteAt(indices, y * width + x);
      const bits = byColour.get(index) ?? new Uint8Array(width);
      bits[x] = byteAt(bits, x) | (1 << (y - top));
      byColour.set(index, bits);
    }
  }
  return Array.from(byColour, ([index, bits]) => `#${index}${runs(bits)}`).join("$");
}

/** Returns the sequence that shows a picture and begins a new line below it. Opacity is ignored. */
export function sixelPicture(picture: Picture): string {
  const { width, height } = picture;
  const indexed = exactly(picture) ?? dithered(picture);
  const used = new Set(indexed.indices);
  const hundredths = (value: number) => Math.round(value * 100 / 255);
  const colours = indexed.colours.map((colour, index) =>
    used.has(index) ? `#${index};2;${colour.map(hundredths).join(";")}` : ""
  ).join("");
  const bands = Array.from({ length: Math.ceil(height / 6) }, (_, index) => band(indexed, width, height, index * 6));
  return `\x1bP0;1q"1;1;${width};${height}${colours}${bands.join("-")}\x1b\\\n`;
}
