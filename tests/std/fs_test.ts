// deno-lint-ignore-file no-await-in-loop -- cases run one after the other, so that a failure names its case
import { assert, assertEquals, assertFalse, assertRejects, assertThrows } from "@std/assert";
import {
  copy,
  emptyDir,
  emptyDirSync,
  ensureDir,
  ensureDirSync,
  exists,
  existsSync,
  move,
  walk,
  type WalkOptions,
  walkSync,
} from "@std/fs";
import { ensureDir as ensureDirFromSubpath } from "@std/fs/ensure-dir";
import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryDirectory } from "../support/temporary.ts";

/** `id1/pak0.pak`, `id1/gfx/palette.lmp`, an empty `id1/maps`, and a link `id1/link` to `gfx`. */
async function installation(root: string): Promise<void> {
  await Deno.mkdir(`${root}/id1/gfx`, { recursive: true });
  await Deno.mkdir(`${root}/id1/maps`);
  await Deno.writeTextFile(`${root}/id1/pak0.pak`, "PACK");
  await Deno.writeTextFile(`${root}/id1/gfx/palette.lmp`, "palette");
  await Deno.symlink("gfx", `${root}/id1/link`);
}

Deno.test("exists() tells what is there", async () => {
  await using directory = await temporaryDirectory();
  const root = directory.path;
  await installation(root);
  for (
    const [path, options, there] of [
      [`${root}/id1`, {}, true],
      [`${root}/id1`, { isDirectory: true }, true],
      [`${root}/id1`, { isFile: true }, false],
      [`${root}/id1/pak0.pak`, { isFile: true, isReadable: true }, true],
      [`${root}/id1/link`, { isDirectory: true }, true],
      [pathToFileURL(`${root}/id1/pak0.pak`), {}, true],
      [`${root}/none`, {}, false],
    ] as const
  ) {
    assertEquals(await exists(path, options), there, `${path} ${JSON.stringify(options)}`);
    assertEquals(existsSync(path, options), there, `${path} ${JSON.stringify(options)}`);
  }
  await assertRejects(() => exists(root, { isDirectory: true, isFile: true }), TypeError);
});

Deno.test("ensureDir() makes what is missing and keeps what is there", async () => {
  await using directory = await temporaryDirectory();
  const root = directory.path;
  await ensureDir(`${root}/a/b`);
  await Deno.writeTextFile(`${root}/a/b/file`, "x");
  await ensureDir(`${root}/a/b`);
  ensureDirSync(`${root}/a/b`);
  ensureDirSync(`${root}/c/d`);
  assertEquals(await Deno.readTextFile(`${root}/a/b/file`), "x");
  assert((await Deno.stat(`${root}/c/d`)).isDirectory);
  await assertRejects(() => ensureDir(`${root}/a/b/file`), Error, "got 'file'");
  assertThrows(() => ensureDirSync(`${root}/a/b/file`), Error, "got 'file'");
  assertEquals(ensureDirFromSubpath, ensureDir);
});

Deno.test("emptyDir() empties or makes a directory", async () => {
  await using directory = await temporaryDirectory();
  const root = directory.path;
  await installation(root);
  await emptyDir(`${root}/id1`);
  assertEquals(await Array.fromAsync(Deno.readDir(root), (entry) => entry.name), ["id1"]);
  assertEquals(await Array.fromAsync(Deno.readDir(`${root}/id1`)), []);
  emptyDirSync(`${root}/new`);
  assert((await Deno.stat(`${root}/new`)).isDirectory);
});

Deno.test("walk() and walkSync() visit what they are asked to", async () => {
  await using directory = await temporaryDirectory();
  const root = directory.path;
  await installation(root);
  const everything = ["", "id1", "id1/gfx", "id1/gfx/palette.lmp", "id1/link", "id1/maps", "id1/pak0.pak"];
  const cases: [WalkOptions, string[]][] = [
    [{}, everything],
    [{ includeDirs: false }, ["id1/gfx/palette.lmp", "id1/link", "id1/pak0.pak"]],
    [{ includeDirs: false, includeSymlinks: false }, ["id1/gfx/palette.lmp", "id1/pak0.pak"]],
    [{ maxDepth: 1 }, ["", "id1"]],
    [{ exts: ["lmp"] }, ["id1/gfx/palette.lmp"]],
    [{ exts: [".pak"], includeDirs: false }, ["id1/pak0.pak"]],
    [{ skip: [/gfx$/] }, everything.filter((path) => !path.includes("gfx"))],
    [{ match: [/palette/] }, ["id1/gfx/palette.lmp"]],
    [{ followSymlinks: true, canonicalize: false, includeDirs: false, exts: [".lmp"] }, [
      "id1/gfx/palette.lmp",
      "id1/link/palette.lmp",
    ]],
  ];
  const pathsOf = (entries: { path: string }[]) => entries.map((entry) => relative(root, entry.path)).sort();
  for (const [options, expected] of cases) {
    assertEquals(pathsOf(await Array.fromAsync(walk(root, options))), expected, Deno.inspect(options));
    assertEquals(pathsOf([...walkSync(root, options)]), expected, Deno.inspect(options));
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
  await assertRejects(() => copy(`${root}/id1`, `${root}/id1/inner`), Error, "subdirectory");
  await Deno.writeTextFile(`${root}/id1/pak0.pak`, "changed");
  await copy(`${root}/id1/pak0.pak`, `${root}/copy/pak0.pak`, { overwrite: true });
  assertEquals(await Deno.readTextFile(`${root}/copy/pak0.pak`), "changed");
});

Deno.test("move() moves trees and does not overwrite unless told to", async () => {
  await using directory = await temporaryDirectory();
  const root = directory.path;
  await installation(root);
  await assertRejects(() => move(`${root}/id1`, `${root}/id1/gfx/inner`), Deno.errors.NotSupported);
  await assertRejects(() => move(`${root}/id1/maps`, `${root}/id1/gfx`), Deno.errors.AlreadyExists);
  await move(`${root}/id1/maps`, `${root}/id1/gfx`, { overwrite: true });
  assertFalse(await exists(`${root}/id1/gfx/palette.lmp`));
  await move(`${root}/id1`, `${root}/id2`);
  assertFalse(await exists(`${root}/id1`));
  assert(await exists(`${root}/id2/pak0.pak`));
});
