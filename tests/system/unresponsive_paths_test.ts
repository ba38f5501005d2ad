import { assertEquals } from "@std/assert";
import { unresponsivePaths } from "../../system/unresponsive_paths.ts";
import { temporaryDirectory } from "../support/temporary.ts";

Deno.test("paths that answer are not waited for any longer, whether they exist or not", async () => {
  await using directory = await temporaryDirectory();
  // A timer that is left would fail this test.
  assertEquals(await unresponsivePaths([directory.path, `${directory.path}/missing`], 60_000), new Set());
});

Deno.test("paths that do not answer are named once the time is up, and no others", async () => {
  await using directory = await temporaryDirectory();
  const { stat } = Deno;
  const hanging = new Set([`${directory.path}/a`, `${directory.path}/b`]);
  Deno.stat = (path) => hanging.has(String(path)) ? new Promise(() => {}) : stat(path);
  try {
    assertEquals(await unresponsivePaths([directory.path, ...hanging], 50), hanging);
  } finally {
    Deno.stat = stat;
  }
});
