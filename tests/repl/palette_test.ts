/** `--palette`: the user's palette for pictures without their own. */
import { assertEquals, assertMatch } from "@std/assert";
import { encodePcx } from "../../daemon/demo/image.ts";
import { decodePng } from "../../media/pictures/png.ts";
import { openLocal } from "../../service/local.ts";
import { join, padded, text, u32 } from "../formats/bytes.ts";
import { installation } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { textureWad } from "../media/handmade.ts";
import { runLine } from "./harness.ts";

const chance = numbersFrom(seed);
const palette = () => Uint8Array.from({ length: 768 }, () => chance(256));
const [own, given, ofView] = [palette(), palette(), palette()];
const indices = Uint8Array.from({ length: 12 }, () => chance(255));
/** A picture of Quake: u32 width, u32 height, indices. */
const lump = Uint8Array.of(4, 0, 0, 0, 3, 0, 0, 0, ...indices);
const inColours = (colours: Uint8Array) =>
  Array.from(indices, (index) => [...colours.subarray(index * 3, index * 3 + 3), 255]).flat();

Deno.test("convert and show draw pictures in the palette that is given: a file's, a PCX's or another view's", async () => {
  await using root = await installation({
    "bare/id1/pic.lmp": lump,
    "whole/id1/gfx/palette.lmp": ofView,
    "whole/id1/pic.lmp": lump,
    "given.pal": given,
    "given.pcx": encodePcx({ width: 1, height: 1, rgba: Uint8Array.of(0, 0, 0, 255) }, own),
    "short.pal": given.subarray(0, 700),
  });
  const sources = [`${root.path}/bare`, `${root.path}/whole`];
  await using connection = await openLocal({ sources: [sources[0] ?? ""], profile: "quake", game: "bare" });
  await using both = await openLocal({ sources: [sources[1] ?? ""], profile: "quake", game: "whole" });
  let count = 0;
  const converted = async (options: string, of = connection) => {
    const directory = `${root.path}/out${++count}`;
    const { code, err } = await runLine(`convert pic.lmp -o ${directory} ${options}`, { connection: of });
    return code === 0 ? [...decodePng(await Deno.readFile(`${directory}/pic.lmp.png`)).rgba] : err;
  };
  assertMatch(String(await converted("")), /no palette: the view has none of .*; give one with --palette FILE/);
  assertEquals(await converted(`--palette ${root.path}/given.pal`), inColours(given));
  assertEquals(await converted(`--palette ${root.path}/given.pcx`), inColours(own));
  assertEquals(await converted("", both), inColours(ofView));
  assertEquals(await converted(`--palette ${root.path}/given.pal`, both), inColours(given));
  assertEquals(await converted("--palette whole/id1", both), inColours(ofView));
  assertMatch(String(await converted("--palette none/such")), /--palette none\/such: no such file, and no view with a/);
  assertMatch(
    String(await converted(`--palette ${root.path}/short.pal`)),
    /short\.pal: a palette has 768 bytes, this file 700/,
  );
  const shown = `${root.path}/shown.png`;
  const { err, code } = await runLine(`show pic.lmp --palette ${root.path}/given.pal --png ${shown}`, { connection });
  assertEquals(code, 0, err);
  assertEquals([...decodePng(await Deno.readFile(shown)).rgba], inColours(given));
});

Deno.test("textures of a WAD have the colours of its own palette, also if it is opened alone", async () => {
  const header = join(padded(text("brick"), 16), u32(4, 4, 40, 56, 60, 61));
  const texture = join(header, new Uint8Array(16 + 4 + 1 + 1).fill(7));
  const content = textureWad([["brick", 0x44, texture], ["PALETTE", 0x40, own]]);
  const twice = [["Brick", 0x44, texture], ["brick", 0x44, texture.toReversed()], ["text", 0x43, text("x")]] as const;
  await using root = await installation({
    "bricks.wad": content,
    "mod/id1/bricks.wad": content,
    "mod/id1/without.wad": textureWad(twice),
  });
  await using connection = await openLocal({ sources: [`${root.path}/bricks.wad`] });
  const { out, err } = await runLine(`show brick.miptex --png ${root.path}/brick.png`, { connection });
  assertMatch(out, /4 x 4 pixels, colours of PALETTE\.palette/, err);
  const colourOf = async (path: string) => [...decodePng(await Deno.readFile(`${root.path}/${path}`)).rgba.slice(0, 3)];
  assertEquals(await colourOf("brick.png"), [...own.slice(21, 24)]);
  await using mod = await openLocal({ sources: [`${root.path}/mod`], profile: "quake" });
  const converted = await runLine(`convert *.wad --to png -o ${root.path}/out`, { connection: mod });
  assertMatch(converted.err, /without\/brick: no palette: .*\n.*1 file, /);
  assertEquals(await colourOf("out/bricks/brick.png"), [...own.slice(21, 24)]);
});
