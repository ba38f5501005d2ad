// deno-lint-ignore-file no-await-in-loop -- cases run one after another, to see which one fails
import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { constants, crc32, deflateRawSync } from "node:zlib";
import { damageNames, entryHasCrc } from "../../formats/core/entry_table.ts";
import {
  type Archive,
  CorruptArchiveError,
  DamagedMemberError,
  LimitError,
  openArchive,
  TruncatedError,
  UnknownFormatError,
  verifyArchive,
} from "../../formats/mod.ts";
import { detectFormat, formatNamed } from "../../formats/table.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { hex, join, output, source, string, text, u16, u32, u64, withDirectory, zip } from "./bytes.ts";

const zipFormat = formatNamed("zip");
assert(zipFormat);

function open(bytes: Uint8Array): Archive {
  return openArchive(source(bytes, "/pk/test.pk3"));
}

function damageOf(archive: Archive, index: number): string | undefined {
  return damageNames[archive.table.damage[index] ?? 0];
}

/** "a.txt" holding "hi", stored, 2019-10-31 13:37:42, byte by byte. */
const golden = hex(`
  50 4b 03 04  0a 00  00 00  00 00  b5 6c 5f 4f  ac 2a 93 d8  02 00 00 00  02 00 00 00  05 00  00 00
  61 2e 74 78 74  68 69
  50 4b 01 02  1e 03 0a 00  00 00  00 00  b5 6c 5f 4f  ac 2a 93 d8  02 00 00 00  02 00 00 00  05 00  00 00  00 00
  00 00  00 00  00 00 a4 81  00 00 00 00  61 2e 74 78 74
  50 4b 05 06  00 00  00 00  01 00  01 00  33 00 00 00  25 00 00 00  00 00
`);

Deno.test("a zip laid out by hand is listed and read", () => {
  using archive = open(golden);
  assertEquals([...archive], [{
    type: "file",
    qpath: "a.txt",
    size: 2,
    mtime: Date.UTC(2019, 9, 31, 13, 37, 42),
    source: "/pk/test.pk3",
    member: "a.txt",
    format: "zip",
    offset: 0,
    packedSize: 2,
    method: "store",
    crc32: "d8932aac",
  }]);
  assertEquals(string(archive.read("a.txt")), "hi");
});

Deno.test("stored, deflated, empty and directory members", () => {
  using archive = open(zip([
    { name: "dir/" },
    { name: "dir/stored", content: "stored" },
    { name: "dir/deflated", content: "deflate ".repeat(100), method: 8 },
    { name: "empty" },
    { name: "empty-deflated", method: 8 },
    { name: "back\\slash\\" },
    { name: "/" },
  ]));
  assertEquals([...archive].map(({ qpath, method, size }) => [qpath, method, size]), [
    ["dir/stored", "store", 6],
    ["dir/deflated", "deflate", 800],
    ["empty", "store", 0],
    ["empty-deflated", "deflate", 0],
  ]);
  assertEquals([archive.table.isDirectory(0), archive.table.path(0)], [true, "dir"]);
  assertEquals([archive.table.isDirectory(5), archive.table.path(5)], [true, "back/slash"]);
  assertEquals(archive.table.length, 6, "the root is no member");
  assertEquals(string(archive.read("dir/deflated")), "deflate ".repeat(100));
  assertEquals(archive.read("empty-deflated"), new Uint8Array());
  assertEquals(archive.read("empty"), new Uint8Array());
});

Deno.test("an empty zip", () => {
  using archive = open(zip([]));
  assertEquals([...archive], []);
});

Deno.test("of two members of one name both are listed and the last is read", () => {
  using archive = open(zip([{ name: "a", content: "first" }, { name: "a", content: "second" }]));
  assertEquals([...archive].length, 2);
  assertEquals(string(archive.read("a")), "second");
});

Deno.test("junk in front shifts every offset", () => {
  const members = [{ name: "a", content: "one" }, { name: "b", content: "two".repeat(50), method: 8 }];
  for (const zip64 of [false, true]) {
    using archive = open(zip(members, { junk: text("MZ".repeat(500)), zip64 }));
    assertEquals(archive.find("a")?.offset, 1000);
    assertEquals(string(archive.read("a")), "one");
    assertEquals(string(archive.read("b")), "two".repeat(50));
  }
});

Deno.test("sizes that follow the data are read from the central directory", () => {
  using archive = open(zip([
    { name: "a", content: "one", descriptor: true },
    { name: "b", content: "two".repeat(50), method: 8, descriptor: true },
  ]));
  assertEquals(string(archive.read("a")), "one");
  assertEquals(string(archive.read("b")), "two".repeat(50));
});

Deno.test("names by bit 11, Unicode extra field, UTF-8 and code page 437", () => {
  const dos = Uint8Array.of(0x81, 0x2e, 0x61);
  const unicode = join(u16(0x7075, 5 + 3), Uint8Array.of(1), u32(crc32(dos)), text("жx"));
  using archive = open(zip([
    { name: "é", flags: 0x800 },
    { name: dos },
    { name: dos, centralExtra: unicode },
    { name: "ü" },
  ]));
  assertEquals([...archive].map(({ qpath }) => qpath), ["é", "ü.a", "жx", "ü"]);
  assertEquals([0, 1, 2, 3].map((index) => archive.table.rawNames.get(index)), [undefined, dos, dos, undefined]);
  assertEquals(archive.warnings.length, 1);
  assertStringIncludes(archive.warnings[0] ?? "", "2 names do not say how their letters are encoded");
});

Deno.test("the Unicode extra field of a directory is for its name with the slash", () => {
  const raw = Uint8Array.of(0xa4, 0x2f);
  const field = (name: string) =>
    join(u16(0x7075, 5 + text(name).length), Uint8Array.of(1), u32(crc32(raw)), text(name));
  using archive = open(zip([{ name: raw, centralExtra: field("ж/") }, { name: raw, centralExtra: field("ж") }]));
  assertEquals([0, 1].map((index) => [archive.table.path(index), archive.table.isDirectory(index)]), [
    ["ж", true],
    ["ж", true],
  ]);
  assertEquals(archive.warnings, []);
});

Deno.test("names that lead out, with backslashes and with a NUL", () => {
  using archive = open(
    zip([{ name: "../CREDITS", content: "x" }, { name: "a\\b", content: "y" }, { name: "c\0.exe" }]),
  );
  assertEquals([...archive].map(({ qpath, member }) => [qpath, member]), [
    ["_unsafe/__/CREDITS", "../CREDITS"],
    ["a/b", "a\\b"],
    ["c", "c\0.exe"],
  ]);
  assertEquals(string(archive.read("_unsafe/__/CREDITS")), "x");
});

Deno.test("a name of 65,535 bytes", () => {
  using archive = open(zip([{ name: "x".repeat(65535), content: "y" }, { name: "z", content: "z" }]));
  assertEquals(archive.table.pathBytes(0).length, 255);
  assertEquals(archive.read(archive.table.path(0)), text("y"));
  assertEquals(archive.read("z"), text("z"));
});

Deno.test("times: the Unix time of the extra field, else the DOS time in the reader's zone", () => {
  const stamp = join(u16(0x5455, 5), Uint8Array.of(1), u32(1234567890));
  const noModification = join(u16(0x5455, 5), Uint8Array.of(2), u32(1234567890));
  const dos = (36 << 9 | 2 << 5 | 29) * 65536 + (23 << 11 | 59 << 5 | 29);
  using archive = open(zip([
    { name: "a", centralExtra: stamp, dos },
    { name: "b", dos },
    { name: "c", dos: 0 },
    { name: "d", centralExtra: noModification, dos },
    { name: "e", centralExtra: join(u16(0xcafe, 2, 7), stamp), dos },
    { name: "f", centralExtra: join(u16(0xcafe, 99, 7), stamp), dos },
  ]));
  const day = Date.UTC(2016, 1, 29, 23, 59, 58);
  assertEquals([...archive].map(({ mtime }) => mtime), [
    1234567890000,
    day,
    Date.UTC(1980, 0, 1),
    day,
    1234567890000,
    day,
  ]);
});

Deno.test("times of older and of NTFS extra fields; that of 0x5455 counts most", () => {
  const seconds = 1234567890;
  const stamp = join(u16(0x5455, 5), Uint8Array.of(1), u32(seconds));
  const unix = join(u16(0x5855, 8), u32(1, seconds + 1));
  // 7-Zip: four unused bytes, attribute 1 of 24 bytes; here after another attribute.
  const ticks = BigInt(seconds + 2 + 11_644_473_600) * 10_000_000n + 9_999n;
  const ntfsTime = new Uint8Array(new BigUint64Array([ticks, 1n, 1n]).buffer);
  const ntfs = join(u16(0x0a, 38), u32(0), u16(7, 2, 0), u16(1, 24), ntfsTime);
  const cut = join(u16(0x0a, 12), u32(0), u16(1, 24), u32(0));
  const fields = [
    unix,
    ntfs,
    join(ntfs, unix),
    join(unix, ntfs),
    join(stamp, unix, ntfs),
    join(ntfs, unix, stamp),
    cut,
  ];
  using archive = open(zip(fields.map((centralExtra, index) => ({ name: `${index}`, centralExtra, dos: 0 }))));
  const later = [...archive].map(({ mtime }) => mtime / 1000 - seconds);
  assertEquals(later, [1, 2, 1, 1, 0, 0, Date.UTC(1980, 0, 1) / 1000 - seconds]);
});

Deno.test(
  "a time without a zone is what unzip takes it for, in summer and winter of any zone",
  needs("unzip"),
  async () => {
    await using directory = await temporaryDirectory();
    const path = `${directory.path}/a.zip`;
    const stamp = (month: number, hour: number) => (40 << 9 | month << 5 | 10) * 65536 + (hour << 11 | 59 << 5 | 29);
    const members = [[1, 0], [7, 23], [3, 12], [12, 5]].map(([month = 0, hour = 0], index) => ({
      name: `${index}`,
      dos: stamp(month, hour),
    }));
    await Deno.writeFile(path, zip(members));
    const zone = Deno.env.get("TZ") ?? "UTC";
    try {
      for (const [number, TZ] of ["UTC", "America/New_York", "Asia/Kolkata", "Australia/Adelaide"].entries()) {
        Deno.env.set("TZ", TZ);
        await output("env", `TZ=${TZ}`, "unzip", "-qq", path, "-d", `${directory.path}/${number}`);
        using archive = openArchive(path);
        const theirs = Array.from(
          archive,
          ({ qpath }) => Deno.statSync(`${directory.path}/${number}/${qpath}`).mtime?.getTime(),
        );
        assertEquals(Array.from(archive, ({ mtime }) => mtime), theirs, TZ);
      }
    } finally {
      Deno.env.set("TZ", zone);
    }
  },
);

Deno.test("zip64: the end record, and the fields in their order", () => {
  using plain = open(zip([{ name: "a", content: "one" }], { zip64: true }));
  assertEquals(string(plain.read("a")), "one");
  const big = 0xffffffff;
  using archive = open(zip([
    { name: "first", content: "1" },
    {
      name: "all",
      content: "three",
      size: big,
      packedSize: big,
      offset: big,
      centralExtra: join(u16(1, 24), u64(5, 5, 36)),
    },
    { name: "offset", content: "four", offset: big, centralExtra: join(u16(1, 8), u64(36 + 33 + 5)) },
  ], { zip64: true }));
  assertEquals([...archive].map(({ damaged }) => damaged), [undefined, undefined, undefined]);
  assertEquals(string(archive.read("all")), "three");
  assertEquals(string(archive.read("offset")), "four");
});

Deno.test("a 64-bit field gives exactly the values that it holds, and nothing is read after it", () => {
  const full = 0xffffffff;
  for (let length = 0; length <= 28; length++) {
    for (let saturated = 0; saturated < 8; saturated++) {
      const values = [1000, 2000, 3000];
      const data = u64(...values.filter((_, bit) => (saturated & 1 << bit) !== 0), 9999, 9999, 9999).subarray(
        0,
        length,
      );
      // Bytes after the field would be read as 0x77777777.
      const extra = join(u16(1, length), data, u16(0x7777, 24), new Uint8Array(24).fill(0x77));
      let room = Math.floor(length / 8);
      const [size, packedSize, offset] = [10, 20, 30].map((plain, bit) =>
        (saturated & 1 << bit) === 0 ? plain : room-- > 0 ? values[bit] : full
      );
      const stated = (plain: number, bit: number) => (saturated & 1 << bit) === 0 ? plain : full;
      using archive = open(
        zip([{
          name: "a",
          size: stated(10, 0),
          packedSize: stated(20, 1),
          offset: stated(30, 2),
          centralExtra: extra,
        }]),
      );
      const { sizes, compressedSizes, offsets } = archive.table;
      assertEquals(
        [sizes[0], compressedSizes[0], offsets[0]],
        [size, packedSize, offset],
        `${length} bytes, ${saturated}`,
      );
    }
  }
});

Deno.test("a member beyond 4 GiB in a sparse file", async () => {
  await withDirectory((directory) => {
    const path = `${directory}/large.pk3`;
    const start = 5 * 2 ** 30 + 7;
    const member = zip([{ name: "far", content: "away" }]);
    const localLength = 30 + 3 + 4;
    const central = join(
      text("PK\x01\x02"),
      u16(0x031e, 45, 0, 0),
      u32(0, crc32("away"), 4, 4),
      u16(3, 12, 0, 0, 0),
      u32(0, 0xffffffff),
      text("far"),
      u16(1, 8),
      u64(start),
    );
    using file = Deno.openSync(path, { write: true, create: true });
    file.seekSync(start, Deno.SeekMode.Start);
    file.writeSync(join(
      member.subarray(0, localLength),
      central,
      text("PK\x06\x06"),
      u64(44),
      u16(45, 45),
      u32(0, 0),
      u64(1, 1, central.length, start + localLength),
      text("PK\x06\x07"),
      u32(0),
      u64(start + localLength + central.length),
      u32(1),
      text("PK\x05\x06"),
      u16(0, 0, 1, 1),
      u32(central.length, 0xffffffff),
      u16(0),
    ));
    using archive = openArchive(path);
    assertEquals(archive.find("far")?.offset, start);
    assertEquals(string(archive.read("far")), "away");
  });
});

Deno.test("a comment of 65,535 bytes, and the end signature within the comment", () => {
  const members = [{ name: "a", content: "one" }];
  using longest = open(zip(members, { comment: new Uint8Array(65535).fill(0x20), junk: new Uint8Array(100) }));
  assertEquals(string(longest.read("a")), "one");
  const fakes = [
    join(text("note PK\x05\x06"), new Uint8Array(40)),
    join(text("PK\x05\x06"), u16(0, 0, 0, 0), u32(0, 0), u16(0)),
    join(text("PK\x05\x06"), u16(0, 0, 1, 1), u32(40, 3), u16(0)),
    join(text("PK\x05\x06"), u16(0, 0, 1, 1), u32(40, 3), u16(2), text("xy")),
    text("PK\x05\x06"),
  ];
  for (const comment of fakes) {
    using archive = open(zip(members, { comment }));
    assertEquals(string(archive.read("a")), "one");
  }
});

Deno.test("bytes after the end, also such as look like a small zip's end", () => {
  const members = [{ name: "a", content: "one" }];
  using archive = open(zip(members, { trailing: text("\r\n\0\0") }));
  assertEquals(string(archive.read("a")), "one");
  using nested = open(zip([{ name: "inner.zip", content: zip([{ name: "b", content: "inner" }]) }]));
  assertEquals([...nested].map(({ qpath }) => qpath), ["inner.zip"]);
});

Deno.test("a count that wrapped around at 65,536 loses nothing", () => {
  using archive = open(zip([{ name: "a" }, { name: "b" }], { count: 1 }));
  assertEquals([...archive].length, 2);
  assertStringIncludes(archive.warnings[0] ?? "", "lists 2 files although its end says 1");
});

Deno.test("encrypted and foreign compression are marked, the neighbours are read", () => {
  using archive = open(zip([
    { name: "secret", content: "x", flags: 1 },
    { name: "x.tga", content: "packed", method: 9 },
    { name: "y", content: "y", method: 77 },
    { name: "fine", content: "fine" },
  ]));
  assertEquals([...archive].map(({ damaged, method }) => [damaged, method]), [
    ["secret is encrypted", "store"],
    ["x.tga uses compression 9 (Deflate64), which is not read here; unzip, 7-Zip and FTE read it", "unsupported"],
    ["y uses compression 77, which is not read here; no known engine reads it", "unsupported"],
    [undefined, "store"],
  ]);
  assertThrows(() => archive.read("x.tga"), DamagedMemberError, "/pk/test.pk3: x.tga uses compression 9 (Deflate64)");
  assertEquals(string(archive.read("fine")), "fine");
});

Deno.test("sizes and offsets that cannot be are marked", () => {
  using archive = open(zip([
    { name: "stored", content: "four", size: 5 },
    { name: "bomb", content: "x", method: 8, size: 2 ** 32 - 2 },
    { name: "long", content: "x", packedSize: 1e6, size: 1e6 },
    { name: "far", content: "x", offset: 1e6 },
    { name: "fine", content: "fine" },
  ]));
  assertEquals([0, 1, 2, 3, 4].map((index) => damageOf(archive, index)), [
    "size-mismatch",
    "too-large",
    "past-end",
    "past-end",
    "none",
  ]);
  for (const name of ["stored", "bomb", "long", "far"]) {
    assertThrows(() => archive.read(name), DamagedMemberError, name);
  }
  assertEquals(string(archive.read("fine")), "fine");
});

Deno.test("members that share bytes are not read", () => {
  // b's data begins within a's; c is listed twice; d reaches into the directory; e is alone.
  const inner = zip([{ name: "b", content: "inner" }]).subarray(0, 36);
  const outer = zip([{ name: "a", content: inner }, { name: "c", content: "see" }, { name: "e", content: "alone" }]);
  using sound = open(outer);
  assertEquals(sound.table.damage.subarray(0, 3), Uint8Array.of(0, 0, 0));
  using archive = open(zip([
    { name: "a", content: inner },
    { name: "b", content: "", crc: crc32("inner"), size: 5, packedSize: 5, offset: 31 },
    { name: "c", content: "see" },
    { name: "C", content: "", crc: crc32("see"), size: 3, packedSize: 3, offset: 98 },
    { name: "e", content: "alone" },
    { name: "d", content: "", size: 60, packedSize: 60 },
  ]));
  assertEquals(archive.find("c")?.offset, 98);
  assertEquals([...archive].map((_, index) => damageOf(archive, index)), [
    "overlap",
    "overlap",
    "overlap",
    "overlap",
    "none",
    "overlap",
  ]);
  assertThrows(() => archive.read("a"), DamagedMemberError, "claimed by another member");
  assertEquals(string(archive.read("e")), "alone");
});

Deno.test("many members over one block, in any order, are all refused", () => {
  const content = "x".repeat(100);
  const members = Array.from(
    { length: 50 },
    (_, index) => ({
      name: `m${index}`,
      content: "",
      size: 100,
      packedSize: 100,
      crc: crc32(content),
      offset: (index * 7) % 50 * 2,
    }),
  );
  using archive = open(zip([{ name: "base", content: content.repeat(3) }, ...members]));
  assertEquals([...archive].map((_, index) => damageOf(archive, index)), Array(51).fill("overlap"));
});

Deno.test("empty members and directories at odd offsets leave their neighbours readable", () => {
  using archive = open(zip([{ name: "a", content: "one" }, { name: "empty", offset: 0 }, { name: "dir/", offset: 2 }]));
  assertEquals([0, 1, 2].map((index) => damageOf(archive, index)), ["none", "none", "none"]);
});

Deno.test("a member whose local header is not one is not read", () => {
  const bytes = zip([{ name: "a", content: "one" }, { name: "b", content: "two" }, {
    name: "c",
    content: "three",
    localExtra: new Uint8Array(9),
  }]);
  const broken = bytes.slice();
  broken[0] = 0;
  using archive = open(join(broken));
  assertThrows(
    () => archive.read("a"),
    DamagedMemberError,
    "a: the header before its data, at byte 0, does not belong",
  );
  assertEquals(string(archive.read("b")), "two");
  assertEquals(string(archive.read("c")), "three", "the local extra field may have another length");
  const farAway = bytes.slice();
  farAway.set(u16(0xffff), 34 + 28);
  using other = open(farAway);
  assertThrows(() => other.read("b"), DamagedMemberError, "past the end");
});

Deno.test("damaged data is an error, whole and streamed, and never wrong bytes", async () => {
  const content = "the quick brown fox ".repeat(200);
  const bytes = zip([{ name: "a", content, method: 8 }, { name: "b", content }, { name: "c", content: "fine" }]);
  const flip = (at: number): Uint8Array => {
    const copy = bytes.slice();
    copy[at] = (copy[at] ?? 0) ^ 0x10;
    return copy;
  };
  const stored = 31 + (open(bytes).find("a")?.packedSize ?? 0) + 31;
  for (
    const [name, damaged] of [["a", flip(35)], ["a", flip(45)], ["b", flip(stored)], [
      "b",
      flip(stored + 3999),
    ]] as const
  ) {
    using archive = open(damaged);
    assertThrows(() => archive.read(name), DamagedMemberError, `${name} is damaged`);
    const chunks = Array.fromAsync(archive.stream(name));
    let failure: unknown;
    await chunks.catch((error) => failure = error);
    assert(failure instanceof DamagedMemberError, String(failure));
    assertEquals(string(archive.read("c")), "fine");
  }
});

Deno.test("a member that decompresses to more or less than declared is stopped", async () => {
  for (
    const [size, sentence] of [[1024, "decompresses to more than its 1,024 declared bytes; stopped"], [
      4001,
      "instead of 4001",
    ]] as const
  ) {
    using archive = open(zip([{ name: "x.tga", content: "y".repeat(4000), method: 8, size }]));
    assertThrows(
      () => archive.read("x.tga"),
      DamagedMemberError,
      `x.tga ${sentence === "instead of 4001" ? "is damaged: it decompresses to 4000 bytes " : ""}${sentence}`,
    );
    const failure = await Array.fromAsync(archive.stream("x.tga")).catch((error: unknown) => error);
    assert(failure instanceof DamagedMemberError);
    assertStringIncludes(failure.message, sentence);
  }
});

Deno.test("empty members that are deflated into nothing are sound", async () => {
  const nothing = new Uint8Array();
  using archive = open(zip([
    { name: "empty", method: 8, compressed: nothing },
    { name: "lying", method: 8, compressed: nothing, crc: 1 },
    { name: "cut", method: 8, compressed: nothing, content: "x" },
  ]));
  assertEquals(archive.read("empty"), nothing);
  assertEquals(await Array.fromAsync(archive.stream("empty")), []);
  for (const name of ["lying", "cut"]) assertThrows(() => archive.read(name), DamagedMemberError, name);
  assertEquals((await Array.fromAsync(verifyArchive(archive))).map(({ ok }) => ok), [true, false, false]);
});

Deno.test("deflated data without an end mark are read if size and checksum are right", async () => {
  const content = "some text that repeats itself; ".repeat(600_000);
  const openEnded = (value: string) => deflateRawSync(value, { finishFlush: constants.Z_SYNC_FLUSH });
  const compressed = openEnded(content);
  const long = { method: 8, content, compressed };
  using archive = open(zip([
    { name: "long", ...long },
    { name: "short", method: 8, content: "some text", compressed: openEnded("some text") },
    { name: "wrong", method: 8, content: "other text", compressed: openEnded("some text.") },
    { name: "cut", ...long, compressed: compressed.subarray(0, -100) },
    { name: "lying", ...long, crc: 1 },
    { name: "with", method: 8, content },
  ]));
  for (const [name, wanted] of [["long", content], ["short", "some text"]] as const) {
    assertEquals(string(archive.read(name)) === wanted, true, name);
    assertEquals(string(join(...await Array.fromAsync(archive.stream(name)))) === wanted, true, `${name} as a stream`);
  }
  for (const name of ["wrong", "cut", "lying"]) {
    assertThrows(() => archive.read(name), DamagedMemberError, `${name} is damaged`);
    await assertRejects(() => Array.fromAsync(archive.stream(name)), DamagedMemberError, `${name} is damaged`);
  }
  archive.table.flags.fill(0);
  assertThrows(() => archive.read("short"), DamagedMemberError, "ends too early");
  archive.table.flags.fill(entryHasCrc);
  const rows = await Array.fromAsync(verifyArchive(archive));
  assertEquals(rows.map(({ member, ok, note }) => [member, ok, note !== undefined]), [
    ["long", true, true],
    ["short", true, true],
    ["wrong", false, false],
    ["cut", false, false],
    ["lying", false, false],
    ["with", true, false],
  ]);
});

Deno.test("what is wrong with a zip is said", () => {
  const bytes = zip([{ name: "a", content: "one" }, { name: "b", content: "two" }]);
  const central = bytes.length - 22 - 2 * 47;
  assertThrows(() => open(bytes.subarray(0, 60)), TruncatedError, "no zip directory found; the download is incomplete");
  const cases: [Uint8Array, string][] = [
    [bytes.subarray(10), "the first 10 bytes of the archive are missing"],
    [join(bytes.subarray(0, central), new Uint8Array(94), bytes.subarray(-22)), "not where the end of the file says"],
    [
      join(bytes.subarray(0, central + 47), new Uint8Array(47), bytes.subarray(-22)),
      "should list 2 files, but it is broken after 1",
    ],
    [join(bytes.subarray(0, -10), u32(0, central), u16(0)), "should list 2 files, but it is broken after 0"],
    [join(bytes.subarray(0, -18), u16(3, 3, 1, 1), u32(47, 0), u16(0)), "last part of a split zip"],
  ];
  for (const [damaged, sentence] of cases) assertThrows(() => open(damaged), CorruptArchiveError, sentence);
  const overrun = bytes.slice();
  overrun.set(u16(0xffff), central + 47 + 28);
  assertThrows(
    () => open(overrun),
    CorruptArchiveError,
    `broken at byte ${central + 47}: a record reaches past its end`,
  );
  assertThrows(() => zipFormat.read(source(text("hello"))), UnknownFormatError, "not a zip");
  assertThrows(() => zipFormat.read(source(new Uint8Array())), UnknownFormatError, "not a zip");
});

Deno.test("a count that is too high loses nothing", () => {
  using archive = open(zip([{ name: "a" }, { name: "b" }], { count: 9 }));
  assertEquals([...archive].map(({ qpath }) => qpath), ["a", "b"]);
  assertStringIncludes(archive.warnings.join(), "lists 2 files although its end says 9");
});

/** Returns the records at the end of a zip that starts with a directory of `size` bytes. */
function endOf(count: number, size: number): Uint8Array {
  return join(
    text("PK\x06\x06"),
    u64(44),
    u16(45, 45),
    u32(0, 0),
    u64(count, count, size, 0),
    text("PK\x06\x07"),
    u32(0),
    u64(size),
    u32(1),
    text("PK\x05\x06"),
    u16(0, 0, 0xffff, 0xffff),
    u32(0xffffffff, 0xffffffff),
    u16(0),
  );
}

Deno.test("a directory that claims too many members is refused before it is read", async () => {
  await withDirectory((directory) => {
    const path = `${directory}/huge.zip`;
    const size = 46 * 16_000_001;
    Deno.writeFileSync(path, text("PK\x01\x02"));
    Deno.truncateSync(path, size);
    Deno.writeFileSync(path, endOf(5e7, size), { append: true });
    assertThrows(() => openArchive(path), LimitError, "50000000 files");
  });
  // The directory is too small for the declared number of files.
  using archive = open(join(text("PK\x01\x02"), new Uint8Array(42), endOf(5e7, 46)));
  assertStringIncludes(archive.warnings.join(), "lists 1 files although its end says 50000000");
});

Deno.test("a zip of more than a million members is listed", () => {
  const [count, record] = [1_000_001, 47];
  const directory = new Uint8Array(count * record);
  directory.set(text("PK\x01\x02"));
  directory.set(u16(1), 28);
  directory.set(text("a"), 46);
  for (let filled = record; filled < directory.length; filled *= 2) directory.copyWithin(filled, 0, filled);
  const { length } = zipFormat.read(source(join(directory, endOf(count, directory.length))));
  assertEquals(length, count);
});

Deno.test("a zip is known by its content, wherever it begins", () => {
  const bytes = zip([{ name: "a", content: "one" }]);
  assertEquals(detectFormat(source(bytes))?.name, "zip");
  assertEquals(detectFormat(source(zip([])))?.name, "zip");
  assertEquals(detectFormat(source(zip([{ name: "a" }], { junk: text("#!/bin/sh\n") })))?.name, "zip");
  assertEquals(detectFormat(source(bytes.subarray(0, 40)))?.name, "zip", "cut short");
  for (
    const other of [
      new Uint8Array(),
      text("PK"),
      text("Rar!"),
      join(text("PK\x05"), new Uint8Array(100)),
      join(text("x"), text("PK\x05\x06"), new Uint8Array(18).fill(7)),
    ]
  ) {
    assertEquals(detectFormat(source(other)), undefined);
  }
});

Deno.test("a directory that does not end at its record is read where the record says, if it ends before that", () => {
  const whole = zip([{ name: "a", content: "x" }]);
  const apart = join(whole.subarray(0, -22), new Uint8Array(4), whole.subarray(-22));
  const withSize = (more: number) => {
    const bytes = apart.slice();
    const view = new DataView(bytes.buffer, bytes.length - 22);
    view.setUint32(12, view.getUint32(12, true) + more, true);
    return bytes;
  };
  using archive = openArchive(source(withSize(0)));
  assertEquals(string(archive.read("a")), "x");
  assertThrows(() => openArchive(source(withSize(100))), CorruptArchiveError);
});
