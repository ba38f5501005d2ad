// deno-lint-ignore-file no-await-in-loop -- cases run one after another, to see which one fails
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { unzipSync } from "fflate";
import type { WriteEntry, WriteOptions } from "../../formats/core/format.ts";
import { openArchive, UnwritableError } from "../../formats/mod.ts";
import { formatNamed } from "../../formats/table.ts";
import { output, source, string, text, withDirectory, zip } from "./bytes.ts";

const write = formatNamed("zip")?.write;
assert(write);

async function written(entries: readonly WriteEntry[], options: Partial<WriteOptions> = {}): Promise<Uint8Array> {
  const chunks = write?.(entries, { path: "out.pk3", ...options }) ?? [];
  return new Uint8Array(await new Response(ReadableStream.from(chunks)).arrayBuffer());
}

const summer = Date.UTC(2024, 6, 1, 12, 30, 31);
const entries: readonly WriteEntry[] = [
  { path: "scripts/a.shader", content: () => text("textures/a {}\n".repeat(300)), mtime: summer },
  { path: "empty", content: () => new Uint8Array() },
  { path: "é/ж.txt", content: () => Promise.resolve(text("short")), mtime: summer },
];

Deno.test("Python and unzip read from a written zip what was put in", async () => {
  await withDirectory(async (directory) => {
    const path = `${directory}/out.pk3`;
    await Deno.writeFile(path, await written(entries));
    const script = `
import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(json.dumps([[i.filename, i.file_size, i.compress_type, list(i.date_time), i.flag_bits, i.external_attr >> 16,
  z.read(i).decode()] for i in z.infolist()]))`;
    const members = JSON.parse(string(await output("python3", "-c", script, path)));
    assertEquals(members, [
      ["scripts/a.shader", 4200, 8, [2024, 7, 1, 12, 30, 30], 0, 0o100644, "textures/a {}\n".repeat(300)],
      ["empty", 0, 0, [1980, 1, 1, 0, 0, 0], 0, 0o100644, ""],
      ["é/ж.txt", 5, 0, [2024, 7, 1, 12, 30, 30], 0x800, 0o100644, "short"],
    ]);
    await output("unzip", "-tqq", path);
    assertEquals(string(await output("unzip", "-p", path, "scripts/a.shader")), "textures/a {}\n".repeat(300));
    using archive = openArchive(path);
    assertEquals([...archive].map(({ mtime }) => mtime), [summer, Date.UTC(1980, 0, 1), summer], "to the second");
  });
});

Deno.test("the same input gives the same bytes, and a stored zip is what was laid out by hand", async () => {
  assertEquals(await written(entries), await written(entries));
  const stored = await written(
    [{ path: "a", content: () => text("one") }, { path: "b/c", content: () => text("two") }],
    { method: "store" },
  );
  const expected = zip([{ name: "a", content: "one", dos: 0x00210000 }, {
    name: "b/c",
    content: "two",
    dos: 0x00210000,
  }]);
  // Version needed and file mode are the writer's own choice.
  for (const at of [4, 34 + 4]) expected[at] = 10;
  for (const at of [70, 70 + 47]) expected.set([10, 0], at + 6), expected.set([0, 0, 0xa4, 0x81], at + 38);
  assertEquals(stored, expected);
});

Deno.test("times outside of what zip knows are clamped", async () => {
  const content = () => text("x");
  const bytes = await written([{ path: "a", content, mtime: -1e15 }, { path: "b", content, mtime: 1e15 }]);
  using archive = openArchive(source(bytes));
  assertEquals([...archive].map(({ mtime }) => mtime), [Date.UTC(1980, 0, 1), Date.UTC(2107, 11, 31, 23, 59, 58)]);
});

Deno.test("70,000 members need zip64, and 65,534 do not", async () => {
  const content = () => new Uint8Array();
  for (const [count, isZip64] of [[70_000, true], [65_534, false]] as const) {
    const bytes = await written(Array.from({ length: count }, (_, index) => ({ path: `f${index}`, content })));
    assertEquals(string(bytes.slice(-42, -38)) === "PK\x06\x07", isZip64);
    using archive = openArchive(source(bytes));
    assertEquals([archive.table.length, archive.table.path(count - 1)], [count, `f${count - 1}`]);
    assertEquals(archive.warnings, []);
  }
});

Deno.test("offsets beyond 4 GiB are written as Python expects them", async () => {
  const block = new Uint8Array(512 * 1024 * 1024);
  const many = Array.from({ length: 9 }, (_, index) => ({ path: `zeros${index}`, content: () => block }));
  await withDirectory(async (directory) => {
    const path = `${directory}/large.pk3`;
    {
      using file = await Deno.open(path, { write: true, create: true });
      const chunks = write([...many, { path: "last", content: () => text("here") }], { path, method: "store" });
      for await (const chunk of chunks) {
        // The blocks of zeros become holes, so that the file takes no room.
        if (chunk.length === block.length) await file.seek(chunk.length, Deno.SeekMode.Current);
        else await file.write(chunk);
      }
    }
    using archive = openArchive(path);
    assertEquals(archive.table.damage.subarray(0, archive.table.length), new Uint8Array(10));
    assert((archive.find("last")?.offset ?? 0) > 2 ** 32);
    assertEquals(string(archive.read("last")), "here");
    const script = `
import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
print(len(z.infolist()), z.getinfo("last").header_offset, z.read("last").decode())`;
    const expected = `10 ${archive.find("last")?.offset} here\n`;
    assertEquals(string(await output("python3", "-c", script, path)), expected);
  });
});

Deno.test("what cannot be kept is refused with its name", async () => {
  const content = () => text("x");
  for (const path of ["../a", "/a", "a//b", "./a", "a\\b", "", "a\0", "a/"]) {
    const error = await assertRejects(() => written([{ path, content }]), UnwritableError);
    assertEquals(error.member, path);
  }
  await assertRejects(
    () => written([{ path: "a", content }, { path: "a", content }]),
    UnwritableError,
    "a is given twice",
  );
  const changed = await assertRejects(() => written([{ path: "a", content, size: 2 }]), UnwritableError);
  assertStringIncludes(changed.message, "it changed while the archive was written");
});

Deno.test("progress is reported, and a signal stops the writer", async () => {
  const seen: string[] = [];
  const controller = new AbortController();
  await written(entries, { onProgress: (done, total) => seen.push(`${done}/${total}`) });
  assertEquals(seen, ["1/3", "2/3", "3/3"]);
  const options = { signal: controller.signal, onProgress: () => controller.abort(new Error("enough")) };
  await assertRejects(() => written(entries, options), Error, "enough");
});

Deno.test("a large content gives the same bytes however it is cut into pieces, and fflate reads it", async () => {
  const content = Uint8Array.from({ length: 9 * 1024 * 1024 }, (_, index) => (index >> 5 & index) & 0xff);
  const cutInto = async (size: number): Promise<Uint8Array> => {
    const bytes = new Uint8Array(content.length);
    let end = 0;
    const given = {
      replace: (position: number, part: Uint8Array) => Promise.resolve(bytes.set(part, position)),
      takeBack: (position: number) => Promise.resolve(void (end = position)),
    };
    const entry = {
      path: "a",
      size: content.length,
      content: () => content,
      async *pieces() {
        for (let start = 0; start < content.length; start += size) yield await content.slice(start, start + size);
      },
    };
    for await (const chunk of write?.([entry], { path: "out.pk3", given }) ?? []) {
      bytes.set(chunk, end);
      end += chunk.length;
    }
    return bytes.slice(0, end);
  };
  const [first, second] = [await cutInto(1_000_000), await cutInto(777_777)];
  assert(first.length < content.length / 2 && first.every((byte, index) => byte === second[index]));
  assert(unzipSync(first).a?.every((byte, index) => byte === content[index]));
});
