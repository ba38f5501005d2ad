import { assertEquals } from "@std/assert";
import { stateFrom } from "../../index/columns/identity.ts";
import { FileCalls } from "../../system/file_calls.ts";
import { temporaryDirectory } from "../support/temporary.ts";

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
    // deno-lint-ignore no-await-in-loop -- one after the other: the next look overwrites the state
    assertEquals({ ...calls.look(found) }, { ...stateFrom(await Deno.stat(found)) }, found);
  }
  for (const missing of [path("dangling"), path("missing"), "", path("x/".repeat(3000)), path("맵".repeat(1400))]) {
    assertEquals(calls.look(missing), undefined, missing.slice(0, 80));
  }
});
