// deno-lint-ignore-file no-await-in-loop -- the cases of a test run one after another
import { assertEquals, assertStringIncludes } from "@std/assert";
import { formatRows } from "../../formats/mod.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { jsonRows, runLine } from "./harness.ts";

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
    "SIZE  PACKED  METHOD  MODIFIED          CRC-32    NAME",
    " 500     500  store   2001-05-06 07:08  30b50961  maps/a.bsp",
    "  17      17  store   2001-05-06 07:08  a4d86c0d  quake.rc",
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
  const wrong = await runLine(`archive create ${path}/y ${mod} --format rar`);
  assertEquals(wrong.code, 2);
  assertStringIncludes(wrong.err, 'there is no archive format "rar"; there are quake-pak, daikatana-pak, ');
  assertEquals((await runLine(`archive create ${path}/y ${mod} --method lzma`)).code, 2);
  assertEquals((await runLine(`archive create ${path}/y ${mod}`)).code, 1);
});

Deno.test("archive verify tells of damage and goes on with the next archive", async () => {
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
  assertStringIncludes(err, `${path}/missing.pk3: there is no such file`);
  assertStringIncludes(err, "4 files, 1 damaged");
  const rows = jsonRows((await runLine(`archive verify ${path}/bad.pk3 --json`)).out) as {
    member: string;
    ok: boolean;
  }[];
  assertEquals(rows.map(({ member, ok }) => [member, ok]), [["maps/a.bsp", true], ["quake.rc", false]]);
});

Deno.test("formats lists what can be read and written", async () => {
  const rows = jsonRows((await runLine("formats --json")).out) as { format: string; writable: boolean }[];
  assertEquals(rows.filter(({ writable }) => writable).map(({ format }) => format).sort(), [
    "dragonnest-pak",
    "hashed-pack",
    "quake-pak",
    "zip",
  ]);
  assertEquals<unknown>(rows, formatRows());
  const table = (await runLine("formats")).out.split("\n");
  assertEquals(table[0]?.split(/ {2,}/), ["FORMAT", "WRITES", "ENDINGS", "KNOWN BY", "GAMES"]);
  const grp = table.find((line) => line.startsWith("grp "));
  const games = "Duke Nukem 3D, Shadow Warrior, Redneck Rampage";
  assertEquals(grp?.split(/ {2,}/), ["grp", "no", ".grp", "KenSilverman", games]);
});
