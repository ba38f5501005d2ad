/** The version of the program's output files: it changes with any module, and is missing while modules change. */
// deno-lint-ignore-file no-await-in-loop -- one change after the other is what is tested
import { assertEquals, assertThrows } from "@std/assert";
import { modulesDigest, programDigest } from "../../system/program_digest.ts";
import { installation, writeFiles } from "../index/fixtures.ts";

Deno.test("modules that differ in a name or a byte have another digest, others the same", async () => {
  const files = { "deno.lock": "{}", "formats/a.ts": "ab", "media/b/c.ts": "c", "web/d.ts": "d" };
  await using root = await installation(files);
  const first = modulesDigest(root.path);
  const seen = new Set([first]);
  for (const [path, text] of [["formats/a.ts", "aB"], ["media/b/e.ts", ""], ["deno.lock", "{ }"]] as const) {
    await writeFiles(root.path, { [path]: text });
    seen.add(modulesDigest(root.path));
  }
  await Deno.rename(`${root.path}/media/b`, `${root.path}/media/x`);
  seen.add(modulesDigest(root.path));
  assertEquals(seen.size, 5);
  await Deno.remove(root.path, { recursive: true });
  await writeFiles(root.path, { ...files, "web/d.ts": "not counted" });
  assertEquals(modulesDigest(root.path), first);
});

Deno.test("modules that were changed after a program started, or are missing, have no digest", async () => {
  await using root = await installation({ "deno.lock": "{}", "formats/a.ts": "a", "media/b.ts": "b" });
  assertThrows(() => modulesDigest(root.path, Date.now() - 60_000), Error, "changed just now");
  await Deno.utime(`${root.path}/media/b.ts`, 1, 1);
  assertThrows(() => modulesDigest(root.path, Date.now() - 60_000), Error, "changed just now");
  assertEquals(modulesDigest(root.path, Date.now() + 60_000), modulesDigest(root.path));
  await Deno.remove(`${root.path}/media`, { recursive: true });
  assertThrows(() => modulesDigest(root.path), Deno.errors.NotFound);
  assertEquals(programDigest()?.length, 64);
});
