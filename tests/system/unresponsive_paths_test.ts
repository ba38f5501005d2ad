import { assertEquals } from "@std/assert";
import { unresponsivePaths } from "../../system/unresponsive_paths.ts";
import { temporaryDirectory } from "../support/temporary.ts";

Deno.test("paths that answer are not waited for any longer, whether they exist or not", async () => {
  await using directory = await temporaryDirectory();
  // A timer or a process that is left would fail this test.
  assertEquals(await unresponsivePaths([directory.path, `${directory.path}/missing`], 60_000), new Set());
});
