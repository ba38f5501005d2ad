import { assertEquals, assertStringIncludes } from "@std/assert";
import { md4 } from "../../index/checksums/md4.ts";
import { pak, withDirectory, zip } from "../formats/bytes.ts";
import { FakeConnection } from "./fake_connection.ts";
import { jsonRows, runLine } from "./harness.ts";

Deno.test("shader prints each definition with what decided, and warns of damaged files", async () => {
  const { code, out, err } = await runLine("shader textures/a");
  assertEquals(code, 0);
  assertEquals(out.split("\n"), [
    "textures/a  quake/hipnotic, shader rules of ioquake3, 3 definitions",
    "  1  scripts/a.shader:7  /games/quake/hipnotic/extra.pk3, 40 bytes at 140",
    "     the engine uses this one",
    "  2  scripts/b.shader:3  /games/quake/hipnotic/extra.pk3, 40 bytes at 60",
    "     ioquake3 lists scripts/a.shader after scripts/b.shader, and the file that it lists last wins " +
    "[last-listed-shader-file]",
    "  3  scripts/bad.shader:20  /games/quake/hipnotic/extra.pk3, 40 bytes at 400",
    "     not known to the engine: ioquake3 ignores this whole file",
    "",
  ]);
  assertEquals(err, 'warning: scripts/bad.shader line 12: shader "x" has no opening {\n');
  const [row] = jsonRows((await runLine("shader textures/a --json")).out) as { definitions: unknown[] }[];
  assertEquals(row?.definitions.length, 3);
});

Deno.test("shader fails where nothing is defined", async () => {
  const { code, out, err } = await runLine("shader nothing");
  assertEquals([code, out, err], [
    1,
    "",
    'pakfs: no shader or image "nothing" in quake/hipnotic; shaders lists those\n',
  ]);
});

Deno.test("shaders prints a line for each name", async () => {
  const { out } = await runLine("shaders");
  assertEquals(out.split("\n"), [
    "NAME        FILE                  PACK",
    "textures/a  scripts/a.shader:7    extra.pk3  3 definitions",
    "textures/b  scripts/bad.shader:1  extra.pk3  not known to the engine: ioquake3 ignores this whole file",
    "",
  ]);
  const connection = new FakeConnection();
  assertEquals(jsonRows((await runLine("shaders 'textures/b' --json", { connection })).out).length, 1);
  assertEquals(connection.calls, ['shaders {"pattern":"textures/b"}']);
});

Deno.test("checksum of a file needs no daemon", async () => {
  await withDirectory(async (directory) => {
    const path = `${directory}/a.pk3`;
    await Deno.writeFile(path, zip([{ name: "a.txt", content: "a" }, { name: "b.txt", content: "" }]));
    // crc32 of "a" is e8b7be43; MD4 has its own tests.
    const digest = new DataView(md4(Uint8Array.of(0x43, 0xbe, 0xb7, 0xe8)).buffer);
    const checksum = [0, 4, 8, 12].reduce((sum, place) => sum ^ digest.getInt32(place, true), 0);
    const connection = new FakeConnection();
    const [row] = jsonRows((await runLine(`checksum ${path} --feed -5 --json`, { connection })).out) as {
      pure: number;
    }[];
    const { pure } = row ?? { pure: 0 };
    assertEquals<unknown>(row, { pure, pack: "a.pk3", source: path, checksum, unsigned: checksum >>> 0, feed: -5 });
    assertEquals(connection.calls, []);
    const { out } = await runLine(`checksum ${path}`);
    assertStringIncludes(out, `${checksum}`);
    await Deno.writeFile(`${directory}/a.pak`, pak([["a", "a"]]));
    const wrong = await runLine(`checksum ${directory}/a.pak`);
    assertEquals(wrong.code, 1);
    assertStringIncludes(wrong.err, "only pk3 and similar packs have this checksum");
  });
});

Deno.test("checksum of a pack that is no file here is asked of the daemon", async () => {
  const connection = new FakeConnection();
  const { out } = await runLine("checksum extra.pk3 --feed 2", { connection });
  assertEquals(out, "  CHECKSUM       PURE  PACK\n-633993734  541582740  extra.pk3\n");
  assertEquals(connection.calls, ['checksum {"pack":"extra.pk3","feed":2}']);
  assertEquals((await runLine("checksum nothing.pk3")).code, 1);
  const wrong = ["x", "1.5", "4294967296", "-2147483649"].map((feed) => runLine(`checksum extra.pk3 --feed ${feed}`));
  assertEquals((await Promise.all(wrong)).map((outcome) => outcome.code), [2, 2, 2, 2]);
});

Deno.test("packs --checksum finds a pack by its number, with a sign or without", async () => {
  const lines = ["-633993734", "3660973562"].map((number) => runLine(`packs --checksum ${number} --json`));
  const found = (await Promise.all(lines)).flatMap(({ out }) => jsonRows(out) as { pack: string }[]);
  assertEquals(found.map(({ pack }) => pack), ["extra.pk3", "extra.pk3"]);
  const { code, err } = await runLine("packs --checksum 1");
  assertEquals([code, err], [1, "pakfs: no pack has the checksum 1\n"]);
  assertEquals((await runLine("packs --checksum x")).code, 2);
});
