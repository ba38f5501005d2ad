import { assertEquals } from "@std/assert";
import { lockDirectory } from "../../system/directory_lock.ts";
import { temporaryDirectory } from "../support/temporary.ts";

Deno.test("one process at a time has the lock of a directory, and none waits for it without end", async () => {
  await using directory = await temporaryDirectory();
  using other = await Deno.open(directory.path);
  const isHeld = async () => {
    const isFree = await other.tryLock(true);
    if (isFree) await other.unlock();
    return !isFree;
  };
  {
    using _lock = await lockDirectory(directory.path);
    assertEquals(await isHeld(), true);
  }
  assertEquals(await isHeld(), false);
  await other.lock(true);
  const waiting = lockDirectory(directory.path);
  using nothing = await lockDirectory(directory.path, 30);
  await other.unlock();
  {
    using _lock = await waiting;
    assertEquals(await isHeld(), true);
    nothing[Symbol.dispose]();
    assertEquals(await isHeld(), true, "it was never had");
  }
  assertEquals(await isHeld(), false);
});
