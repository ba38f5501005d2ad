/**
 * Pictures that are converted to PNG: the same pixels, and the size that was said before.
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type NamedFile, startBytes, type Surroundings } from "../../convert/converter.ts";
import { converterOf } from "../../convert/table.ts";
import { encodeLmp, encodePcx, encodeTga } from "../../demo/image.ts";
import { MediaError } from "../../media/core/reader.ts";
import { decodePng } from "../../media/pictures/png.ts";
import { hex, join, u32 } from "../formats/bytes.ts";
import { mip, testPalette } from "../media/handmade.ts";

/** Surroundings with these files. */
function among(...files: readonly NamedFile[]): Surroundings {
  const file = (name: string) => Promise.resolve(files.find(({ qpath }) => qpath === name));
  return { file, image: file };
}

const quake = among({ qpath: "gfx/palette.lmp", bytes: testPalette() });

/** Converts a file, and checks the size that its row gives beforehand. */
async function png(qpath: string, bytes: Uint8Array, surroundings = quake): Promise<Uint8Array> {
  const row = converterOf(qpath, "png");
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
  const wal = join(new Uint8Array(32), u32(2, 1, 100), new Uint8Array(56), hex("0102"));
  assertEquals(rows(await png("textures/a.wal", wal)), ["01fe00ff" + "02fd01ff"]);
  const colours = Uint8Array.from({ length: 768 }, (_, index) => index >> 2);
  assertEquals(rows(await png("pics/a.pcx", encodePcx(image, colours), among())).length, 2);
  assertEquals(rows(await png("gfx/b.lmp", encodeLmp(image, colours))).length, 2);
});

Deno.test("a TGA becomes a PNG with the samples of its header", async () => {
  const tga = encodeTga(image);
  assertEquals(rows(await png("a.tga", tga)), [image.rgba.slice(0, 12).toHex(), image.rgba.slice(12).toHex()]);
  const grey = hex("0000 03 0000000000 0000 0000 0300 0100 08 20 010203");
  const converted = await png("a.tga", grey);
  assertEquals([converted[25], rows(converted)], [0, ["010101ff020202ff030303ff"]]);
});

Deno.test("a PNG in several blocks of stored data is read back", async () => {
  const [width, height] = [700, 300];
  const pixels = Uint8Array.from({ length: width * height }, (_, index) => index * 7 >> 3);
  const read = rows(await png("a.lmp", join(u32(width, height), pixels)));
  assertEquals([read.length, read[299]?.slice(0, 8)], [300, "619e30ff"]);
});

Deno.test("pictures whose colours or pixels are missing are refused with a sentence", async () => {
  const lmp = join(u32(2, 1), hex("0506"));
  const row = converterOf("a.lmp");
  assert(row?.size);
  await assertRejects(
    () => row.convert({ qpath: "a.lmp", bytes: lmp }, among()),
    MediaError,
    "neither gfx/palette.lmp",
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
