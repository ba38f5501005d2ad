import { assert, assertEquals } from "@std/assert";
import fc from "../../support/fast_check.ts";
import { detectedGraphics, showsAnyColour } from "../../../media/preview/graphics.ts";
import { halfBlocks, nearestOf256 } from "../../../media/preview/half_blocks.ts";
import { kittyPicture } from "../../../media/preview/kitty.ts";
import { decodePng } from "../../../media/pictures/png.ts";
import { encodePng } from "../../../media/pictures/png_writer.ts";
import type { Picture } from "../../../media/pictures/picture.ts";
import { fittingSize, flattened, scaled } from "../../../media/preview/scale.ts";
import { sixelPicture } from "../../../media/preview/sixel.ts";
import { hex } from "../../formats/bytes.ts";
import { blurred, drawnSixel, greatestDifference, transmittedPng } from "./terminal_pictures.ts";

/** A picture from hexadecimal words. */
function picture(width: number, words: string): Picture {
  const rgba = hex(words);
  return { width, height: rgba.length / 4 / width, rgba };
}

const flag = picture(2, "ff0000ff 00ff00ff 0000ffff ffffffff 000000ff 000000ff");

Deno.test("half blocks are two pixels each, and colours are set only where they change", () => {
  assertEquals(
    halfBlocks(flag, true),
    "\x1b[38;2;255;0;0;48;2;0;0;255m▀\x1b[38;2;0;255;0;48;2;255;255;255m▀\x1b[0m\n" +
      "\x1b[38;2;0;0;0m▀▀\x1b[0m\n",
  );
  assertEquals(
    halfBlocks(flag, false),
    "\x1b[38;5;196;48;5;21m▀\x1b[38;5;46;48;5;231m▀\x1b[0m\n\x1b[38;5;16m▀▀\x1b[0m\n",
  );
});

Deno.test("a colour becomes the nearest of the terminal's 256", () => {
  const levels = [0, 95, 135, 175, 215, 255];
  const colours: [number, number, number][] = [
    ...Array.from({ length: 216 }, (_, index): [number, number, number] => [
      levels[Math.floor(index / 36)] ?? 0,
      levels[Math.floor(index / 6) % 6] ?? 0,
      levels[index % 6] ?? 0,
    ]),
    ...Array.from(
      { length: 24 },
      (_, index): [number, number, number] => [8 + 10 * index, 8 + 10 * index, 8 + 10 * index],
    ),
  ];
  const distance = (index: number, [r, g, b]: readonly number[]) => {
    const [x = 0, y = 0, z = 0] = colours[index] ?? [];
    return (x - (r ?? 0)) ** 2 + (y - (g ?? 0)) ** 2 + (z - (b ?? 0)) ** 2;
  };
  for (let sample = 0; sample < 500; sample++) {
    const wanted = [sample * 37 % 256, sample * 101 % 256, sample * 53 % 256] as const;
    const best = Math.min(...colours.keys().map((index) => distance(index, wanted)));
    assertEquals(distance(nearestOf256(...wanted) - 16, wanted), best, wanted.join(" "));
  }
});

Deno.test("Kitty gets a PNG in parts of at most 4096 characters", () => {
  assertEquals(kittyPicture(hex("010203")), "\x1b_Ga=T,f=100,q=2,m=0;AQID\x1b\\\n");
  const parts = kittyPicture(new Uint8Array(7000)).split("\x1b\\");
  assertEquals(parts.map((part) => part.replace(/A+=*/, (data) => String(data.length))), [
    "\x1b_Ga=T,f=100,q=2,m=1;4096",
    "\x1b_Gq=2,m=1;4096",
    "\x1b_Gq=2,m=0;1144",
    "\n",
  ]);
});

Deno.test("Sixel is bands of six rows in up to 256 colours", () => {
  // Red and green above blue and white above black: bits 1, 2 and 4 of one band.
  assertEquals(
    sixelPicture(flag),
    '\x1bP0;1q"1;1;2;3#0;2;100;0;0#1;2;0;100;0#2;2;0;0;100#3;2;100;100;100#4;2;0;0;0' +
      "#0@$#1?@$#2A$#3?A$#4CC\x1b\\\n",
  );
  const tall = picture(5, "ff0000ff".repeat(5 * 8));
  assertEquals(sixelPicture(tall), '\x1bP0;1q"1;1;5;8#0;2;100;0;0#0!5~-#0!5B\x1b\\\n');
});

Deno.test("Sixel of more colours stays near them on average", () => {
  const side = 64;
  const rgba = Uint8Array.from({ length: side * side * 4 }, (_, index) => {
    const pixel = index >> 2;
    return [
      pixel % side * 4,
      Math.floor(pixel / side) * 4,
      (pixel % side + Math.floor(pixel / side)) * 2,
      255,
    ][index & 3] ?? 0;
  });
  const text = sixelPicture({ width: side, height: side, rgba });
  const colours = new Map(
    Array.from(text.matchAll(/#(\d+);2;(\d+);(\d+);(\d+)/g), ([, index, ...rgb]) => [index, rgb.map(Number)]),
  );
  assert(colours.size <= 252);
  const sums = [0, 0, 0];
  let pixels = 0;
  for (const [, index, data] of text.slice(text.lastIndexOf(";")).matchAll(/#(\d+)([!?-~\d]*)/g)) {
    for (const [, count, one] of (data ?? "").matchAll(/(?:!(\d+))?([?-~])/g)) {
      const bits = ((one ?? "?").charCodeAt(0) - 63).toString(2).replaceAll("0", "").length * Number(count ?? 1);
      pixels += bits;
      colours.get(index ?? "")?.forEach((value, channel) => sums[channel] = (sums[channel] ?? 0) + value * 2.55 * bits);
    }
  }
  assertEquals(pixels, side * side);
  for (const sum of sums) assert(Math.abs(sum / pixels - 126) < 4, `mean ${sum / pixels}`);
});

/** Difference between levels of a colour sent in hundredths: 255 / 100, halved and rounded up. */
const hundredth = 2;

Deno.test("a terminal that draws Sixel draws the picture, whatever its size and colours", () => {
  const pictures = fc.integer({ min: 1, max: 40 }).chain((width) =>
    fc.tuple(
      fc.array(fc.constantFrom("000000ff", "ff0000ff", "01fe80ff", "336699ff", "fefefeff", "7f7f80ff"), {
        minLength: 1,
        maxLength: 20,
      }),
      fc.integer({ min: 1, max: 3 }),
    ).map(([colours, repeats]) => {
      const height = Math.ceil(colours.length * repeats / width);
      return picture(width, Array.from({ length: width * height }, (_, at) => colours[at % colours.length]).join(""));
    })
  );
  fc.assert(fc.property(pictures, (one) => greatestDifference(drawnSixel(sixelPicture(one)), one) <= hundredth));
});

Deno.test("a terminal that draws Sixel of more than 256 colours draws what looks like the picture", () => {
  const side = 96;
  const rgba = Uint8Array.from({ length: side * side * 4 }, (_, index) => {
    const [x, y] = [(index >> 2) % side, Math.floor((index >> 2) / side)];
    return [x * 255 / side, y * 255 / side, 255 - (x + y) * 127 / side, 255][index & 3] ?? 0;
  });
  const one = { width: side, height: side, rgba };
  const drawn = drawnSixel(sixelPicture(one));
  const difference = greatestDifference(blurred(drawn), blurred(one));
  assert(difference <= 16, `fields of 8 x 8 pixels differ by up to ${difference}`);
});

Deno.test("Kitty gets exactly the picture", () => {
  const rgba = Uint8Array.from({ length: 80 * 60 * 4 }, (_, index) => index * 7919 % 251);
  const one = { width: 80, height: 60, rgba };
  assertEquals(greatestDifference(decodePng(transmittedPng(kittyPicture(encodePng(one)))), one), 0);
});

Deno.test("the environment decides how a terminal shows pictures", () => {
  assertEquals(detectedGraphics({}), "blocks");
  assertEquals(detectedGraphics({ TERM: "xterm-256color" }), "blocks");
  assertEquals(detectedGraphics({ TERM: "xterm-kitty", KITTY_WINDOW_ID: "1" }), "kitty");
  assertEquals(detectedGraphics({ TERM: "xterm-256color", KITTY_WINDOW_ID: "1" }), "kitty");
  assertEquals(detectedGraphics({ TERM: "tmux-256color", KITTY_WINDOW_ID: "1" }), "blocks");
  assertEquals(detectedGraphics({ TERM: "foot" }), "sixel");
  assertEquals(detectedGraphics({ TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }), "kitty");
  assertEquals(detectedGraphics({ TERM: "dumb" }), "none");
  assertEquals(detectedGraphics({ TERM: "xterm", PAKFS_GRAPHICS: "sixel" }), "sixel");
  assertEquals(detectedGraphics({ TERM: "foot", PAKFS_GRAPHICS: "nonsense" }), "sixel");
  assertEquals([{ COLORTERM: "truecolor" }, { TERM: "xterm-direct" }, { TERM: "xterm-256color" }].map(showsAnyColour), [
    true,
    true,
    false,
  ]);
});

Deno.test("a picture is made to fit, its opacity weighed and then put on a pattern", () => {
  const wide = { width: 400, height: 100, rgba: new Uint8Array(0) };
  assertEquals(fittingSize(wide, { width: 80, height: 44 }), { width: 80, height: 20 });
  assertEquals(fittingSize(wide, { width: 1000, height: 10 }), { width: 40, height: 10 });
  assertEquals(fittingSize(wide, { width: 1000, height: 1000 }), { width: 400, height: 100 });
  const half = scaled(picture(2, "ff0000ff 00ff0000 0000ffff ffffffff"), 1, 2);
  assertEquals(half, picture(1, "ff000080 8080ffff"));
  assertEquals(scaled(picture(1, "0a0b0cff"), 2, 2), picture(2, "0a0b0cff".repeat(4)));
  assertEquals(flattened(picture(2, "ff000000 ff0000ff")), picture(2, "666666ff ff0000ff"));
  assertEquals(flattened(picture(6, "00000000".repeat(6))).rgba.slice(12).toHex(), "666666ff999999ff999999ff");
});
