import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { type ArchiveRow, DamagedMemberError, openArchive, UnknownFormatError } from "../../formats/mod.ts";
import { detectFormat } from "../../formats/table.ts";
import {
  anachronoxDat,
  daikatanaPak,
  hex,
  join,
  packedDaikatanaPak,
  padded,
  pak,
  sinPak,
  source,
  string,
  text,
  u32,
} from "./bytes.ts";

/** Columns of a row that tests compare. */
function brief({ qpath, size, offset, packedSize, method }: ArchiveRow): unknown[] {
  return [qpath, size, offset, packedSize, method];
}

const zeros = (count: number): string => "00".repeat(count);

Deno.test("a SiN PAK laid out by hand is listed and read", () => {
  const golden = hex(`
    53 50 41 4b  0e 00 00 00  00 01 00 00  68 69
    6d 61 70 73 2f 61 ${zeros(114)}  0c 00 00 00  02 00 00 00
    62 00 2e 2e 2f ${zeros(115)}  0e 00 00 00  00 00 00 00`);
  using archive = openArchive(source(golden, "pak0.sin", 77));
  assertEquals(archive.format.name, "sin-pak");
  assertEquals([...archive].map(brief), [["maps/a", 2, 12, 2, "store"], ["b", 0, 14, 0, "store"]]);
  assertEquals(archive.find("maps/a")?.mtime, 77);
  assertEquals(string(archive.read("maps/a")), "hi");
  assertEquals(archive.warnings, []);
});

Deno.test("a name may fill all 120 bytes of a SiN PAK, and one of two files of a name is read, the first", () => {
  using archive = openArchive(source(sinPak([["n".repeat(120), "long"], ["a", "1"], ["a", "2"]])));
  assertEquals(string(archive.read("n".repeat(120))), "long");
  assertEquals([string(archive.read("a")), archive.table.length], ["1", 3]);
});

Deno.test("a Daikatana PAK laid out by hand is listed and decompressed", () => {
  // Three literals, four zeros, three times 07, four from two bytes before the end (a copy that overlaps itself), end.
  const compressed = "02 61 62 63  42  81 07  c2 00  ff";
  const golden = hex(`
    50 41 43 4b  18 00 00 00  90 00 00 00  68 69  ${compressed}
    61 2e 63 66 67 ${zeros(51)}  0c 00 00 00  02 00 00 00  02 00 00 00  00 00 00 00
    62 2e 77 61 6c 00 67 61 72 ${zeros(47)}  0e 00 00 00  0e 00 00 00  0a 00 00 00  01 00 00 00`);
  using archive = openArchive(source(golden));
  assertEquals(archive.format.name, "daikatana-pak");
  assertEquals([...archive].map(brief), [["a.cfg", 2, 12, 2, "store"], ["b.wal", 14, 14, 10, "daikatana"]]);
  assertEquals(string(archive.read("a.cfg")), "hi");
  assertEquals(archive.read("b.wal"), hex("61 62 63  00 00 00 00  07 07 07  07 07 07 07").subarray(0, 14));
});

Deno.test("every command of Daikatana's compression, at its ends", async () => {
  const literals = (count: number) => Uint8Array.from({ length: count }, (_, index) => index);
  const cases: [name: string, compressed: Uint8Array, content: Uint8Array][] = [
    ["one literal", hex("00 41 ff"), hex("41")],
    ["64 literals", join(hex("3f"), literals(64), hex("ff")), literals(64)],
    ["2 zeros", hex("40 ff"), hex("00 00")],
    ["65 zeros", hex("7f ff"), new Uint8Array(65)],
    ["2 of a byte", hex("80 aa ff"), hex("aa aa")],
    ["65 of a byte", hex("bf aa ff"), new Uint8Array(65).fill(0xaa)],
    ["2 copied from 2 before", hex("01 41 42 c0 00 ff"), hex("41 42 41 42")],
    ["63 copied from 2 before", hex("01 41 42 fd 00 ff"), text("AB".repeat(33)).subarray(0, 65)],
    [
      "3 copied from 257 before",
      join(hex("3f"), literals(64), hex("bf 01 bf 02 bd 03 c1 ff ff")),
      join(
        literals(64),
        ...[1, 2].map((byte) => new Uint8Array(65).fill(byte)),
        new Uint8Array(63).fill(3),
        hex("00 01 02"),
      ),
    ],
    ["nothing", hex("ff"), new Uint8Array()],
    ["nothing, without a mark", new Uint8Array(), new Uint8Array()],
    ["bytes after the end", hex("00 41 ff 12 34"), hex("41")],
    ["no mark at the end", hex("00 41"), hex("41")],
  ];
  using archive = openArchive(
    source(packedDaikatanaPak(cases.map(([name, compressed, { length }]) => [name, compressed, length]))),
  );
  assertEquals(archive.format.name, "daikatana-pak");
  for (const [name, , content] of cases) {
    assertEquals(archive.read(name), content, name);
    // deno-lint-ignore no-await-in-loop -- one after the other, to see which fails
    const pieces = await Array.fromAsync(archive.stream(name));
    assertEquals(join(...pieces), content, `${name}, streamed`);
  }
});

Deno.test("damaged Daikatana data is said to be so, with its offset, whole and streamed", async () => {
  const cases: [name: string, compressed: Uint8Array, size: number, sentence: string][] = [
    [
      "early.wal",
      hex("00 41 c0 00 ff"),
      3,
      "early.wal is damaged: its compressed data refers before its start at byte 2",
    ],
    [
      "code.wal",
      hex("00 41 fe ff"),
      1,
      "code.wal is damaged: its compressed data has a command at byte 2 that does not exist",
    ],
    ["cut.wal", hex("05 41 42"), 6, "cut.wal is damaged: its compressed data ends too early"],
    ["cut2.wal", hex("80"), 2, "cut2.wal is damaged: its compressed data ends too early"],
    ["more.wal", hex("7f ff"), 64, "more.wal decompresses to more than its 64 declared bytes; stopped"],
    ["less.wal", hex("40 ff"), 3, "less.wal is damaged: it decompresses to 2 bytes instead of 3"],
    ["bomb.wal", hex("7f ff"), 131, "bomb.wal claims to decompress to 131 bytes from 2, which is impossible; not read"],
  ];
  using archive = openArchive(
    source(packedDaikatanaPak(cases.map(([name, compressed, size]) => [name, compressed, size]))),
  );
  for (const [name, , , sentence] of cases) {
    assertThrows(() => archive.read(name), DamagedMemberError, sentence);
    let message = "";
    try {
      // deno-lint-ignore no-await-in-loop -- one after the other, to see which fails
      await Array.fromAsync(archive.stream(name));
    } catch (error) {
      message = error instanceof DamagedMemberError ? error.message : String(error);
    }
    assertStringIncludes(message, sentence);
  }
});

Deno.test("a Daikatana member of a kind that is not known is marked", () => {
  const entry = (name: string, type: number) => join(padded(text(name), 56), u32(12, 1, 1, type));
  const entries = [entry("a.cfg", 0), entry("b.cfg", 2), entry("c.cfg", 0)];
  using archive = openArchive(source(join(text("PACK"), u32(13, 216), text("x"), ...entries)));
  assertEquals([...archive].map(({ method, damaged }) => [method, damaged !== undefined]), [
    ["store", false],
    ["unsupported", true],
    ["store", false],
  ]);
});

Deno.test("large Daikatana members are streamed across pieces", async () => {
  // 600 KiB of runs, each followed by a copy across the boundary of an output chunk.
  const compressed: Uint8Array[] = [];
  const content: number[] = [];
  for (let index = 0; content.length < 600 * 1024; index++) {
    compressed.push(Uint8Array.of(0x03, index % 256, 1, 2, 3, 0xfd, index % 3));
    content.push(index % 256, 1, 2, 3);
    for (let count = 0; count < 63; count++) content.push(content[content.length - 2 - index % 3] ?? 0);
  }
  const bytes = packedDaikatanaPak([["big.wal", join(...compressed, hex("ff")), content.length]]);
  using archive = openArchive(source(bytes));
  const expected = Uint8Array.from(content);
  assertEquals(archive.read("big.wal"), expected);
  const pieces = await Array.fromAsync(archive.stream("big.wal"));
  assertEquals(pieces.length > 2, true);
  assertEquals(join(...pieces), expected);
});

Deno.test("Quake's and Daikatana's PAK are distinguished by their entries, for any number of them", () => {
  const name = (index: number) => `models/n${index}/skin${index % 7}.${["md2", "wal", "cfg"][index % 3]}`;
  for (let count = 1; count <= 40; count++) {
    const files = Array.from({ length: count }, (_, index) => [name(index), `content ${index}`] as const);
    assertEquals(detectFormat(source(pak(files)))?.name, "quake-pak", `${count} files of Quake`);
    assertEquals(detectFormat(source(daikatanaPak(files)))?.name, "daikatana-pak", `${count} files of Daikatana`);
  }
  assertEquals(detectFormat(source(pak([])))?.name, "quake-pak");
});

Deno.test("a PAK whose table fits both layouts is the one with names of game files", () => {
  // 576 bytes are nine entries of Quake or eight of Daikatana. The fields of both layouts hold sound numbers.
  const table = new Uint8Array(576);
  const view = new DataView(table.buffer);
  for (let start = 0; start < 576; start += 8) {
    table.set(text("a"), start);
    table.fill(0x2e, start + 1, start + 8);
  }
  const put = (start: number, name: string, numbers: number[]) => {
    table.fill(0, start, start + 56);
    table.set(text(name), start);
    for (const [index, number] of numbers.entries()) view.setUint32(start + 56 + index * 4, number, true);
  };
  // If neither reading has a game file's name, Quake's wins; then Daikatana's names get extensions.
  for (let start = 0; start < 576; start += 72) put(start, "maps/thing.bsp", [12, 4, 4, 0]);
  assertEquals(detectFormat(source(join(text("PACK"), u32(16, 576), text("data"), table)))?.name, "daikatana-pak");
  for (let start = 0; start < 576; start += 64) put(start, "maps/thing.bsp", [12, 4]);
  assertEquals(detectFormat(source(join(text("PACK"), u32(16, 576), text("data"), table)))?.name, "quake-pak");
});

Deno.test("a PAK with a damaged entry is still distinguished, and only that entry is marked", () => {
  const files = Array.from({ length: 9 }, (_, index) => [`gfx/${index}.wal`, "content"] as const);
  const daikatana = daikatanaPak(files);
  new DataView(daikatana.buffer).setUint32(daikatana.length - 16, 0xfffffff0, true);
  using archive = openArchive(source(daikatana));
  assertEquals(archive.format.name, "daikatana-pak");
  assertEquals([...archive].filter(({ damaged }) => damaged !== undefined).length, 1);
  const quake = pak(files);
  new DataView(quake.buffer).setUint32(quake.length - 8, 0xfffffff0, true);
  using other = openArchive(source(quake));
  assertEquals(other.format.name, "quake-pak");
  assertEquals([...other].filter(({ damaged }) => damaged !== undefined).length, 1);
});

Deno.test("an Anachronox DAT laid out by hand is listed and read", () => {
  // "hello hello hello hello" as zlib data by Python's zlib.compress.
  const zlib = "78 9c cb 48 cd c9 c9 57 c8 40 27 01 68 03 08 b1";
  const golden = hex(`
    41 44 41 54  22 00 00 00  20 01 00 00  09 00 00 00  68 69  ${zlib}
    61 2e 63 66 67 ${zeros(123)}  10 00 00 00  02 00 00 00  00 00 00 00  11 22 33 44
    62 5c 63 2e 74 78 74 ${zeros(121)}  12 00 00 00  17 00 00 00  10 00 00 00  11 22 33 44`);
  using archive = openArchive(source(golden, "anoxdata.dat"));
  assertEquals(archive.format.name, "anachronox-dat");
  assertEquals([...archive].map(brief), [["a.cfg", 2, 16, 2, "store"], ["b/c.txt", 23, 18, 16, "zlib"]]);
  assertEquals(string(archive.read("a.cfg")), "hi");
  assertEquals(string(archive.read("b/c.txt")), "hello hello hello hello");
});

Deno.test("an Anachronox DAT's damage is found", () => {
  const sound = anachronoxDat([["a.txt", "some text that is packed, that is packed"], ["b.txt", ""]]);
  const damaged = sound.slice();
  damaged[24] = (damaged[24] ?? 0) ^ 0x40;
  using archive = openArchive(source(damaged));
  assertThrows(() => archive.read("a.txt"), DamagedMemberError, "a.txt is damaged: its compressed data makes no sense");
  assertEquals(archive.read("b.txt").length, 0);
  const newer = sound.slice();
  newer[12] = 10;
  assertThrows(() => openArchive(source(newer)), UnknownFormatError, "not an archive of a known format");
  assertThrows(
    () => archive.format.read(source(newer, "a.dat")),
    UnknownFormatError,
    "a.dat: is an Anachronox DAT of version 10",
  );
});
