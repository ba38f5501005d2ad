import { assertEquals, assertStringIncludes } from "@std/assert";
import { decodePng } from "../../media/pictures/png.ts";
import { join, text, u32 } from "../formats/bytes.ts";
import { testPalette } from "../media/handmade.ts";
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
  assertEquals(jsonRows(out).toSorted((a, b) => JSON.stringify(a) < JSON.stringify(b) ? -1 : 1), [
    { qpath: "gfx/a.lmp", path: `${path}/a.lmp.png`, size: 8 + 25 + 780 + 268 + 26 + 12, to: "png" },
    {
      qpath: "gfx/palette.lmp",
      path: `${path}/palette.lmp.png`,
      size: 8 + 25 + 780 + 12 + 11 + 129 * 128 + 12,
      to: "png",
    },
  ]);
  assertStringIncludes((await runLine(line, connection())).err, "2 files, 18K, converted to");
  const names = await Array.fromAsync(Deno.readDir(path), ({ name }) => name);
  assertEquals(names.sort(), ["a.lmp.png", "palette.lmp.png"]);
  assertEquals(decodePng(await Deno.readFile(`${path}/a.lmp.png`)).rgba.toHex(), "05fa02ff06f903ff");
});

Deno.test("convert counts files that it leaves out or that fail as done, too", async () => {
  await using directory = await temporaryDirectory();
  // Its format needs no conversion, which only its content shows.
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

Deno.test("extract --as converts what it can, and copies the rest", async () => {
  await using directory = await temporaryDirectory();
  const { code } = await runLine(`extract gfx/a.lmp *.txt --as any -o ${directory.path}`, connection());
  assertEquals(code, 0);
  const names = await Array.fromAsync(Deno.readDir(`${directory.path}/gfx`), ({ name }) => name);
  assertEquals(names.sort(), ["a.lmp.png", "readme.txt"]);
  assertEquals(await Deno.readTextFile(`${directory.path}/gfx/readme.txt`), "words");
});
