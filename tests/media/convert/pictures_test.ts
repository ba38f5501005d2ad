/**
 * Pictures converted to PNG: the same pixels, and the predicted size.
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { startBytes } from "../../../media/convert/converter.ts";
import { pictureOf } from "../../../media/convert/pictures.ts";
import { convertersOf } from "../../../media/convert/table.ts";
import { encodeLmp, encodePcx, encodeTga } from "../../../daemon/demo/image.ts";
import { MediaError } from "../../../media/core/reader.ts";
import { decodePng } from "../../../media/pictures/png.ts";
import { hex, join, u16, u32 } from "../../formats/bytes.ts";
import { halfLifeSprite, mip, spriteList, testPalette } from "../handmade.ts";
import { among, daikatanaWal, ddsHeader, everything, m32, m8, patch } from "./samples.ts";

const quake = among({ qpath: "gfx/palette.lmp", bytes: testPalette() });

/** Converts a file, and checks the size that its row predicts. */
async function png(qpath: string, bytes: Uint8Array, surroundings = quake): Promise<Uint8Array> {
  const row = convertersOf(qpath, "png")[0];
  assert(row?.size);
  const converted = await row.convert({ qpath, bytes }, surroundings);
  assertEquals(row.size(bytes.subarray(0, startBytes), bytes.length), converted.length, qpath);
  return converted;
}

function rows(file: Uint8Array): string[] {
  const { width, rgba } = decodePng(file);
  return Array.from(
    { length: rgba.length / 4 / width },
    (_, y) => rgba.slice(y * width * 4, (y + 1) * width * 4).toHex(),
  );
}

const image = {
  width: 3,
  height: 2,
  rgba: Uint8Array.from({ length: 24 }, (_, index) => index % 4 === 3 ? 255 : index),
};

Deno.test("pictures with a palette become indexed PNGs of the size that their headers give", async () => {
  const lmp = join(u32(2, 1), hex("05ff"));
  const converted = await png("gfx/a.lmp", lmp);
  assertEquals(rows(converted), ["05fa02ff" + "ff007f00"]);
  assertEquals(converted[25], 3, "indexed");
  assertEquals((await png("a.lmp", testPalette())).length, 8 + 25 + 780 + 12 + 11 + 129 * 128 + 12);
  assertEquals(rows(await png("a.mip", mip("{a", 255)))[1], "ff007f00".repeat(16));
  assertEquals(rows(await png("A.MIPTEX~2", mip("a", 255)))[1], "ff007fff".repeat(16));
  const colourMap = await png("gfx/colormap.lmp", new Uint8Array(256 * 64 + 1).fill(9));
  assertEquals([rows(colourMap).length, colourMap[25]], [64, 3]);
  const characters = await png("gfx/conchars.lmp", new Uint8Array(128 * 128));
  assertEquals([rows(characters).length, rows(characters)[0]?.slice(0, 8)], [128, "00ff0000"]);
  const wal = join(new Uint8Array(32), u32(2, 1, 100), new Uint8Array(56), hex("0102"));
  assertEquals(rows(await png("textures/a.wal", wal)), ["01fe00ff" + "02fd01ff"]);
  const colours = Uint8Array.from({ length: 768 }, (_, index) => index >> 2);
  const pcx = encodePcx(image, colours);
  const indexed = await png("pics/a.pcx", pcx, among());
  assertEquals([rows(indexed).length, indexed[25]], [2, 3]);
  const planes = join(pcx.subarray(0, 65), Uint8Array.of(3), pcx.subarray(66, 128), new Uint8Array(24).fill(5));
  const coloured = await png("pics/b.pcx", planes, among());
  assertEquals([rows(coloured), coloured[25]], [["050505ff".repeat(3), "050505ff".repeat(3)], 2]);
  assertEquals(rows(await png("gfx/b.lmp", encodeLmp(image, colours))).length, 2);
});

Deno.test("a TGA becomes a PNG with the samples of its header", async () => {
  const tga = encodeTga(image);
  assertEquals(rows(await png("a.tga", tga)), [image.rgba.slice(0, 12).toHex(), image.rgba.slice(12).toHex()]);
  const grey = hex("0000 03 0000000000 0000 0000 0300 0100 08 20 010203");
  const converted = await png("a.tga", grey);
  assertEquals([converted[25], rows(converted)], [0, ["010101ff020202ff030303ff"]]);
});

Deno.test("a TGA becomes a PNG of three samples, or of four where its colours have four", async () => {
  const map = (bits: number, ...colours: number[]) =>
    join(
      hex("0001 01 0000 0200"),
      Uint8Array.of(bits),
      hex("0000 0000 0200 0100 08 20"),
      Uint8Array.from(colours),
      hex("0001"),
    );
  const plain = (bits: number, ...pixels: number[]) =>
    join(hex("0000 02 0000000000 0000 0000 0200 0100"), Uint8Array.of(bits, 0x28), Uint8Array.from(pixels));
  const types = [];
  for (
    const file of [
      map(24, 1, 2, 3, 4, 5, 6),
      map(32, 1, 2, 3, 4, 5, 6, 7, 8),
      plain(24, 1, 2, 3, 4, 5, 6),
      plain(32, 1, 2, 3, 4, 5, 6, 7, 8),
    ]
  ) {
    // deno-lint-ignore no-await-in-loop -- one after the other, to see which fails
    types.push((await png("a.tga", file))[25]);
  }
  assertEquals(types, [2, 6, 2, 6]);
});

Deno.test("no size is said of a picture without pixels or with too many", () => {
  const row = convertersOf("a.tga", "png")[0];
  for (const [width, height] of [[0, 2], [3, 0], [65535, 65535]] as const) {
    const tga = encodeTga(image);
    tga.set(u16(width, height), 12);
    assertEquals(row?.size?.(tga.subarray(0, startBytes), tga.length), undefined);
  }
  const withoutPixels = mip("a", 3);
  withoutPixels.fill(0, 24, 40);
  const { length } = withoutPixels;
  assertEquals(convertersOf("a.miptex", "png")[0]?.size?.(withoutPixels.subarray(0, startBytes), length), undefined);
});

Deno.test("a lump of Doom that is a PNG or a JPEG is no flat, however long it is", () => {
  const flat = (start: string) => join(hex(start), new Uint8Array(4096)).subarray(0, 4096);
  const accepts = (bytes: Uint8Array) =>
    convertersOf("flats/FLOOR", "png")[0]?.accepts?.(bytes.subarray(0, startBytes), 4096);
  assertEquals(["07070707", "89504e470d0a1a0a", "ffd8ffe000104a46"].map((start) => accepts(flat(start))), [
    true,
    false,
    false,
  ]);
});

Deno.test("a column of a patch has at most as many posts as rows, and a few more", async () => {
  const column = (posts: number) =>
    join(u16(1, 1, 0, 0), u32(12), ...Array.from({ length: posts }, () => hex("00 01 00 05 00")), hex("ff"));
  const row = convertersOf("sprites/A", "png")[0];
  const convert = async (posts: number) => await row?.convert({ qpath: "sprites/A", bytes: column(posts) }, everything);
  assertEquals((await convert(1 + 256 + 1))?.length, (await convert(1))?.length);
  await assertRejects(() => convert(1 + 256 + 2), MediaError, "column 0 has more posts than rows");
});

Deno.test("a PNG in several blocks of stored data is read back", async () => {
  const [width, height] = [700, 300];
  const pixels = Uint8Array.from({ length: width * height }, (_, index) => index * 7 >> 3);
  const read = rows(await png("a.lmp", join(u32(width, height), pixels)));
  assertEquals([read.length, read[299]?.slice(0, 8)], [300, "619e30ff"]);
});

Deno.test("pictures whose colours or pixels are missing are refused with a sentence", async () => {
  const lmp = join(u32(2, 1), hex("0506"));
  const row = convertersOf("a.lmp")[0];
  assert(row?.size);
  await assertRejects(
    () => row.convert({ qpath: "a.lmp", bytes: lmp }, among()),
    MediaError,
    "none of gfx/palette.lmp",
  );
  const damaged = among({ qpath: "gfx/palette.lmp", bytes: hex("00") });
  await assertRejects(
    () => row.convert({ qpath: "a.lmp", bytes: lmp }, damaged),
    MediaError,
    "gfx/palette.lmp: a palette",
  );
  assertEquals(row.size(lmp, 9), undefined, "its pixels are missing");
  assertEquals(row.size(hex("00"), 1), undefined);
});

Deno.test("a picture names its palette unless it has colours of its own or is a palette", async () => {
  const palette = { colours: testPalette(), origin: "the view" };
  // The file is as long as a palette: 100 bytes of header, 651 of pixels and 17 more.
  const wal = join(new Uint8Array(32), u32(31, 21, 100), new Uint8Array(56), new Uint8Array(668));
  const files = [
    ["lmp", testPalette(), null],
    ["lmp", join(u32(2, 1), hex("0506")), "the view"],
    ["lmp", new Uint8Array(128 * 128), "the view"],
    ["wal", wal, "the view"],
    ["patch", patch(), "the view"],
    ["flat", new Uint8Array(4096), "the view"],
    ["playpal", testPalette(), null],
    ["colormap", new Uint8Array(512), "the view"],
    ["mip", mip("a", 5), "the view"],
    ["tga", encodeTga(image), null],
    ["pcx", encodePcx(image, testPalette()), null],
  ] as const;
  assertEquals(wal.length, testPalette().length);
  for (const [kind, bytes, origin] of files) {
    // deno-lint-ignore no-await-in-loop -- one after the other, to see which fails
    assertEquals((await pictureOf(kind, bytes, () => Promise.resolve(palette))).palette, origin, kind);
  }
});

Deno.test("patches keep their holes, and flats have none", async () => {
  assertEquals(rows(await png("TITLEPIC", patch(), everything)), [
    "01fe00ff" + "05fa02ff" + "ff007f00",
    "02fd01ff" + "ff007f00" + "ff007f00",
    "03fc01ff" + "06f903ff" + "ff007f00",
    "04fb02ff" + "07f803ff" + "ff007f00",
  ]);
  const flat = await png("x/flats/FLOOR", new Uint8Array(64 * 128).fill(7), everything);
  assertEquals([rows(flat).length, flat[25]], [128, 3]);
  assertEquals(rows(await png("PLAYPAL", testPalette(), among()))[0]?.slice(0, 16), "00ff00ff01fe00ff");
  // A table that reverses the colours, and trailing bytes that are no table.
  const tables = Uint8Array.from({ length: 600 }, (_, index) => index < 256 ? index : 511 - index & 255);
  const light = rows(await png("colormaps/FOG", tables, everything));
  assertEquals(
    light.map((row) => row.slice(0, 16)),
    ["00ff00ff" + "01fe00ff", "ff007fff" + "fe017fff"],
  );
  const endless = patch().fill(0, 29);
  const row = convertersOf("sprites/A", "png")[0];
  await assertRejects(async () => await row?.convert({ qpath: "sprites/A", bytes: endless }, everything), MediaError);
});

Deno.test("pictures have the palette of their own game, where a view has several", async () => {
  const pictures = [
    ["gfx/a.lmp", join(u32(2, 1), hex("0505")), "quake"],
    ["a.mip", mip("a", 5), "quake"],
    ["textures/a.wal", join(new Uint8Array(32), u32(2, 1, 100), new Uint8Array(56), hex("0505")), "quake2"],
    ["TITLEPIC", join(u16(1, 1, 0, 0), u32(12), hex("00 01 00 05 00 ff")), "doom"],
    ["flats/FLOOR", new Uint8Array(64 * 64).fill(5), "doom"],
  ] as const;
  const grey = (level: number) => new Uint8Array(768).fill(level);
  const picture = { width: 1, height: 1, rgba: Uint8Array.of(20, 20, 20, 255) };
  const several = among(
    { qpath: "gfx/palette.lmp", bytes: grey(10) },
    { qpath: "pics/colormap.pcx", bytes: encodePcx(picture, grey(20)) },
    { qpath: "PLAYPAL", bytes: grey(30) },
  );
  const colours = await Promise.all(
    pictures.map(async ([qpath, bytes]) => rows(await png(qpath, bytes, several))[0]?.slice(0, 8)),
  );
  const expected = { quake: "0a0a0aff", quake2: "141414ff", doom: "1e1e1eff" };
  assertEquals(colours, pictures.map(([, , game]) => expected[game]));
});

Deno.test("tall patches count rows from the post before", async () => {
  const posts = hex("fe 01 00 05 00 02 01 00 06 00 ff");
  const tall = join(u16(1, 258, 0, 0), u32(12), posts);
  const read = rows(await png("A", tall, everything));
  assertEquals([read[253], read[254], read[256], read[257]], ["ff007f00", "05fa02ff", "06f903ff", "ff007f00"]);
});

Deno.test("textures of later games keep their own colours", async () => {
  for (const [name, file] of [["a.m8", m8()], ["a.wal", daikatanaWal()]] as const) {
    // deno-lint-ignore no-await-in-loop -- one after the other, to see which fails
    assertEquals(rows(await png(name, file, among())), ["01fe00ff" + "02fd01ff"], name);
  }
  assertEquals(rows(await png("a.m32", m32(), among())), ["0102030405060708"]);
  assertEquals(rows(await png("a.ftx", join(u32(1, 1, 0), hex("01020304")), among())), ["01020304"]);
});

Deno.test("compressed textures have the colours between two, and holes", async () => {
  const dds = async (letters: string, ...data: string[]) =>
    rows(await png("a.dds", join(ddsHeader(4, 1, letters), hex(data.join(""))), among()))[0]?.match(/.{8}/g);
  // Red and blue: first, second, and two between them; the other order has one between and a transparent one.
  const choices = "e4000000";
  assertEquals(await dds("DXT1", "00f8 1f00", choices), ["ff0000ff", "0000ffff", "aa0055ff", "5500aaff"]);
  assertEquals(await dds("DXT1", "1f00 00f8", choices), ["0000ffff", "ff0000ff", "7f007fff", "00000000"]);
  const opaque = ["ff0000", "0000ff", "aa0055", "5500aa"];
  const bc2 = await dds("DXT3", "10f2 000000000000", "00f8 1f00", choices);
  assertEquals(bc2, opaque.map((colour, index) => colour + ["00", "11", "22", "ff"][index]));
  const bc3 = await dds("DXT5", "ff00 880600000000", "00f8 1f00", choices);
  assertEquals(bc3, opaque.map((colour, index) => colour + ["ff", "00", "da", "b6"][index]));
  const plain = join(ddsHeader(2, 1, "", 16, [0x7c00, 0x3e0, 0x1f, 0x8000]), u16(0xfc00, 0x001f));
  assertEquals(rows(await png("a.dds", plain, among())), ["ff0000ff0000ff00"]);
});

Deno.test("sprites become sheets of all frames", async () => {
  const sheet = async (name: string, file: Uint8Array) =>
    decodePng(await convertersOf(name)[0]?.convert({ qpath: name, bytes: file }, everything) ?? new Uint8Array(0));
  const { width, height } = await sheet("a.sp2", spriteList(["a.pcx", "a.pcx"]));
  assertEquals([width, height], [12, 5]);
  for (const name of ["a.spr", "a.sp2"]) {
    // deno-lint-ignore no-await-in-loop -- one after the other, to see which one fails
    assertEquals((await sheet(name, halfLifeSprite(3))).rgba.toHex().slice(0, 8), "09f604ff");
  }
  await assertRejects(() => sheet("a.sp2", spriteList(["gone.pcx"])), MediaError, "gone.pcx is missing");
  await assertRejects(() => sheet("a.sp2", spriteList([""])), MediaError, "a frame names no file");
});
