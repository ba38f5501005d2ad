import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { awaitCodeWrites } from "../../system/code_writes.ts";
import { FileCalls } from "../../system/file_calls.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** Holds the lock of a database in shared mode several times, as Deno does for each module, and then says so. */
const writer = `
import { DatabaseSync } from "node:sqlite";
self.onmessage = ({ data: { path, times } }) => {
  const database = new DatabaseSync(path);
  const word = new Int32Array(new SharedArrayBuffer(4));
  for (let time = 0; time < times; time++) {
    database.exec("BEGIN IMMEDIATE; INSERT INTO code VALUES (1)");
    if (time === 0) self.postMessage("writing");
    Atomics.wait(word, 0, 0, 40);
    database.exec("COMMIT");
  }
  self.postMessage("done");
};`;

/** Has a thread write, waits for that, and returns how many of its writes are in the store then. */
async function writesAfterWait(times: number): Promise<number> {
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/store`;
  using database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE code (number)");
  const worker = new Worker(URL.createObjectURL(new Blob([writer])), { type: "module" });
  const heard: PromiseWithResolvers<void>[] = [Promise.withResolvers(), Promise.withResolvers()];
  worker.onmessage = () => heard.shift()?.resolve();
  const [writing, done] = heard;
  worker.postMessage({ path, times });
  await writing?.promise;
  using files = new FileCalls();
  awaitCodeWrites(files);
  const { count } = database.prepare("SELECT count(*) AS count FROM code").get() ?? {};
  await done?.promise;
  worker.terminate();
  return Number(count);
}

Deno.test("the end waits until the last write to a store of compiled code is over", async () => {
  assertEquals(await writesAfterWait(4), 4);
});

Deno.test("the end does not wait for a write that takes longer than half a second", async () => {
  assertEquals(await writesAfterWait(40) < 40, true);
});
