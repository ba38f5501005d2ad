import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "../support/fast_check.ts";
import { deflateSync } from "node:zlib";
import type { WriteEntry } from "../../formats/core/format.ts";
import {
  type Archive,
  CorruptArchiveError,
  DamagedMemberError,
  LimitError,
  openArchive,
  TruncatedError,
  UnwritableError,
} from "../../formats/mod.ts";
import { detectFormat, formatNamed } from "../../formats/table.ts";
import { decodeCodePage949, encodeCodePage949 } from "../../formats/core/code_page_949.ts";
import { ArchiveRoom } from "../../formats/archives/write_limits.ts";
import { CompressedContents, storeCompressor } from "../../formats/archives/compressed_contents.ts";
import { hex, join, padded, source, text, u32 } from "./bytes.ts";
import { dragonNestPak, dragonNestRecord } from "./dragonnest.ts";

function compressed(content: string | Uint8Array): Uint8Array {
  return new Uint8Array(deflateSync(typeof content === "string" ? text(content) : content, { level: 1 }));
}

function names(archive: Archive): string[] {
  return [...archive].map(({ qpath }) => qpath);
}

/** A pak of one file, byte by byte: `\a.txt` with eleven letters "a", as many bytes as their zlib data. */
function golden(): Uint8Array {
  const header = join(
    text("EyedentityGames Packing File 0.1"),
    new Uint8Array(224),
    hex("0b 00 00 00  01 00 00 00  0c 04 00 00"),
    new Uint8Array(756),
  );
  const data = hex("78 01 4b 4c 84 03 00 19 0d 04 2c"); // python3: zlib.compress(b"a" * 11, 1)
  const record = join(
    padded(text("\\a.txt"), 256),
    hex("0b 00 00 00  0b 00 00 00  0c 00 00 00  00 04 00 00"),
    new Uint8Array(44),
  );
  return join(header, data, hex("00"), record);
}

Deno.test("a Dragon Nest pak laid out byte by byte is listed and read, though its two sizes are equal", () => {
  using archive = openArchive(source(golden(), "/games/dn/Resource00.pak", 1234));
  assertEquals([...archive], [{
    type: "file",
    qpath: "a.txt",
    size: 11,
    mtime: 1234,
    source: "/games/dn/Resource00.pak",
    member: "\\a.txt",
    format: "dragonnest-pak",
    offset: 1024,
    packedSize: 11,
    method: "zlib",
    crc32: null,
  }]);
  assertEquals(archive.read("a.txt"), text("aaaaaaaaaaa"));
  assertEquals(archive.warnings, []);
});

Deno.test("equal sizes mean raw data where they are no zlib data of that size", () => {
  const looksCompressed = join(hex("78 01"), new Uint8Array(30));
  using archive = openArchive(source(dragonNestPak([
    { name: "\\raw.txt", data: text("as it is"), size: 8 },
    { name: "\\odd.bin", data: looksCompressed, size: 32 },
  ])));
  assertEquals([...archive].map(({ method }) => method), ["store", "store"]);
  assertEquals(archive.read("raw.txt"), text("as it is"));
  assertEquals(archive.read("odd.bin"), looksCompressed);
});

Deno.test("names are Korean, else UTF-8, else Latin-1, with their oddities cut off", () => {
  using archive = openArchive(source(dragonNestPak([
    { name: hex("5c b0 a1 b3 aa 5c c5 d7 bd ba c6 ae 2e 74 78 74"), data: compressed("1"), size: 1 },
    { name: join(text("\\"), hex("e9 80 80"), text(".txt")), data: compressed("2"), size: 1 },
    { name: join(text("\\gr"), hex("fc"), text(".txt")), data: compressed("3"), size: 1 },
    { name: join(hex("00"), text("root.xml")), data: compressed("4"), size: 1 },
    { name: join(text("\\end.txt"), hex("02 00 fd fd")), data: compressed("5"), size: 1 },
    { name: text("\\..\\up.txt"), data: compressed("6"), size: 1 },
  ])));
  assertEquals(names(archive), [
    "가나/테스트.txt",
    "\u9000.txt",
    "grü.txt",
    "root.xml",
    "end.txt",
    "_unsafe/__/up.txt",
  ]);
  assertEquals(archive.row(0).member, "\\가나\\테스트.txt");
  assertEquals(archive.table.rawNames.get(0), hex("5c b0 a1 b3 aa 5c c5 d7 bd ba c6 ae 2e 74 78 74"));
  assertEquals(archive.read("가나/테스트.txt"), text("1"));
  assertEquals(archive.warnings.length, 2);
  assertStringIncludes(archive.warnings[1] ?? "", "2 names are not Korean");
});

Deno.test("code page 949 is turned around without loss", () => {
  const all = "가힣갂똠방각하漢字ひらがなカタカナАя①ㄱ·";
  const bytes = encodeCodePage949(all);
  assert(bytes);
  assertEquals(decodeCodePage949(bytes), all);
  // python3: "똠방각하".encode("cp949").hex()
  assertEquals(encodeCodePage949("똠방각하"), hex("8c 63 b9 e6 b0 a2 c7 cf"));
  assertEquals(encodeCodePage949("é"), undefined);
  assertEquals(encodeCodePage949("\u{1f600}"), undefined);
  assertEquals(decodeCodePage949(hex("b0")), undefined);
});

Deno.test("placeholders are left out, and an unknown size is found by decompressing", () => {
  const bytes = dragonNestPak([
    { name: "", data: new Uint8Array(), size: 0 },
    { name: "\\blank.txt", data: new Uint8Array(), size: 0 },
    { name: "\\unknown.txt", data: compressed("twelve bytes"), size: 0 },
    { name: "\\empty.txt", data: compressed(""), size: 0 },
    { name: "\\broken.txt", data: hex("01 02 03"), size: 0 },
    { name: "\\last.txt", data: compressed("last ".repeat(9)), size: 45 },
  ]);
  using archive = openArchive(source(bytes));
  assertEquals([...archive].map(({ qpath, size }) => [qpath, size]), [
    ["unknown.txt", 12],
    ["empty.txt", 0],
    ["broken.txt", 0],
    ["last.txt", 45],
  ]);
  assertEquals(archive.read("unknown.txt"), text("twelve bytes"));
  assertEquals(archive.read("empty.txt"), new Uint8Array());
  assertThrows(() => archive.read("broken.txt"), DamagedMemberError, "does not give its size");
  assertEquals(archive.warnings, ["2 of its records are placeholders without data; left out"]);
});

Deno.test("sizes are found until too much was decompressed; damaged data count more than they have", () => {
  const damaged = new Uint8Array(deflateSync(new Uint8Array(2 ** 20), { level: 0 }));
  damaged[damaged.length - 1] = 2;
  const member = (index: number, data: Uint8Array) => ({ name: `\\${index}`, data, size: 0 });
  const read = (count: number) => {
    const members = Array.from({ length: count }, (_, index) => member(index, damaged));
    using archive = openArchive(source(dragonNestPak([...members, member(9, compressed("found"))])));
    return archive.find("9")?.size;
  };
  assertEquals([read(3), read(4)], [5, 0]);
});

Deno.test("data of another compression are said to be unsupported, and raw neighbours are read", () => {
  const other = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 7 + 3) % 251);
  using archive = openArchive(source(dragonNestPak([
    { name: "\\a.rfs", data: other(40), size: 100 },
    { name: "\\b.rfs", data: other(50), size: 120 },
    { name: "\\c.txt", data: text("raw"), size: 3 },
  ])));
  assertEquals([...archive].map(({ method }) => method), ["unsupported", "unsupported", "store"]);
  assertThrows(() => archive.read("a.rfs"), DamagedMemberError, "uses an unknown compression");
  assertEquals(archive.read("c.txt"), text("raw"));
});

Deno.test("damaged members are refused, and their neighbours are read", () => {
  const good = compressed("good ".repeat(30));
  const bytes = dragonNestPak([
    { name: "\\good.txt", data: good, size: 150 },
    { name: "\\shorter.txt", data: compressed("x".repeat(400)), size: 300 },
    { name: "\\longer.txt", data: compressed("x".repeat(400)), size: 500 },
    { name: "\\far.txt", data: good, size: 150, offset: 0xfffffff0 },
    { name: "\\bomb.txt", data: compressed(new Uint8Array(100_000)), size: 0xfffffff0 },
    { name: "\\good2.txt", data: compressed("more ".repeat(20)), size: 100 },
  ]);
  using archive = openArchive(source(bytes));
  assertEquals(archive.read("good.txt"), text("good ".repeat(30)));
  assertEquals(archive.read("good2.txt"), text("more ".repeat(20)));
  assertThrows(
    () => archive.read("shorter.txt"),
    DamagedMemberError,
    "decompresses to more than its 300 declared bytes",
  );
  assertThrows(() => archive.read("longer.txt"), DamagedMemberError, "decompresses to 400 bytes instead of 500");
  assertThrows(() => archive.read("far.txt"), DamagedMemberError, "reaches past the end");
  assertThrows(() => archive.read("bomb.txt"), DamagedMemberError, "which is impossible");
});

Deno.test("a pak whose structure cannot be trusted is refused with what is wrong", () => {
  const bytes = golden();
  const changed = (at: number, value: number) => join(bytes.subarray(0, at), u32(value), bytes.subarray(at + 4));
  assertThrows(
    () => openArchive(source(changed(260, 41_210))),
    TruncatedError,
    "the file table (at byte 1036, 13022360 bytes) lies outside the file (1352 bytes); the file is cut short",
  );
  assertThrows(() => openArchive(source(changed(260, 0xffffffff))), LimitError, "lists 4294967295 files");
  assertThrows(() => openArchive(source(changed(264, 0xffffffff))), TruncatedError);
  assertThrows(() => openArchive(source(changed(264, 12))), CorruptArchiveError, "inside the header");
  assertThrows(() => openArchive(source(bytes.subarray(0, 1200))), TruncatedError);
  assertEquals(openArchive(source(changed(256, 0x77))).warnings, [
    "the version is 0x77; known are 0x0A, 0x0B and 0x0D",
  ]);
  assertEquals(detectFormat(source(bytes.subarray(0, 267))), undefined);
});

Deno.test("members that contradict each other about the order of their sizes are refused", () => {
  const content = "x".repeat(100);
  const data = compressed(content);
  const bytes = dragonNestPak([
    { name: "\\a", data, size: 100 },
    { name: "\\b", data, size: 100, swapped: true },
  ]);
  assertThrows(() => openArchive(source(bytes)), CorruptArchiveError, "the file table is inconsistent");
});

/** Marsaglia's xorshift, so that the 600 archives are the same each time. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function anyContent(below: (limit: number) => number): Uint8Array {
  const kind = below(6);
  if (kind === 0) return new Uint8Array();
  const length = kind === 1 ? 1 + below(12) : 1 + below(3000);
  if (kind <= 3) return Uint8Array.from({ length }, () => below(256));
  const words = ["model", "texture", "가나", "0123456789", "\0\0\0\0\0\0"];
  let made = "";
  while (made.length < length) made += words[below(words.length)];
  return text(made.slice(0, length));
}

Deno.test("the order of the sizes is found in 600 of 600 archives, in both orders", () => {
  const below = random(0x5eed);
  let equal = 0;
  for (let run = 0; run < 600; run++) {
    const isSwapped = run % 2 === 1;
    const contents = Array.from({ length: 1 + below(20) }, () => anyContent(below));
    const bytes = dragonNestPak(
      contents.map((content, index) => {
        const data = compressed(content);
        // After an update in place the new data are shorter than what was allocated, and old bytes follow them.
        const padding = below(4) === 0 ? Uint8Array.from({ length: below(200) }, () => below(256)) : new Uint8Array();
        return { name: `\\${index}.bin`, data, size: content.length, swapped: isSwapped, padding };
      }),
      {
        gap: below(3) === 0 ? below(500) : 0,
        tail: below(3) === 0
          ? Uint8Array.from({ length: below(2000) }, (_, index) => 0xde + index % 4)
          : new Uint8Array(),
        start: below(5) === 0 ? 0x10c : 1024,
      },
    );
    const isSymmetric = contents.every((content) =>
      content.length === 0 || compressed(content).length === content.length
    );
    if (isSymmetric) equal++;
    if (isSymmetric && isSwapped) continue;
    using archive = openArchive(source(bytes));
    for (const [index, content] of contents.entries()) {
      assertEquals(archive.read(`${index}.bin`), content, `run ${run}, member ${index}`);
    }
  }
  assert(equal < 60, `${equal} of 600 archives say nothing`);
});

async function written(entries: readonly WriteEntry[]): Promise<Uint8Array> {
  const write = formatNamed("dragonnest-pak")?.write;
  assert(write);
  return join(...await Array.fromAsync(write(entries, { path: "out.pak" })));
}

Deno.test("a written pak is laid out as the first packer's", async () => {
  const bytes = await written([{ path: "a.txt", content: () => text("aaaaaaaaaa") }]);
  const data = compressed("aaaaaaaaaa");
  assertEquals(
    bytes,
    join(
      text("EyedentityGames Packing File 0.1"),
      new Uint8Array(224),
      u32(0x0b, 1, 1024 + data.length),
      new Uint8Array(756),
      data,
      dragonNestRecord(text("\\a.txt"), data.length, 10, data.length, 1024),
    ),
  );
  assertEquals(data.subarray(0, 2), hex("78 01"));
});

Deno.test("any files written to a Dragon Nest pak are read from it", async () => {
  const component = fc.string({ unit: fc.constantFrom(..."abcXYZ019_-+() .~가힣漢あя"), minLength: 1, maxLength: 6 })
    .filter((name) => name !== "." && name !== "..");
  const path = fc.array(component, { minLength: 1, maxLength: 3 }).map((components) => components.join("/"));
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.nat(5000).map((length) => new Uint8Array(length).fill(7)),
  );
  const files = fc.uniqueArray(fc.tuple(path, content), { selector: ([name]) => name, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(files, async (members) => {
      const bytes = await written(members.map(([name, value]) => ({ path: name, content: () => value })));
      using archive = openArchive(source(bytes));
      assertEquals(archive.format.name, "dragonnest-pak");
      assertEquals(names(archive), members.map(([name]) => name));
      for (const [name, value] of members) assertEquals(archive.read(name), value);
    }),
    { numRuns: 120 },
  );
});

Deno.test("names that a Dragon Nest pak cannot hold are refused by name", async () => {
  const refusal = async (path: string) => {
    try {
      await written([{ path, content: () => new Uint8Array() }]);
    } catch (error) {
      assert(error instanceof UnwritableError);
      return error.message;
    }
    throw new Error(`${path} was written`);
  };
  assertStringIncludes(await refusal("maps/é.txt"), "maps/é.txt: a Dragon Nest pak holds names in Korean");
  const longest = `${"가".repeat(63)}/${"가".repeat(63)}`;
  assertStringIncludes(await refusal(`${longest}xx`), "256 bytes long");
  assertStringIncludes(await refusal("a\\b"), "cannot be kept");
  assertStringIncludes(await refusal("../a"), "cannot be kept");
  await written([{ path: `${longest}x`, content: () => new Uint8Array() }]);
});

Deno.test("a content that changes while the pak is written is an error", async () => {
  // More than is kept in memory, so that it is requested twice.
  const zeros = new Uint8Array(70 * 1024 * 1024);
  let asked = 0;
  const entry = { path: "zeros.bin", content: () => zeros.subarray(asked++) };
  const room = new ArchiveRoom("hashed-pack", 1, "out.pak");
  const contents = await CompressedContents.prepare([entry], { path: "out.pak" }, room, storeCompressor);
  await assertRejects(
    () => Array.fromAsync(contents.bytes()),
    UnwritableError,
    "zeros.bin changed while the archive was written",
  );
});
