/**
 * Compares DirectDraw surfaces of random blocks and pixels with the formulas of the Khronos Data Format Specification.
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { MediaError } from "../../media/core/reader.ts";
import { decodeDds, readDdsHeader } from "../../media/pictures/dds.ts";
import { mayBeTranslucent } from "../../media/pictures/stored_pixels.ts";
import { Reader } from "../../media/core/reader.ts";
import { ddsHeader } from "./convert/samples.ts";
import { join, u32 } from "../formats/bytes.ts";
import { numbersFrom, seed } from "../support/chance.ts";

type Colour = readonly [red: number, green: number, blue: number];

/** A number of `bits` bits, expanded to eight by repeating its bits. */
function spread(value: number, bits: number): number {
  const digits = value.toString(2).padStart(bits, "0");
  return Number.parseInt(digits.repeat(2).slice(0, 8), 2);
}

/** Weighted mean, rounded down. */
const mixed = (a: number, b: number, weight: number, of: number) => Math.floor(((of - weight) * a + weight * b) / of);

/** Bits of a block from a position on, lowest first. */
function bitsAt(block: readonly number[], position: number, count: number): number {
  return Array.from(
    { length: count },
    (_, bit) => ((block[(position + bit) >> 3] ?? 0) >> ((position + bit) & 7) & 1) << bit,
  )
    .reduce((sum, bit) => sum + bit, 0);
}

/** The pixel of an index into a colour block; undefined: transparent. */
function colourOf(block: readonly number[], pixel: number, mayHaveHoles: boolean): Colour | undefined {
  const ends = [0, 16].map((position) => bitsAt(block, position, 16));
  const [first, second] = ends.map((value): Colour => [
    spread(value >> 11, 5),
    spread(value >> 5 & 63, 6),
    spread(value & 31, 5),
  ]);
  assert(first && second);
  const choice = bitsAt(block, 32 + 2 * pixel, 2);
  if (choice < 2) return choice === 0 ? first : second;
  const isParted = mayHaveHoles && (ends[0] ?? 0) <= (ends[1] ?? 0);
  if (isParted && choice === 3) return undefined;
  const [weight, of] = isParted ? [1, 2] : [choice - 1, 3];
  const channel = (index: 0 | 1 | 2) => mixed(first[index], second[index], weight, of);
  return [channel(0), channel(1), channel(2)];
}

function opacityOf(kind: string, block: readonly number[], pixel: number): number {
  if (kind === "DXT3") return spread(bitsAt(block, 4 * pixel, 4), 4);
  const [first = 0, second = 0] = block;
  const choice = bitsAt(block, 16 + 3 * pixel, 3);
  if (choice < 2) return choice === 0 ? first : second;
  if (first > second) return mixed(first, second, choice - 1, 7);
  return choice < 6 ? mixed(first, second, choice - 1, 5) : choice === 6 ? 0 : 255;
}

for (const kind of ["DXT1", "DXT3", "DXT5", "RXGB"]) {
  Deno.test(`pixels of random blocks follow the specification, in pictures of any size: ${kind}`, () => {
    const chance = numbersFrom(seed);
    for (let round = 0; round < 60; round++) {
      const [width, height] = [1 + chance(9), 1 + chance(9)];
      const columns = Math.ceil(width / 4);
      const size = kind === "DXT1" ? 8 : 16;
      const blocks = Array.from({ length: columns * Math.ceil(height / 4) }, () => {
        const block = Array.from({ length: size }, () => chance(256));
        // Equal ends, and ends in either order.
        if (chance(3) === 0) block[1] = block[0] ?? 0;
        if (chance(3) === 0) block.splice(size - 6, 2, block[size - 8] ?? 0, block[size - 7] ?? 0);
        return block;
      });
      const file = join(ddsHeader(width, height, kind), new Uint8Array(blocks.flat()));
      const { rgba } = decodeDds(file);
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const block = blocks[Math.floor(y / 4) * columns + Math.floor(x / 4)] ?? [];
          const pixel = y % 4 * 4 + x % 4;
          const colour = colourOf(block.slice(-8), pixel, kind === "DXT1");
          const [red, green, blue] = colour ?? [0, 0, 0];
          const opacity = kind === "DXT1" ? (colour ? 255 : 0) : opacityOf(kind, block, pixel);
          const expected = kind === "RXGB" ? [opacity, green, blue, 255] : [red, green, blue, opacity];
          const offset = (y * width + x) * 4;
          assertEquals(Array.from(rgba.subarray(offset, offset + 4)), expected, `${x},${y} of round ${round}, ${seed}`);
        }
      }
      assertThrows(() => decodeDds(file.subarray(0, -1)), MediaError);
      assertEquals(mayBeTranslucent(readDdsHeader(new Reader(file))), kind !== "RXGB");
    }
  });
}

Deno.test("pixels without compression have each channel where its mask says, as eight bits", () => {
  const chance = numbersFrom(seed);
  for (let round = 0; round < 200; round++) {
    const bytes = 1 + chance(4);
    // Channels of random widths, one after the other.
    let position = 0;
    const channels = Array.from({ length: 4 }, () => {
      const bits = Math.min(chance(9), bytes * 8 - position);
      const start = position;
      position += bits;
      return { start, bits };
    });
    const masks = channels.map(({ start, bits }) =>
      Number((((1n << BigInt(bits)) - 1n) << BigInt(start)) & 0xffff_ffffn)
    );
    const [width, height] = [1 + chance(5), 1 + chance(5)];
    const stored = Uint8Array.from({ length: width * height * bytes }, () => chance(256));
    const { rgba } = decodeDds(join(ddsHeader(width, height, "", bytes * 8, masks), stored));
    for (let index = 0; index < width * height; index++) {
      const pixel = Array.from(stored.subarray(index * bytes, (index + 1) * bytes));
      const expected = channels.map(({ start, bits }, channel) =>
        bits === 0 ? (channel === 3 ? 255 : 0) : Math.round(bitsAt(pixel, start, bits) * 255 / (2 ** bits - 1))
      );
      assertEquals(Array.from(rgba.subarray(index * 4, index * 4 + 4)), expected, `round ${round}, PAKFS_SEED=${seed}`);
    }
  }
});

Deno.test("a DDS that names its pixels by a number of DXGI is read as the same pixels named otherwise", () => {
  const chance = numbersFrom(seed);
  const blocks = new Map([[71, "DXT1"], [72, "DXT1"], [74, "DXT3"], [75, "DXT3"], [77, "DXT5"], [78, "DXT5"]])
    .set(80, "ATI1").set(83, "ATI2");
  const rgba = [0xff, 0xff00, 0xff0000, 0xff000000];
  const bgra = [0xff0000, 0xff00, 0xff, 0xff000000];
  const opacity = [0, 0, 0, 0xff];
  const masks = new Map([[28, rgba], [29, rgba], [65, opacity], [87, bgra], [91, bgra]]);
  const stored = Uint8Array.from({ length: 64 }, () => chance(256));
  for (let number = 0; number < 130; number++) {
    const file = join(ddsHeader(4, 4, "DX10"), u32(number, 3, 0, 1, 0), stored);
    if (number === 98 || number === 99) continue; // BC7, which has no letters, is compared below
    const [letters, mask] = [blocks.get(number), masks.get(number)];
    if (letters === undefined && mask === undefined) {
      assertThrows(() => decodeDds(file), MediaError, `format ${number} of DXGI`);
      continue;
    }
    const same = mask ? ddsHeader(4, 4, "", number === 65 ? 8 : 32, mask) : ddsHeader(4, 4, letters ?? "");
    assertEquals(decodeDds(file).rgba, decodeDds(join(same, stored)).rgba, `number ${number}`);
  }
  assertThrows(() => decodeDds(join(ddsHeader(4, 4, "UYVY"), stored)), MediaError, "UYVY");
});

for (const kind of ["ATI1", "ATI2", "BC4U", "BC5U"]) {
  Deno.test(`blocks of one and two channels have the values of opacities: ${kind}`, () => {
    const chance = numbersFrom(seed);
    const size = /[1U]$/.test(kind) && !kind.startsWith("BC5") ? 8 : 16;
    for (let round = 0; round < 40; round++) {
      const [width, height] = [1 + chance(9), 1 + chance(9)];
      const columns = Math.ceil(width / 4);
      const count = columns * Math.ceil(height / 4);
      const blocks = Array.from({ length: count }, () => Array.from({ length: size }, () => chance(256)));
      const file = join(ddsHeader(width, height, kind), new Uint8Array(blocks.flat()));
      const { rgba } = decodeDds(file);
      for (let index = 0; index < width * height; index++) {
        const [x, y] = [index % width, Math.floor(index / width)];
        const block = blocks[Math.floor(y / 4) * columns + Math.floor(x / 4)] ?? [];
        const values = [0, 8].map((start) => opacityOf("DXT5", block.slice(start), y % 4 * 4 + x % 4));
        const [first, second] = values;
        const expected = size === 8 ? [first, first, first, 255] : [first, second, 0, 255];
        assertEquals(Array.from(rgba.subarray(index * 4, index * 4 + 4)), expected, `${x},${y} of ${round}, ${seed}`);
      }
      assertThrows(() => decodeDds(file.subarray(0, -1)), MediaError);
      assertEquals(mayBeTranslucent(readDdsHeader(new Reader(file))), false);
    }
  });
}

Deno.test("pixels of BC7 in all modes are those that bcdec and Pillow decode", async () => {
  const [width, height, columns] = [190, 191, 48];
  let state = 1;
  const blocks = Uint8Array.from({ length: columns * columns * 16 }, () => {
    state = Number(BigInt(state) * 1103515245n + 12345n & 0x7fffffffn);
    return state >> 16 & 255;
  });
  for (let block = 0; block < columns * columns; block++) {
    const mode = block % 9; // the last is reserved
    const first = (blocks[block * 16] ?? 0) | 1 << mode;
    blocks[block * 16] = first >> mode << mode;
  }
  const files = [98, 99].map((number) => join(ddsHeader(width, height, "DX10"), u32(number, 3, 0, 1, 0), blocks));
  const [{ rgba } = { rgba: new Uint8Array() }, other] = files.map(decodeDds);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(rgba)));
  assertEquals(digest.toHex(), "79e24a4ab5ecb1f6b772b1dde9adc3485c99149533ad398990cb221dc0390e4b");
  assertEquals(other?.rgba, rgba);
  for (const file of files) {
    assertThrows(() => decodeDds(file.subarray(0, -1)), MediaError);
    assertEquals(mayBeTranslucent(readDdsHeader(new Reader(file))), true);
  }
});

Deno.test("a DDS of opacity alone, and one of indices of a palette, are read", () => {
  const header = (kind: number) => {
    const bytes = ddsHeader(3, 1, "", 8, [0, 0, 0, 0xff]);
    new DataView(bytes.buffer).setUint32(80, kind, true);
    return bytes;
  };
  const stored = Uint8Array.of(1, 0, 255);
  assertEquals(Array.from(decodeDds(join(header(2), stored)).rgba), [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 255]);
  const palette = Uint8Array.from({ length: 1024 }, (_, index) => index * 7);
  const { rgba } = decodeDds(join(header(0x20), palette, stored));
  assertEquals(
    Array.from(rgba),
    Array.from(stored).flatMap((index) => [...palette.subarray(index * 4, index * 4 + 4)]),
  );
  assertThrows(() => decodeDds(join(header(0x20), palette, stored.subarray(1))), MediaError);
});
