import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { decodePng } from "../../media/pictures/png.ts";
import { openLocal } from "../../service/local.ts";
import { join, text, u16, u32, wad } from "../formats/bytes.ts";
import { composedTextures, patchNames } from "../media/handmade_doom.ts";
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import type { MethodName, ParamsOf, ResultOf } from "../../protocol/methods.ts";
import { seeds } from "../media/convert/samples.ts";
import { floorMap } from "../media/handmade_maps.ts";
import { md3, spriteList, testPalette } from "../media/handmade.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { FakeConnection } from "./fake_connection.ts";
import { jsonRows, progressIn, runLine } from "./harness.ts";

const lmp = join(u32(2, 1), Uint8Array.of(5, 6));
const files = Object.entries({
  "gfx/palette.lmp": testPalette(),
  "gfx/a.lmp": lmp,
  "gfx/cut.lmp": lmp.subarray(0, 9),
  "gfx/readme.txt": text("words"),
}).map(([qpath, content]) => ({ qpath, content, source: "/s", format: "zip" }));

function connection(): { connection: FakeConnection } {
  return { connection: new FakeConnection(files) };
}

Deno.test("convert writes what can be converted, reports damaged files and leaves nothing of them", async () => {
  await using directory = await temporaryDirectory();
  const line = `convert gfx/ -o ${directory.path}/out`;
  const { code, out, err } = await runLine(`${line} --json`, connection());
  assertEquals(code, 1);
  assertStringIncludes(err, "gfx/cut.lmp: a picture of 2 x 1 pixels needs 2 bytes at byte 8");
  const path = `${directory.path}/out/gfx`;
  const sizeOf = async (name: string) => (await Deno.stat(`${path}/${name}`)).size;
  assertEquals(jsonRows(out).toSorted((a, b) => JSON.stringify(a) < JSON.stringify(b) ? -1 : 1), [
    { qpath: "gfx/a.lmp", path: `${path}/a.lmp.png`, size: await sizeOf("a.lmp.png"), to: "png" },
    { qpath: "gfx/palette.lmp", path: `${path}/palette.lmp.png`, size: await sizeOf("palette.lmp.png"), to: "png" },
  ]);
  // An image of 129 x 128 indexes, one byte each.
  assert(await sizeOf("palette.lmp.png") < 129 * 128 / 5);
  assertMatch((await runLine(line, connection())).err, /2 files, 2\.\dK, converted to/);
  const names = await Array.fromAsync(Deno.readDir(path), ({ name }) => name);
  assertEquals(names.sort(), ["a.lmp.png", "palette.lmp.png"]);
  assertEquals(decodePng(await Deno.readFile(`${path}/a.lmp.png`)).rgba.toHex(), "05fa02ff06f903ff");
});

Deno.test("convert counts files that it leaves out or that fail as done, too", async () => {
  await using directory = await temporaryDirectory();
  // The file's content shows that its format needs no conversion.
  const wav = { content: text("plain"), source: "/s", format: "zip" };
  const sounds = Array.from({ length: 9 }, (_, index) => ({ ...wav, qpath: `gfx/${index}.wav` }));
  const made = new FakeConnection([...sounds, ...files]);
  const { err } = await runLine(`convert gfx/ -o ${directory.path}`, { connection: made, progress: true });
  const done = progressIn(err).map((one) => /^(\d+) of 12 files, \d+ %: (.*)/.exec(one)?.slice(1));
  const last = done.at(-1);
  assertEquals(last, ["11", "cut.lmp"], JSON.stringify(done));
  assertEquals(done.some((one) => one?.[0] === "8"), true, JSON.stringify(done));
});

Deno.test("convert fails if nothing that matches can be converted to the format", async () => {
  await using directory = await temporaryDirectory();
  const none = await runLine(`convert gfx/readme.txt -o ${directory.path}`, connection());
  assertEquals([none.code, none.err], [1, "pakfs: none of 1 file can be converted; see help convert\n"]);
  const wav = await runLine(`convert gfx/a.lmp --to wav -o ${directory.path}`, connection());
  assertEquals(wav.code, 1);
  assertEquals((await runLine("convert gfx/a.lmp", connection())).code, 2);
  assertEquals((await runLine("convert gfx/a.lmp --to gif -o x", connection())).code, 2);
});

Deno.test("composed textures of Doom become a file each, with all that TEXTURES says of their patches", async () => {
  await using directory = await temporaryDirectory();
  const patchOf = (...indices: readonly number[]) =>
    join(
      ...[u16(indices.length, 1, 0, 0), u32(...indices.map((_, x) => 8 + indices.length * 4 + x * 6))],
      ...indices.map((index) => Uint8Array.of(0, 1, 0, index, 0, 255)),
    );
  const definitions = `texture TURNED, 2, 3 { Patch P, 0, 0 { FlipX } Patch P, 1, 1 { Rotate 90 } }
    WallTexture "Mixed", 2, 1 { XScale 2.0 Patch P, 0, 0 Patch Q, -1, 0 { Style Translucent Alpha 0.5 } } // as in GZDoom
    texture GONE, 1, 1 { Patch P, 0, 0 Patch NONE, 0, 0 } texture OF, 2, 1 { Patch TURNED, 0, 0 }
    texture TINTED, 1, 1 { Patch P, 0, 0 { Translation Red } }`;
  const lumps = wad([
    ...[["PLAYPAL", testPalette()], ["TEXTURES", definitions], ["PNAMES", patchNames(["P"])]] as const,
    ["TEXTURE1", composedTextures([["WALL", [0]], ["wall", []]])],
    ...[["P_START", ""], ["P", patchOf(10, 20)], ["Q", patchOf(0, 30)], ["P_END", ""]] as const,
  ]);
  await Deno.writeFile(`${directory.path}/a.wad`, lumps);
  await using connection = await openLocal({ sources: [`${directory.path}/a.wad`], game: "d" });
  const out = `${directory.path}/out`;
  const { code, err } = await runLine(`convert 'lumps/TEXTURE*' --to png -o ${out}`, { connection });
  assertEquals([code, err.split("\n").slice(0, -2)], [1, [
    "pakfs: lumps/textures/GONE: patch NONE is missing",
    "pakfs: lumps/textures/TINTED: Translation is not drawn",
  ]]);
  assertMatch(err, /4 files, [\d.]+K, converted/);
  const pixels = async (name: string) => {
    const { width, rgba } = decodePng(await Deno.readFile(`${out}/lumps/textures/${name}.png`));
    return [
      width,
      ...Array.from({ length: rgba.length / 4 }, (_, pixel) => rgba[pixel * 4 + 3] ? rgba[pixel * 4] : null),
    ];
  };
  assertEquals(await pixels("TURNED"), [2, 20, 10, null, 10, null, 20]);
  assertEquals(await pixels("Mixed"), [2, 20, 20]);
  assertEquals(await pixels("OF"), [2, 20, 10]);
  assertEquals((await pixels("WALL")).slice(0, 4), [64, 10, 20, null]);
});

Deno.test("extract --as converts what it can, and copies the rest", async () => {
  await using directory = await temporaryDirectory();
  const { code } = await runLine(`extract gfx/a.lmp *.txt --as any -o ${directory.path}`, connection());
  assertEquals(code, 0);
  const names = await Array.fromAsync(Deno.readDir(`${directory.path}/gfx`), ({ name }) => name);
  assertEquals(names.sort(), ["a.lmp.png", "readme.txt"]);
  assertEquals(await Deno.readTextFile(`${directory.path}/gfx/readme.txt`), "words");
});

/** Files of every kind; some refer to empty names, directories and missing names. */
const naming = Object.entries({
  ...seeds,
  "a.tga": seeds["a.tga"] ?? lmp,
  "empty.sp2": spriteList([""]),
  "directory.sp2": spriteList(["sprites"]),
  "outside.sp2": spriteList(["../../etc/passwd", "a\0b"]),
  "models/a.md3": md3("models/skin"),
  "maps/half.bsp": floorMap("half-life", "clip", '{"classname" "worldspawn" "wad" "\\\\c\\\\sprites;;x/gfx.wad"}'),
  "zz.tga": seeds["a.tga"] ?? lmp,
}).map(([qpath, content]) => ({ qpath, content, source: "/s", format: "zip" }));

/** Answers for files other than the converted ones. */
const answers: Readonly<Record<string, (path: string) => Error>> = {
  missing: (path) => new RpcError({ code: errorCodes.notFound, message: "no", data: { errno: "ENOENT", path } }),
  directory: (path) =>
    new RpcError({ code: errorCodes.invalidParams, message: "dir", data: { errno: "EISDIR", path } }),
  "no path": () => new RpcError({ code: errorCodes.invalidParams, message: "qpath must not be empty" }),
  damaged: (path) => new RpcError({ code: errorCodes.unreadable, message: "damaged", data: { errno: "EIO", path } }),
  hung: (path) => new RpcError({ code: errorCodes.unreadable, message: "hung", data: { errno: "ETIMEDOUT", path } }),
  "too large": () => new RpcError({ code: errorCodes.tooLarge, message: "too long for a line" }),
  broken: () => new RpcError({ code: errorCodes.internalError, message: "a bug" }),
};

for (const [what, answer] of Object.entries(answers)) {
  Deno.test(`each file is converted, or has a sentence of its own, where the files that it names are: ${what}`, async () => {
    class Failing extends FakeConnection {
      override call<M extends MethodName>(method: M, params: ParamsOf<M>): Promise<ResultOf<M>> {
        const { qpath = "" } = params as { qpath?: string };
        const isOwn = naming.some((file) => file.qpath === qpath);
        // A lump's first bytes, which identify its kind, may fail like a referenced file.
        const isBad = method === "shader" || (method === "read" && (!isOwn || qpath === "DSPISTOL"));
        return isBad ? Promise.reject(answer(qpath)) : super.call(method, params);
      }
    }
    await using directory = await temporaryDirectory();
    const connection = new Failing(naming, 100);
    const { code, out, err } = await runLine(`extract ** --as any -o ${directory.path} --json`, { connection });
    const written = jsonRows(out).map((row) => (row as { qpath: string }).qpath);
    const failures = err.split("\n").filter((line) => line.startsWith('{"error"'));
    assertEquals(written.length + failures.length, naming.length, err);
    assertEquals(code, 1);
    assertEquals(["a.tga", "zz.tga", "MAPINFO"].filter((path) => !written.includes(path)), []);
  });
}
