import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Transform } from "node:stream";
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { DecompressError } from "../../formats/codecs/codec.ts";
import { codecs } from "../../formats/codecs/codecs.ts";
import { inflatePieces, inflateWhole } from "../../formats/codecs/deflate.ts";
import { ProbeBudget, probeCompression } from "../../formats/codecs/compression_probe.ts";
import { decodeCodePage949, encodeCodePage949 } from "../../formats/core/code_page_949.ts";
import { archiveFormats } from "../../formats/table.ts";
import { openArchive } from "../../formats/mod.ts";
import { hex, join, source, text, u32, zip } from "./bytes.ts";

Deno.test("a declared size that no memory holds is wrong data to every codec, before any memory is reserved", () => {
  for (const [method, codec] of Object.entries(codecs)) {
    for (const compressed of [new Uint8Array(0), text("x"), new Uint8Array(64).fill(0x80)]) {
      for (const size of [2 ** 40, Number.MAX_SAFE_INTEGER]) {
        assertThrows(() => codec.decompress(compressed, size), DecompressError, undefined, method);
      }
    }
  }
});

Deno.test("too little memory for a content is no damage", async () => {
  const lack = new RangeError("Array buffer allocation failed");
  const lacks = () => {
    throw lack;
  };
  assertEquals(assertThrows(() => inflateWhole(lacks, new Uint8Array(9), 9)), lack);
  const stream = () => new Transform({ transform: (_piece, _encoding, done) => done(lack) });
  const pieces = inflatePieces(stream, [new Uint8Array(9)], 9);
  assertEquals(await assertRejects(() => Array.fromAsync(pieces)), lack);
});

Deno.test("compressed data are known by their marks alone as well, where they have one", () => {
  const content = text("hello ".repeat(20));
  const size = content.length;
  const marked = [
    ["zlib", deflateSync(content)],
    ["zlib", join(u32(size), deflateSync(content))],
    ["gzip", gzipSync(content)],
    ["zstd", zstdCompressSync(content)],
    ["lz4", hex("04224d186440a7100000006f68656c6c6f20")],
    ["deflate", deflateRawSync(content)],
    ["deflate", text("plain text")],
    ["deflate", new Uint8Array(0)],
  ] as const;
  for (const [method, bytes] of marked) {
    const { method: found, head } = probeCompression(new Uint8Array(bytes), size);
    assertEquals([found, head.length], [method, 0]);
  }
});

Deno.test("members that decompress to much are examined until their bytes are used up, whole or damaged", () => {
  const probed = (start: Uint8Array, bytes: number) => {
    const budget = new ProbeBudget(bytes);
    let count = 0;
    for (; count < 10 && budget.takeMember(); count++) probeCompression(start, 2 ** 20, budget);
    return count;
  };
  const zeros = new Uint8Array(2 ** 20);
  assertEquals(probed(deflateSync(zeros).subarray(0, 512), 2 ** 20), 3);
  assertEquals(probed(deflateRawSync(zeros).subarray(0, 512), 2 ** 20), 3);
  assertEquals(probed(gzipSync(zeros).subarray(0, 512), 2 ** 20), 3);
  assertEquals(probed(zstdCompressSync(zeros).subarray(0, 512), 2 ** 20), 1);
  assertEquals(probed(hex("28b52ffd0058070000"), 2 ** 25), 2);
  for (const compress of [deflateSync, gzipSync]) {
    assertEquals(probed(join(compress(zeros).subarray(0, 500), new Uint8Array(12).fill(7)), 2 ** 20), 2);
  }
  assertEquals(probed(text("stored"), 2 ** 20), 10);
  assertEquals(probed(new Uint8Array(512).fill(255), 2 ** 20), 10);
});

Deno.test("code page 949 encodes exactly the characters that it decodes to", () => {
  let encoded = 0;
  for (let code = 0; code < 0x10000; code++) {
    const character = String.fromCodePoint(code);
    const bytes = encodeCodePage949(character);
    if (bytes === undefined) continue;
    assertEquals(decodeCodePage949(bytes), character, code.toString(16));
    encoded++;
  }
  assert(encoded > 17_000);
});

Deno.test("every writer reports each content once, in order", async () => {
  for (const { name, write } of archiveFormats) {
    if (!write) continue;
    // A WAD has no directories.
    const paths = ["a.txt", "b.txt", name === "wad" ? "d.txt" : "c/d.txt"];
    const entries = paths.map((path) => ({ path, content: () => text(path), mtime: 1e12 }));
    const seen: string[] = [];
    const onProgress = (done: number, total: number) => seen.push(`${done}/${total}`);
    // deno-lint-ignore no-await-in-loop -- one archive after the other, so that a failure names its format
    await Array.fromAsync(write(entries, { path: "x", onProgress }));
    assertEquals(seen, ["1/3", "2/3", "3/3"], name);
  }
});

Deno.test("disk numbers that leave the word to zip64 mean one disk, however many members there are", () => {
  for (const members of [[], [{ name: "a", content: "one" }]]) {
    for (const disks of [0, 0xffff, 0xffff0000, 0xffffffff]) {
      const bytes = zip(members, { zip64: true });
      bytes.set(u32(disks), bytes.length - 18);
      using archive = openArchive(source(bytes));
      assertEquals([...archive].map(({ qpath }) => qpath), members.map(({ name }) => name), disks.toString(16));
    }
  }
});
