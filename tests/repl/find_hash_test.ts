/** Finds files by their checksum: `find --hash` and `which --hash`. */
// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assertEquals, assertMatch } from "@std/assert";
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { openLocal } from "../../service/local.ts";
import { pak } from "../formats/bytes.ts";
import { installation } from "../index/fixtures.ts";
import { jsonRows, runLine } from "./harness.ts";

const files = {
  "id1/pak0.pak": pak([["gfx/a.lmp", "bytes"], ["gfx/b.lmp", "other"]]),
  "id1/pak1.pak": pak([["gfx/a.lmp", "newer"]]),
  "id1/copy.lmp": "bytes",
  "mod/pak0.pak": pak([["c.lmp", "bytes"]]),
};

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const crc = (text: string) => crc32(text).toString(16).padStart(8, "0");

Deno.test("find --hash lists files of the view with these bytes, which --hash those that lose too", async () => {
  await using root = await installation(files);
  await using connection = await openLocal({ sources: [root.path], profile: "quakespasm", game: "quake" });
  const run = (line: string) => runLine(line, { connection });
  for (const hash of [sha256("bytes"), sha256("bytes").toUpperCase(), crc("bytes")]) {
    assertEquals((await run(`find --hash ${hash} --view id1`)).out, "copy.lmp\n", hash);
    const rows = jsonRows((await run(`which --hash ${hash} --json`)).out) as {
      source: string;
      member: string;
      wins: boolean;
    }[];
    const found = rows.map(({ source, member, wins }) => [source.slice(root.path.length + 1), member, wins]);
    assertEquals(found.sort(), [
      ["id1", "copy.lmp", true],
      ["id1/pak0.pak", "gfx/a.lmp", false],
      ["mod/pak0.pak", "c.lmp", true],
    ], hash);
  }
  assertEquals((await run(`find '*.lmp' --hash ${crc("newer")} -0 --view id1`)).out, "gfx/a.lmp\0");
  assertEquals((await run(`find 'c*' --hash ${crc("newer")} --view id1`)).out, "");
  const printed = await run(`which --hash ${crc("bytes")} --view id1`);
  assertMatch(printed.out, /^copy\.lmp {2}quake\/id1, shown\n {5}\S+id1 *\S*\n?/);
  assertMatch(printed.out, /gfx\/a\.lmp {2}quake\/id1, loses\n {5}\S+pak0\.pak\n/);
  const none = await run(`which --hash ${crc("nowhere")}`);
  assertEquals([none.code, none.err], [1, `pakfs: no file has the hash ${crc("nowhere")}\n`]);
});

Deno.test("hashes that are none, and options that do not go with them, are refused", async () => {
  for (
    const line of [
      "find --hash 123",
      `find --hash ${"g".repeat(64)}`,
      "find --hash 12345678 -l",
      "find --hash 12345678 --shadowed",
      "which",
      "which a --hash 12345678",
    ]
  ) {
    assertEquals((await runLine(line)).code, 2, line);
  }
});
