/**
 * Decodes terminal pictures as a terminal does: decoders of Sixel and of Kitty's protocol, written from the
 * specifications, independently of the encoders.
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { Picture } from "../../../media/pictures/picture.ts";

/**
 * Draws Sixel as a terminal does: VT330/VT340 Programmer Reference Manual, chapter 14. Undrawn pixels stay transparent.
 * @throws {AssertionError} for data that a terminal would not take.
 */
export function drawnSixel(text: string): Picture {
  // deno-lint-ignore no-control-regex -- an escape begins the data
  const begin = /^\x1bP(?:\d*;)*\d*q/.exec(text);
  assert(begin, "it begins with no device control string");
  const end = text.indexOf("\x1b\\");
  assert(end > 0, "it has no end");
  const data = text.slice(begin[0].length, end);
  const size = /^"(\d+);(\d+);(\d+);(\d+)/.exec(data);
  assert(size, "its size is missing");
  const [, , , width = 0, height = 0] = size.map(Number);
  const rgba = new Uint8Array(width * height * 4);
  const colours = new Map<number, readonly number[]>();
  let [x, top, colour] = [0, 0, 0];
  for (const [word, number, red, green, blue, count, sixel, move] of data.slice(size[0].length).matchAll(sixelWords)) {
    if (move === "$") x = 0;
    else if (move === "-") [x, top] = [0, top + 6];
    else if (number !== undefined) {
      colour = Number(number);
      if (red !== undefined) colours.set(colour, [red, green, blue].map((part) => Math.round(Number(part) * 2.55)));
    } else {
      assert(sixel !== undefined, `"${word}" is no word of Sixel`);
      const bits = sixel.charCodeAt(0) - 63;
      const pixel = colours.get(colour);
      assert(pixel, `colour ${colour} is used before it is defined`);
      for (let step = 0; step < Number(count ?? 1); step++, x++) {
        assert(x < width, "a row is too long");
        for (let row = 0; row < 6; row++) {
          if ((bits >> row) % 2 === 0) continue;
          assert(top + row < height, "a row is too far down");
          rgba.set([...pixel, 255], ((top + row) * width + x) * 4);
        }
      }
    }
  }
  return { width, height, rgba };
}

/**
 * Matches a colour, with its definition or without; a character of six pixels, repeated or not; a move; or an error.
 */
const sixelWords = /#(\d+)(?:;2;(\d+);(\d+);(\d+))?|(?:!(\d+))?([?-~])|([$-])|[^]/g;

/** Returns the PNG sent to Kitty, joined from its parts: all but the last have `m=1`. */
export function transmittedPng(text: string): Uint8Array {
  // deno-lint-ignore no-control-regex -- escapes part the data
  const parts = Array.from(text.matchAll(/\x1b_G([^;]*);([^\x1b]*)\x1b\\/g), ([, keys = "", payload = ""]) => ({
    keys: new Map(keys.split(",").map((pair) => [pair.split("=")[0] ?? "", pair.split("=")[1] ?? ""])),
    payload,
  }));
  assertEquals(parts.map(({ keys }) => keys.get("m")), parts.map((_, index) => index < parts.length - 1 ? "1" : "0"));
  assertEquals([parts[0]?.keys.get("a"), parts[0]?.keys.get("f")], ["T", "100"]);
  for (const { payload } of parts) assert(payload.length <= 4096 && payload.length % 4 === 0, "a part of a wrong size");
  return Uint8Array.fromBase64(parts.map(({ payload }) => payload).join(""));
}

/** Returns the largest difference of any red, green, blue or opacity between two pictures of one size. */
export function greatestDifference(actual: Picture, expected: Picture): number {
  assertEquals([actual.width, actual.height], [expected.width, expected.height]);
  return actual.rgba.reduce((most, value, index) => Math.max(most, Math.abs(value - (expected.rgba[index] ?? 0))), 0);
}

/** Replaces each field of 8 x 8 pixels by its mean colour, which dithering preserves. */
export function blurred({ width, height, rgba }: Picture): Picture {
  const side = 8;
  const fields = { width: Math.floor(width / side), height: Math.floor(height / side) };
  const sums = new Float64Array(fields.width * fields.height * 4);
  for (let y = 0; y < fields.height * side; y++) {
    for (let x = 0; x < fields.width * side; x++) {
      const field = Math.floor(y / side) * fields.width + Math.floor(x / side);
      for (let channel = 0; channel < 4; channel++) {
        const offset = field * 4 + channel;
        sums[offset] = (sums[offset] ?? 0) + (rgba[(y * width + x) * 4 + channel] ?? 0);
      }
    }
  }
  return { ...fields, rgba: Uint8Array.from(sums, (sum) => Math.round(sum / side ** 2)) };
}
