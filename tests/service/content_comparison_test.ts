import { assert, assertEquals, assertRejects } from "@std/assert";
import { ContentHashes } from "../../index/hashes/content_hashes.ts";
import { HashStore } from "../../index/hashes/hash_store.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { contentComparison } from "../../service/methods/content_comparison.ts";
import { text } from "../formats/bytes.ts";
import { installation } from "../index/fixtures.ts";

/** Indexes loose files of these sizes or contents, which have no checksum. */
async function indexed(files: Readonly<Record<string, string | number>>) {
  const root = await installation({ "id1/.keep": "" });
  const pathOf = (name: string) => `${root.path}/id1/${name}`;
  await Promise.all(
    Object.entries(files).map(async ([name, content]) => {
      await Deno.writeFile(pathOf(name), typeof content === "string" ? text(content) : new Uint8Array(0));
      if (typeof content === "number") await Deno.truncate(pathOf(name), content);
    }),
  );
  const { snapshot, index } = scanCatalog([{ sources: [root.path], profile: "quakespasm", name: "g" }]);
  const entries = new Map(Array.from({ length: snapshot.entryCount }, (_, entry) => [snapshot.memberOf(entry), entry]));
  const hashes = new ContentHashes({ store: new HashStore() });
  return {
    pathOf,
    compare: (signal?: AbortSignal) => contentComparison(hashes.of(index), signal),
    entryOf(name: string): number {
      const entry = entries.get(name);
      assert(entry !== undefined, name);
      return entry;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      hashes[Symbol.dispose]();
      await root[Symbol.asyncDispose]();
    },
  };
}

Deno.test("files are the same if their bytes are, and unknown if they would have to be read and cannot be", async () => {
  const files = {
    a1: "aa",
    a2: "aa",
    b: "bb",
    c1: "ccc",
    c2: "ccc",
    d: "ddd",
    none1: "",
    none2: "",
    gone1: "aa",
    gone2: "ee",
  };
  await using here = await indexed(files);
  const isGone = (name: string) => name.startsWith("gone");
  const names = Object.keys(files) as (keyof typeof files)[];
  await Promise.all(names.filter(isGone).map((name) => Deno.remove(here.pathOf(name))));
  const pairs = names.flatMap((one) => names.map((two) => [one, two] as const));
  const expected = pairs.map(([one, two]) => {
    if (one === two) return true;
    if (files[one].length !== files[two].length) return false;
    if (files[one] === "") return true;
    return isGone(one) || isGone(two) ? null : files[one] === files[two];
  });
  // Compares all at once, and each pair again when everything is cached.
  for (const round of ["first", "second"]) {
    // deno-lint-ignore no-await-in-loop -- the second round needs what the first has read
    const found = await Promise.all(pairs.map(([one, two]) => here.compare()(here.entryOf(one), here.entryOf(two))));
    assertEquals(
      found.map((same, index) => [...pairs[index] ?? [], same]),
      expected.map((same, index) => [...pairs[index] ?? [], same]),
      round,
    );
    // What was read once is known.
    // deno-lint-ignore no-await-in-loop -- as above
    await Promise.all(names.map((name) => Deno.remove(here.pathOf(name)).catch(() => {})));
  }
});

Deno.test("a comparison ends when its signal aborts, and the next one compares", async () => {
  await using here = await indexed({ large1: 40 * 1024 * 1024, large2: 40 * 1024 * 1024 });
  const ending = new AbortController();
  const [one, two] = [here.entryOf("large1"), here.entryOf("large2")];
  const compared = here.compare(ending.signal)(one, two);
  ending.abort();
  await assertRejects(async () => await compared, DOMException);
  assertEquals(await here.compare()(one, two), true);
});
