import { assert, assertEquals, assertRejects } from "@std/assert";
import { ContentReader } from "../../index/content/content_reader.ts";
import { scanCatalog } from "../support/catalogs.ts";
import type { Snapshot } from "../../index/columns/snapshot.ts";
import { contentComparison } from "../../service/methods/content_comparison.ts";
import { text } from "../formats/bytes.ts";
import { installation } from "../index/fixtures.ts";

const mebibyte = 1024 * 1024;

/** Reads files, and counts what is read between two turns of other work. */
class CountingReader extends ContentReader {
  readonly reads: { readonly entry: number; readonly bytes: number }[] = [];
  /** By turn: its reads, and their bytes. */
  readonly turns: { reads: number; bytes: number }[] = [{ reads: 0, bytes: 0 }];
  onTurn: () => void = () => {};
  #isCounting = true;

  constructor(snapshot: Snapshot) {
    super(snapshot);
    const count = () => {
      if (!this.#isCounting) return;
      this.turns.push({ reads: 0, bytes: 0 });
      this.onTurn();
      setImmediate(count);
    };
    setImmediate(count);
  }

  override async read(entry: number, offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    const bytes = await super.read(entry, offset, length, signal);
    this.reads.push({ entry, bytes: bytes.length });
    const turn = this.turns.at(-1);
    assert(turn);
    turn.reads++;
    turn.bytes += bytes.length;
    return bytes;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#isCounting = false;
    await new Promise((resolve) => setImmediate(resolve));
    await super[Symbol.asyncDispose]();
  }
}

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
  const { snapshot } = scanCatalog([{ sources: [root.path], profile: "quakespasm", name: "g" }]);
  const reader = new CountingReader(snapshot);
  const entries = new Map(Array.from({ length: snapshot.entryCount }, (_, entry) => [snapshot.memberOf(entry), entry]));
  const controller = new AbortController();
  return {
    reader,
    controller,
    pathOf,
    compare: contentComparison(snapshot, reader, controller.signal),
    entryOf(name: string): number {
      const entry = entries.get(name);
      assert(entry !== undefined, name);
      return entry;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await reader[Symbol.asyncDispose]();
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
  // All at once, and each pair again when everything is known.
  for (const round of ["first", "second"]) {
    // deno-lint-ignore no-await-in-loop -- the second round needs what the first has read
    const found = await Promise.all(pairs.map(([one, two]) => here.compare(here.entryOf(one), here.entryOf(two))));
    assertEquals(
      found.map((same, index) => [...pairs[index] ?? [], same]),
      expected.map((same, index) => [...pairs[index] ?? [], same]),
      round,
    );
    if (round === "first") here.reader.reads.length = 0;
  }
  assertEquals(here.reader.reads, [], "what was read once is known");
});

Deno.test("between two turns of other work at most 9 MiB are compared, or 129 files, and not much less", async () => {
  const count = 300;
  const small = Array.from({ length: 2 * count }, (_, index) => [`small${index}`, String(index).padStart(4)] as const);
  await using here = await indexed({ ...Object.fromEntries(small), large1: 30 * mebibyte, large2: 30 * mebibyte });
  assertEquals(await here.compare(here.entryOf("large1"), here.entryOf("large2")), true);
  for (let index = 0; index < count; index++) {
    const entries = [here.entryOf(`small${index}`), here.entryOf(`small${count + index}`)] as const;
    // deno-lint-ignore no-await-in-loop -- one pair after the other, as a listing compares them
    assertEquals(await here.compare(...entries), false);
  }
  const { reads, turns } = here.reader;
  const sum = reads.reduce((bytes, read) => bytes + read.bytes, 0);
  assertEquals([reads.length, sum], [60 + 2 * count, 60 * mebibyte + 4 * 2 * count]);
  assert(turns.every(({ bytes }) => bytes <= 9 * mebibyte), JSON.stringify(turns));
  assert(turns.every((turn) => turn.reads <= 129), JSON.stringify(turns));
  const busy = turns.filter((turn) => turn.reads > 0).length;
  assert(busy <= 60 / 7 + 2 * count / 127 + 2, `${busy} turns`);
});

Deno.test("a comparison ends in the turn after its signal aborts", async () => {
  await using here = await indexed({ large1: 40 * mebibyte, large2: 40 * mebibyte });
  here.reader.onTurn = () => here.reader.turns.length > 2 && here.controller.abort();
  await assertRejects(async () => await here.compare(here.entryOf("large1"), here.entryOf("large2")), DOMException);
  const sum = here.reader.reads.reduce((bytes, read) => bytes + read.bytes, 0);
  assert(sum <= 3 * 9 * mebibyte, `${sum} bytes were read`);
});
