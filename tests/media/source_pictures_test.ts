/**
 * Compares textures of the Source engine and tiles of the Build engine with an independent decoder, and bitmaps and
 * GIFs with ImageMagick's.
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { convertersOf } from "../../media/convert/table.ts";
import { MediaError, Reader } from "../../media/core/reader.ts";
import { readTiles } from "../../media/pictures/art.ts";
import { decodeBmp } from "../../media/pictures/bmp.ts";
import { decodeDds } from "../../media/pictures/dds.ts";
import { decodeGif } from "../../media/pictures/gif.ts";
import { decodePng } from "../../media/pictures/png.ts";
import { decodeVtf, textureOfMaterial } from "../../media/pictures/vtf.ts";
import { join, text } from "../formats/bytes.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { art, ddsHeader, everything, rgbaSprite, vtf } from "./convert/samples.ts";

async function convert(qpath: string, bytes: Uint8Array): Promise<Uint8Array> {
  return await convertersOf(qpath, "png")[0]?.convert({ qpath, bytes }, everything) ?? new Uint8Array(0);
}

async function magick(...args: readonly string[]): Promise<Uint8Array> {
  const { success, stdout } = await new Deno.Command("convert", { args: [...args], stderr: "inherit" }).output();
  assertEquals(success, true, args.join(" "));
  return stdout;
}

/** Channels of a pixel of bytes in VTFLib's order: r, g, b, a, or x for an unused byte. */
const byteOrders: Readonly<Record<number, string>> = {
  0: "rgba",
  1: "abgr",
  2: "rgb",
  3: "bgr",
  11: "gbar",
  12: "bgra",
  16: "bgrx",
};

/** Channels of a pixel of 16 bits, from the lowest bit: letter and width. */
const bitOrders: Readonly<Record<number, string>> = {
  4: "r5 g6 b5",
  17: "b5 g6 r5",
  18: "b5 g5 r5",
  19: "b4 g4 r4 a4",
  21: "b5 g5 r5 a1",
};

Deno.test("pixels of a VTF have their channels in the order of their kind", () => {
  const chance = numbersFrom(seed);
  const pixels = 12;
  for (const [kind, order] of Object.entries(byteOrders)) {
    const data = Uint8Array.from({ length: pixels * order.length }, () => chance(256));
    const { rgba } = decodeVtf(vtf({ width: 4, height: 3, kind: Number(kind), data }));
    const expected = Array.from({ length: pixels * 4 }, (_, at) => {
      const channel = order.indexOf("rgba".charAt(at % 4));
      return channel < 0 ? 255 : data[Math.floor(at / 4) * order.length + channel];
    });
    assertEquals(Array.from(rgba), expected, order);
  }
  for (const [kind, order] of Object.entries(bitOrders)) {
    const data = Uint8Array.from({ length: pixels * 2 }, () => chance(256));
    const { rgba } = decodeVtf(vtf({ width: 4, height: 3, kind: Number(kind), data }));
    for (let pixel = 0; pixel < pixels; pixel++) {
      let bits = (data[pixel * 2] ?? 0) + (data[pixel * 2 + 1] ?? 0) * 256;
      const values: Record<string, number> = { a: 255 };
      for (const field of order.split(" ")) {
        const range = 2 ** Number(field.slice(1));
        values[field.charAt(0)] = Math.round(bits % range * 255 / (range - 1));
        bits = Math.floor(bits / range);
      }
      assertEquals(
        Array.from(rgba.subarray(pixel * 4, pixel * 4 + 4)),
        Array.from("rgba", (letter) => values[letter]),
        order,
      );
    }
  }
});

Deno.test("the largest picture of a VTF comes after all frames, sides and layers of the smaller ones", () => {
  const chance = numbersFrom(seed);
  for (let round = 0; round < 200; round++) {
    const [width, height, levels, frames] = [1 + chance(20), 1 + chance(20), 1 + chance(5), 1 + chance(3)];
    const minor = chance(6);
    const isCube = chance(3) === 0;
    const firstFrame = chance(2) === 0 ? 0xffff : 0;
    const sides = isCube ? (minor < 5 && firstFrame === 0 ? 7 : 6) : 1;
    const depth = minor >= 2 && chance(3) === 0 ? 1 + chance(4) : 1;
    const isBlocks = chance(2) === 0;
    const sizeOf = (level: number) => {
      const [wide, high] = [width, height].map((side) => Math.max(1, Math.floor(side / 2 ** level)));
      const fours = (side = 1) => Math.ceil(side / 4);
      return isBlocks ? fours(wide) * fours(high) * 8 : (wide ?? 1) * (high ?? 1) * 3;
    };
    let before = 0;
    for (let level = 1; level < levels; level++) {
      before += sizeOf(level) * frames * sides * Math.max(1, Math.floor(depth / 2 ** level));
    }
    const picture = Uint8Array.from({ length: sizeOf(0) }, () => chance(256));
    const data = join(new Uint8Array(before).fill(0x55), picture);
    const flags = isCube ? 0x4000 : 0;
    const file = vtf({ minor, width, height, kind: isBlocks ? 13 : 3, flags, frames, firstFrame, levels, depth, data });
    const same = isBlocks
      ? join(ddsHeader(width, height, "DXT1"), picture)
      : join(ddsHeader(width, height, "", 24, [0xff0000, 0xff00, 0xff, 0]), picture);
    assertEquals(decodeVtf(file).rgba, decodeDds(same).rgba, `round ${round}, PAKFS_SEED=${seed}`);
    assertThrows(() => decodeVtf(file.subarray(0, -1)), MediaError);
  }
});

Deno.test("a VTF of another version, kind or without a picture says so", () => {
  const file = vtf({ width: 1, height: 1, kind: 3, data: new Uint8Array(3) });
  const changed = (offset: number, value: number) => {
    const bytes = file.slice();
    bytes[offset] = value;
    return bytes;
  };
  assertThrows(() => decodeVtf(changed(8, 6)), MediaError, "version 7.6 of VTF is not known");
  assertThrows(() => decodeVtf(changed(52, 24)), MediaError, "a VTF of pixels of kind 24 is not shown");
  assertThrows(() => decodeVtf(changed(0, 0)), MediaError, "it does not begin like a VTF");
  const parts = vtf({ minor: 5, width: 1, height: 1, kind: 3, data: new Uint8Array(3) });
  parts[88] = 7;
  assertThrows(() => decodeVtf(parts), MediaError, "it has no picture");
});

Deno.test("a material names its texture, with quotes or without", () => {
  for (
    const [material, texture] of [
      ['"LightmappedGeneric"\n{\n\t"$basetexture" "Brick/Wall01"\n}', "materials/brick/wall01.vtf"],
      ["UnlitGeneric { $baseTexture dev\\grid.vtf }", "materials/dev/grid.vtf"],
      ['VertexLitGeneric { "$bumpmap" "a_n" }', undefined],
    ] as const
  ) {
    assertEquals(textureOfMaterial(text(material)), texture, material);
  }
});

Deno.test("tiles of the Build engine are drawn by columns, in colours of PALETTE.DAT times four", async () => {
  const sheet = decodePng(await convert("tiles000.art", art([[2, 2, "01020304"], [0, 9, ""], [1, 3, "05ff07"]])));
  // Non-empty tiles, in fields of 2 x 3 pixels.
  const colour = (index: number) =>
    index === 255 ? [...[0, 1, 2].map((channel) => (765 + channel) % 64 * 4), 0] : [
      ...[0, 1, 2].map((channel) => (index * 3 + channel) % 64 * 4),
      255,
    ];
  const none = [0, 0, 0, 0];
  assertEquals(
    Array.from(sheet.rgba),
    [
      ...[colour(1), colour(3), colour(5), none],
      ...[colour(2), colour(4), colour(255), none],
      ...[none, none, colour(7), none],
    ].flat(),
  );
  assertEquals([sheet.width, sheet.height], [4, 3]);
  const marked = join(text("BUILDART"), art([[1, 1, "09"]]));
  assertEquals(Array.from(decodePng(await convert("a.art", marked)).rgba), colour(9));
  assertThrows(() => readTiles(new Reader(art([[2, 2, "010203"]]))), MediaError, "tile 256 needs 4 bytes");
});

Deno.test("sprites of DarkPlaces have colours and opacity of their own", async () => {
  const { rgba } = decodePng(await convert("a.spr", rgbaSprite()));
  assertEquals(rgba.toHex(), "0102030405060708");
});

Deno.test("GIFs that ImageMagick writes have the pixels that it reads", needs("convert"), async () => {
  await using directory = await temporaryDirectory();
  const chance = numbersFrom(seed);
  for (const options of [[], ["-colors", "5"], ["-interlace", "GIF"], ["-monochrome"], ["-transparent", "#000000"]]) {
    for (const side of [1, 7, 60, 300]) {
      const [width, height] = [side, 1 + chance(side)];
      // Few colours and long runs, so that codes of all lengths occur.
      const pixels = Uint8Array.from({ length: width * height * 3 }, (_, at) => (at * at >> 7) % 6 * 51);
      const [source, path] = [`${directory.path}/source.ppm`, `${directory.path}/picture.gif`];
      // deno-lint-ignore no-await-in-loop -- one picture after the other
      await Deno.writeFile(source, join(text(`P6\n${width} ${height}\n255\n`), pixels));
      // deno-lint-ignore no-await-in-loop -- as above
      await magick(source, ...options, path);
      // deno-lint-ignore no-await-in-loop -- as above
      const expected = await magick(path, "-depth", "8", "rgba:-");
      // deno-lint-ignore no-await-in-loop -- as above
      const { rgba } = decodeGif(await Deno.readFile(path));
      for (let pixel = 0; pixel < width * height; pixel++) {
        const [ours, other] = [rgba, expected].map((all) => all.subarray(pixel * 4, pixel * 4 + 4));
        // Transparent pixels have no colour.
        if (ours?.[3] === 0 && other?.[3] === 0) continue;
        assertEquals(ours?.toHex(), other?.toHex(), `${options.join(" ")}, pixel ${pixel} of ${width} x ${height}`);
      }
    }
  }
});

Deno.test("bitmaps that ImageMagick writes have the pixels that it reads", needs("convert"), async () => {
  await using directory = await temporaryDirectory();
  const chance = numbersFrom(seed);
  for (
    const options of [
      ["-type", "TrueColor", "BMP3:"],
      ["-type", "TrueColorAlpha", "-channel", "A", "-evaluate", "set", "40%", "+channel", "BMP:"],
      ["-type", "Palette", "-colors", "200", "-compress", "none", "BMP3:"],
      ["-type", "Palette", "-colors", "12", "-compress", "none", "BMP3:"],
      ["-monochrome", "-compress", "none", "BMP3:"],
      ["-type", "TrueColor", "-define", "bmp:subtype=RGB565", "BMP:"],
    ]
  ) {
    const [width, height] = [1 + chance(40), 1 + chance(40)];
    const pixels = Uint8Array.from({ length: width * height * 3 }, () => chance(256));
    const source = `${directory.path}/source.ppm`;
    const path = `${directory.path}/picture.bmp`;
    // deno-lint-ignore no-await-in-loop -- one picture after the other
    await Deno.writeFile(source, join(text(`P6\n${width} ${height}\n255\n`), pixels));
    const last = `${options.at(-1)}${path}`;
    // deno-lint-ignore no-await-in-loop -- as above
    await magick(source, ...options.slice(0, -1), last);
    // deno-lint-ignore no-await-in-loop -- as above
    const expected = await magick(path, "-depth", "8", "rgba:-");
    // deno-lint-ignore no-await-in-loop -- as above
    const { rgba, ...size } = decodeBmp(await Deno.readFile(path));
    assertEquals(size, { width, height }, options.join(" "));
    // ImageMagick repeats the bits of five and six bits; the mean differs by at most one.
    const greatest = options.join().includes("RGB565") ? 1 : 0;
    assert(rgba.every((value, at) => Math.abs(value - (expected[at] ?? 0)) <= greatest), options.join(" "));
  }
});
