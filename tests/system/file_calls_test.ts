import { assertEquals } from "@std/assert";
import { stateFrom } from "../../index/columns/identity.ts";
import { FileCalls } from "../../system/file_calls.ts";
import { temporaryDirectory } from "../support/temporary.ts";

Deno.test("a file that is rewritten with its time put back has another ctime, by its path and when it is open", async () => {
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/file`;
  using calls = new FileCalls();
  const ctimes: number[] = [];
  for (const content of ["first", "other"]) {
    // deno-lint-ignore no-await-in-loop -- one after the other
    await Deno.writeTextFile(path, content);
    // deno-lint-ignore no-await-in-loop -- as above
    await Deno.utime(path, 1000, 1000);
    const descriptor = calls.openForReading(path);
    const { ctime = NaN, mtime } = calls.information(descriptor) ?? {};
    calls.close(descriptor);
    assertEquals([ctime, mtime], [calls.look(path)?.ctime, 1_000_000]);
    ctimes.push(ctime);
    // deno-lint-ignore no-await-in-loop -- longer than a tick of any file system with fractions of seconds
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assertEquals(new Set(ctimes).size, 2);
});

Deno.test("a look at a path finds what Deno finds there, whatever the kind, size and times", async () => {
  await using directory = await temporaryDirectory();
  const path = (name: string) => `${directory.path}/${name}`;
  await Deno.mkdir(path("a directory"));
  const times = [0, 1.448_999_95, -1.5, -3600, 2 ** 31 + 0.999_999, 2 ** 33, 1_795_369_003.448_999_95];
  const files = await Promise.all(times.map(async (time, index) => {
    const file = path(`맵 ${index}.pk3`);
    await Deno.writeTextFile(file, "x".repeat(index));
    await Deno.utime(file, time, time);
    return file;
  }));
  await Deno.truncate(files[0] ?? "", 5 * 2 ** 32 + 7); // sparse
  await Deno.symlink(files[1] ?? "", path("link"));
  await Deno.symlink("nowhere", path("dangling"));
  using calls = new FileCalls();
  for (const found of [...files, path("a directory"), path("link"), "/dev/null", "/", "."]) {
    const { ctime = NaN, ...state } = calls.look(found) ?? {};
    const seconds = { ctime: Math.floor(ctime / 1000) * 1000 };
    // deno-lint-ignore no-await-in-loop -- one after the other: the next look overwrites the state
    assertEquals({ ...state, ...seconds }, { ...stateFrom(await Deno.stat(found)) }, found);
  }
  for (const missing of [path("dangling"), path("missing"), "", path("x/".repeat(3000)), path("맵".repeat(1400))]) {
    assertEquals(calls.look(missing), undefined, missing.slice(0, 80));
  }
});
