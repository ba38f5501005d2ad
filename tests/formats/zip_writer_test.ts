// deno-lint-ignore-file no-await-in-loop -- cases run one after another, to see which one fails
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { deflateSync, unzipSync } from "fflate";
import type { WriteEntry, WriteOptions } from "../../formats/core/format.ts";
import { openArchive, UnwritableError } from "../../formats/mod.ts";
import { formatNamed } from "../../formats/table.ts";
import { debianPackage } from "../support/debian_data.ts";
import fc from "../support/fast_check.ts";
import { needs } from "../support/programs.ts";
import { type HandMember, join, output, source, string, text, u16, u32, u64, withDirectory, zip } from "./bytes.ts";

const write = formatNamed("zip")?.write;
assert(write);

async function written(entries: readonly WriteEntry[], options: Partial<WriteOptions> = {}): Promise<Uint8Array> {
  const chunks = write?.(entries, { path: "out.pk3", ...options }) ?? [];
  return join(...await Array.fromAsync(chunks));
}

const summer = Date.UTC(2024, 6, 1, 12, 30, 31);
const entries: readonly WriteEntry[] = [
  { path: "scripts/a.shader", content: () => text("textures/a {}\n".repeat(300)), mtime: summer },
  { path: "empty", content: () => new Uint8Array() },
  { path: "é/ж.txt", content: () => Promise.resolve(text("short")), mtime: summer },
];

Deno.test("Python and unzip read from a written zip what was put in", needs("python3", "unzip"), async () => {
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

/** Returns the layout that the zip writer is expected to give a file: it sets the versions, the mode and the times. */
function laidOut(
  path: string,
  content: Uint8Array,
  mtime: number | undefined,
  method: "store" | "deflate",
): HandMember {
  const packed = deflateSync(content, { level: 6 });
  const isDeflated = method === "deflate" && packed.length < content.length && content.length <= packed.length * 1032;
  const clamped = Math.min(Math.max(mtime ?? 0, Date.UTC(1980, 0, 1)), Date.UTC(2107, 11, 31, 23, 59, 58));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] =
    new Date(clamped).toISOString().match(/\d+/g)?.map(Number) ?? [];
  const dos = ((year - 1980) * 16 + month) * 32 + day;
  const seconds = Math.floor((mtime ?? -1) / 1000);
  const isKept = seconds >= 0 && seconds < 2 ** 31;
  const timestamp = isKept ? join(u16(0x5455, 5), Uint8Array.of(1), u32(seconds)) : new Uint8Array();
  return {
    name: path,
    content,
    method: isDeflated ? 8 : 0,
    ...isDeflated && { compressed: packed },
    flags: /^[\0-\x7f]*$/.test(path) ? 0 : 0x800,
    dos: dos * 65536 + hour * 2048 + minute * 32 + Math.floor(second / 2),
    centralExtra: timestamp,
    localExtra: timestamp,
    versions: [0x031e, isDeflated ? 20 : 10],
    attributes: { disk: 0, internal: 0, external: 0o100644 * 65536 },
  };
}

Deno.test("a written zip is byte for byte what was laid out by hand, each time", async () => {
  const name = fc.string({ unit: fc.constantFrom(..."aZ0 .-é\u{1f600}"), minLength: 1, maxLength: 9 })
    .filter((path) => !/^\.+$/.test(path));
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.tuple(fc.nat(255), fc.nat(9000)).map(([value, length]) => new Uint8Array(length).fill(value)),
  );
  const ends = [0, 2 ** 31 * 1000, Date.UTC(1980, 0, 1), Date.UTC(2108, 0, 1)].flatMap((end) => [end - 1, end]);
  const mtime = fc.option(
    fc.oneof(
      fc.integer({ min: -1e13, max: 1e13 }),
      fc.nat(2e9).map((seconds) => seconds * 1000),
      fc.constantFrom(...ends),
    ),
    { nil: undefined },
  );
  const file = fc.record({ path: name, content, mtime });
  const files = fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 6 });
  await fc.assert(fc.asyncProperty(files, fc.constantFrom("store", "deflate"), async (members, method) => {
    const given = members.map(({ path, content, mtime }) => ({
      path,
      content: () => content,
      ...mtime !== undefined && { mtime },
    }));
    const expected = zip(members.map(({ path, content, mtime }) => laidOut(path, content, mtime, method)));
    assertEquals(await written(given, { method }), expected);
    assertEquals(await written(given, { method }), expected);
  }));
});

Deno.test("times outside of what zip knows are clamped", async () => {
  const content = () => text("x");
  const bytes = await written([{ path: "a", content, mtime: -1e15 }, { path: "b", content, mtime: 1e15 }]);
  using archive = openArchive(source(bytes));
  assertEquals([...archive].map(({ mtime }) => mtime), [Date.UTC(1980, 0, 1), Date.UTC(2107, 11, 31, 23, 59, 58)]);
});

/** The end of a zip without 64-bit fields. */
function end(count: number, size: number, start: number): Uint8Array {
  return join(text("PK\x05\x06"), u16(0, 0, count, count), u32(size, start), u16(0));
}

/** The end of a zip with 64-bit fields. */
function end64(count: number, size: number, start: number): Uint8Array {
  const record = join(text("PK\x06\x06"), u64(44), u16(0x031e, 45), u32(0, 0), u64(count, count, size, start));
  const locator = join(text("PK\x06\x07"), u32(0), u64(start + size), u32(1));
  return join(record, locator, end(Math.min(count, 0xffff), size, Math.min(start, 0xffffffff)));
}

/** Returns 7-Zip's listing of a zip that it reads without warnings. */
async function listed(path: string): Promise<string> {
  const listing = string(await output(`${debianPackage("7zip")}/usr/bin/7zz`, "l", path));
  assert(!/error|warning|unexpected/i.test(listing), listing.slice(-500));
  return listing;
}

Deno.test(
  "65,535 members need zip64, which other readers accept, and 65,534 do not",
  needs("python3", "unzip", "debian:7zip"),
  async () => {
    const content = () => new Uint8Array();
    await withDirectory(async (directory) => {
      for (const count of [65_534, 65_535, 70_000]) {
        const bytes = await written(Array.from({ length: count }, (_, index) => ({ path: `f${index}`, content })));
        // Each member has a header of 30 bytes and a record of 46, each with its name.
        const names = Array.from({ length: count }, (_, index) => `f${index}`.length).reduce((sum, one) => sum + one);
        const [start, size] = [30 * count + names, 46 * count + names];
        assertEquals(
          bytes.subarray(start + size),
          count < 65_535 ? end(count, size, start) : end64(count, size, start),
        );
        using archive = openArchive(source(bytes));
        assertEquals([archive.table.length, archive.table.path(count - 1)], [count, `f${count - 1}`]);
        assertEquals(archive.warnings, []);
        const path = `${directory}/${count}.zip`;
        await Deno.writeFile(path, bytes);
        assertStringIncludes(await listed(path), `${count} files`);
        assertStringIncludes(string(await output("unzip", "-Z", "-h", path)), `number of entries: ${count}`);
        const script = "import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).infolist()))";
        assertEquals(string(await output("python3", "-c", script, path)), `${count}\n`);
      }
    });
  },
);

Deno.test(
  "sizes and offsets beyond 4 GiB are written as other readers expect them",
  // unzip misreads the fields of such sizes, also in Python's zips.
  needs("python3", "debian:7zip"),
  async () => {
    const block = new Uint8Array(512 * 1024 * 1024);
    // The smallest size that needs 64 bits.
    const size = 2 ** 32 - 1;
    const large = {
      path: "zeros",
      size,
      mtime: 1_000_000_000_000,
      content: () => block,
      async *pieces() {
        yield await text("head");
        for (let done = 4; done < size; done += block.length) yield await block.subarray(0, size - done);
      },
    };
    const last = { path: "last", content: () => text("here") };
    await withDirectory(async (directory) => {
      const path = `${directory}/large.pk3`;
      {
        using file = await Deno.open(path, { write: true, create: true });
        const given = {
          async replace(position: number, bytes: Uint8Array) {
            const end = await file.seek(0, Deno.SeekMode.Current);
            await file.seek(position, Deno.SeekMode.Start);
            await file.write(bytes);
            await file.seek(end, Deno.SeekMode.Start);
          },
          takeBack: () => Promise.resolve(),
        };
        for await (const chunk of write([large, last], { path, given, method: "store" })) {
          // The blocks of zeros become holes, so that the file takes no space.
          if (chunk.length > 1e6) await file.seek(chunk.length, Deno.SeekMode.Current);
          else await file.write(chunk);
        }
      }
      using archive = openArchive(path);
      const offset = archive.find("last")?.offset ?? 0;
      assertEquals([...archive].map(({ size, damaged }) => [size, damaged]), [[size, undefined], [4, undefined]]);
      assertEquals(string(archive.read("last")), "here");
      const timestamp = join(u16(0x5455, 5), Uint8Array.of(1), u32(1_000_000_000));
      const common = {
        versions: [0x031e, 45],
        attributes: { disk: 0, internal: 0, external: 0o100644 * 65536 },
      } as const;
      const extra = join(u16(1, 16), u64(size, size), timestamp);
      const expected = zip([
        {
          ...common,
          name: "zeros",
          dos: ((21 * 16 + 9) * 32 + 9) * 65536 + 1 * 2048 + 46 * 32 + 20,
          crc: 0x64616568,
          localExtra: extra,
          centralExtra: extra,
          size,
          packedSize: size,
        },
        {
          ...common,
          name: "last",
          dos: 0x210000,
          content: "here",
          offset: size,
          centralExtra: join(u16(1, 8), u64(offset)),
        },
      ]);
      const headerSize = 30 + 5 + extra.length;
      assertEquals(offset, headerSize + size);
      // The expected bytes were made without content, so their local header lacks the CRC-32 and the sizes.
      expected.set(u32(0x64616568, size, size), 14);
      const records = expected.subarray(headerSize + 30 + 4 + 4, -22);
      const start = offset + 30 + 4 + 4;
      const directory64 = join(records, end64(2, records.length, start));
      using file = await Deno.open(path);
      for (const [position, bytes] of [[0, expected.subarray(0, headerSize)], [start, directory64]] as const) {
        const read = new Uint8Array(bytes.length);
        await file.seek(position, Deno.SeekMode.Start);
        await file.read(read);
        assertEquals(read, bytes);
      }
      assertEquals((await file.stat()).size, start + directory64.length);
      assertStringIncludes(await listed(path), `${size + 4}`);
      const script = `
import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
print([(i.filename, i.file_size, i.compress_size, i.header_offset) for i in z.infolist()], z.read("last").decode())`;
      const members = `[('zeros', ${size}, ${size}, 0), ('last', 4, 4, ${offset})] here\n`;
      assertEquals(string(await output("python3", "-c", script, path)), members);
    });
  },
);

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
