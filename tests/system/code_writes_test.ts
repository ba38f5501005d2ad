import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { awaitCodeWrites } from "../../system/code_writes.ts";
import { FileCalls } from "../../system/file_calls.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** Holds the lock of a database, as Deno does while it writes the code of a module. */
const writer = `
import { DatabaseSync } from "node:sqlite";
self.onmessage = ({ data: { path, milliseconds } }) => {
  const database = new DatabaseSync(path);
  database.exec("BEGIN IMMEDIATE; INSERT INTO code VALUES (1)");
  self.postMessage("writing");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  database.exec("COMMIT");
};`;

/** Waits while a thread writes for some time, and returns whether the write was over then. */
async function isWrittenAfterWait(milliseconds: number): Promise<boolean> {
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/store`;
  using database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE code (number)");
  const program = URL.createObjectURL(new Blob([writer]));
  const worker = new Worker(program, { type: "module" });
  worker.postMessage({ path, milliseconds });
  await new Promise((resolve) => worker.onmessage = resolve);
  using files = new FileCalls();
  awaitCodeWrites(files);
  const { count } = database.prepare("SELECT count(*) AS count FROM code").get() ?? {};
  worker.terminate();
  URL.revokeObjectURL(program);
  return count === 1;
}

Deno.test("the end waits until compiled code is written", async () => {
  assertEquals(await isWrittenAfterWait(100), true);
});

Deno.test("the end does not wait for a write that takes too long", async () => {
  assertEquals(await isWrittenAfterWait(20_000), false);
});
