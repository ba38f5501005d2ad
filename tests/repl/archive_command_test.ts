// deno-lint-ignore-file no-await-in-loop -- the cases of a test run one after another
import { assertEquals, assertStringIncludes } from "@std/assert";
import { formatRows } from "../../formats/mod.ts";
import { join, u16, wad, zip } from "../formats/bytes.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { jsonRows, progressIn, runLine } from "./harness.ts";

async function makeMod(root: string): Promise<string> {
  await Deno.mkdir(`${root}/mod/maps`, { recursive: true });
  await Deno.writeTextFile(`${root}/mod/maps/a.bsp`, "map a".repeat(100));
  await Deno.writeTextFile(`${root}/mod/quake.rc`, "exec default.cfg\n");
  const time = new Date(2001, 4, 6, 7, 8, 10);
  for (const name of ["maps/a.bsp", "quake.rc"]) await Deno.utime(`${root}/mod/${name}`, time, time);
  return `${root}/mod`;
}

Deno.test("archive create, list, verify and extract: there and back", async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  const mod = await makeMod(path);
  const created = await runLine(`archive create ${path}/mod.pk3 ${mod} --method store`);
  assertEquals([created.code, created.out], [0, ""]);
  assertStringIncludes(created.err, "mod.pk3: 2 files");

  const listed = await runLine(`archive list ${path}/mod.pk3 -q`);
  assertEquals([listed.code, listed.err], [0, ""]);
  assertEquals(listed.out.split("\n"), [
    "SIZE  COMPRESSED  METHOD  MODIFIED          CRC-32    NAME",
    " 500         500  store   2001-05-06 07:08  30b50961  maps/a.bsp",
    "  17          17  store   2001-05-06 07:08  a4d86c0d  quake.rc",
    "",
  ]);
  const rows = jsonRows((await runLine(`archive list ${path}/mod.pk3 --json`)).out) as Record<string, unknown>[];
  assertEquals(rows.map(({ qpath, source, format }) => [qpath, source, format]), [
    ["maps/a.bsp", `${path}/mod.pk3`, "zip"],
    ["quake.rc", `${path}/mod.pk3`, "zip"],
  ]);

  const verified = await runLine(`archive verify ${path}/mod.pk3`);
  assertEquals([verified.code, verified.out, verified.err], [0, "", "2 files, all sound\n"]);

  const extracted = await runLine(`archive extract ${path}/mod.pk3 maps/*.bsp -o ${path}/out`);
  assertEquals([extracted.code, extracted.err], [0, `1 file, 500, extracted to ${path}/out\n`]);
  assertEquals(await Deno.readTextFile(`${path}/out/maps/a.bsp`), "map a".repeat(100));
  assertEquals((await runLine(`archive extract ${path}/mod.pk3 nothing -o ${path}/out`)).code, 1);
});

Deno.test("archive create takes its format by name, and refuses what it does not know", async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  const mod = await makeMod(path);
  const [row] = jsonRows((await runLine(`archive create ${path}/x ${mod} --format quake-pak --json`)).out);
  assertEquals(row, { source: `${path}/x`, format: "quake-pak", files: 2, bytes: 12 + 500 + 17 + 2 * 64 });
  const wrong = await runLine(`archive create ${path}/y ${mod} --format arj`);
  assertEquals(wrong.code, 2);
  assertStringIncludes(wrong.err, "unknown archive format arj; choose one of quake-pak, daikatana-pak, ");
  assertEquals((await runLine(`archive create ${path}/y ${mod} --method lzma`)).code, 2);
  assertEquals((await runLine(`archive create ${path}/y ${mod}`)).code, 1);
});

Deno.test("archive verify reports damage and continues with the next archive", async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  const mod = await makeMod(path);
  await runLine(`archive create ${path}/good.pk3 ${mod}`);
  await runLine(`archive create ${path}/bad.pk3 ${mod} --method store`);
  const bytes = await Deno.readFile(`${path}/bad.pk3`);
  const text = new TextEncoder().encode("exec default");
  const start = bytes.findIndex((_, index) => text.every((byte, offset) => bytes[index + offset] === byte));
  bytes[start] = 0x58;
  await Deno.writeFile(`${path}/bad.pk3`, bytes);
  await Deno.writeTextFile(`${path}/none.pk3`, "no archive");

  const line = `archive verify ${path}/none.pk3 ${path}/missing.pk3 ${path}/bad.pk3 ${path}/good.pk3`;
  const { code, out, err } = await runLine(line);
  assertEquals(code, 1);
  assertStringIncludes(out, "quake.rc");
  assertEquals(out.split("\n").length, 2);
  assertStringIncludes(err, "none.pk3");
  assertStringIncludes(err, `${path}/missing.pk3: no such file`);
  assertStringIncludes(err, "4 files, 1 damaged; 2 of 4 archives could not be read\n");
  const good = await Deno.readFile(`${path}/good.pk3`);
  await Deno.writeFile(`${path}/joined.pk3`, new Uint8Array([...good, ...good]));
  const joined = await runLine(`archive verify ${path}/joined.pk3`);
  assertEquals([joined.code, joined.err.split("\n").at(-2)], [1, "2 files, 1 archive incomplete"]);
  const none = await runLine(`archive verify ${path}/none.pk3`);
  assertEquals(
    [none.code, none.out, none.err.replaceAll(path, "")],
    [1, "", 'pakfs: /none.pk3: not an archive of a known format (it starts with "no a"); "pakfs formats" lists them\n'],
  );
  const both = await runLine(`archive verify ${path}/none.pk3 ${path}/missing.pk3`);
  assertStringIncludes(both.err, "\n2 of 2 archives could not be read\n");
  const rows = jsonRows((await runLine(`archive verify ${path}/bad.pk3 --json`)).out) as {
    member: string;
    ok: boolean;
  }[];
  assertEquals(rows.map(({ member, ok }) => [member, ok]), [["maps/a.bsp", true], ["quake.rc", false]]);
});

Deno.test("archive verify shows how far it is with all archives, and within a large file", async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  const large = new Uint8Array(20 * 1024 * 1024);
  await Deno.writeFile(`${path}/a.pk3`, zip([{ name: "large", content: large }]));
  await Deno.writeFile(`${path}/${"b".repeat(120)}.pk3`, zip([{ name: "small", content: new Uint8Array(1000) }]));
  const line = `archive verify ${path}/a.pk3 ${path}/none.pk3 ${path}/${"b".repeat(120)}.pk3`;
  const { code, err } = await runLine(line, { progress: true });
  assertEquals(code, 1);
  const shown = progressIn(err);
  const begins = (start: string) => shown.filter((one) => one.startsWith(start));
  assertEquals(shown[0], "1 of 3 archives, 0 %: a.pk3");
  assertEquals(shown.some((one) => /^1 of 3 archives, [2-8]\d %: a.pk3$/.test(one)), true, shown.join("\n"));
  assertEquals(begins("2 of 3 archives, 99 %: none.pk3").length, 1, shown.join("\n"));
  assertEquals(begins("3 of 3 archives, 100 %: bbb").length, 1, shown.join("\n"));
  const percentages = shown.map((one) => Number(/ (\d+) %/.exec(one)?.[1]));
  assertEquals(percentages, percentages.toSorted((a, b) => a - b));
  // A wrapped line could not be replaced.
  assertEquals(shown.filter((one) => one.length > 99), []);
});

Deno.test("archive extract names what it renames and leaves out; archive create what engines would not find", async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  const names = ["a.cfg", "a.cfg", "sound", "sound/x.wav"];
  await Deno.writeFile(`${path}/x.pk3`, zip(names.map((name, index) => ({ name, content: String(index) }))));
  const extracted = await runLine(`archive extract ${path}/x.pk3 -o ${path}/out`);
  assertEquals(extracted.code, 1);
  assertStringIncludes(extracted.err, "1 file renamed, since a directory has the name: sound as sound~file");
  assertStringIncludes(extracted.err, "1 file left out, since another of the same path was extracted: a.cfg");
  assertStringIncludes(extracted.err, "3 files, 3, extracted to");
  assertEquals(jsonRows((await runLine(`archive extract ${path}/x.pk3 -o ${path}/out --json`)).out), [{
    source: `${path}/x.pk3`,
    output: `${path}/out`,
    files: 3,
    bytes: 3,
    renamed: [{ member: "sound", path: "sound~file" }],
    leftOut: ["a.cfg"],
  }]);
  const name = `${path}/out/${"n".repeat(56)}`;
  await Deno.writeTextFile(name, "");
  const created = await runLine(`archive create ${path}/x.pak ${path}/out`);
  assertEquals(created.code, 0);
  assertStringIncludes(created.err, "cannot find such files");
  const [row] = jsonRows((await runLine(`archive create ${path}/x.pak ${path}/out --json`)).out) as {
    warnings: string[];
  }[];
  assertEquals(row?.warnings.length, 1);
});

Deno.test("formats lists what can be read and written", async () => {
  const rows = jsonRows((await runLine("formats --json")).out) as { format: string; writable: boolean }[];
  assertEquals(rows.filter(({ writable }) => writable).map(({ format }) => format).sort(), [
    "dragonnest-pak",
    "hashed-pack",
    "quake-pak",
    "wad",
    "zip",
  ]);
  assertEquals<unknown>(rows, formatRows());
  const table = (await runLine("formats")).out.split("\n");
  assertEquals(table[0]?.split(/ {2,}/), ["FORMAT", "WRITES", "ENDINGS; KNOWN BY; GAMES"]);
  const grp = table.find((line) => line.startsWith("grp "));
  const games = "Duke Nukem 3D, Shadow Warrior, Redneck Rampage";
  assertEquals(grp?.split(/ {2,}/), ["grp", "no", `.grp; KenSilverman; ${games}`]);
});

Deno.test("a Dragon Nest pak is created, listed, verified and extracted", async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  const mod = await makeMod(path);
  await Deno.mkdir(`${mod}/가나`);
  await Deno.writeTextFile(`${mod}/가나/빈.txt`, "");
  const created = await runLine(`archive create ${path}/Resource99.pak ${mod} --format dragonnest-pak`);
  assertEquals([created.code, created.out], [0, ""]);
  assertStringIncludes(created.err, "Resource99.pak: 3 files");
  const again = await runLine(`archive create ${path}/again.pak ${mod} --format dragonnest-pak`);
  assertEquals([again.code, await Deno.readFile(`${path}/again.pak`)], [
    0,
    await Deno.readFile(`${path}/Resource99.pak`),
  ]);
  const rows = jsonRows((await runLine(`archive list ${path}/Resource99.pak --json`)).out) as Record<string, unknown>[];
  assertEquals(rows.map(({ qpath, member, size, format, method }) => [qpath, member, size, format, method]), [
    ["maps/a.bsp", "\\maps\\a.bsp", 500, "dragonnest-pak", "zlib"],
    ["quake.rc", "\\quake.rc", 17, "dragonnest-pak", "zlib"],
    ["가나/빈.txt", "\\가나\\빈.txt", 0, "dragonnest-pak", "zlib"],
  ]);
  assertEquals((await runLine(`archive verify ${path}/Resource99.pak`)).err, "3 files, all sound\n");
  assertEquals((await runLine(`archive extract ${path}/Resource99.pak -o ${path}/out`)).code, 0);
  assertEquals(await Deno.readTextFile(`${path}/out/maps/a.bsp`), "map a".repeat(100));
  assertEquals(await Deno.readTextFile(`${path}/out/가나/빈.txt`), "");
  await Deno.writeTextFile(`${mod}/caf\u00e9.txt`, "");
  const refused = await runLine(`archive create ${path}/x.pak ${mod} --format dragonnest-pak`);
  assertEquals(refused.code, 1);
  assertStringIncludes(refused.err, "caf\u00e9.txt: a Dragon Nest pak holds names in Korean and ASCII letters only");
});

Deno.test("a hashed pack is created with a hash, and read with names", async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  const mod = await makeMod(path);
  const pack = `${path}/data.pack`;
  const created = await runLine(`archive create ${pack} ${mod} --format hashed-pack --hash crc32+upper+backslash`);
  assertEquals(created.code, 0, created.err);
  // With only two files, the format is not detected.
  assertEquals((await runLine(`archive list ${pack}`)).code, 1);
  const listed = await runLine(`archive list ${pack} --format hashed-pack`);
  assertEquals(listed.code, 0);
  assertEquals(listed.out.match(/unknown\/[0-9a-f]{8}\.txt/g)?.length, 2);
  await Deno.writeTextFile(`${path}/names`, "# what it may hold\nMAPS\\a.bsp\nquake.rc\nnot/there.txt\n");
  const options = `--format hashed-pack --names ${path}/names`;
  const named = await runLine(`archive list ${pack} ${options}`);
  assertStringIncludes(named.out, "quake.rc");
  assertStringIncludes(named.err, "2 of 2 files have a name among the 3, hashed by crc32+upper+backslash");
  assertEquals((await runLine(`archive verify ${pack} ${options} -q`)).code, 0);
  assertEquals((await runLine(`archive extract ${pack} ${options} maps/a.bsp MAPS/a.bsp -o ${path}/out`)).code, 0);
  assertEquals(await Deno.readTextFile(`${path}/out/MAPS/a.bsp`), "map a".repeat(100));

  const wrong = await runLine(`archive list ${pack} --format hashed-pack --hash md5`);
  assertEquals(wrong.code, 2);
  assertStringIncludes(wrong.err, "unknown hash md5; choose one of fnv1a, crc32, ");
  const missing = await runLine(`archive list ${pack} --format hashed-pack --names ${path}/nowhere`);
  assertEquals(missing.code, 1);
  assertStringIncludes(missing.err, `cannot read ${path}/nowhere: no such file`);
});

Deno.test("archives in an archive are listed, verified and extracted with --nested", async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  const lumps = wad([["PLAYPAL", "palette"], ["E1M1", ""], ["THINGS", "things"]]);
  await Deno.writeFile(`${path}/pak0.pk3`, zip([{ name: "gfx.wad", content: lumps, method: 8 }]));
  const names = async (line: string) =>
    (jsonRows((await runLine(line)).out) as { qpath: string }[]).map(({ qpath }) => qpath);
  assertEquals(await names(`archive list ${path}/pak0.pk3 --json`), ["gfx.wad"]);
  assertEquals(await names(`archive list ${path}/pak0.pk3 --nested --json`), [
    "gfx.wad",
    "gfx.wad.d/lumps/PLAYPAL",
    "gfx.wad.d/lumps/E1M1",
    "gfx.wad.d/maps/E1M1/THINGS",
  ]);
  assertEquals((await runLine(`archive verify ${path}/pak0.pk3 --nested`)).err, "4 files, all sound\n");
  const extracted = await runLine(`archive extract ${path}/pak0.pk3 **/THINGS -o ${path}/out --nested`);
  assertEquals([extracted.code, extracted.err], [0, `1 file, 6, extracted to ${path}/out\n`]);
  assertEquals(await Deno.readTextFile(`${path}/out/gfx.wad.d/maps/E1M1/THINGS`), "things");
});

/** A 64-bit little-endian integer, every bit of it. */
function bits64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

Deno.test("sizes beyond 2^53 are printed to the last digit, in lists, in JSON and by verify", async () => {
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/x.pk3`;
  const saturated = 0xffffffff;
  for (const size of [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n + 12345n, 2n ** 64n - 1n]) {
    const packedSize = size - 1n;
    const centralExtra = join(u16(1, 16), bits64(size), bits64(packedSize));
    await Deno.writeFile(
      path,
      zip([{ name: "a", content: "a", method: 8, size: saturated, packedSize: saturated, centralExtra }]),
    );
    const listed = await runLine(`archive list ${path} -q`);
    assertEquals(
      listed.out.split("\n")[1]?.trim().split(/\s+/).slice(0, 2),
      [size, packedSize].map((number) => number.toLocaleString("en-US")),
    );
    const [row] = jsonRows((await runLine(`archive list ${path} --json`)).out) as Record<string, unknown>[];
    const digits = (exact: unknown, rounded: unknown) => BigInt((exact ?? rounded) as string | number);
    assertEquals(digits(row?.exactSize, row?.size), size);
    assertEquals(digits(row?.exactPackedSize, row?.packedSize), packedSize);
    const verified = await runLine(`archive verify ${path}`);
    assertStringIncludes(verified.out + verified.err, packedSize.toLocaleString("en-US"));
  }
});
