import { assertEquals } from "@std/assert";
import { walk } from "@std/fs";

const root = new URL("../../..", import.meta.url).pathname;

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await Deno.readTextFile(root + path));
}

Deno.test("every stand-in has the name of a real package, no version, and only exports that are used", async () => {
  const { links, imports } = await readJson<{ links: string[]; imports: Record<string, string> }>("deno.json");
  const names = links.map((link) => link.replace("./system/std/", "@std/"));
  const used = new Map(names.map((name) => [name, new Set<string>()]));
  for await (
    const { path } of walk(root, {
      exts: [".ts"],
      skip: [/\/(\.tools|\.git)$/, /\/std\/(assert|cli|fs|path)(_test\.ts)?$/],
    })
  ) {
    const code = await Deno.readTextFile(path);
    for (const [, list = "", name = ""] of code.matchAll(/^import (?:type )?\{([^}]*)\} from "(@std\/[\w-]+)"/gm)) {
      for (const word of list.split(",")) used.get(name)?.add(word.replace("type ", "").trim());
    }
  }
  for (const [index, link] of links.entries()) {
    const name = names[index] ?? "";
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its package
    const config = await readJson<{ name: string; version?: string }>(`${link}/deno.json`);
    assertEquals([config.name, config.version, imports[name]], [name, undefined, `jsr:${name}@^1.0.0`]);
    // deno-lint-ignore no-await-in-loop -- as above
    const unused = Object.keys(await import(`../../../${link}/mod.ts`)).filter((one) => !used.get(name)?.has(one));
    assertEquals(unused, [], `${name} exports what nothing imports`);
  }
});
