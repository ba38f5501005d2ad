// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/** Members compressed by methods other than deflate, as Python and 7-Zip write them. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { zstdCompressSync } from "node:zlib";
import { DecompressError } from "../../formats/codecs/codec.ts";
import { codecs } from "../../formats/codecs/codecs.ts";
import { ArchiveError, openArchive, verifyArchive } from "../../formats/mod.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { debianPackage } from "../support/debian_data.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { hex, join, output, source, string, text, zip } from "./bytes.ts";

const random = numbersFrom(seed);

/** Contents of all kinds: none, one byte, equal bytes around the limits of runs, words, noise, several blocks. */
const contents: readonly Uint8Array[] = [
  new Uint8Array(),
  text("x"),
  ...[3, 4, 5, 8, 254, 255, 256, 259, 260, 5000].map((length) => new Uint8Array(length).fill(0x61)),
  text("hello hello hello hello hello hello"),
  Uint8Array.from({ length: 256 * 40 }, (_, index) => index & 0xff),
  Uint8Array.from({ length: 30_000 }, () => random(256)),
  join(...Array.from({ length: 40_000 }, () => text(["texture ", "map", "sound/", "\0\0\0\0\0\0"][random(4)] ?? ""))),
  new Uint8Array(2_000_000),
  Uint8Array.from({ length: 1_200_000 }, (_, index) => (index >> 3 & index) & 0xff),
];

async function writeContents(directory: string): Promise<void> {
  await Deno.mkdir(directory);
  await Promise.all(
    contents.map((content, index) => Deno.writeFile(`${directory}/${String(index).padStart(2, "0")}`, content)),
  );
}

async function requireAll(path: string, methods: readonly string[], count: number): Promise<void> {
  using archive = openArchive(path);
  let members = 0;
  for (const { qpath, method, size } of archive) {
    const wanted = contents[Number(qpath.slice(0, 2))];
    assert(wanted && methods.includes(method), `${qpath}: ${method}`);
    const isSame = (bytes: Uint8Array) => bytes.length === size && bytes.every((byte, at) => byte === wanted[at]);
    assert(isSame(archive.read(qpath)), qpath);
    assert(isSame(join(...await Array.fromAsync(archive.stream(qpath)))), `${qpath} as a stream`);
    members++;
  }
  assertEquals(members, count);
}

Deno.test(
  "members that Python compresses by bzip2 and LZMA are read, whole and as a stream",
  needs("python3"),
  async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    await writeContents(`${path}/contents`);
    const script = new URL("zips.py", import.meta.url).pathname;
    await output("python3", script, "write", `${path}/contents`, `${path}/a.zip`);
    await requireAll(`${path}/a.zip`, ["bzip2", "lzma"], contents.length * 2);
  },
);

Deno.test(
  "members that 7-Zip compresses by bzip2 and LZMA, with several settings, are read",
  needs("debian:7zip"),
  async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    await writeContents(`${path}/contents`);
    const program = `${debianPackage("7zip")}/usr/bin/7zz`;
    const settings = [
      ["-mm=BZip2", "-mx=1"],
      ["-mm=BZip2", "-mx=9"],
      ["-mm=LZMA", "-mx=9"],
      // A dictionary smaller than the contents, and the parameters of literals and positions.
      ["-mm=LZMA:d=64k:lc=8:lp=0:pb=0"],
      ["-mm=LZMA:d=1m:lc=0:lp=4:pb=4:eos=on"],
    ];
    for (const [index, options] of settings.entries()) {
      const archive = `${path}/${index}.zip`;
      await output(program, "a", "-bso0", "-tzip", ...options, archive, `${path}/contents/.`);
      await requireAll(archive, ["store", "bzip2", "lzma"], contents.length);
    }
  },
);

const hello = text("hello hello hello hello hello hello");
/** `hello`, compressed by Python with each method. */
const compressed = {
  lzma: hex("090405005d0000010000341949ee8de9576f34ae2bfffffbc54000"),
  bzip2: hex("425a6839314159265359daee3ac4000005910040000244a00030cd008a31520f7a41a0e177245385090daee3ac40"),
};

Deno.test("verify says which engines read a method; one that is not read is named with what reads it", async () => {
  using archive = openArchive(source(zip([
    { name: "a", method: 14, content: hello, compressed: compressed.lzma },
    { name: "b", method: 93, content: hello, compressed: new Uint8Array(zstdCompressSync(hello)) },
    { name: "c", method: 8, content: hello },
    { name: "d", method: 95, content: hello },
  ])));
  const rows = await Array.fromAsync(verifyArchive(archive));
  assertEquals(rows.map(({ note, problem }) => note ?? problem), [
    "a uses lzma: GZDoom reads it, Quake 3 and Doom 3 engines do not",
    "b uses zstd: no known engine reads it",
    null,
    "test.pak: d uses compression 95 (XZ), which is not read here; 7-Zip and GZDoom read it",
  ]);
  assertEquals(string(archive.read("b")), string(hello));
});

for (const [name, bytes] of Object.entries(compressed)) {
  const codec = codecs[name as keyof typeof compressed];

  Deno.test(`${name} data that are cut short, longer or shorter than declared, are errors`, () => {
    assertEquals(codec.decompress(bytes, hello.length), hello);
    // LZMA's end mark may be missing, as all bytes are present.
    for (let length = 0; length < bytes.length - 6; length++) {
      assertThrows(() => codec.decompress(bytes.subarray(0, length), hello.length), DecompressError);
    }
    assertThrows(() => codec.decompress(bytes, hello.length - 1), DecompressError);
    assertThrows(() => codec.decompress(bytes, hello.length + 1), DecompressError);
  });

  Deno.test(`changed ${name} data never give wrong bytes, more than is declared, or other errors`, () => {
    for (let run = 0; run < 3000; run++) {
      const changed = bytes.slice();
      for (let change = 1 + random(3); change > 0; change--) changed[random(changed.length)] = random(256);
      using archive = openArchive(source(zip([
        { name: "a", method: name === "lzma" ? 14 : 12, content: hello, compressed: changed },
      ])));
      try {
        assertEquals(archive.read("a"), hello);
      } catch (error) {
        assert(error instanceof ArchiveError, `run ${run} of PAKFS_SEED=${seed}: ${error}`);
      }
    }
  });
}

Deno.test("a bzip2 block begins at one of its bytes", () => {
  // The index of a block has 24 bits, one bit after the magic number and the checksum of the block.
  const at = (4 + 6 + 4) * 8 + 1;
  const withOrigin = (origin: number): Uint8Array => {
    const bytes = compressed.bzip2.slice();
    for (let bit = 0; bit < 24; bit++) {
      const mask = 0x80 >> (at + bit) % 8;
      const byte = Math.floor((at + bit) / 8);
      bytes[byte] = ((bytes[byte] ?? 0) & ~mask) | ((origin >> (23 - bit) & 1) === 0 ? 0 : mask);
    }
    return bytes;
  };
  const origins = Array.from({ length: hello.length }, (_, origin) => origin);
  const right = origins.filter((origin) => {
    try {
      return string(codecs.bzip2.decompress(withOrigin(origin), hello.length)) === string(hello);
    } catch (error) {
      assert(error instanceof DecompressError && error.message.includes("checksum"), `${origin}: ${error}`);
      return false;
    }
  });
  assertEquals(right.length, 1);
  for (const origin of [hello.length, hello.length + 1, 2 ** 24 - 1]) {
    assertThrows(
      () => codecs.bzip2.decompress(withOrigin(origin), hello.length),
      DecompressError,
      "begins after its end",
    );
  }
});

Deno.test("LZMA copies reach no further back than the dictionary", needs("python3"), async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  await Deno.mkdir(`${path}/contents`);
  const noise = Uint8Array.from({ length: 6000 }, () => random(256));
  await Deno.writeFile(`${path}/contents/00`, join(noise, noise));
  const script = new URL("zips.py", import.meta.url).pathname;
  await output("python3", script, "write", `${path}/contents`, `${path}/a.zip`);
  const bytes = await Deno.readFile(`${path}/a.zip`);
  using archive = openArchive(source(bytes));
  const { table, format } = archive;
  const index = Array.from(archive).findIndex(({ method }) => method === "lzma");
  const data = format.dataOffset?.(archive.source, table, index) ?? 0;
  assert((table.compressedSizes[index] ?? 0) < 7000, "the second half is a copy of the first");
  for (const [size, isEnough] of [[6000, true], [5999, false]] as const) {
    new DataView(bytes.buffer).setUint32(data + 5, size, true);
    if (isEnough) assertEquals(archive.read("00.14"), join(noise, noise));
    else assertThrows(() => archive.read("00.14"), ArchiveError, "a copy from before the start");
  }
});

Deno.test("a bzip2 bomb is stopped at the declared size", () => {
  // 50 bytes, of Python's bz2.compress(bytes(45_000_000)).
  const bomb = hex(
    "425a6839314159265359c901b6c80158ab4020c00010000008200030cc0529a65248526c5492149e2ee48a70a12192036d90",
  );
  assertThrows(() => codecs.bzip2.decompress(bomb, 10_000), DecompressError, "more than its 10,000 declared bytes");
});
