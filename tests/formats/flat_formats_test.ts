import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import {
  type ArchiveRow,
  CorruptArchiveError,
  DamagedMemberError,
  LimitError,
  openArchive,
  TruncatedError,
} from "../../formats/mod.ts";
import { detectFormat, formatNamed } from "../../formats/table.ts";
import {
  bfgResources,
  grimrock,
  grp,
  type HandRffFile,
  hex,
  hog,
  join,
  rff,
  source,
  string,
  text,
  u16,
  u32,
} from "./bytes.ts";

/** Columns of a row that tests compare. */
function brief({ qpath, size, offset, packedSize, method, mtime }: ArchiveRow): unknown[] {
  return [qpath, size, offset, packedSize, method, mtime];
}

const zeros = (count: number): string => "00".repeat(count);

Deno.test("a million files are listed, and not one more", () => {
  const listing = (count: number) => source(join(text("KenSilverman"), u32(count), new Uint8Array(count * 16)));
  using archive = openArchive(listing(1_000_000));
  assertEquals(archive.table.length, 1_000_000);
  assertThrows(() => openArchive(listing(1_000_001)), LimitError, "lists 1000001 files");
});

// "hello hello hello hello" as zlib data by Python's zlib.compress.
const zlib = "78 9c cb 48 cd c9 c9 57 c8 40 27 01 68 03 08 b1";

/** Archives byte by byte: their rows as {@linkcode brief} and the content of each, and warnings. */
const byHand: readonly (readonly [name: string, bytes: string, files: readonly unknown[][], warnings?: string[]])[] = [
  [
    "grp",
    `4b 65 6e 53 69 6c 76 65 72 6d 61 6e  03 00 00 00
    54 41 42 4c 45 53 2e 44 41 54 00 00  03 00 00 00
    45 4d 50 54 59 20 20 20 20 20 20 20  00 00 00 00
    31 32 33 34 35 36 37 38 2e 4d 41 50  02 00 00 00
    61 62 63  64 65`,
    [
      ["TABLES.DAT", 3, 64, 3, "store", 5, "abc"],
      ["EMPTY", 0, 67, 0, "store", 5, ""],
      ["12345678.MAP", 2, 67, 2, "store", 5, "de"],
    ],
  ],
  [
    "hog",
    `44 48 46
    6c 65 76 65 6c 30 31 2e 72 64 6c 00 ff  02 00 00 00  68 69
    62 ${zeros(12)}  00 00 00 00
    63 2e 74 78 74 ${zeros(8)}  01 00 00 00  78`,
    [
      ["level01.rdl", 2, 20, 2, "store", 5, "hi"],
      ["b", 0, 39, 0, "store", 5, ""],
      ["c.txt", 1, 56, 1, "store", 5, "x"],
    ],
  ],
  [
    "hog2",
    `48 4f 47 32  02 00 00 00  a8 00 00 00  ${"ff".repeat(56)}
    61 2e 6f 6f 66 ${zeros(31)}  00 00 00 00  02 00 00 00  00 ca 9a 3b
    62 ${zeros(35)}  00 00 00 00  01 00 00 00  01 ca 9a 3b
    00 00 00 00  68 69  78`,
    [["a.oof", 2, 168, 2, "store", 1_000_000_000_000, "hi"], ["b", 1, 170, 1, "store", 1_000_000_001_000, "x"]],
  ],
  [
    "grimrock",
    `47 52 41 52  02 00 00 00
    60 67 06 23  28 00 00 00  00 00 00 00  02 00 00 00
    0a 00 00 00  2a 00 00 00  14 00 00 00  17 00 00 00
    68 69  17 00 00 00 ${zlib}`,
    [
      ["unknown/23066760.txt", 2, 40, 2, "store", 5, "hi"],
      ["unknown/0000000a.txt", 23, 42, 16, "zlib", 5, "hello hello hello hello"],
    ],
    ["the archive keeps no file names, only their hashes"],
  ],
  [
    "bfg-resources",
    `d0 00 00 0d  00 00 00 11  00 00 00 41
    61 62 63 64 65
    00 00 00 04
    07 00 00 00  61 5c 62 2e 74 78 74  00 00 00 0c  00 00 00 03
    00 00 00 00  00 00 00 0f  00 00 00 00
    01 00 00 00  63  00 00 00 0f  00 00 00 02
    05 00 00 00  2e 2e 2f 75 70  00 00 00 0c  00 00 00 01`,
    [
      ["a/b.txt", 3, 12, 3, "store", 5, "abc"],
      ["c", 2, 15, 2, "store", 5, "de"],
      ["_unsafe/__/up", 1, 12, 1, "store", 5, "a"],
    ],
    ['the name "../up" leads out of the archive, is empty or far too long; shown under _unsafe/'],
  ],
];

for (const [name, bytes, files, warnings = []] of byHand) {
  Deno.test(`an archive of format ${name}, laid out by hand, is listed and read`, () => {
    using archive = openArchive(source(hex(bytes), "by-hand", 5));
    const listed = Array.from(archive, (row) => [...brief(row), string(archive.read(row.qpath))]);
    assertEquals([archive.format.name, listed, archive.warnings], [name, files, warnings]);
  });
}

Deno.test("of two files of one name the last is read", () => {
  for (const write of [grp, bfgResources]) {
    using archive = openArchive(source(write([["A.CON", "first"], ["A.CON", "last"]])));
    assertEquals(string(archive.read("A.CON")), "last");
  }
});

Deno.test("a GRP that is cut short keeps what is there", () => {
  const whole = grp([["A.CON", "first"], ["B.CON", "second"], ["C.CON", "third"]]);
  using archive = openArchive(source(whole.subarray(0, whole.length - 8)));
  assertEquals([...archive].map(({ damaged }) => damaged !== undefined), [false, true, true]);
  assertEquals(string(archive.read("A.CON")), "first");
  assertThrows(() => archive.read("B.CON"), DamagedMemberError, "reaches past the end");
});

Deno.test("a HOG that is cut short keeps what is there, and one that ends oddly says so", () => {
  const whole = hog([["a.txt", "first"], ["b.txt", "second"]]);
  using cut = openArchive(source(whole.subarray(0, whole.length - 1)));
  assertEquals([...cut].map(({ damaged }) => damaged !== undefined), [false, true]);
  assertEquals(string(cut.read("a.txt")), "first");
  assertStringIncludes(cut.warnings[0] ?? "", `reaches past the end, to byte ${whole.length}`);
  using odd = openArchive(source(join(whole, new Uint8Array(40))));
  assertEquals([...odd].map(({ qpath }) => qpath), ["a.txt", "b.txt"]);
  assertStringIncludes(odd.warnings[0] ?? "", `no file at byte ${whole.length}`);
  assertStringIncludes(odd.warnings[0] ?? "", "the last 40 bytes");
});

Deno.test("many small members of a HOG, across what is read at a time", () => {
  const files = Array.from({ length: 3000 }, (_, index) => [`${index}.txt`, "x".repeat(index % 40)] as const);
  using archive = openArchive(source(hog(files)));
  assertEquals([...archive].map(({ qpath, size }) => [qpath, size]), files.map(([name, { length }]) => [name, length]));
  assertEquals(string(archive.read("2999.txt")), "x".repeat(39));
});

Deno.test("three letters alone make no HOG", () => {
  assertEquals(detectFormat(source(text("DHF")))?.name, "hog");
  using empty = openArchive(source(text("DHF")));
  assertEquals([[...empty], empty.warnings], [[], []]);
  assertEquals(detectFormat(source(text("DHF is no archive at all, it is a sentence.")))?.name, undefined);
  assertEquals(detectFormat(source(join(text("DHF"), new Uint8Array(40))))?.name, undefined);
  assertThrows(
    () => formatNamed("hog")?.read(source(join(text("DHF"), new Uint8Array(40)))),
    CorruptArchiveError,
    "no file at byte 3",
  );
});

const bloodFiles: readonly HandRffFile[] = [
  { name: "E1M1", extension: "MAP", content: "BLM\x1a" },
  { name: "ABCDEFGH", extension: "RAW", content: "sound of blood ".repeat(40), encrypted: true },
  { name: "NOEXT", extension: "", content: "", encrypted: true },
  { name: "SHORT", extension: "QAV", content: "short", encrypted: true },
];

Deno.test("RFF directories are decrypted with whichever key fits", async () => {
  const keys: Readonly<Record<string, (directoryOffset: number) => number | null>> = {
    none: () => null,
    offset: (directoryOffset) => directoryOffset,
    doubled: (directoryOffset) => directoryOffset * 2,
  };
  for (
    const [version, key] of [[0x200, "none"], [0x300, "offset"], [0x300, "doubled"], [0x300, "none"], [
      0x301,
      "doubled",
    ]] as const
  ) {
    const bytes = rff(version, bloodFiles, keys[key] ?? (() => null));
    using archive = openArchive(source(bytes, "blood.rff"));
    assertEquals(archive.format.name, "rff");
    assertEquals([...archive].map(brief), [
      ["E1M1.MAP", 4, 32, 4, "store", 860_000_000_000],
      ["ABCDEFGH.RAW", 600, 36, 600, "rff", 860_000_001_000],
      ["NOEXT", 0, 636, 0, "rff", 860_000_002_000],
      ["SHORT.QAV", 5, 636, 5, "rff", 860_000_003_000],
    ], `${version.toString(16)}, ${key}`);
    assertEquals(string(archive.read("E1M1.MAP")), "BLM\x1a");
    for (const { name, extension, content } of bloodFiles) {
      const path = extension === "" ? name : `${name}.${extension}`;
      assertEquals(string(archive.read(path)), content);
      // deno-lint-ignore no-await-in-loop -- one after the other, to see which fails
      assertEquals(string(join(...await Array.fromAsync(archive.stream(path)))), content);
    }
  }
});

Deno.test("an RFF laid out by hand, byte by byte", () => {
  // The directory is at byte 34, so version 0x301 XORs it with 34, 34, 35, 35, ... The data "hi" is XORed with 0, 0.
  const plain = hex(
    `${
      zeros(16)
    } 20 00 00 00  02 00 00 00  00 00 00 00  00 94 42 33  10  54 58 54  41 00 00 00 00 00 00 00  00 00 00 00`,
  );
  const key = hex(`
    22 22 23 23 24 24 25 25 26 26 27 27 28 28 29 29  2a 2a 2b 2b 2c 2c 2d 2d 2e 2e 2f 2f 30 30 31 31
    32 32 33 33 34 34 35 35 36 36 37 37 38 38 39 39`);
  const golden = join(
    hex(`52 46 46 1a  01 03 00 00  22 00 00 00  01 00 00 00  ${zeros(16)}  68 69`),
    plain.map((byte, index) => byte ^ (key[index] ?? 0)),
  );
  using archive = openArchive(source(golden));
  assertEquals([...archive].map(brief), [["A.TXT", 2, 32, 2, "rff", 0x33429400 * 1000]]);
  assertEquals(string(archive.read("A.TXT")), "hi");
});

Deno.test("an RFF with one damaged entry is still decrypted, and one whose table is noise is refused", () => {
  const bytes = rff(0x301, bloodFiles, (directoryOffset) => directoryOffset * 2);
  bytes[bytes.length - 48 + 19] = 0xff;
  using archive = openArchive(source(bytes));
  assertEquals([...archive].map(({ damaged }) => damaged !== undefined), [false, false, false, true]);
  const noise = join(text("RFF\x1a"), u16(0x301, 0), u32(32, 4), new Uint8Array(16), new Uint8Array(192).fill(0xa7));
  assertThrows(() => openArchive(source(noise)), CorruptArchiveError, "makes no sense under any of the known keys");
});

Deno.test("the length before a Grimrock member's data must be the one of the table", () => {
  const bytes = grimrock([[1, "a text, a text, a text", true], [2, "stored", false]]);
  bytes[40] = 99;
  using archive = openArchive(source(bytes));
  assertThrows(() => archive.read("unknown/00000001.bin"), DamagedMemberError, "does not belong to it");
  assertEquals(string(archive.read("unknown/00000002.txt")), "stored");
});

Deno.test("a Grimrock member without room for its length is past the end, and its neighbours are read", () => {
  const bytes = join(text("GRAR"), u32(2), u32(1, 40, 0, 2), u32(2, 41, 1, 0), text("ok"));
  using archive = openArchive(source(bytes));
  assertEquals([...archive].map(({ damaged }) => damaged !== undefined), [false, true]);
  assertEquals(string(archive.read("unknown/00000001.txt")), "ok");
});

Deno.test("headers that promise more than there is are refused, with their offset", () => {
  const million = 1_000_001;
  const lying: [name: string, bytes: Uint8Array][] = [
    ["grp", join(text("KenSilverman"), u32(0xffffffff))],
    ["grp", join(text("KenSilverman"), u32(3), new Uint8Array(47))],
    ["rff", join(text("RFF\x1a"), u16(0x301, 0), u32(16, 0xffffffff), new Uint8Array(16))],
    ["rff", join(text("RFF\x1a"), u16(0x200, 0), u32(0xfffffff0, 1), new Uint8Array(64))],
    ["hog2", join(text("HOG2"), u32(0xffffffff, 68), new Uint8Array(56))],
    ["grimrock", join(text("GRAR"), u32(0xffffffff), new Uint8Array(64))],
    ["sin-pak", join(text("SPAK"), u32(0xfffffff0, 0xffffff80), new Uint8Array(64))],
    ["anachronox-dat", join(text("ADAT"), u32(16, 144 * 1000, 9), new Uint8Array(144))],
  ];
  for (const [name, bytes] of lying) {
    assertEquals(detectFormat(source(bytes))?.name, name);
    const error = assertThrows(() => openArchive(source(bytes, "lying")), TruncatedError, "the file is cut short");
    assertEquals([error.path, error.actual], ["lying", bytes.length]);
  }
  const short: [name: string, bytes: Uint8Array][] = [
    ["grp", text("KenSilverman")],
    ["rff", text("RFF\x1a")],
    ["hog2", text("HOG2")],
    ["grimrock", text("GRAR")],
    ["sin-pak", text("SPAK")],
    ["anachronox-dat", text("ADAT")],
  ];
  for (const [name, bytes] of short) {
    assertThrows(() => formatNamed(name)?.read(source(bytes)), TruncatedError, "are less than its header");
  }
  const inHeader = join(text("RFF\x1a"), u16(0x301, 0), u32(4, 1), new Uint8Array(64));
  assertThrows(() => openArchive(source(inHeader)), CorruptArchiveError, "inside the header itself");
  const many = join(text("KenSilverman"), u32(million), new Uint8Array(million * 16));
  assertThrows(() => openArchive(source(many)), LimitError, "1000001 files");
});

Deno.test("a file without a name in a resource container is shown, unless it is empty too", () => {
  using archive = openArchive(source(bfgResources([["", ""], ["", "nameless"], ["a", "named"]])));
  assertEquals([...archive].map(({ size }) => size).sort(), [5, 8]);
  const nameless = [...archive].find(({ size }) => size === 8)?.qpath ?? "";
  assertEquals(string(archive.read(nameless)), "nameless");
});

Deno.test("a resource container that is cut short or contradicts itself is refused with the offset", () => {
  const whole = bfgResources([["a.txt", "abc"], ["b.txt", "de"]]);
  const changed = (offset: number, ...bytes: number[]) => {
    const copy = whole.slice();
    copy.set(bytes, offset);
    return source(copy);
  };
  assertThrows(() => openArchive(source(whole.subarray(0, whole.length - 1))), TruncatedError, "the file is cut short");
  assertThrows(() => openArchive(changed(7, 4)), CorruptArchiveError, "inside the header itself");
  assertThrows(() => openArchive(changed(8, 0, 0, 0, 0)), CorruptArchiveError, "shorter than its number of files");
  assertThrows(() => openArchive(changed(17, 0, 0, 0, 3)), CorruptArchiveError, "ends before file 3 of 3");
  assertThrows(() => openArchive(changed(17, 0, 0x0f, 0x42, 0x41)), LimitError, "lists 1000001 files");
  assertThrows(() => openArchive(changed(21, 0xff, 0xff, 0xff, 0xff)), CorruptArchiveError, "the name of file 1");
  using far = openArchive(changed(30, 0xff));
  assertThrows(() => far.read("a.txt"), DamagedMemberError, "reaches past the end");
  using odd = openArchive(changed(17, 0, 0, 0, 1));
  assertEquals([...odd].map(({ qpath }) => qpath), ["a.txt"]);
  assertStringIncludes(odd.warnings[0] ?? "", "after the last file");
});
