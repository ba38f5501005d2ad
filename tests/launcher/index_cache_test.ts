import { assert, assertEquals } from "@std/assert";
import { installation, pakOf } from "../index/fixtures.ts";

const launcher = new URL("../../pakfs", import.meta.url).pathname;

Deno.test("an index of one's own is kept for the next time, with no more permissions than that needs", async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `file${index}.txt`);
  await using root = await installation({ "quake/id1/pak0.pak": pakOf(...many) });
  const run = async (args: readonly string[], environment: Record<string, string>) => {
    const { code, stdout, stderr } = await new Deno.Command(launcher, {
      args: ["--source", `${root.path}/quake`, ...args, "stat", "file77.txt", "--json"],
      env: { XDG_CACHE_HOME: `${root.path}/cache`, PAKFS_INDEX_CACHE: "", ...environment },
      stdin: "null",
    }).output();
    assertEquals(code, 0, new TextDecoder().decode(stderr));
    return JSON.parse(new TextDecoder().decode(stdout)) as { size: number };
  };
  const names = async (directory: string) => {
    try {
      return await Array.fromAsync(Deno.readDir(directory), ({ name }) => name);
    } catch {
      return [];
    }
  };
  const usual = `${root.path}/cache/pakfs/index`;
  const first = await run([], {});
  const [name] = await names(usual);
  assert(name?.startsWith("quake-"));
  const written = await Deno.stat(`${usual}/${name}`);
  // The second run reads the cache, and does not write it again.
  assertEquals(await run([], {}), first);
  assertEquals((await Deno.stat(`${usual}/${name}`)).ino, written.ino);
  await Deno.remove(usual, { recursive: true });
  assertEquals(await run(["--no-index-cache"], {}), first);
  assertEquals(await run([], { PAKFS_INDEX_CACHE: "off" }), first);
  assertEquals(await names(usual), []);
  await run([], { PAKFS_INDEX_CACHE: `${root.path}/elsewhere` });
  assertEquals(await names(`${root.path}/elsewhere`), [name]);
  assertEquals(await names(usual), []);
});
