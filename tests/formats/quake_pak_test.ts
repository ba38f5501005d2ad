// deno-lint-ignore-file no-await-in-loop -- cases run one after another, to see which one fails
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { damageNames } from "../../formats/core/entry_table.ts";
import type { WriteEntry } from "../../formats/core/format.ts";
import {
  CorruptArchiveError,
  DamagedMemberError,
  LimitError,
  openArchive,
  TruncatedError,
  UnknownFormatError,
  UnwritableError,
} from "../../formats/mod.ts";
import { formatNamed } from "../../formats/table.ts";
import { daikatanaPak, hex, join, pak, pakEntry, source, string, text, u32, withDirectory } from "./bytes.ts";

const quakePak = formatNamed("quake-pak");
assert(quakePak?.write);
const { read, write } = quakePak;

async function written(entries: readonly WriteEntry[]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of write(entries, { path: "out.pak" })) chunks.push(chunk);
  return join(...chunks);
}

/** Two files, byte by byte: "gfx/a" holds "hi", "b" is empty and its name has garbage after the NUL. */
const golden = hex(`
  50 41 43 4b  0e 00 00 00  80 00 00 00  68 69
  67 66 78 2f 61 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
  0c 00 00 00  02 00 00 00
  62 00 ff 2e 2e 2f 78 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
  0e 00 00 00  00 00 00 00
`);

Deno.test("a PAK laid out by hand is listed and read", () => {
  using archive = openArchive(source(golden, "/quake/id1/pak0.pak", 1234));
  assertEquals([...archive], [
    {
      type: "file",
      qpath: "gfx/a",
      size: 2,
      mtime: 1234,
      source: "/quake/id1/pak0.pak",
      member: "gfx/a",
      format: "quake-pak",
      offset: 12,
      packedSize: 2,
      method: "store",
      crc32: null,
    },
    {
      type: "file",
      qpath: "b",
      size: 0,
      mtime: 1234,
      source: "/quake/id1/pak0.pak",
      member: "b",
      format: "quake-pak",
      offset: 14,
      packedSize: 0,
      method: "store",
      crc32: null,
    },
  ]);
  assertEquals(archive.read("gfx/a"), text("hi"));
  assertEquals(archive.read("b"), new Uint8Array());
  assertEquals(archive.warnings, []);
});

Deno.test("the directory may precede the data, and data may overlap", () => {
  const bytes = join(text("PACK"), u32(12, 128), pakEntry("a", 140, 4), pakEntry("b", 142, 4), text("abcdef"));
  using archive = openArchive(source(bytes));
  assertEquals(string(archive.read("a")), "abcd");
  assertEquals(string(archive.read("b")), "cdef");
});

Deno.test("a name may fill all 56 bytes", () => {
  const name = "n".repeat(56);
  using archive = openArchive(source(pak([[name, "x"]])));
  assertEquals(archive.find(name)?.size, 1);
});

Deno.test("of two entries of one name both are listed and the first is read", () => {
  using archive = openArchive(source(pak([["a", "first"], ["a", "second"]])));
  assertEquals([...archive].map(({ size }) => size), [5, 6]);
  assertEquals(string(archive.read("a")), "first");
});

Deno.test("an entry past the end is listed, and only it cannot be read", () => {
  const bytes = join(
    text("PACK"),
    u32(14, 192),
    text("ok"),
    pakEntry("a", 12, 2),
    pakEntry("maps/x.bsp", 200, 100),
    pakEntry("z", 0xffffffff, 0xffffffff),
  );
  using archive = openArchive(source(bytes, "pak0.pak"));
  assertEquals([...archive].map(({ damaged }) => damaged !== undefined), [false, true, true]);
  assertStringIncludes(
    archive.find("maps/x.bsp")?.damaged ?? "",
    "reaches past the end; this file cannot be read, the others can",
  );
  assertEquals(string(archive.read("a")), "ok");
  assertThrows(
    () => archive.read("maps/x.bsp"),
    DamagedMemberError,
    "pak0.pak: maps/x.bsp: its data (100 bytes at byte 200)",
  );
  assertEquals(damageNames[archive.table.damage[2] ?? 0], "past-end");
});

Deno.test("odd names are cleaned, and their bytes are kept", () => {
  using archive = openArchive(
    source(pak([["..\\evil", "1"], ["dir\\file", "2"], [Uint8Array.of(0x82, 0x2e), "3"], ["", "4"]])),
  );
  assertEquals([...archive].map(({ qpath, member }) => [qpath, member]), [
    ["_unsafe/__/evil", "..\\evil"],
    ["dir/file", "dir\\file"],
    ["é.", "é."],
    ["_unsafe/unnamed", ""],
  ]);
  assertEquals(archive.table.rawNames.get(2), Uint8Array.of(0x82, 0x2e));
  assertEquals(archive.warnings.length, 2);
  assertStringIncludes(archive.warnings[0] ?? "", "2 names lead out of the archive");
});

Deno.test("a table whose length is not a multiple of 64 is read as far as it goes, with a warning", () => {
  const bytes = join(text("PACK"), u32(13, 64 + 10), text("x"), pakEntry("a", 12, 1), new Uint8Array(10));
  const table = read(source(bytes));
  assertEquals([table.length, table.path(0)], [1, "a"]);
  assertStringIncludes(table.warnings[0] ?? "", "74 bytes, not a multiple of 64");
});

Deno.test("a Daikatana PAK is not read as Quake's", () => {
  const bytes = daikatanaPak([["a.cfg", "hi"], ["b.cfg", "ho"], ["c.cfg", "hu"]]);
  assertThrows(() => read(source(bytes)), UnknownFormatError, "it is not a Quake PAK but a Daikatana PAK");
});

Deno.test("what is wrong with a PAK is said with its offset", () => {
  const truncated = assertThrows(
    () => read(source(golden.subarray(0, 100), "pak0.pak")),
    TruncatedError,
    "the file table (at byte 14, 128 bytes) lies outside the file (100 bytes); the file is cut short",
  );
  assertEquals([truncated.path, truncated.offset, truncated.expected, truncated.actual], ["pak0.pak", 14, 142, 100]);
  assertThrows(() => read(source(text("PACK"))), TruncatedError);
  assertThrows(() => read(source(new Uint8Array())), TruncatedError);
  assertThrows(() => read(source(text("PAKC00000000"))), UnknownFormatError, 'starts with "PAKC"');
  assertThrows(
    () => read(source(join(text("PACK"), u32(4, 64), new Uint8Array(100)))),
    CorruptArchiveError,
    "inside the header",
  );
  assertThrows(() => read(source(join(text("PACK"), u32(0xfffffff0, 0xfffffff0)))), TruncatedError);
});

Deno.test("a table of more than a million entries is refused before it is read", async () => {
  await withDirectory((directory) => {
    const path = `${directory}/huge.pak`;
    Deno.writeFileSync(path, join(text("PACK"), u32(12, 1_000_001 * 64)));
    Deno.truncateSync(path, 12 + 1_000_001 * 64);
    using file = Deno.openSync(path, { write: true });
    file.seekSync(12, Deno.SeekMode.Start);
    file.writeSync(pakEntry("a", 12, 1));
    assertThrows(() => openArchive(path), LimitError, "1000001 files");
  });
});

Deno.test("only PACK with a plausible table is detected as a Quake PAK", () => {
  assertEquals(quakePak.detect(source(golden)), true);
  assertEquals(quakePak.detect(source(join(text("PACK"), u32(12, 0)))), true);
  assertEquals(quakePak.detect(source(golden.subarray(0, 50))), true, "cut short");
  assertEquals(quakePak.detect(source(join(text("PACK"), u32(0x01020304, 0x05060708), new Uint8Array(200)))), false);
  assertEquals(quakePak.detect(source(join(text("PACK"), u32(12, 64), new Uint8Array(64)))), false, "no name");
  assertEquals(quakePak.detect(source(join(text("PxCK"), golden.subarray(4)))), false);
  assertEquals(quakePak.detect(source(text("PACK"))), false);
});

Deno.test("the writer writes what was laid out by hand", async () => {
  const content = (value: string) => () => text(value);
  const expected = pak([["gfx/a", "hi"], ["b", ""], ["n".repeat(56), "x"]]);
  const entries = [
    { path: "gfx/a", content: content("hi") },
    { path: "b", content: () => Promise.resolve(new Uint8Array()), size: 0 },
    { path: "n".repeat(56), content: content("x"), mtime: 99 },
  ];
  assertEquals(await written(entries), expected);
  assertEquals(await written(entries), expected, "twice the same");
  assertEquals(await written([]), join(text("PACK"), u32(12, 0)));
});

Deno.test("the writer names the file that does not fit", async () => {
  const rejection = async (...entries: WriteEntry[]): Promise<UnwritableError> => {
    try {
      await written(entries);
    } catch (error) {
      if (error instanceof UnwritableError) return error;
      throw error;
    }
    throw new Error("was written");
  };
  const content = () => text("x");
  const long = await rejection({ path: "n".repeat(57), content });
  assertEquals([long.member, long.actual], ["n".repeat(57), 57]);
  const large = await rejection({ path: "a", content, size: 2 ** 31 - 200 }, { path: "b", content, size: 90 });
  assertEquals(large.member, "b");
  assertStringIncludes((await rejection({ path: "a", content, size: 2 ** 31 - 13 })).message, "past 2 GiB");
  assertStringIncludes((await rejection({ path: "a", content, size: 2 })).message, "changed while");
  for (const path of ["../a", "/a", "a//b", "a\\b", "", "a\0b", "C:/x", "a/", "\ud800"]) {
    assertEquals((await rejection({ path, content })).member, path);
  }
  assertStringIncludes((await rejection({ path: "a", content }, { path: "a", content })).message, "twice");
});
