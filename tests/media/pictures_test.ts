import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { deflateSync } from "node:zlib";
import { decodeJpeg } from "../../media/pictures/jpeg.ts";
import { builtInPalette, type Palette, readPalette } from "../../media/pictures/palette.ts";
import { decodePatch } from "../../media/pictures/doom_picture.ts";
import { decodePcx, pcxPalette } from "../../media/pictures/pcx.ts";
import type { Picture } from "../../media/pictures/picture.ts";
import { decodePng } from "../../media/pictures/png.ts";
import { encodePng } from "../../media/pictures/png_writer.ts";
import { decodeLmp, decodeMip, decodeWal } from "../../media/pictures/quake_picture.ts";
import { MediaError } from "../../media/core/reader.ts";
import { decodeTga } from "../../media/pictures/tga.ts";
import { encodeLmp, encodePcx, encodeTga } from "../../daemon/demo/image.ts";
import { demoPalette } from "../../daemon/demo/palette.ts";
import { hex, join, padded, text, u16, u32 } from "../formats/bytes.ts";
import fc from "../support/fast_check.ts";
import { mip, name, testPalette } from "./handmade.ts";
import { pcxs, tgas } from "./random_files.ts";

const palette: Palette = { colours: testPalette(), origin: "test" };

/** Pixels as hexadecimal words, a line for each row. */
function pixels({ width, height, rgba }: Picture): string[] {
  return Array.from(
    { length: height },
    (_, y) =>
      Array.from({ length: width }, (_, x) => rgba.slice((y * width + x) * 4, (y * width + x) * 4 + 4).toHex()).join(
        " ",
      ),
  );
}

Deno.test("an LMP is a width, a height and indices; index 255 is not drawn", () => {
  const file = join(u32(4, 2), Uint8Array.of(0, 1, 2, 255, 16, 32, 64, 128));
  assertEquals(pixels(decodeLmp(file, palette)), [
    "00ff00ff 01fe00ff 02fd01ff ff007f00",
    "10ef08ff 20df10ff 40bf20ff 807f40ff",
  ]);
  assertThrows(() => decodeLmp(file.subarray(0, 15), palette), MediaError, "needs 8 bytes at byte 8");
});

Deno.test("LMPs without a header are known by their length", () => {
  const colours = decodeLmp(testPalette(), palette);
  assertEquals([colours.width, colours.height], [128, 128]);
  // Colour 17 is the second field of the second row of fields.
  assertEquals(colours.rgba.slice((8 * 128 + 8) * 4, (8 * 128 + 8) * 4 + 4).toHex(), "11ee08ff");
  const letters = decodeLmp(new Uint8Array(128 * 128).fill(3, 1), palette);
  assertEquals(letters.rgba.slice(0, 8).toHex(), "00ff00" + "00" + "03fc01ff");
  const map = decodeLmp(new Uint8Array(256 * 64 + 1).fill(9), palette);
  assertEquals([map.width, map.height, map.rgba.slice(0, 4).toHex()], [256, 64, "09f604ff"]);
  // Pictures of the same length have a header that identifies them.
  const sizes = [[38, 20], [23, 712], [3, 5459]].map(([width = 0, height = 0]) => {
    const picture = decodeLmp(join(u32(width, height), new Uint8Array(width * height)), palette);
    return [picture.width, picture.height];
  });
  assertEquals(sizes, [[38, 20], [23, 712], [3, 5459]]);
});

Deno.test("a picture of a WAD of Half-Life is shown in the colours after its pixels", () => {
  const own = Uint8Array.from({ length: 768 }, (_, index) => index >= 3 && index < 6 ? 10 * index : 0);
  const picture = decodeLmp(join(u32(2, 1), hex("0100"), u16(256), own), palette);
  assertEquals(picture.rgba.toHex(), "1e2832ff" + "000000ff");
});

Deno.test("a MIP texture is the largest of its four pictures; one whose name begins with { has holes", () => {
  const { picture } = decodeMip(mip("sky1", 7), 0, palette);
  assertEquals([picture.width, picture.height], [16, 16]);
  assertEquals(pixels(picture)[0], ["00ff00ff", ...new Array(15).fill("07f803ff")].join(" "));
  const fence = decodeMip(join(hex("ffff"), mip("{fence", 255)), 2, palette).picture;
  assertEquals(pixels(fence)[1]?.slice(0, 8), "ff007f00");
  const inWad = join(name("elsewhere", 16), u32(16, 16, 0, 0, 0, 0));
  assertThrows(() => decodeMip(inWad, 0, palette), MediaError, "texture elsewhere is not in this file");
});

Deno.test("a texture of Half-Life brings its own palette", () => {
  const own = Uint8Array.from({ length: 768 }, (_, index) => index === 0 ? 1 : 0xab);
  const file = join(mip("wall", 7), u16(256), own);
  const owned = decodeMip(file, 0, palette, true);
  assertEquals([owned.palette.origin, owned.picture.rgba.slice(4, 8).toHex()], ["the file itself", "abababff"]);
  assertEquals(decodeMip(file, 0, palette).palette.origin, "test");
});

Deno.test("a WAL has a header of 100 bytes", () => {
  const header = join(name("e1u1/wall", 32), u32(2, 2, 100, 0, 0, 0), new Uint8Array(32), u32(0, 0, 0));
  assertEquals(header.length, 100);
  const file = join(header, Uint8Array.of(1, 2, 3, 255));
  assertEquals(pixels(decodeWal(file, palette)), ["01fe00ff 02fd01ff", "03fc01ff ff007fff"]);
  assertThrows(() => decodeWal(file.subarray(0, 103), palette), MediaError, "cut short");
});

/** A PCX header of 8 bits: `planes` planes whose rows have `stride` bytes. */
function pcxHeader(width: number, height: number, planes: number, stride: number, encoding = 1): Uint8Array {
  const start = join(Uint8Array.of(10, 5, encoding, 8), u16(0, 0, width - 1, height - 1, 72, 72), new Uint8Array(49));
  return padded(join(start, Uint8Array.of(planes), u16(stride, 1)), 128);
}

Deno.test("a PCX has runs, rows of even length and its palette at the end", () => {
  // Row one: 1, 1, 1 and a byte of padding; row two: 200 (which needs a run of one), 2, 3 and padding.
  const file = join(pcxHeader(3, 2, 1, 4), hex("c30100 c1c8 02 03 00"), Uint8Array.of(12), testPalette());
  assertEquals(pixels(decodePcx(file)), ["01fe00ff 01fe00ff 01fe00ff", "c83764ff 02fd01ff 03fc01ff"]);
  assertEquals(pcxPalette(file, "x").colours, testPalette());
  assertThrows(() => decodePcx(file.subarray(0, 800)), MediaError);
  assertThrows(
    () => decodePcx(join(pcxHeader(300, 2, 1, 300), hex("01"), Uint8Array.of(12), testPalette())),
    MediaError,
    "rows end",
  );
});

Deno.test("a PCX has runs of up to 63, and needs one for colours from 192 up", () => {
  const file = join(pcxHeader(64, 1, 1, 64), hex("ff07 c1c0"), Uint8Array.of(12), testPalette());
  assertEquals(pixels(decodePcx(file)), [`${"07f803ff ".repeat(63)}c03f60ff`]);
});

Deno.test("a PCX of three planes has the red, green and blue rows after each other", () => {
  const file = join(pcxHeader(2, 1, 3, 2), hex("0102 1112 2122"));
  assertEquals(pixels(decodePcx(file)), ["011121ff 021222ff"]);
  const plain = join(pcxHeader(2, 1, 3, 2, 0), hex("ff02 1112 2122"));
  assertEquals(pixels(decodePcx(plain)), ["ff1121ff 021222ff"]);
});

/** A TGA header. */
function tgaHeader(
  type: number,
  width: number,
  height: number,
  bits: number,
  descriptor: number,
  map: number[] = [0, 0, 0],
): Uint8Array {
  const [hasMap = 0, count = 0, mapBits = 0] = map;
  return join(
    Uint8Array.of(0, hasMap, type),
    u16(0, count),
    Uint8Array.of(mapBits),
    u16(0, 0, width, height),
    Uint8Array.of(bits, descriptor),
  );
}

Deno.test("a TGA is stored blue first, from the bottom or from the top, from the left or from the right", () => {
  const stored = hex("010203 040506 070809 0a0b0c");
  const rows = (descriptor: number) => pixels(decodeTga(join(tgaHeader(2, 2, 2, 24, descriptor), stored)));
  assertEquals(rows(0), ["090807ff 0c0b0aff", "030201ff 060504ff"]);
  assertEquals(rows(0x20), ["030201ff 060504ff", "090807ff 0c0b0aff"]);
  assertEquals(rows(0x30), ["060504ff 030201ff", "0c0b0aff 090807ff"]);
});

Deno.test("a TGA of 32 bits has opacity, one of 16 five bits a colour, one of 8 greys", () => {
  assertEquals(pixels(decodeTga(join(tgaHeader(2, 2, 1, 32, 0x28), hex("01020304 05060708")))), ["03020104 07060508"]);
  const invisible = join(tgaHeader(2, 1, 1, 32, 0x20), hex("01020300"));
  assertEquals(pixels(decodeTga(invisible)), ["030201ff"]);
  assertEquals(pixels(decodeTga(join(tgaHeader(2, 2, 1, 16, 0x20), u16(0x7c00, 0x0210)))), ["ff0000ff 008484ff"]);
  assertEquals(pixels(decodeTga(join(tgaHeader(3, 2, 1, 8, 0x20), hex("0590")))), ["050505ff 909090ff"]);
});

Deno.test("a TGA may be compressed in runs that continue in the next row, and have a colour map", () => {
  const compressed = join(tgaHeader(10, 3, 2, 24, 0x20), hex("83 010203 01 040506 070809"));
  assertEquals(pixels(decodeTga(compressed)), ["030201ff 030201ff 030201ff", "030201ff 060504ff 090807ff"]);
  const mapped = join(tgaHeader(9, 3, 1, 8, 0x20, [1, 2, 24]), hex("0a0b0c 0d0e0f"), hex("81 01 00 00"));
  assertEquals(pixels(decodeTga(mapped)), ["0f0e0dff 0f0e0dff 0c0b0aff"]);
  assertEquals(pixels(decodeTga(join(tgaHeader(11, 2, 1, 8, 0x20), hex("81 07")))), ["070707ff 070707ff"]);
});

Deno.test("a TGA has the pixels of its model, whatever its header says", () => {
  fc.assert(fc.property(tgas, ({ bytes, picture }) => assertEquals(decodeTga(bytes), picture)), { numRuns: 400 });
});

Deno.test("a PCX has the pixels of its model, whatever its header says", () => {
  fc.assert(
    fc.property(pcxs, ({ bytes, picture }) => {
      const { width, height, rgba } = decodePcx(bytes);
      assertEquals({ width, height, rgba }, picture);
    }),
    { numRuns: 200 },
  );
});

Deno.test("a TGA that is truncated or of a rare kind is refused, a huge one before memory is allocated", () => {
  assertThrows(() => decodeTga(join(tgaHeader(2, 2, 2, 24, 0), hex("010203"))), MediaError, "pixels end");
  assertThrows(() => decodeTga(join(tgaHeader(10, 65535, 1024, 24, 0), hex("ff010203"))), MediaError, "pixels end");
  assertThrows(() => decodeTga(tgaHeader(2, 65535, 65535, 24, 0)), MediaError, "up to 67108864 pixels");
  assertThrows(() => decodeTga(tgaHeader(2, 0, 5, 24, 0)), MediaError, "it is empty");
  assertThrows(() => decodeTga(tgaHeader(32, 1, 1, 24, 0)), MediaError, "unknown type 32 of TGA");
  assertThrows(() => decodeTga(tgaHeader(2, 1, 1, 12, 0)), MediaError, "12 bits a colour");
});

/** Computes CRC-32 bit by bit, independently of the decoder. */
function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return ~value >>> 0;
}

function big32(value: number): Uint8Array {
  return u32(value).toReversed();
}

function chunk(title: string, content: Uint8Array): Uint8Array {
  const named = join(text(title), content);
  return join(big32(content.length), named, big32(crc(named)));
}

/** A PNG of the given header and rows, each preceded by its filter. */
function png(header: string, rows: string, ...others: Uint8Array[]): Uint8Array {
  return join(
    hex("89504e470d0a1a0a"),
    chunk("IHDR", hex(header)),
    ...others,
    chunk("IDAT", deflateSync(hex(rows))),
    chunk("IEND", new Uint8Array(0)),
  );
}

Deno.test("a PNG undoes each of the five filters", () => {
  // Two pixels of RGB a row: as they are, less the left one, less the one above, less the mean, less Paeth's guess.
  const rows = "00 010203 040506" + "01 010101 020202" + "02 010101 010101" + "03 0a0a0a 0b0b0b" + "04 010101 020202";
  assertEquals(pixels(decodePng(png("00000002 00000005 08 02 00 00 00", rows))), [
    "010203ff 040506ff",
    "010101ff 030303ff",
    "020202ff 040404ff",
    "0b0b0bff 121212ff",
    "0c0c0cff 141414ff",
  ]);
});

Deno.test("a PNG may have any depth, a palette, greys, and colours that are not drawn", () => {
  assertEquals(pixels(decodePng(png("00000004 00000001 01 00 00 00 00", "00 a0"))), [
    "ffffffff 000000ff ffffffff 000000ff",
  ]);
  assertEquals(pixels(decodePng(png("00000002 00000001 04 00 00 00 00", "00 3f"))), ["333333ff ffffffff"]);
  assertEquals(pixels(decodePng(png("00000001 00000001 10 02 00 00 00", "00 8000 ffff 0000"))), ["80ff00ff"]);
  assertEquals(pixels(decodePng(png("00000001 00000001 08 04 00 00 00", "00 4080"))), ["40404080"]);
  assertEquals(pixels(decodePng(png("00000001 00000001 08 06 00 00 00", "00 01020304"))), ["01020304"]);
  const colours = [chunk("PLTE", hex("0a0b0c 0d0e0f 101112")), chunk("tRNS", hex("ff40"))];
  assertEquals(pixels(decodePng(png("00000003 00000001 02 03 00 00 00", "00 18", ...colours))), [
    "0a0b0cff 0d0e0f40 101112ff",
  ]);
  const hidden = chunk("tRNS", hex("0001 0002 0003"));
  assertEquals(pixels(decodePng(png("00000002 00000001 08 02 00 00 00", "00 010203 010204", hidden))), [
    "01020300 010204ff",
  ]);
});

Deno.test("an interlaced PNG is put together from its seven passes", () => {
  // 3 x 3 greys, numbered by pass: the first has (0,0), the fourth (2,0), the fifth (0,2) (2,2), the sixth (1,0) (1,2),
  // the seventh row 1.
  const rows = "00 10" + "00 40" + "00 50 51" + "00 60" + "00 61" + "00 70 71 72";
  assertEquals(pixels(decodePng(png("00000003 00000003 08 00 00 00 01", rows))), [
    "101010ff 606060ff 404040ff",
    "707070ff 717171ff 727272ff",
    "505050ff 616161ff 515151ff",
  ]);
});

Deno.test("a damaged PNG is refused, and so is one that would decompress to more than its size", () => {
  const good = png("00000002 00000001 08 00 00 00 00", "00 0102");
  const bad = good.slice();
  bad[20] = 9;
  assertThrows(() => decodePng(bad), MediaError, "the checksum of chunk IHDR at byte 8 is wrong");
  assertThrows(() => decodePng(good.subarray(0, 45)), MediaError, "cut short");
  assertThrows(() => decodePng(png("00000002 00000001 08 00 00 00 00", "00 01")), MediaError, "end before");
  assertThrows(() => decodePng(png("00000002 00000001 08 00 00 00 00", "00 0102 03")), MediaError, "decompressed");
  assertThrows(
    () => decodePng(png("00002000 00002000 08 00 00 00 00", "00 01")),
    MediaError,
    "too short for its size",
  );
  assertThrows(() => decodePng(png("ffffffff ffffffff 08 00 00 00 00", "00")), MediaError, "up to");
  assertThrows(() => decodePng(png("00000001 00000001 08 03 00 00 00", "00 00")), MediaError, "palette");
  assertThrows(() => decodePng(png("00000001 00000001 08 00 00 00 00", "07 00")), MediaError, "unknown filter 7");
});

Deno.test("a PNG needs no chunk after its pixels", () => {
  const whole = png("00000002 00000001 08 00 00 00 00", "00 0102");
  assertEquals(decodePng(whole.subarray(0, -12)), decodePng(whole));
});

Deno.test("the checksum of a PNG's chunk counts unless programs may skip the chunk", () => {
  const wrong = (name: string) => {
    const bytes = chunk(name, hex("010203"));
    bytes.set(bytes.subarray(-1).map((byte) => byte ^ 1), bytes.length - 1);
    return png("00000002 00000001 08 00 00 00 00", "00 0102", bytes);
  };
  for (const name of ["tEXt", "gAMA", "tRNS", "zzZz"]) assertEquals(decodePng(wrong(name)).width, 2, name);
  for (const name of ["PLTE", "IDAT", "ABCD"]) assertThrows(() => decodePng(wrong(name)), MediaError, name);
});

/** A post of a column: its gap after the previous post, and its pixels. */
const post = fc.record({ gap: fc.nat(300), pixels: fc.uint8Array({ minLength: 1, maxLength: 40 }) });

Deno.test("a patch has the pixels of its posts, however tall, and holes though all colours are used", () => {
  const column = fc.array(post, { maxLength: 4 });
  const whole = fc.record({
    columns: fc.array(column, { minLength: 1, maxLength: 6 }),
    height: fc.integer({ min: 1, max: 700 }),
    isFull: fc.boolean(),
    same: fc.uniqueArray(fc.nat(255), { minLength: 2, maxLength: 2 }),
  });
  fc.assert(fc.property(whole, ({ columns, height: given, isFull, same: [first = 0, second = 0] }) => {
    // Two colours are equal, so that a picture of all 256 indices has one to spare.
    const colours = testPalette();
    colours.copyWithin(second * 3, first * 3, first * 3 + 3);
    const height = isFull ? Math.max(257, given) : given;
    const all = [
      ...isFull ? [[{ gap: 0, pixels: Uint8Array.from({ length: 256 }, (_, index) => index) }]] : [],
      ...columns,
    ];
    const [width, rgba] = [all.length, new Uint8Array(all.length * height * 4)];
    const stored = all.map((posts, x) => {
      let before = -1;
      const parts = posts.flatMap(({ gap, pixels }) => {
        // Rows up to 254 are absolute; later ones are relative to the previous post, and must not exceed its row.
        const row = before < 0
          ? Math.min(gap, 254)
          : before + 1 + gap <= 254
          ? before + 1 + gap
          : before + Math.min(gap, 254);
        const field = row <= 254 && row > before ? row : row - before;
        if (field > before && field !== row) return [];
        before = row;
        pixels.subarray(0, Math.max(0, height - row)).forEach((index, at) => {
          rgba.set([...colours.subarray(index * 3, index * 3 + 3), 255], ((row + at) * width + x) * 4);
        });
        const bytes = pixels.length > 255 ? [pixels.subarray(0, 128), pixels.subarray(128)] : [pixels];
        return bytes.map((part, index) =>
          join(Uint8Array.of(field + index * 128, part.length, 0), part, Uint8Array.of(0))
        );
      });
      return join(...parts, Uint8Array.of(255));
    });
    let offset = 8 + width * 4;
    const offsets = stored.map(({ length }) => (offset += length) - length);
    const picture = decodePatch(join(u16(width, height, 0, 0), u32(...offsets), ...stored), { colours, origin: "" });
    assertEquals([picture.width, picture.height], [width, height]);
    const shown = picture.rgba.map((value, index) => picture.rgba[index - index % 4 + 3] === 0 ? 0 : value);
    assert(shown.every((value, index) => value === rgba[index]));
  }));
});

Deno.test("a JPEG is decoded", async () => {
  // 8 x 8 pixels of grey 128: all coefficients are zero. Tables with one code each: DC category 0, AC end of block.
  const table = (id: string, value: string) => `ffc4 0014 ${id} 01${"00".repeat(15)} ${value}`;
  const file = hex(
    "ffd8" + `ffdb 0043 00 ${"01".repeat(64)}` + "ffc0 000b 08 0008 0008 01 01 11 00" + table("00", "00") +
      table("10", "00") + "ffda 0008 01 01 00 00 3f 00" + "3f" + "ffd9",
  );
  const picture = await decodeJpeg(file);
  assertEquals([picture.width, picture.height], [8, 8]);
  assertEquals(new Set(pixels(picture).join(" ").split(" ")), new Set(["808080ff"]));
  await assertRejects(() => decodeJpeg(file.subarray(0, 30)), MediaError, "cannot be decoded");
  // A comment holds the start of a frame: its pixels count, but only for the existing scans.
  const commented = join(file.subarray(0, 2), hex("fffe 000c ffc0 000b 08 4000 2000 01"), file.subarray(2));
  assertEquals((await decodeJpeg(commented)).width, 8);
  const many = join(
    file.subarray(0, 71),
    hex("ffc0 000b 08 2000 2000 01 01 11 00"),
    ...new Array(30).fill(hex("ffda")),
  );
  await assertRejects(() => decodeJpeg(many), MediaError, "passes over 67108864 pixels are too many");
});

Deno.test("what the demo's encoders write is read back", () => {
  const colours = demoPalette();
  const expected: Picture = {
    width: 5,
    height: 3,
    rgba: Uint8Array.from(
      Array.from({ length: 15 }, (_, index) => [...colours.subarray(index * 51, index * 51 + 3), 255]).flat(),
    ),
  };
  assertEquals(decodeTga(encodeTga(expected)), expected);
  assertEquals(pixels(decodePcx(encodePcx(expected, colours))), pixels(expected));
  assertEquals(pixels(decodeLmp(encodeLmp(expected, colours), readPalette(colours, ""))), pixels(expected));
  const translucent = { ...expected, rgba: expected.rgba.map((value, index) => index === 3 ? 9 : value) };
  assertEquals(decodePng(encodePng(expected)), expected);
  assertEquals(decodePng(encodePng(translucent)), translucent);
});

Deno.test("the built-in palette has 256 colours and is no scale of greys", () => {
  const { colours } = builtInPalette();
  assertEquals(colours.length, 768);
  const isGrey = (index: number) =>
    colours[index * 3] === colours[index * 3 + 1] && colours[index * 3] === colours[index * 3 + 2];
  assertEquals(Array.from({ length: 256 }, (_, index) => index).filter(isGrey).length < 40, true);
  assertThrows(() => readPalette(new Uint8Array(700), ""), MediaError, "768 bytes");
});
