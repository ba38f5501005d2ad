import { assert, assertEquals, assertMatch } from "@std/assert";
import type { DemoFile, DemoPack } from "../../../daemon/demo/drawing.ts";
import { demoHighlights } from "../../../daemon/demo/highlights.ts";
import { draw, encodePcx, encodeTga } from "../../../daemon/demo/image.ts";
import { demoInstallation, writeDemoInstallation } from "../../../daemon/demo/installation.ts";
import { demoColourMap, demoPalette } from "../../../daemon/demo/palette.ts";
import type { Picture } from "../../../media/pictures/picture.ts";
import { encodePng } from "../../../media/pictures/png_writer.ts";
import { needs } from "../../support/programs.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

/** Runs a Python program that checks the written files, and returns its output. */
async function python(program: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("python3", { args: ["-c", program, ...args] }).output();
  const decoder = new TextDecoder();
  assert(success, decoder.decode(stderr));
  return decoder.decode(stdout);
}

function packsOf(items: (DemoFile | DemoPack)[]): DemoPack[] {
  return items.filter((item) => "members" in item);
}

const installation = demoInstallation();

/** Every file of the installation with the pack it is in, if any. */
function everyFile(items: (DemoFile | DemoPack)[] = installation): { pack: string; file: DemoFile }[] {
  return items.flatMap((item) =>
    "members" in item ? item.members.map((file) => ({ pack: item.path, file })) : [{ pack: "", file: item }]
  );
}

Deno.test("the demo installation is a few hundred small files, the same every time", () => {
  const files = everyFile();
  assert(files.length > 200);
  assertEquals(everyFile(demoInstallation()), files);
  for (const { pack, file } of files) {
    assertMatch(file.path, /^[A-Za-z0-9_.\/-]+$/, pack);
    assert(file.content.length > 0 && file.content.length < 128 * 1024, `${pack} ${file.path}`);
  }
});

Deno.test("no path of the demo is used twice, and no name is too long for a PAK", () => {
  for (const { path, members } of packsOf(installation)) {
    const names = members.map((member) => member.path.toLowerCase());
    assertEquals(new Set(names).size, names.length, path);
    assert(names.every((name) => name.length < 56), path);
  }
});

Deno.test("the demo has the directories by which games are detected, and the files of its tour", () => {
  const packs = packsOf(installation).map((pack) => pack.path);
  assertEquals(packs, [
    "quake/id1/pak0.pak",
    "quake/id1/pak1.pak",
    "quake/hipnotic/pak0.pak",
    "quake/lanterns/pak0.pak",
    "quake3/baseq3/pak0.pk3",
    "quake3/baseq3/pak1.pk3",
    "quake3/nightfall/night.pk3",
  ]);
  const candidateCount = ({ game, qpath }: { game: string; qpath: string }): number =>
    everyFile().filter(({ pack, file }) => `${pack}/${file.path}`.includes(`${game}/`) && file.path.endsWith(qpath))
      .length;
  assertEquals(candidateCount(demoHighlights.contested), 7);
  assertEquals(candidateCount(demoHighlights.contestedPk3), 4);
  assertEquals(candidateCount({ ...demoHighlights.map }), 1);

  const containing = everyFile().filter(({ file }) => new TextDecoder().decode(file.content).includes("lamplighter"));
  const directories = new Set(
    containing.map(({ pack, file }) => `${pack}/${file.path}`.split("/").slice(0, 3).join("/")),
  );
  assertEquals(demoHighlights.word, "lamplighter");
  for (const pack of packs) assert(directories.has(pack), pack);
});

Deno.test("other programs read the demo's archives, pictures, sounds, models and maps", needs("python3"), async () => {
  await using directory = await temporaryDirectory();
  const root = `${directory.path}/demo`;
  const progress: number[] = [];
  const summary = await writeDemoInstallation(root, (done) => progress.push(done));
  assertEquals(summary.files, everyFile().length);
  assertEquals(summary.packs, 7);
  assertEquals(progress.at(-1), installation.length);

  const checks = await Deno.readTextFile(new URL("./check_files.py", import.meta.url));
  const report = await python(checks, root);
  assertEquals(report.split("\n"), [
    `${everyFile().length} bsp lmp mdl pcx png text tga wav`,
    "0.5000453514739229",
    "15 7 46 [(64, 64)]",
    "9 41 ['textures/base/ceiling', 'textures/base/floor', 'textures/base/pillar', 'textures/base/wall', " +
    "'textures/light/warm', 'textures/liquid/water', 'textures/metal/rust', 'textures/stone/grey']",
    "2 64 64 ['swing1', 'swing2', 'swing3', 'swing4', 'swing5', 'swing6', 'swing7', 'swing8']",
    "",
  ]);
});

/** A picture of five by three different pixels, one of them transparent. */
function sample(): Picture {
  return draw(5, 3, (u, v) => [u * 250, v * 250, 40, u < 0.2 && v < 0.4 ? 0 : 255]);
}

Deno.test("PNG, TGA and PCX keep the pixels", needs("python3"), async () => {
  const image = sample();
  const tga = encodeTga(image);
  // Rows run from the bottom, blue first: the file begins with the last row's first pixel.
  assertEquals([...tga.slice(0, 18)], [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 32, 8]);
  const lastRow = image.rgba.slice(5 * 2 * 4, 5 * 2 * 4 + 4);
  assertEquals([...tga.slice(18, 22)], [lastRow[2], lastRow[1], lastRow[0], lastRow[3]]);
  assertEquals(tga.length, 18 + image.rgba.length);

  await using directory = await temporaryDirectory();
  await Deno.writeFile(`${directory.path}/a.png`, encodePng(image));
  const pixels = await python(
    `
import sys, zlib
data = open(sys.argv[1], "rb").read()
at = data.index(b"IDAT")
rows = zlib.decompress(data[at + 4:data.index(b"IEND") - 8])
above, out = bytes(20), []
for y in range(3):
    kind, row = rows[y * 21], rows[y * 21 + 1:y * 21 + 21]
    assert kind in (0, 2)
    above = bytes((b + a) & 255 if kind else b for a, b in zip(above, row))
    out += above
print(*out)
`,
    `${directory.path}/a.png`,
  );
  assertEquals(pixels.trim().split(" ").map(Number), [...image.rgba]);
});

Deno.test("PCX codes runs and high colours, and pads odd rows", () => {
  const palette = new Uint8Array(768);
  palette.set([255, 255, 255], 0xc5 * 3);
  const image = draw(3, 2, (u, v) => v > 0.5 || u < 0.33 ? [255, 255, 255, 255] : [0, 0, 0, 255]);
  const pcx = encodePcx(image, palette);
  assertEquals([...pcx.slice(0, 12)], [10, 5, 1, 8, 0, 0, 0, 0, 2, 0, 1, 0]);
  assertEquals(pcx[66], 4);
  assertEquals([...pcx.slice(128, -769)], [0xc1, 0xc5, 0xc3, 0, 0xc3, 0xc5, 0]);
  assertEquals(pcx.at(-769), 12);
});

Deno.test("the palette has 256 colours and its colour map keeps full brightness and darkness", () => {
  const palette = demoPalette();
  assertEquals(palette.length, 768);
  assertEquals([...palette.slice(0, 3)], [0, 0, 0]);
  assertEquals([...palette.slice(45, 48)], [255, 255, 255]);
  const map = demoColourMap(palette);
  assertEquals(map.length, 64 * 256 + 1);
  assertEquals(map[15], 15);
  assertEquals(map[63 * 256 + 15], 0);
});
