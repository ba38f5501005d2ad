import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { crc32 } from "node:zlib";
import { damageNames } from "../../formats/core/entry_table.ts";
import {
  Archive,
  ArchiveError,
  CorruptArchiveError,
  DamagedMemberError,
  LimitError,
  openArchive,
  TruncatedError,
  UnknownFormatError,
  verifyArchive,
} from "../../formats/mod.ts";
import { archiveOfPart, formatNamed } from "../../formats/table.ts";
import fc from "../support/fast_check.ts";
import { hex, join, source, string, text, u16, u32, vpk, vpkFile, vpkTree, withDirectory } from "./bytes.ts";

const vpkFormat = formatNamed("vpk");
assert(vpkFormat);
const { read } = vpkFormat;

/** Version 1: `a/b.txt` is "hi" after the tree, `c` has neither path nor extension and is wholly preloaded. */
const golden = hex(`
  34 12 aa 55  01 00 00 00  3c 00 00 00
  74 78 74 00  61 00  62 00
    ac 2a 93 d8  00 00  ff 7f  00 00 00 00  02 00 00 00  ff ff  00 00
  20 00  20 00  63 00
    86 a6 10 36  05 00  ff 7f  00 00 00 00  00 00 00 00  ff ff  68 65 6c 6c 6f  00 00
  00
  68 69
`);

Deno.test("a VPK laid out by hand is listed and read", () => {
  using archive = openArchive(source(golden, "/tf/one_dir.vpk", 77));
  const common = { type: "file", mtime: 77, source: "/tf/one_dir.vpk", format: "vpk", method: "store" };
  assertEquals(Array.from(archive) as unknown, [
    { ...common, qpath: "a/b.txt", member: "a/b.txt", size: 2, packedSize: 2, offset: 72, crc32: "d8932aac" },
    { ...common, qpath: "c", member: "c", size: 5, packedSize: 5, offset: 64, crc32: "3610a686" },
  ]);
  assertEquals(string(archive.read("a/b.txt")), "hi");
  assertEquals(string(archive.read("c")), "hello");
});

Deno.test("in version 2 the data follow the longer header and the tree", () => {
  const tree = vpkTree([{ path: "x.y", content: "data", part: 0x7fff, offset: 3 }]);
  const bytes = join(u32(0x55aa1234, 2, tree.length, 7, 0, 48, 0), tree, text("...data"));
  using archive = openArchive(source(bytes));
  assertEquals(string(archive.read("x.y")), "data");
});

/** A game with two parts; `split` is partly preloaded, `gone` is in a missing part. */
async function withParts(action: (directory: string) => Promise<void> | void): Promise<void> {
  const dir = vpk([
    { path: "first.txt", content: "first", part: 0, offset: 2 },
    { path: "maps/split.bsp", content: "split", preload: 2, part: 12, offset: 1 },
    { path: "own", content: "own", preload: 1, part: 0x7fff, offset: 0 },
    { path: "gone/a", content: "gone", part: 7, offset: 0 },
    { path: "gone/b", content: "gone", part: 7, offset: 0 },
    { path: "far", content: "far away", part: 12, offset: 1 },
  ], "wn");
  await withDirectory(async (directory) => {
    await Deno.writeFile(`${directory}/pak01_dir.vpk`, dir);
    await Deno.writeFile(`${directory}/pak01_000.vpk`, text("..first"));
    await Deno.writeFile(`${directory}/pak01_012.vpk`, text(".lit!!"));
    await action(directory);
  });
}

Deno.test("files are read from parts, preload bytes first; a missing part costs only its files", async () => {
  await withParts(async (directory) => {
    using archive = openArchive(`${directory}/pak01_dir.vpk`);
    assertEquals(string(archive.read("first.txt")), "first");
    assertEquals(string(archive.read("maps/split.bsp")), "split");
    assertEquals(string(archive.read("own")), "own");
    assertEquals(archive.warnings, ["pak01_007.vpk is missing; 2 files cannot be read"]);
    assertThrows(() => archive.read("gone/a"), DamagedMemberError, "a part of the archive that is missing");
    assertThrows(() => archive.read("far"), DamagedMemberError, "(8 bytes at byte 1) reaches past the end");
    const bad = (await Array.fromAsync(verifyArchive(archive))).filter(({ ok }) => !ok).map(({ member }) => member);
    assertEquals(bad.sort(), ["far", "gone/a", "gone/b"]);
  });
});

/** Returns the number of descriptors of this process. */
function openFiles(): number {
  return Array.from(Deno.readDirSync("/proc/self/fd")).length;
}

Deno.test("of hundreds of parts at most 64 are open, any is read at any time, and all are closed, whatever fails", async () => {
  const count = 90;
  const content = (part: number) => `part ${part} `.repeat(1 + part % 5);
  const dir = vpk(
    Array.from({ length: count }, (_, part) => ({ path: `f${part}`, content: content(part), part, offset: part % 3 })),
    "",
  );
  await withDirectory((directory) => {
    const partOf = (part: number) => `${directory}/all_${String(part).padStart(3, "0")}.vpk`;
    Deno.writeFileSync(`${directory}/all_dir.vpk`, dir);
    const writePart = (part: number) => Deno.writeTextFileSync(partOf(part), "..".slice(0, part % 3) + content(part));
    const before = openFiles();
    const step = fc.noBias(fc.record({ part: fc.nat(count - 1), isRemoved: fc.boolean() }));
    fc.assert(
      fc.property(fc.array(step, { minLength: 300, maxLength: 400 }), (steps) => {
        for (let part = 0; part < count; part++) writePart(part);
        let most = 0;
        {
          using archive = openArchive(`${directory}/all_dir.vpk`);
          assertEquals(archive.warnings, []);
          for (const { part, isRemoved } of steps) {
            if (isRemoved) Deno.removeSync(partOf(part));
            try {
              assertEquals(string(archive.read(`f${part}`)), content(part));
            } catch (error) {
              // An open part can still be read.
              if (!(error instanceof ArchiveError) || !isRemoved) throw error;
            }
            if (isRemoved) writePart(part);
            most = Math.max(most, openFiles() - before);
          }
        }
        assertEquals([openFiles(), most], [before, 1 + 64]);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });
});

Deno.test("parts are found by the spelling of the directory file, in any case", async () => {
  const recased = (name: string) =>
    fc.tuple(...Array.from(name, (letter) => fc.constantFrom(letter, letter.toUpperCase()))).map((all) => all.join(""));
  const name = fc.record({ base: recased("pak01"), dir: recased("_dir"), extension: recased(".vpk") });
  const bytes = vpk([{ path: "a", content: "part", part: 12, offset: 0 }], "");
  await fc.assert(
    fc.asyncProperty(name, async ({ base, dir, extension }) => {
      await withDirectory((directory) => {
        Deno.writeFileSync(`${directory}/${base}${dir}${extension}`, bytes);
        Deno.writeTextFileSync(`${directory}/${base}_012${extension}`, "part");
        using archive = openArchive(`${directory}/${base}${dir}${extension}`);
        assertEquals(string(archive.read("a")), "part");
        assertEquals(archiveOfPart(`${base}_012${extension}`), `${base}_dir${extension}`);
        assertEquals(archiveOfPart(`${base}${dir}${extension}`), undefined);
      });
    }),
    { numRuns: 30 },
  );
});

Deno.test("a row says which part holds the data, and where in it", async () => {
  await withParts((directory) => {
    using archive = openArchive(`${directory}/pak01_dir.vpk`);
    const first = archive.find("first.txt");
    assertEquals([first?.source, first?.part, first?.offset], [
      `${directory}/pak01_dir.vpk`,
      `${directory}/pak01_000.vpk`,
      2,
    ]);
    const split = archive.find("maps/split.bsp");
    assertEquals(split?.part, undefined, "begins in the directory file");
    const bytes = Deno.readFileSync(`${directory}/pak01_dir.vpk`);
    assertEquals(string(bytes.subarray(split?.offset, (split?.offset ?? 0) + 2)), "sp");
  });
});

Deno.test("a data part opened alone is distinguished from an archive, regardless of its content", async () => {
  await withParts((directory) => {
    const message = "pak01_000.vpk is a data part; open pak01_dir.vpk";
    assertThrows(() => openArchive(`${directory}/pak01_000.vpk`), UnknownFormatError, message);
    Deno.writeFileSync(`${directory}/pak01_000.vpk`, join(text("PACK"), u32(12, 0)));
    assertThrows(() => openArchive(`${directory}/pak01_000.vpk`), UnknownFormatError, message);
    Deno.removeSync(`${directory}/pak01_dir.vpk`);
    assertEquals(openArchiveName(`${directory}/pak01_000.vpk`), "quake-pak");
  });
});

function openArchiveName(path: string): string {
  using archive = openArchive(path);
  return archive.format.name;
}

Deno.test("a wrong checksum in a part is damage", async () => {
  await withParts((directory) => {
    Deno.writeFileSync(`${directory}/pak01_000.vpk`, text("..fIrst"));
    using archive = openArchive(`${directory}/pak01_dir.vpk`);
    assertThrows(() => archive.read("first.txt"), DamagedMemberError, "its checksum is");
    assertEquals(string(archive.read("own")), "own");
  });
});

Deno.test("without a directory of its own or a name ending in _dir a VPK has no parts", () => {
  const bytes = vpk([{ path: "a", content: "x", part: 3, offset: 0 }], "");
  const table = read(source(bytes, "pak01_dir.vpk"));
  assertEquals([table.warnings, damageNames[table.damage[0] ?? 0]], [
    ["pak01_003.vpk is missing; 1 file cannot be read"],
    "missing-part",
  ]);
  assertEquals(read(source(bytes, "maps.vpk")).warnings, ["part 3 is missing; 1 file cannot be read"]);
});

Deno.test("a hundred missing parts are not a hundred warnings", () => {
  const files = Array.from({ length: 100 }, (_, part) => ({ path: `f${part}`, content: "x", part, offset: 0 }));
  const { warnings } = read(source(vpk(files, ""), "x_dir.vpk"));
  assertEquals(warnings.length, 9);
  assertEquals(warnings.at(-1), "92 more parts are missing; 92 files of them cannot be read");
});

Deno.test("a tree that never ends, or ends elsewhere than it says, is refused", () => {
  const refused = (tree: Uint8Array, message: string) =>
    assertThrows(
      () => read(source(join(u32(0x55aa1234, 1, tree.length), tree), "a.vpk")),
      CorruptArchiveError,
      message,
    );
  const file = vpkFile({ path: "a", content: "x", part: 0x7fff, offset: 0 });
  refused(text("txt"), "an extension does not end before the tree does");
  refused(text("txt\0path\0"), "a file name does not end before the tree does");
  refused(text("\0\0"), "the tree ends 1 bytes before its stated end");
  refused(text("txt\0path\0name\0record"), "within the record");
  refused(join(text(" \0 \0a\0"), file.subarray(0, 16), u16(0xfffe), text("\0\0\0")), "does not end with ff ff");
  refused(join(text(" \0 \0a\0"), u32(0), u16(99, 0), u32(0, 0), u16(0xffff), text("\0\0\0")), "preload bytes");
  refused(join(text("e".repeat(1025)), text("\0")), "1025 bytes long");
  refused(join(text("e".repeat(1024)), text("\0")), "a path does not end");
});

Deno.test("other versions, Respawn's among them, and truncated files are refused with their offset", () => {
  const error = assertThrows(
    () => read(source(join(u32(0x55aa1234, 0x00030002, 0), new Uint8Array(20)), "a_dir.vpk")),
    UnknownFormatError,
    "Respawn",
  );
  assertEquals([error.offset, error.actual], [4, 0x00030002]);
  assertThrows(() => read(source(u32(0x55aa1234, 3, 0))), UnknownFormatError, "version 3");
  assertThrows(() => read(source(golden.subarray(0, 40))), TruncatedError, "cut short");
  assertThrows(() => read(source(u32(0x55aa1234, 1, 0xffffffff))), TruncatedError);
  assertThrows(() => read(source(text("pak01_000 data"))), UnknownFormatError, "does not start with 34 12 aa 55");
});

Deno.test("a tree of more than a million files is refused", () => {
  const name = join(text("a\0"), vpkFile({ path: "a", content: "", part: 0x7fff, offset: 0 }));
  const names = new Uint8Array(name.length * 1_000_001);
  for (let start = 0; start < names.length; start += name.length) names.set(name, start);
  const tree = join(text(" \0 \0"), names, text("\0\0\0"));
  assertThrows(() => read(source(join(u32(0x55aa1234, 1, tree.length), tree))), LimitError, "1000000 files");
});

Deno.test("the helpers of this test write what was laid out by hand", () => {
  const files = [
    { path: "a/b.txt", content: "hi", part: 0x7fff, offset: 0 },
    { path: "c", content: "hello", preload: 5, part: 0x7fff, offset: 0 },
  ];
  assertEquals(vpk(files, "hi"), golden);
  assertEquals(crc32("hi"), 0xd8932aac);
  const archive = new Archive(source(golden), vpkFormat, read(source(golden)));
  assertStringIncludes(string(archive.read("c")), "hello");
});
