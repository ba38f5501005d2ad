import { assert, assertEquals, assertRejects } from "@std/assert";
import { copy, ensureDir, exists, walk, type WalkOptions } from "@std/fs";
import { relative } from "node:path";
import { temporaryDirectory } from "../../support/temporary.ts";

/** Writes `id1/pak0.pak`, `id1/gfx/palette.lmp`, an empty `id1/maps`, and a link `id1/link` to `gfx`. */
async function installation(root: string): Promise<void> {
  await Deno.mkdir(`${root}/id1/gfx`, { recursive: true });
  await Deno.mkdir(`${root}/id1/maps`);
  await Deno.writeTextFile(`${root}/id1/pak0.pak`, "PACK");
  await Deno.writeTextFile(`${root}/id1/gfx/palette.lmp`, "palette");
  await Deno.symlink("gfx", `${root}/id1/link`);
}

Deno.test("ensureDir() makes what is missing and keeps what exists()", async () => {
  await using directory = await temporaryDirectory();
  const file = `${directory.path}/a/b/file`;
  await ensureDir(`${directory.path}/a/b`);
  assert(!await exists(file));
  await Deno.writeTextFile(file, "x");
  await ensureDir(`${directory.path}/a/b`);
  assertEquals([await exists(file), await exists(`${directory.path}/a`)], [true, true]);
  await assertRejects(() => ensureDir(file), Error, "got 'file'");
});

Deno.test("walk() visits what it is asked to", async () => {
  await using directory = await temporaryDirectory();
  const root = directory.path;
  await installation(root);
  const everything = ["", "id1", "id1/gfx", "id1/gfx/palette.lmp", "id1/link", "id1/maps", "id1/pak0.pak"];
  const cases: [WalkOptions, string[]][] = [
    [{}, everything],
    [{ includeDirs: false }, ["id1/gfx/palette.lmp", "id1/link", "id1/pak0.pak"]],
    [{ exts: [".pak"], includeDirs: false }, ["id1/pak0.pak"]],
    [{ skip: [/gfx$/] }, everything.filter((path) => !path.includes("gfx"))],
  ];
  for (const [options, expected] of cases) {
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its case
    const entries = await Array.fromAsync(walk(root, options));
    assertEquals(entries.map((entry) => relative(root, entry.path)).sort(), expected, Deno.inspect(options));
  }
  await assertRejects(() => Array.fromAsync(walk(`${root}/none`)), Deno.errors.NotFound);
});

Deno.test("copy() copies trees and keeps links", async () => {
  await using directory = await temporaryDirectory();
  const root = directory.path;
  await installation(root);
  await copy(`${root}/id1`, `${root}/copy`);
  assertEquals(await Deno.readTextFile(`${root}/copy/gfx/palette.lmp`), "palette");
  assertEquals(await Deno.readLink(`${root}/copy/link`), "gfx");
  await assertRejects(() => copy(`${root}/id1`, `${root}/copy`), Deno.errors.AlreadyExists);
});
