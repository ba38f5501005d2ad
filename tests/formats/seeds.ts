/**
 * One or more small sound archives of every format, laid out by hand, with their contents. Tests of all formats use
 * this table: adding a seed covers a new format.
 * @module
 */
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import type { FormatName } from "../../formats/mod.ts";
import {
  anachronoxDat,
  bfgResources,
  daikatanaPak,
  gma,
  grimrock,
  grp,
  hex,
  hog,
  hog2,
  join,
  packedDaikatanaPak,
  pak,
  rff,
  sinPak,
  sourceBsp,
  text,
  u16,
  u32,
  u64,
  vpk,
  wad,
  wad2,
  zip,
} from "./bytes.ts";
import { dragonNestPak } from "./dragonnest.ts";
import { hashedPack } from "./hashed.ts";

function zlibOf(content: string): Uint8Array {
  return new Uint8Array(deflateSync(text(content), { level: 1 }));
}

/** A sound archive. */
export interface Seed {
  /** Title, for test names. */
  readonly title: string;
  readonly format: FormatName;
  readonly bytes: Uint8Array;
  /** Contents by display path, of all its files. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

const repeated = "hello ".repeat(40);
const long = "y".repeat(100);
const name56 = "x".repeat(56);

function contents(files: Readonly<Record<string, string>>): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [name, text(content)]));
}

const blood = [
  { name: "E1M1", extension: "MAP", content: "BLM\x1a" },
  { name: "ABCDEFGH", extension: "RAW", content: repeated + repeated, encrypted: true },
  { name: "NOEXT", extension: "", content: "" },
];
const bloodFiles = contents({ "E1M1.MAP": "BLM\x1a", "ABCDEFGH.RAW": repeated + repeated, "NOEXT": "" });

/** The seeds. */
export const seeds: readonly Seed[] = [
  {
    title: "a Quake PAK",
    format: "quake-pak",
    bytes: pak([["maps/a.bsp", "abc"], ["b", ""], [name56, long], ["..\\c", "c"]]),
    files: contents({ "maps/a.bsp": "abc", "b": "", [name56]: long, "_unsafe/__/c": "c" }),
  },
  {
    title: "a Daikatana PAK of stored files",
    format: "daikatana-pak",
    bytes: daikatanaPak([["maps/a.bsp", "abc"], ["b.cfg", ""], [name56, long]]),
    files: contents({ "maps/a.bsp": "abc", "b.cfg": "", [name56]: long }),
  },
  {
    title: "a Daikatana PAK of compressed files",
    format: "daikatana-pak",
    bytes: packedDaikatanaPak([
      ["a.wal", hex("02 61 62 63  42  81 78  c8 00  ff"), 20],
      ["zeros.bsp", hex("7f 7f 7f ff"), 195],
      ["empty.cfg", hex("ff"), 0],
    ]),
    files: {
      "a.wal": text("abc\0\0\0\0" + "x".repeat(13)),
      "zeros.bsp": new Uint8Array(195),
      "empty.cfg": new Uint8Array(),
    },
  },
  {
    title: "a SiN PAK",
    format: "sin-pak",
    bytes: sinPak([["maps/a.bsp", "abc"], ["b", ""], ["n".repeat(120), long]]),
    files: contents({ "maps/a.bsp": "abc", "b": "", ["n".repeat(120)]: long }),
  },
  {
    title: "an Anachronox DAT",
    format: "anachronox-dat",
    bytes: anachronoxDat([["a\\b.txt", repeated], ["empty", ""], ["c.txt", long]]),
    files: contents({ "a/b.txt": repeated, "empty": "", "c.txt": long }),
  },
  {
    title: "a Doom WAD",
    format: "wad",
    bytes: wad([["PLAYPAL", "abc"], ["E1M1", ""], ["THINGS", long], ["S_START", ""], ["TROOA1", "abc"], ["S_END", ""]]),
    files: contents({
      "lumps/PLAYPAL": "abc",
      "lumps/E1M1": "",
      "maps/E1M1/THINGS": long,
      "lumps/S_START": "",
      "sprites/TROOA1": "abc",
      "lumps/S_END": "",
    }),
  },
  {
    title: "a WAD2",
    format: "wad2",
    bytes: wad2("WAD2", [["conback", 0x42, "abc"], ["n".repeat(16), 0x44, long], ["odd", 7, ""]]),
    files: contents({ "conback.qpic": "abc", ["n".repeat(16) + ".miptex"]: long, "odd.type7": "" }),
  },
  {
    title: "a WAD3",
    format: "wad3",
    bytes: wad2("WAD3", [["{FENCE", 67, long], ["FONT", 70, "abc"]]),
    files: contents({ "{FENCE.miptex": long, "FONT.font": "abc" }),
  },
  {
    title: "a VPK",
    format: "vpk",
    bytes: vpk([
      { path: "maps/a.bsp", content: long, part: 0x7fff, offset: 0 },
      { path: "split.txt", content: "abc" + long, preload: 3, part: 0x7fff, offset: 0 },
      { path: "preloaded", content: "abc", preload: 3, part: 0x7fff, offset: 0 },
    ], long),
    files: contents({ "maps/a.bsp": long, "split.txt": "abc" + long, "preloaded": "abc" }),
  },
  {
    title: "a GRP",
    format: "grp",
    bytes: grp([["TABLES.DAT", "abc"], ["EMPTY       ", ""], ["12345678.MAP", long]]),
    files: contents({ "TABLES.DAT": "abc", "EMPTY": "", "12345678.MAP": long }),
  },
  { title: "an RFF 2.0", format: "rff", bytes: rff(0x200, blood, () => null), files: bloodFiles },
  { title: "an RFF 3.0", format: "rff", bytes: rff(0x300, blood, (offset) => offset), files: bloodFiles },
  { title: "an RFF 3.1", format: "rff", bytes: rff(0x301, blood, (offset) => offset * 2), files: bloodFiles },
  {
    title: "a HOG",
    format: "hog",
    bytes: hog([["level01.rdl", "abc"], ["empty", ""], ["123456789.txt", long]]),
    files: contents({ "level01.rdl": "abc", "empty": "", "123456789.txt": long }),
  },
  {
    title: "a HOG2",
    format: "hog2",
    bytes: hog2([["a.oof", "abc"], ["empty", ""], ["n".repeat(36), long]]),
    files: contents({ "a.oof": "abc", "empty": "", ["n".repeat(36)]: long }),
  },
  {
    title: "a Dragon Nest pak",
    format: "dragonnest-pak",
    bytes: dragonNestPak([
      { name: "\\resource\\a.txt", data: zlibOf(repeated), size: repeated.length },
      { name: hex("5c b0 a1 5c 62 2e 74 78 74"), data: text("raw"), size: 3 },
      { name: "\\empty.xml", data: zlibOf(""), size: 0, padding: text("old data") },
      { name: "\\..\\up", data: zlibOf(long), size: long.length },
    ], { tail: text("\xde\xad") }),
    files: contents({ "resource/a.txt": repeated, "가/b.txt": "raw", "empty.xml": "", "_unsafe/__/up": long }),
  },
  {
    title: "a Dragon Nest pak with swapped sizes",
    format: "dragonnest-pak",
    bytes: dragonNestPak([
      { name: "\\a.txt", data: zlibOf(repeated), size: repeated.length, swapped: true },
      { name: "\\b.txt", data: zlibOf("b"), size: 1, swapped: true },
    ]),
    files: contents({ "a.txt": repeated, "b.txt": "b" }),
  },
  {
    title: "a hashed pack",
    format: "hashed-pack",
    bytes: hashedPack([
      { hash: 1, data: text("stored") },
      { hash: 2, data: zlibOf(repeated), size: repeated.length },
      { hash: 3, data: new Uint8Array(deflateRawSync(text(repeated))), size: repeated.length },
      { hash: 4, data: new Uint8Array(gzipSync(text(repeated))), size: repeated.length },
      { hash: 5, data: new Uint8Array(zstdCompressSync(text(repeated))), size: repeated.length },
      { hash: 6, data: join(u32(repeated.length), zlibOf(repeated)), size: repeated.length },
      {
        hash: 0x7fffffff,
        data: hex("04224d186440a7100000006f68656c6c6f200600055068656c6c6f00000000bd9cd674"),
        size: 35,
      },
      { hash: 0x80000000, data: new Uint8Array() },
      { hash: 0xffffffff, data: text("x"), size: 1 },
    ]),
    files: contents({
      "unknown/00000001.txt": "stored",
      "unknown/00000002.txt": repeated,
      "unknown/00000003.txt": repeated,
      "unknown/00000004.txt": repeated,
      "unknown/00000005.txt": repeated,
      "unknown/00000006.txt": repeated,
      "unknown/7fffffff.bin": "hello hello hello hello hello hello",
      "unknown/80000000.bin": "",
      "unknown/ffffffff.txt": "x",
    }),
  },
  {
    title: "a Doom WAD",
    format: "wad",
    bytes: wad([["A", "one"], ["E1M1", ""], ["THINGS", long], ["S_START", ""], ["VILE\\1", "x"], ["S_END", ""], [
      "A",
      "two",
    ]]),
    files: contents({
      "lumps/A~2": "one",
      "lumps/E1M1": "",
      "maps/E1M1/THINGS": long,
      "lumps/S_START": "",
      "sprites/VILE%5C1": "x",
      "lumps/S_END": "",
      "lumps/A": "two",
    }),
  },
  {
    title: "a WAD2",
    format: "wad2",
    bytes: wad2("WAD2", [["conback", 66, "abc"], ["conback", 68, long], ["*lava1", 68, ""]]),
    files: contents({ "conback.qpic": "abc", "conback.miptex": long, "*lava1.miptex": "" }),
  },
  {
    title: "a WAD3",
    format: "wad3",
    bytes: wad2("WAD3", [["{FENCE", 67, "abc"], ["0123456789abcdef", 70, long]]),
    files: contents({ "{FENCE.miptex": "abc", "0123456789abcdef.font": long }),
  },
  {
    title: "a VPK",
    format: "vpk",
    bytes: vpk([
      { path: "a/b.txt", content: "whole", part: 0x7fff, offset: 0 },
      { path: "split.txt", content: "split", preload: 2, part: 0x7fff, offset: 5 },
      { path: "preloaded", content: long, preload: 100, part: 0x7fff, offset: 0 },
      { path: "empty", content: "", part: 0x7fff, offset: 0 },
    ], "wholelit"),
    files: contents({ "a/b.txt": "whole", "split.txt": "split", "preloaded": long, "empty": "" }),
  },
  {
    title: "a Grimrock DAT",
    format: "grimrock",
    bytes: grimrock([[0x23066760, repeated, true], [10, "stored", false], [11, "", false]]),
    files: contents({ "unknown/23066760.txt": repeated, "unknown/0000000a.txt": "stored", "unknown/0000000b.bin": "" }),
  },
  {
    title: "a resource container of Doom 3 BFG",
    format: "bfg-resources",
    bytes: bfgResources([["maps/game/a.bcm", "abc"], ["empty", ""], ["strings\\b.lang", long]]),
    files: contents({ "maps/game/a.bcm": "abc", "empty": "", "strings/b.lang": long }),
  },
  {
    title: "a zip",
    format: "zip",
    bytes: zip([
      { name: "dir/" },
      { name: "a.txt", content: repeated, method: 8 },
      { name: Uint8Array.of(0x81, 0x2e), content: "stored", centralExtra: join(u16(0x5455, 5), text("\x01"), u32(7)) },
      { name: "../up", content: "up", descriptor: true },
    ], { comment: text("a comment"), junk: text("#!") }),
    files: contents({ "a.txt": repeated, "ü.": "stored", "_unsafe/__/up": "up" }),
  },
  {
    title: "a zip of several methods",
    format: "zip",
    bytes: zip([
      {
        name: "a",
        content: "hello hello hello hello hello hello",
        method: 14,
        compressed: hex("090405005d0000010000341949ee8de9576f34ae2bfffffbc54000"),
      },
      {
        name: "b",
        content: "hello hello hello hello hello hello",
        method: 12,
        compressed: hex(
          "425a6839314159265359daee3ac4000005910040000244a00030cd008a31520f7a41a0e177245385090daee3ac40",
        ),
      },
      { name: "c", method: 93, content: "c", compressed: new Uint8Array(zstdCompressSync("c")) },
    ]),
    files: contents({
      "a": "hello hello hello hello hello hello",
      "b": "hello hello hello hello hello hello",
      "c": "c",
    }),
  },
  {
    title: "a zip with 64-bit fields",
    format: "zip",
    bytes: zip([
      { name: "a", content: "one" },
      {
        name: "b",
        content: "three",
        size: 0xffffffff,
        packedSize: 0xffffffff,
        centralExtra: join(u16(1, 16), u64(5, 5)),
      },
    ], { zip64: true }),
    files: contents({ "a": "one", "b": "three" }),
  },
  {
    title: "an addon of Garry's Mod",
    format: "gma",
    bytes: gma([["lua/a.lua", "abc", 0x352441c2], ["materials/b.vmt", long], ["empty.txt", ""]], ["other"]),
    files: contents({ "lua/a.lua": "abc", "materials/b.vmt": long, "empty.txt": "" }),
  },
  {
    title: "an archive in a map of Source",
    format: "source-bsp",
    bytes: sourceBsp(zip([
      { name: "materials/a.vmt", content: repeated, method: 8 },
      {
        name: "sound/b.wav",
        content: "hello hello hello hello hello hello",
        method: 14,
        compressed: hex("090405005d0000010000341949ee8de9576f34ae2bfffffbc54000"),
      },
      { name: "cubemap.vtf", content: "stored" },
    ], { comment: text("XZP1 0") })),
    files: contents({
      "materials/a.vmt": repeated,
      "sound/b.wav": "hello hello hello hello hello hello",
      "cubemap.vtf": "stored",
    }),
  },
];
