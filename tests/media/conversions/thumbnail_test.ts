/** Thumbnails are made of pictures of any size that can be decoded in a moment; larger ones are refused. */
import { crc32 } from "node:zlib";
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { MediaError } from "../../../media/core/reader.ts";
import { decodePng } from "../../../media/pictures/png.ts";
import { storedPng } from "../../../media/pictures/png_writer.ts";
import { emptyPicture } from "../../../media/pictures/picture.ts";
import { thumbnail } from "../../../media/conversions/thumbnail.ts";
import { join, u16, u32 } from "../../formats/bytes.ts";

const nothing = () => Promise.resolve(undefined);
const surroundings = { file: nothing, files: () => Promise.resolve([]), image: nothing, shader: nothing };

/** A TGA of one colour, in runs of 128 pixels. */
function runs(side: number): Uint8Array {
  const header = join(Uint8Array.of(0, 0, 10), new Uint8Array(9), u16(side, side), Uint8Array.of(32, 8));
  const run = Uint8Array.of(255, 30, 20, 10, 255);
  return join(header, Uint8Array.from({ length: side * side / 128 * 5 }, (_, index) => run[index % 5] ?? 0));
}

/** A DDS of BC1 blocks, all of them black. */
function blocks(side: number): Uint8Array {
  const format = u32(32, 4, 0x31545844, 0, 0, 0, 0, 0);
  const header = u32(0x20534444, 124, 0x1007, side, side, 0, 0, 0, ...new Array<number>(11).fill(0));
  return join(header, format, u32(0x1000, 0, 0, 0, 0), new Uint8Array(side * side / 2));
}

Deno.test("a thumbnail of a large picture has its colour; pictures that would take long are refused by their header", async () => {
  const bytes = await thumbnail({ qpath: "large.tga", bytes: runs(4096) }, surroundings);
  const { width, height, rgba } = decodePng(bytes);
  assertEquals([width, height, ...rgba.subarray(0, 4)], [192, 192, 10, 20, 30, 255]);
  const refused = async (qpath: string, bytes: Uint8Array) =>
    (await assertRejects(() => thumbnail({ qpath, bytes }, surroundings), MediaError)).message;
  const sentence = "its size is 8192 x 8192 pixels; up to 16777216 pixels are shown";
  assertEquals(await refused("huge.tga", runs(8192)), sentence);
  const png = storedPng(emptyPicture(1, 1));
  const view = new DataView(png.buffer);
  view.setUint32(16, 8192);
  view.setUint32(20, 8192);
  view.setUint32(29, crc32(png.subarray(12, 29)));
  assertEquals(await refused("huge.png", png), sentence);
  assertMatch(await refused("huge.dds", blocks(8192)), /^its \d{9} bytes of pixels are too many for a thumbnail$/);
});
