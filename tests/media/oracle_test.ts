/**
 * Decodes pictures of a real game and of another program, and compares them with Netpbm's results.
 * @module
 */
// deno-lint-ignore-file no-await-in-loop -- the pictures are compared one after another
import { assert, assertEquals } from "@std/assert";
import { openArchive } from "../../formats/mod.ts";
import { decodeJpeg } from "../../media/pictures/jpeg.ts";
import { decodePcx } from "../../media/pictures/pcx.ts";
import type { Picture } from "../../media/pictures/picture.ts";
import { decodePng } from "../../media/pictures/png.ts";
import { encodePng } from "../../media/pictures/png_writer.ts";
import { kittyPicture } from "../../media/preview/kitty.ts";
import { sixelPicture } from "../../media/preview/sixel.ts";
import { decodeTga } from "../../media/pictures/tga.ts";
import { runLine } from "../repl/harness.ts";
import { openLocal } from "../../service/local.ts";
import { join, text } from "../formats/bytes.ts";
import { debianLibraries, debianPackage } from "../support/debian_data.ts";
import fc from "../support/fast_check.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { pcxs, tgas } from "./random_files.ts";
import { drawnSixel, greatestDifference, transmittedPng } from "./preview/terminal_pictures.ts";

/** Runs one of Netpbm's programs on a file of that content. */
async function netpbm(program: string, args: readonly string[], input: Uint8Array): Promise<Uint8Array> {
  const [root, libraries] = await Promise.all([debianPackage("netpbm"), debianLibraries("netpbm")]);
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/input`;
  await Deno.writeFile(path, input);
  const { success, stdout, stderr } = await new Deno.Command(`${root}/usr/bin/${program}`, {
    args: [...args, path],
    env: { LD_LIBRARY_PATH: libraries.join(":") },
  }).output();
  assert(success, `${program}: ${new TextDecoder().decode(stderr)}`);
  return stdout;
}

/** Reads a PPM, a PGM or a PAM: a picture without opacity where the format has none. */
function fromPnm(file: Uint8Array): Picture {
  const head = new TextDecoder("latin1").decode(file.subarray(0, 300));
  const pam = /^P7\n[^]*?ENDHDR\n/.exec(head)?.[0];
  const number = (field: string) => Number(new RegExp(`${field} (\\d+)`).exec(pam ?? "")?.[1] ?? 0);
  const plain = /^P([56])\s+(\d+)\s+(\d+)\s+255\s/.exec(head);
  const [width, height, depth, start] = pam
    ? [number("WIDTH"), number("HEIGHT"), number("DEPTH"), pam.length]
    : [Number(plain?.[2]), Number(plain?.[3]), plain?.[1] === "6" ? 3 : 1, plain?.[0].length ?? 0];
  const rgba = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const sample = (index: number) => file[start + pixel * depth + index] ?? 0;
    for (let channel = 0; channel < 3; channel++) rgba[pixel * 4 + channel] = sample(depth < 3 ? 0 : channel);
    rgba[pixel * 4 + 3] = depth % 2 === 0 ? sample(depth - 1) : 255;
  }
  return { width, height, rgba };
}

function toPpm({ width, height, rgba }: Picture): Uint8Array {
  return join(text(`P6\n${width} ${height}\n255\n`), rgba.filter((_, index) => index % 4 !== 3));
}

function opaque(picture: Picture): Picture {
  return { ...picture, rgba: picture.rgba.map((value, index) => index % 4 === 3 ? 255 : value) };
}

/** Compares two pictures faster than `assertEquals` does. */
function assertSame(actual: Picture, expected: Picture, message: string): void {
  assertEquals([actual.width, actual.height], [expected.width, expected.height], message);
  const offset = actual.rgba.findIndex((value, index) => value !== expected.rgba[index]);
  if (offset < 0) return;
  const words = [actual, expected].map(({ rgba }) => rgba.slice(offset - offset % 4, offset - offset % 4 + 4).toHex());
  throw new Error(`${message}: pixel ${Math.floor(offset / 4)} is ${words.join(" and not ")}`);
}

/** Every nth member of OpenArena's pak0.pk3 with `ending`. */
function pictures(ending: RegExp, every: number): { name: string; bytes: Uint8Array }[] {
  const root = debianPackage("openarena-data");
  using archive = openArchive(`${root}/usr/share/games/openarena/baseoa/pak0.pk3`);
  const names = Array.from(archive, ({ qpath }) => qpath).filter((qpath) => ending.test(qpath)).sort();
  return names.filter((_, index) => index % every === 0).map((name) => ({ name, bytes: archive.read(name) }));
}

/** A picture of few colours, with long and short runs. */
function drawing(width: number, height: number, colours: number): Picture {
  const rgba = new Uint8Array(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const index = Math.floor(pixel / (1 + pixel % 7)) % colours;
    rgba.set([index * 37 % 256, index * 91 % 256, index], pixel * 4);
  }
  return { width, height, rgba };
}

Deno.test(
  "TGAs of a real game have the pixels that Netpbm reads",
  needs("debian:netpbm", "debian:openarena-data"),
  async () => {
    const files = pictures(/\.tga$/i, 12);
    assert(files.length > 30);
    for (const { name, bytes } of files) {
      assertSame(opaque(decodeTga(bytes)), fromPnm(await netpbm("tgatoppm", [], bytes)), name);
    }
  },
);

Deno.test(
  "PNGs of a real game have the pixels that Netpbm reads, and so have those written here",
  needs("debian:netpbm", "debian:openarena-data"),
  async () => {
    const files = pictures(/\.png$/, 1);
    assert(files.length > 3);
    for (const { name, bytes } of files) {
      const decoded = decodePng(bytes);
      assertSame(decoded, fromPnm(await netpbm("pngtopam", ["-alphapam"], bytes)), name);
      assertSame(fromPnm(await netpbm("pngtopam", ["-alphapam"], encodePng(decoded))), decoded, name);
    }
  },
);

Deno.test(
  "JPEGs of a real game have nearly the pixels that Netpbm reads",
  needs("debian:netpbm", "debian:openarena-data"),
  async () => {
    const files = pictures(/\.jpg$/, 8);
    assert(files.length > 12);
    for (const { name, bytes } of files) {
      const decoded = await decodeJpeg(bytes);
      const expected = fromPnm(await netpbm("jpegtopnm", ["-nosmooth"], bytes));
      assertEquals([decoded.width, decoded.height], [expected.width, expected.height], name);
      let [sum, most] = [0, 0];
      for (let index = 0; index < expected.rgba.length; index++) {
        const difference = Math.abs((decoded.rgba[index] ?? 0) - (expected.rgba[index] ?? 0));
        sum += difference;
        most = Math.max(most, difference);
      }
      assert(
        most <= 6 && sum / expected.rgba.length < 0.6,
        `${name}: up to ${most}, mean ${sum / expected.rgba.length}`,
      );
    }
  },
);

Deno.test("TGAs and PCXs of any header have the pixels that Netpbm reads", needs("debian:netpbm"), async () => {
  for (const [all, program] of [[tgas, "tgatoppm"], [pcxs, "pcxtoppm"]] as const) {
    const files = fc.sample(all, 300).filter(({ isCommon }) => isCommon).slice(0, 15);
    assert(files.length === 15);
    for (const { bytes, picture } of files) {
      assertSame(opaque(picture), fromPnm(await netpbm(program, [], bytes)), `${program} ${bytes.toHex()}`);
    }
  }
});

Deno.test("PCXs and TGAs that Netpbm writes are read back", needs("debian:netpbm"), async () => {
  for (const [width, height, colours] of [[33, 7, 200], [64, 5, 3], [1, 1, 1], [130, 9, 250]] as const) {
    const picture = drawing(width, height, colours);
    const ppm = toPpm(picture);
    const title = `${width} x ${height}`;
    assertSame(decodePcx(await netpbm("ppmtopcx", ["-24bit"], ppm)), picture, `PCX ${title}`);
    if (colours > 16) assertSame(decodePcx(await netpbm("ppmtopcx", [], ppm)), picture, `indexed PCX ${title}`);
    for (const args of [["-rgb"], ["-rgb", "-norle"], ["-cmap"], ["-cmap", "-norle"]]) {
      assertSame(decodeTga(await netpbm("ppmtotga", args, ppm)), picture, `TGA ${args.join(" ")} ${title}`);
    }
  }
});

Deno.test(
  "show writes the PNG that another decoder reads, and lists what a real map lacks",
  needs("debian:netpbm", "debian:openarena-data", "debian:openarena-081-maps"),
  async () => {
    const [data, maps] = await Promise.all([debianPackage("openarena-data"), debianPackage("openarena-081-maps")]);
    await using directory = await temporaryDirectory();
    const base = `${directory.path}/baseoa`;
    await Deno.mkdir(base);
    await Deno.symlink(`${data}/usr/share/games/openarena/baseoa/pak0.pk3`, `${base}/pak0.pk3`);
    await Deno.symlink(`${maps}/usr/share/games/openarena/baseoa/pak1-maps.pk3`, `${base}/pak1-maps.pk3`);
    await using connection = await openLocal({ sources: [directory.path] });

    const png = `${directory.path}/letters.png`;
    const { code } = await runLine(`show gfx/2d/bigchars.tga --png ${png}`, { connection });
    assertEquals(code, 0);
    const [written, [stored]] = await Promise.all([Deno.readFile(png), pictures(/^gfx\/2d\/bigchars\.tga$/, 1)]);
    const expected = decodeTga(stored?.bytes ?? new Uint8Array(0));
    assertSame(fromPnm(await netpbm("pngtopam", ["-alphapam"], written)), expected, "bigchars.tga");

    const [map] = (await runLine("show maps/oa_dm1.bsp --json", { connection })).out.split("\n").map((line) =>
      JSON.parse(line || "null")
    );
    assertEquals([map.version, map.worldspawn.classname, map.models], [46, "worldspawn", 9]);
    const found = new Map(map.textures.map((row: { name: string; found: string | null }) => [row.name, row.found]));
    // The package of textures is not installed: its textures are missing, those defined in pak0 are not.
    assertEquals(found.get("textures/gothic_block/blocks10"), null);
    assertEquals(found.get("textures/sfx/beam"), "shader");
    assert(map.missing.includes("textures/gothic_block/blocks10") && map.missing.includes("textures/sfx/flame1.tga"));
    // The view has no file of a name reported as missing, under any extension.
    for (const name of map.missing) {
      const pattern = `/${name.replace(/\.[^./]*$/, "")}.{tga,jpg,jpeg,png,dds}`;
      assertEquals((await runLine(`find '${pattern}'`, { connection })).out, "", name);
    }

    const [model] = (await runLine("show models/players/sarge/upper.md3 --json", { connection })).out.split("\n").map((
      line,
    ) => JSON.parse(line || "null"));
    assertEquals([model.format, model.tags.includes("tag_head"), model.missing], ["MD3", true, []]);
    assert(model.skins.length > 4 && model.frames > 100);
  },
);

/** Returns the picture that libsixel decodes from Sixel. */
async function libsixelReads(sixel: string): Promise<Picture> {
  const [programs, libraries] = await Promise.all([debianPackage("libsixel-bin"), debianLibraries("libsixel-bin")]);
  await using directory = await temporaryDirectory();
  const [input, output] = [`${directory.path}/picture.six`, `${directory.path}/picture.png`];
  await Deno.writeTextFile(input, sixel);
  const { success, stderr } = await new Deno.Command(`${programs}/usr/bin/sixel2png`, {
    args: ["-i", input, "-o", output],
    env: { LD_LIBRARY_PATH: libraries.join(":") },
  }).output();
  assert(success, `sixel2png: ${new TextDecoder().decode(stderr)}`);
  return fromPnm(await netpbm("pngtopam", [], await Deno.readFile(output)));
}

Deno.test(
  "libsixel draws the Sixel of show as the picture is, and Netpbm reads what Kitty gets",
  needs("debian:netpbm", "debian:libsixel-bin"),
  async () => {
    const side = 70;
    const few = Uint8Array.from({ length: side * side * 4 }, (_, index) => {
      const pixel = index >> 2;
      return index % 4 === 3 ? 255 : (pixel % 11 * 23 + (Math.floor(pixel / side) % 5) * (index % 4) * 31) % 256;
    });
    const picture = { width: side, height: side, rgba: few };
    const [read, own] = [await libsixelReads(sixelPicture(picture)), drawnSixel(sixelPicture(picture))];
    // Sixel sends colours in hundredths, which are up to two levels apart.
    assert(greatestDifference(opaque(read), picture) <= 2, "libsixel draws other pixels");
    assert(greatestDifference(own, picture) <= 2, "the decoder of the tests draws other pixels");
    const many = { ...picture, rgba: few.map((value, index) => index % 4 === 3 ? 255 : (value + index) % 256) };
    assert(greatestDifference(opaque(await libsixelReads(sixelPicture(many))), drawnSixel(sixelPicture(many))) <= 2);
    const png = transmittedPng(kittyPicture(encodePng(picture)));
    assertSame(opaque(fromPnm(await netpbm("pngtopam", [], png))), picture, "Kitty");
  },
);
