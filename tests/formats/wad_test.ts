import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import {
  ArchiveError,
  DamagedMemberError,
  LimitError,
  openArchive,
  TruncatedError,
  UnknownFormatError,
  UnwritableError,
} from "../../formats/mod.ts";
import { LumpNames } from "../../formats/archives/lump_names.ts";
import { groupLumps } from "../../formats/archives/wad_groups.ts";
import { detectFormat, formatNamed } from "../../formats/table.ts";
import fc from "../support/fast_check.ts";
import { hex, join, recased, source, string, text, u32, wad, wad2Entry, wadEntry, withDirectory } from "./bytes.ts";

function listed(bytes: Uint8Array): string[] {
  using archive = openArchive(source(bytes));
  return Array.from(archive, ({ qpath }) => qpath);
}

/** `PLAYPAL` holds "pal"; `E1M1` is a map with one lump, `THINGS`, whose name is shorter than its eight bytes. */
const golden = hex(`
  49 57 41 44  03 00 00 00  12 00 00 00  70 61 6c 74 68 67
  0c 00 00 00  03 00 00 00  50 4c 41 59 50 41 4c 00
  08 00 00 00  00 00 00 00  45 31 4d 31 00 ff 2f 00
  0f 00 00 00  03 00 00 00  54 48 49 4e 47 53 00 00
`);

Deno.test("a WAD laid out by hand is listed and read", () => {
  using archive = openArchive(source(golden, "/doom/doom.wad", 1234));
  const common = { type: "file", mtime: 1234, source: "/doom/doom.wad", format: "wad", method: "store", crc32: null };
  assertEquals(Array.from(archive) as unknown, [
    { ...common, qpath: "lumps/PLAYPAL", member: "PLAYPAL", size: 3, packedSize: 3, offset: 12 },
    { ...common, qpath: "lumps/E1M1", member: "E1M1", size: 0, packedSize: 0, offset: 8 },
    { ...common, qpath: "maps/E1M1/THINGS", member: "THINGS", size: 3, packedSize: 3, offset: 15 },
  ]);
  assertEquals(string(archive.read("lumps/PLAYPAL")), "pal");
  assertEquals(string(archive.read("maps/E1M1/THINGS")), "thg");
  assertEquals(archive.read("lumps/E1M1"), new Uint8Array());
  assertEquals(archive.warnings, []);
});

Deno.test("the directory of a WAD may precede the data, and names may fill all 8 bytes", () => {
  const bytes = join(text("PWAD"), u32(2, 12), wadEntry("ABCDEFGH", 44, 2), wadEntry("B", 45, 3), text("wxyz"));
  using archive = openArchive(source(bytes));
  assertEquals(string(archive.read("lumps/ABCDEFGH")), "wx");
  assertEquals(string(archive.read("lumps/B")), "xyz");
});

Deno.test("the lumps of a map are those that follow its name, whatever the port calls them", () => {
  const map = "THINGS LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES SECTORS REJECT BLOCKMAP".split(" ");
  const names = ["MAP01", ...map, "BEHAVIOR", "GL_MAP01", "GL_VERT", "MAP02", ...map, "DEMO1"];
  assertEquals(listed(wad(names.map((name) => [name, "x"]))), [
    "lumps/MAP01",
    ...[...map, "BEHAVIOR", "GL_MAP01", "GL_VERT"].map((name) => `maps/MAP01/${name}`),
    "lumps/MAP02",
    ...map.map((name) => `maps/MAP02/${name}`),
    "lumps/DEMO1",
  ]);
});

Deno.test("lumps of a map without THINGS before them belong to none", () => {
  assertEquals(listed(wad(["DEMO1", "LINEDEFS", "NODES"].map((name) => [name, "x"]))), [
    "lumps/DEMO1",
    "lumps/LINEDEFS",
    "lumps/NODES",
  ]);
});

Deno.test("a map in text goes up to ENDMAP; without it, as far as its lumps are known", () => {
  const names = (...list: string[]) => listed(wad(list.map((name) => [name, "x"])));
  assertEquals(names("ARENA", "TEXTMAP", "ANYTHING", "ZNODES", "ENDMAP", "NEXT"), [
    "lumps/ARENA",
    "maps/ARENA/TEXTMAP",
    "maps/ARENA/ANYTHING",
    "maps/ARENA/ZNODES",
    "maps/ARENA/ENDMAP",
    "lumps/NEXT",
  ]);
  assertEquals(names("ARENA", "TEXTMAP", "ZNODES", "NEXT"), [
    "lumps/ARENA",
    "maps/ARENA/TEXTMAP",
    "maps/ARENA/ZNODES",
    "lumps/NEXT",
  ]);
});

Deno.test("markers make directories, and are lumps themselves", () => {
  const names = (...list: string[]) => listed(wad(list.map((name) => [name, name.includes("_") ? "" : "x"])));
  assertEquals(
    names("A", "S_START", "TROOA1", "S_END", "P_START", "P1_START", "WALL", "P1_END", "DOOR", "P_END", "FF_START"),
    [
      "lumps/A",
      "lumps/S_START",
      "sprites/TROOA1",
      "lumps/S_END",
      "lumps/P_START",
      "lumps/P1_START",
      "patches/WALL",
      "lumps/P1_END",
      "patches/DOOR",
      "lumps/P_END",
      "lumps/FF_START",
    ],
  );
  assertEquals(names("FF_START", "FLAT", "F_END", "TX_START", "T", "TX_END", "F1_START", "G", "F1_END", "X"), [
    "lumps/FF_START",
    "flats/FLAT",
    "lumps/F_END",
    "lumps/TX_START",
    "textures/T",
    "lumps/TX_END",
    "lumps/F1_START",
    "flats/G",
    "lumps/F1_END",
    "lumps/X",
  ]);
  assertEquals(names("S_START", "A", "C_END", "B"), ["lumps/S_START", "lumps/A", "lumps/C_END", "lumps/B"]);
});

Deno.test("markers and lumps of maps count in any case", () => {
  const kinds = ["S", "SS", "P", "P1", "PP", "F", "TX", "C", "A", "V", "HI", "VX", "ZZ"];
  const known = [...kinds.flatMap((kind) => [`${kind}_START`, `${kind}_END`]), "THINGS", "NODES", "GL_SEGS"];
  const lump = fc.constantFrom(...known, "MAP01", "E1M1", "TEXTMAP", "ZNODES", "ENDMAP", "PLAYPAL", "D");
  const lumps = fc.array(fc.record({ name: lump, isRecased: fc.boolean(), first: fc.constantFrom<(0 | 1)[]>(0, 1) }), {
    maxLength: 20,
  });
  const grouped = (names: readonly string[]) => {
    const lumps = new LumpNames(names.length);
    for (const name of names) lumps.push(name);
    const { groups, groupOf } = groupLumps(lumps);
    return { groups, groupOf };
  };
  fc.assert(fc.property(lumps, (list) => {
    const names = list.map(({ name, isRecased, first }) => isRecased ? recased(name, first) : name);
    assertEquals(grouped(names), grouped(list.map(({ name }) => name)));
  }));
});

Deno.test("of several lumps of one name the last keeps it, and a search would come to ~2 next", () => {
  using archive = openArchive(source(wad([["A", "one"], ["A", "two"], ["A~2", "own"], ["A", "three"]])));
  assertEquals(Array.from(archive, ({ qpath }) => qpath), ["lumps/A~4", "lumps/A~3", "lumps/A~2", "lumps/A"]);
  assertEquals(string(archive.read("lumps/A")), "three");
  assertEquals(string(archive.read("lumps/A~3")), "two");
  assertEquals(archive.find("lumps/A~3")?.member, "A");
  assertEquals(listed(wad([["E1M1", ""], ["THINGS", "1"], ["E1M1", ""], ["THINGS", "2"], ["THINGS", "3"]])), [
    "lumps/E1M1~2",
    "maps/E1M1~2/THINGS",
    "lumps/E1M1",
    "maps/E1M1/THINGS~2",
    "maps/E1M1/THINGS",
  ]);
});

Deno.test("what separates elsewhere is a letter in the name of a lump", () => {
  const names = ["VILE\\1", "A/B", "..", ".", "", "100%", "%5C", "%2F", "%41", "a\x01b", Uint8Array.of(0x61, 0x82)];
  using archive = openArchive(source(wad(names.map((name) => [name, "x"]))));
  assertEquals(Array.from(archive, ({ qpath }) => qpath.replace("lumps/", "")), [
    "VILE%5C1",
    "A%2FB",
    "%2E%2E",
    "%2E",
    "unnamed",
    "100%",
    "%255C",
    "%252F",
    "%41",
    "a%01b",
    "aé",
  ]);
  assertEquals(Array.from(archive, ({ member }) => member), [...names.slice(0, -1), "aé"]);
});

Deno.test("the offset of an empty lump means nothing, even past the end", () => {
  const bytes = join(text("PWAD"), u32(2, 13), text("x"), wadEntry("S_START", 0xffffffff, 0), wadEntry("A", 12, 1));
  using archive = openArchive(source(bytes));
  assertEquals(Array.from(archive, ({ damaged }) => damaged), [undefined, undefined]);
  assertEquals(archive.read("lumps/S_START"), new Uint8Array());
});

Deno.test("a lump past the end is listed, and only it cannot be read", () => {
  const bytes = join(text("PWAD"), u32(2, 13), text("x"), wadEntry("FAR", 40, 100), wadEntry("A", 12, 1));
  using archive = openArchive(source(bytes, "a.wad"));
  assertStringIncludes(archive.find("lumps/FAR")?.damaged ?? "", "reaches past the end");
  assertThrows(() => archive.read("lumps/FAR"), DamagedMemberError);
  assertEquals(string(archive.read("lumps/A")), "x");
});

Deno.test("a big-endian WAD is read where the other reading does not fit, and compressed lumps are listed", () => {
  const bytes = hex(`
    49 57 41 44  00 00 00 02  00 00 00 0e  68 69
    00 00 00 0c  00 00 00 02  41 00 00 00 00 00 00 00
    00 00 00 0c  00 00 00 40  d4 48 49 4e 47 53 00 00
  `);
  using archive = openArchive(source(bytes, "jaguar.wad"));
  assertEquals(string(archive.read("lumps/A")), "hi");
  assertEquals(archive.find("maps/A/THINGS")?.method, "unsupported");
  assertStringIncludes(archive.find("maps/A/THINGS")?.damaged ?? "", "an unknown compression");
});

Deno.test("what is wrong with a WAD is said with its offset", async () => {
  const wadFormat = formatNamed("wad");
  const read = (bytes: Uint8Array) => wadFormat?.read(source(bytes, "a.wad"));
  const truncated = assertThrows(
    () => read(golden.subarray(0, 30)),
    TruncatedError,
    "a.wad: the file table (at byte 18, 48 bytes) lies outside the file (30 bytes); the file is cut short",
  );
  assertEquals([truncated.offset, truncated.expected, truncated.actual], [18, 66, 30]);
  assertThrows(() => read(text("IWAD")), TruncatedError);
  assertThrows(() => read(text("JWAD00000000")), UnknownFormatError, 'starts with "JWAD"');
  assertThrows(() => read(join(text("IWAD"), u32(0xffffffff, 12))), TruncatedError, "68719476720 bytes");
  assertEquals(detectFormat(source(golden))?.name, "wad");
  assertEquals(detectFormat(source(text("IWAD"))), undefined);
  await withDirectory((directory) => {
    const path = `${directory}/huge.wad`;
    Deno.writeFileSync(path, join(text("PWAD"), u32(1_000_001, 12)));
    Deno.truncateSync(path, 12 + 1_000_001 * 16);
    assertThrows(() => openArchive(path), LimitError, "1000001 files");
  });
});

const goldenWad2 = hex(`
  57 41 44 32  02 00 00 00  10 00 00 00  70 69 63 74
  0c 00 00 00  03 00 00 00  03 00 00 00  42 00 00 00  63 6f 6e 62 61 63 6b 00 00 00 00 00 00 00 00 00
  0f 00 00 00  01 00 00 00  01 00 00 00  44 00 ff ff  63 6f 6e 62 61 63 6b 00 6a 75 6e 6b 6a 75 6e 6b
`);

Deno.test("a WAD2 laid out by hand is listed and read; two types may share a name", () => {
  using archive = openArchive(source(goldenWad2, "/quake/gfx.wad", 5));
  const common = { type: "file", mtime: 5, source: "/quake/gfx.wad", format: "wad2", method: "store", crc32: null };
  assertEquals(Array.from(archive) as unknown, [
    { ...common, qpath: "conback.qpic", member: "conback", size: 3, packedSize: 3, offset: 12 },
    { ...common, qpath: "conback.miptex", member: "conback", size: 1, packedSize: 1, offset: 15 },
  ]);
  assertEquals(string(archive.read("conback.qpic")), "pic");
  assertEquals(string(archive.read("conback.miptex")), "t");
});

Deno.test("a WAD3 has types of its own, and its first entry of a name wins", () => {
  const entries = [
    wad2Entry("{FENCE", 67, 12, 1),
    wad2Entry("FONT", 70, 12, 1),
    wad2Entry("A/B", 7, 12, 1),
    wad2Entry("A/B", 7, 12, 2),
  ];
  const bytes = join(text("WAD3"), u32(4, 14), text("xy"), ...entries);
  using archive = openArchive(source(bytes));
  assertEquals(archive.format.name, "wad3");
  assertEquals(Array.from(archive, ({ qpath }) => qpath), [
    "{FENCE.miptex",
    "FONT.font",
    "A%2FB.type7",
    "A%2FB.type7",
  ]);
  assertEquals(string(archive.read("A%2FB.type7")), "x");
});

Deno.test("packed entries of a WAD2 and those past its end are listed as unreadable, the others are read", () => {
  const entries = [wad2Entry("P", 68, 12, 1, 1, 99), wad2Entry("FAR", 68, 12, 1000), wad2Entry("OK", 68, 12, 1, 0, 7)];
  using archive = openArchive(source(join(text("WAD2"), u32(3, 13), text("x"), ...entries)));
  assertStringIncludes(archive.find("P.miptex")?.damaged ?? "", "compression");
  assertStringIncludes(archive.find("FAR.miptex")?.damaged ?? "", "reaches past the end");
  assertEquals(string(archive.read("OK.miptex")), "x");
});

Deno.test("what is wrong with a WAD2 is said with its offset", () => {
  const read = (bytes: Uint8Array) => openArchive(source(bytes, "gfx.wad"));
  assertThrows(() => read(goldenWad2.subarray(0, 50)), TruncatedError, "the file table (at byte 16, 64 bytes)");
  assertThrows(() => read(join(text("WAD2"), u32(0x80000000, 12))), TruncatedError, "68719476736 bytes");
  assertThrows(() => read(text("WAD2")), ArchiveError, 'it starts with "WAD2"');
});

Deno.test("a WAD that is written has its lumps where they are shown, maps in their order and repeated lumps too", async () => {
  const content = (path: string) => ({ path, size: path.length, content: () => new TextEncoder().encode(path) });
  const empty = (path: string) => ({ path, size: 0, content: () => new Uint8Array(0) });
  const entries = [
    ...[content("maps/MAP01/SECTORS"), content("maps/MAP01/THINGS"), content("maps/MAP01/GL_VERT"), empty("MAP01")],
    ...[content("maps/MAP02/ENDMAP"), content("maps/MAP02/ZNODES"), content("maps/MAP02/TEXTMAP")],
    ...[content("lumps/PLAYPAL"), content("lumps/PLAYPAL~2"), empty("lumps/F_START"), content("flats/FLOOR~2")],
    ...[content("flats/FLOOR"), content("sprites/VILE^1"), content("textures/wall")],
  ];
  const parts = await Array.fromAsync(formatNamed("wad")?.write?.(entries, { path: "a.wad" }) ?? []);
  const bytes = join(...parts);
  const view = new DataView(bytes.buffer);
  const start = view.getUint32(8, true);
  const names = Array.from({ length: view.getUint32(4, true) }, (_, index) => {
    const record = bytes.subarray(start + index * 16, start + index * 16 + 16);
    return new TextDecoder().decode(record.subarray(8)).replace(/\0+$/, "");
  });
  assertEquals(names, [
    ...["PLAYPAL", "PLAYPAL", "MAP01", "THINGS", "SECTORS", "GL_VERT", "MAP02", "TEXTMAP", "ZNODES", "ENDMAP"],
    ...["SS_START", "VILE\\1", "SS_END", "FF_START", "FLOOR", "FLOOR", "FF_END", "TX_START", "WALL", "TX_END"],
  ]);
  const read = listed(bytes);
  const shown = read.filter((path) => !/_(START|END)$/.test(path)).map((path) => path.toUpperCase()).sort();
  const written = entries.map(({ path }) => path.includes("/") ? path : `lumps/${path}`).filter((path) =>
    !path.endsWith("_START")
  );
  assertEquals(shown, [...written, "lumps/MAP02"].map((path) => path.toUpperCase().replace("^", "%5C")).sort());
  for (
    const [path, why] of [["docs/a", "a WAD has no directory docs"], [
      "flats/toolongname",
      "no name of a lump",
    ]] as const
  ) {
    // deno-lint-ignore no-await-in-loop -- two of them
    await assertRejects(
      () => Array.fromAsync(formatNamed("wad")?.write?.([content(path)], { path: "a.wad" }) ?? []),
      UnwritableError,
      why,
    );
  }
});

async function written(files: readonly (readonly [path: string, content: string])[]): Promise<Uint8Array> {
  const entries = files.map(([path, content]) => ({ path, size: content.length, content: () => text(content) }));
  return join(...await Array.fromAsync(formatNamed("wad")?.write?.(entries, { path: "a.wad" }) ?? []));
}

function contents(bytes: Uint8Array): [path: string, content: string][] {
  using archive = openArchive(source(bytes));
  const files = Array.from(archive, ({ qpath }): [string, string] => [qpath, string(archive.read(qpath))]);
  return files.sort(([a], [b]) => a < b ? -1 : 1);
}

Deno.test("a WAD that is written of one that was extracted has the same lump for each name, repeated or not", async () => {
  const wads: [name: string, content: string][][] = [
    [["A", "first"], ["AB", "other"], ["A", "last"], ["MYSPRI~1", "own name"], ["A~2", "own name"]],
    [["MAP01", "1"], ["THINGS", "1t"], ["LINEDEFS", "1l"], ["MAP01", "2"], ["THINGS", "2t"], ["LINEDEFS", "2l"]],
    [["MAP01", "no map"], ["X", ""], ["MAP01", "label"], ["THINGS", "first"], ["LINEDEFS", ""], ["THINGS", "last"]],
    [["MAP01", "label"], ["THINGS", ""], ["X", ""], ["MAP01", "no map"], ["VILE\\1", "x"]],
  ];
  for (const lumps of wads) {
    const read = contents(wad(lumps));
    // deno-lint-ignore no-await-in-loop -- one after the other
    assertEquals(contents(await written(read)), read);
  }
});

Deno.test("two files for one lump, and a map whose name does not fit, are not written to a WAD", async () => {
  const cases: [paths: string[], why: string][] = [
    [["flats/FLOOR", "flats/floor"], "flats/floor: flats/FLOOR is the same lump"],
    [["PLAYPAL", "lumps/PLAYPAL"], "lumps/PLAYPAL: PLAYPAL is the same lump"],
    [["maps/MAP01/THINGS", "maps/map01/things"], "maps/MAP01/THINGS is the same lump"],
    [["maps/longmapname/THINGS"], "LONGMAPNAME is no name of a lump"],
  ];
  for (const [paths, why] of cases) {
    // deno-lint-ignore no-await-in-loop -- one after the other
    await assertRejects(() => written(paths.map((path) => [path, "x"])), UnwritableError, why);
  }
});
