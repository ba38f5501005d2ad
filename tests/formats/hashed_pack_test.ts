import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "../support/fast_check.ts";
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { memberHash } from "../../formats/archives/hashed_pack.ts";
import type { EntryTable } from "../../formats/core/entry_table.ts";
import type { WriteEntry } from "../../formats/core/format.ts";
import { hashName, nameHashVariants, variantName } from "../../formats/core/name_hashes.ts";
import { readMember } from "../../formats/member.ts";
import {
  Archive,
  DamagedMemberError,
  LimitError,
  type NameHashVariant,
  TruncatedError,
  UnknownFormatError,
  UnwritableError,
  variantNamed,
} from "../../formats/mod.ts";
import { recoverNames, withNames } from "../../formats/name_recovery.ts";
import { detectFormat, formatNamed } from "../../formats/table.ts";
import { hex, join, source, text, u32 } from "./bytes.ts";
import { hashedPack } from "./hashed.ts";

function format() {
  const found = formatNamed("hashed-pack");
  assert(found);
  return found;
}

function opened(bytes: Uint8Array): Archive {
  const file = source(bytes, "/games/x/data.pack", 77);
  return new Archive(file, format(), format().read(file));
}

function variant(name: string): NameHashVariant {
  const found = variantNamed(name);
  assert(found, name);
  return found;
}

function bytesOf(buffer: Uint8Array): Uint8Array {
  return new Uint8Array(buffer);
}

/** FNV-1a of "a" and of "foobar", as RFC 9923 gives them. */
const golden = join(
  hex("01 00 00 00  02 00 00 00"),
  hex("68 f9 9c bf  05 00 00 00  00 00 00 00  28 00 00 00"),
  hex("2c 29 0c e4  0b 00 00 00  0b 00 00 00  2d 00 00 00"),
  text("hello"),
  hex("78 01 4b 4c 84 03 00 19 0d 04 2c"), // python3: zlib.compress(b"a" * 11, 1)
);

/** Finds a member by binary search, as a game does; undefined if its hash is missing or misplaced. */
function findByHash(table: EntryTable, path: string, variant: NameHashVariant): number | undefined {
  const wanted = hashName(path, variant);
  let [low, high] = [0, table.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (memberHash(table, middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low < table.length && memberHash(table, low) === wanted ? low : undefined;
}

Deno.test("a hashed pack laid out byte by byte is listed and read", () => {
  using archive = opened(golden);
  assertEquals(archive.row(0), {
    type: "file",
    qpath: "unknown/bf9cf968.txt",
    size: 5,
    mtime: 77,
    source: "/games/x/data.pack",
    member: "bf9cf968",
    format: "hashed-pack",
    offset: 40,
    packedSize: 5,
    method: "store",
    crc32: null,
  });
  assertEquals(archive.row(1).method, "zlib"); // though its sizes are equal
  assertEquals(archive.read("unknown/bf9cf968.txt"), text("hello"));
  assertEquals(archive.read("unknown/e40c292c.txt"), text("aaaaaaaaaaa"));
  assertEquals(findByHash(archive.table, "foobar", variant("fnv1a")), 0);
  assertEquals(findByHash(archive.table, "a", variant("fnv1a")), 1);
  assertEquals(findByHash(archive.table, "A", variant("fnv1a+lower")), 1);
  assertEquals(findByHash(archive.table, "A", variant("fnv1a")), undefined);
});

Deno.test("data of every compression are read, and the kind of their content is detected", () => {
  const sound = join(text("RIFF"), u32(36), text("WAVEfmt "), new Uint8Array(300));
  const size = sound.length;
  const cases: readonly (readonly [string, Uint8Array, number | undefined])[] = [
    ["store", sound, undefined],
    ["store", sound, size], // equal sizes
    ["zlib", bytesOf(deflateSync(sound)), size],
    ["deflate", bytesOf(deflateRawSync(sound)), size],
    ["gzip", bytesOf(gzipSync(sound)), size],
    ["zstd", bytesOf(zstdCompressSync(sound)), size],
    ["zlib", join(u32(size), deflateSync(sound)), size],
  ];
  using archive = opened(hashedPack(cases.map(([, data, decompressed], index) => ({
    hash: 1000 + index,
    data,
    ...(decompressed === undefined ? {} : { size: decompressed }),
  }))));
  assertEquals([...archive].map(({ method }) => method), cases.map(([method]) => method));
  for (const { qpath } of archive) {
    assertStringIncludes(qpath, ".wav");
    assertEquals(bytesOf(archive.read(qpath)), sound, qpath);
  }
  const sized = archive.row(6);
  assertEquals([sized.offset, sized.packedSize], [
    8 + 7 * 16 + cases.slice(0, 6).reduce((sum, [, data]) => sum + data.length, 0) + 4,
    deflateSync(sound).length,
  ]);
});

Deno.test("an LZ4 frame is read too", () => {
  const frame = hex("04224d186440a7100000006f68656c6c6f200600055068656c6c6f00000000bd9cd674");
  using archive = opened(hashedPack([{ hash: 1, data: frame, size: 35 }]));
  assertEquals(bytesOf(archive.read("unknown/00000001.bin")), text("hello hello hello hello hello hello"));
});

Deno.test("unknown compressions are reported as unsupported, and neighbours are read", () => {
  using archive = opened(hashedPack([
    { hash: 1, data: hex("ff ff ff ff ff ff ff ff"), size: 100 },
    { hash: 2, data: text("plain") },
  ]));
  assertEquals(archive.row(0).method, "unsupported");
  assertThrows(
    () => archive.read("unknown/00000001.bin"),
    DamagedMemberError,
    "uses an unknown compression",
  );
  assertEquals(archive.read("unknown/00000002.txt"), text("plain"));
});

Deno.test("records that lie are damage of one file, never wrong bytes", () => {
  const data = bytesOf(deflateSync(text("content ".repeat(40))));
  using archive = opened(hashedPack([
    { hash: 1, data, size: 319 },
    { hash: 2, data, size: 321 },
    { hash: 3, data, size: 0xffffffff },
    { hash: 4, data, size: 320, offset: 0xffffff00 },
    { hash: 5, data, size: 320, packedSize: 0xffffffff },
    { hash: 6, data, size: 320 },
  ]));
  const problems = [
    "decompresses to more",
    "decompresses to 320 bytes instead",
    "which is impossible",
    "past the end",
    "past the end",
  ];
  for (const [index, problem] of problems.entries()) {
    assertThrows(() => readMember(archive.source, archive.format, archive.table, index), DamagedMemberError, problem);
  }
  assertEquals(bytesOf(readMember(archive.source, archive.format, archive.table, 5)), text("content ".repeat(40)));
});

Deno.test("a pack whose table cannot be is refused with what is wrong", () => {
  const read = (bytes: Uint8Array) => opened(bytes);
  assertThrows(() => read(hex("01 00")), TruncatedError, "2 bytes are less than its header");
  assertThrows(
    () => read(join(golden.subarray(0, 4), u32(100))),
    TruncatedError,
    "the file table (at byte 8, 1600 bytes) lies outside the file",
  );
  assertThrows(() => read(join(u32(1), u32(5_000_000))), LimitError);
  assertThrows(() => read(join(u32(1), u32(0xffffffff))), UnknownFormatError);
  for (const version of [65_536, 0x7fffffff]) {
    assertThrows(() => read(join(u32(version), u32(0))), UnknownFormatError);
  }
  for (const version of [0, 65_535]) assertEquals([...read(join(u32(version), u32(0)))], []);
  const unsorted = hashedPack([{ hash: 2, data: text("b") }, { hash: 1, data: text("a") }]);
  assertStringIncludes(read(unsorted).warnings[0] ?? "", "not sorted by hash");
});

const eight = Array.from({ length: 8 }, (_, index) => ({ hash: 1000 * index, data: text(`number ${index}`) }));

Deno.test("a pack is recognised by its records only if there are eight that fit together", () => {
  const name = (bytes: Uint8Array) => detectFormat(source(bytes))?.name;
  const changed = (index: number, at: number, value: number) => {
    const bytes = hashedPack(eight);
    bytes.set(u32(value), 8 + index * 16 + at);
    return bytes;
  };
  assertEquals(name(hashedPack(eight)), "hashed-pack");
  assertEquals(name(hashedPack(eight.slice(0, 7))), undefined);
  assertEquals(name(changed(3, 0, 2000)), undefined); // the same hash twice
  assertEquals(name(changed(3, 0, 1)), undefined); // not in order
  assertEquals(name(changed(3, 12, 100)), undefined); // inside the table
  assertEquals(name(changed(3, 12, 136)), undefined); // on another's data
  assertEquals(name(changed(3, 12, 0xfffffff0)), undefined); // outside the file
  assertEquals(name(changed(3, 8, 200)), undefined); // packed far larger than decompressed
  assertEquals(name(join(u32(70_000), hashedPack(eight).subarray(4))), undefined);
});

async function written(
  entries: readonly WriteEntry[],
  options: { hash?: NameHashVariant; method?: "store" | "deflate" } = {},
): Promise<Uint8Array> {
  const write = format().write;
  assert(write);
  return join(...await Array.fromAsync(write(entries, { path: "out.pack", ...options })));
}

Deno.test("a written pack is sorted by hash, packs what shrinks and stores the rest", async () => {
  const long = text("long ".repeat(100));
  const bytes = await written([
    { path: "a", content: () => long }, // e40c292c
    { path: "foobar", content: () => text("short") }, // bf9cf968
  ]);
  const compressed = bytesOf(deflateSync(long));
  assertEquals(
    bytes,
    join(
      u32(1, 2),
      u32(0xbf9cf968, 5, 0, 40),
      u32(0xe40c292c, 500, compressed.length, 45),
      text("short"),
      compressed,
    ),
  );
});

Deno.test("any files written to a hashed pack are found by their names, by any variant", async () => {
  const component = fc.string({ unit: fc.constantFrom(..."abcXYZ019_-. é"), minLength: 1, maxLength: 8 })
    .filter((name) => name !== "." && name !== "..");
  const path = fc.array(component, { minLength: 1, maxLength: 3 }).map((components) => components.join("/"));
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.nat(5000).map((length) => new Uint8Array(length).fill(7)),
  );
  const files = fc.uniqueArray(fc.tuple(path, content), { selector: ([name]) => name, maxLength: 12 });
  const method = fc.constantFrom("store" as const, "deflate" as const);
  await fc.assert(
    fc.asyncProperty(files, fc.constantFrom(...nameHashVariants), method, async (members, hash, how) => {
      const distinct = new Map(members.map((member) => [hashName(member[0], hash), member]));
      const entries = Array.from(distinct.values(), ([name, value]) => ({ path: name, content: () => value }));
      using archive = opened(await written(entries, { hash, method: how }));
      assertEquals(archive.table.length, entries.length);
      for (const [name, value] of distinct.values()) {
        const index = findByHash(archive.table, name, hash);
        assert(index !== undefined, name);
        assertEquals(bytesOf(readMember(archive.source, archive.format, archive.table, index)), value, name);
      }
    }),
    { numRuns: 150 },
  );
});

Deno.test("two names of one hash are refused, naming both", async () => {
  const entries = ["Readme.txt", "README.TXT"].map((path) => ({ path, content: () => new Uint8Array() }));
  await written(entries);
  try {
    await written(entries, { hash: variant("fnv1a+lower") });
  } catch (error) {
    assert(error instanceof UnwritableError);
    assertStringIncludes(error.message, "Readme.txt and README.TXT have the same hash by fnv1a+lower");
    return;
  }
  throw new Error("it was written");
});

const paths = Array.from(
  { length: 400 },
  (_, index) => `data/${["maps", "sound", "gfx"][index % 3]}/File_${index}.ext`,
);

Deno.test("every variant is found by its hits, or one that gives the same names", () => {
  for (const wanted of nameHashVariants) {
    const hashes = paths.slice(0, 30).map((path) => hashName(path, wanted));
    const { hash, names, named, files, expected } = recoverNames(hashes, paths);
    assertEquals([hash, named, files], [variantName(wanted), 30, 30]);
    for (const path of paths.slice(0, 30)) assertEquals(names.get(hashName(path, wanted)), path);
    assert(expected < 0.001);
  }
});

Deno.test("hits by chance do not make a variant", () => {
  const wanted = variant("murmur3");
  const one = [hashName(paths[0] ?? "", wanted), ...Array.from({ length: 99 }, (_, index) => index)];
  assertEquals(recoverNames(one, paths).hash, null);
  assertEquals(recoverNames(one, paths).named, 0);
  assertEquals(recoverNames(one.slice(0, 20), paths).hash, "murmur3"); // one of twenty is enough
  assertEquals(recoverNames(one, paths, wanted).named, 1); // and so it is where the variant is known
  assertEquals(recoverNames([], paths).hash, null);
  assertEquals(recoverNames(one, []).hash, null);
});

Deno.test("paths of one hash are reported, and the first is used", () => {
  // djb2 weighs a letter 33 times the next: "Aa" is "B@".
  const hashes = ["maps/Aa", "maps/other"].map((path) => hashName(path, variant("djb2")));
  const { names, collisions } = recoverNames(hashes, ["maps/Aa", "maps/other", "maps/B@"]);
  assertEquals(Array.from(names.values()), ["maps/Aa", "maps/other"]);
  assertEquals(collisions, [{ hash: (hashes[0] ?? 0).toString(16).padStart(8, "0"), names: ["maps/Aa", "maps/B@"] }]);
});

Deno.test("names are put into the listing, cleaned, and members without keep what they have", async () => {
  const bytes = await written([
    { path: "maps/start.bsp", content: () => text("a map") },
    { path: "..x/odd", content: () => text("odd") },
    { path: "secret.cfg", content: () => text("secret") },
  ]);
  using archive = opened(bytes);
  const { names } = recoverNames(
    archive.table.rawNames.values().map((raw) => Number.parseInt(new TextDecoder().decode(raw), 16)),
    ["maps/start.bsp", "..x/odd"],
  );
  using named = new Archive(archive.source, archive.format, withNames(archive.table, names));
  assertEquals(
    new Set([...named].map(({ qpath }) => qpath)),
    new Set([
      "maps/start.bsp",
      "..x/odd",
      "unknown/" +
      `${hashName("secret.cfg", variant("fnv1a")).toString(16)}.txt`,
    ]),
  );
  assertEquals(named.read("maps/start.bsp"), text("a map"));
  assertEquals(named.find("maps/start.bsp")?.member, hashName("maps/start.bsp", variant("fnv1a")).toString(16));
});
