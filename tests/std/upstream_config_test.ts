import { assertEquals } from "@std/assert";

type Config = Record<string, unknown> & { links: string[]; imports: Record<string, string> };

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await Deno.readTextFile(new URL(`../../${path}`, import.meta.url)));
}

Deno.test("deno.upstream.json is deno.json without the stand-ins and their lock", async () => {
  const { links, lock, ...own } = await readJson<Config>("deno.json");
  const { lock: upstreamLock, ...upstream } = await readJson<Config>("deno.upstream.json");
  assertEquals(upstream, own as typeof upstream, "copy what changed in deno.json to deno.upstream.json");
  assertEquals([lock, upstreamLock], [{ frozen: true }, false]);
  assertEquals(links, ["./std/assert", "./std/cli", "./std/fs"]);
});

Deno.test("every stand-in has the name of the real package, and no version to be mistaken for one of its", async () => {
  const { links, imports } = await readJson<Config>("deno.json");
  for (const link of links) {
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its package
    const { name, version, exports } = await readJson<{ name: string; version?: string; exports: object }>(
      `${link}/deno.json`,
    );
    assertEquals(imports[name], `jsr:${name}@^1.0.0`);
    assertEquals(version, undefined, name);
    assertEquals(Object.keys(exports)[0], ".", name);
  }
});
