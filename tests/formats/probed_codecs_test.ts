// deno-lint-ignore-file no-await-in-loop -- cases run one after another
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { constants, zstdCompressSync } from "node:zlib";
import { isZlibHeader } from "../../formats/codecs/compression_probe.ts";
import fc from "../support/fast_check.ts";
import { type Codec, DecompressError } from "../../formats/codecs/codec.ts";
import { codecs } from "../../formats/codecs/codecs.ts";
import { needs } from "../support/programs.ts";
import { hex, join, text, u32, withDirectory } from "./bytes.ts";

const hello = text("hello hello hello hello hello hello");

/** `hello`, compressed by lz4 1.9.4, zstd 1.5.4 and python3's gzip. */
const golden: Readonly<Record<"lz4" | "zstd" | "gzip", Uint8Array>> = {
  lz4: hex("04224d186440a7100000006f68656c6c6f200600055068656c6c6f00000000bd9cd674"),
  zstd: hex("28b52ffd24236500003068656c6c6f200100b94b112be168e7"),
  gzip: hex("1f8b0800000000000203cb48cdc9c957c8c04702005737628523000000"),
};

function* inPieces(bytes: Uint8Array, length: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

async function streamed(codec: Codec, compressed: Uint8Array, size: number, piece: number): Promise<Uint8Array> {
  return join(...await Array.fromAsync(codec.decompressPieces(inPieces(compressed, piece), size)));
}

for (const [name, compressed] of Object.entries(golden)) {
  const codec = codecs[name as keyof typeof golden];

  Deno.test(`${name} data of its own program are decompressed, whole and in pieces`, async () => {
    assertEquals(new Uint8Array(codec.decompress(compressed, hello.length)), hello);
    for (const piece of [1, 7, 1000]) assertEquals(await streamed(codec, compressed, hello.length, piece), hello);
  });

  Deno.test(`${name} data that are cut short, longer or shorter than declared are errors`, () => {
    for (let length = 0; length < compressed.length; length++) {
      assertThrows(() => codec.decompress(compressed.subarray(0, length), hello.length), DecompressError);
    }
    assertThrows(() => codec.decompress(compressed, hello.length - 1), DecompressError);
    assertThrows(() => codec.decompress(compressed, hello.length + 1), DecompressError);
  });

  Deno.test(`no changed byte of ${name} data gives wrong content`, () => {
    for (let at = 0; at < compressed.length; at++) {
      for (const flip of [1, 0x10, 0x80, 0xff]) {
        const changed = compressed.slice();
        changed[at] = (changed[at] ?? 0) ^ flip;
        let content: Uint8Array;
        try {
          content = codec.decompress(changed, hello.length);
        } catch (error) {
          assert(error instanceof DecompressError, `byte ${at}: ${error}`);
          continue;
        }
        assertEquals(new Uint8Array(content), hello, `byte ${at} changed by ${flip}`);
      }
    }
  });
}

Deno.test("bytes after a Zstandard frame are ignored, one at a time or all at once", async () => {
  const { zstd } = codecs;
  const zeros = new Uint8Array(300_000);
  const repeated = new Uint8Array(zstdCompressSync(zeros));
  for (const trailing of [golden.zstd, golden.zstd.subarray(0, 4), hex("01 02 03"), new Uint8Array(9)]) {
    const compressed = join(golden.zstd, trailing);
    assertEquals(new Uint8Array(zstd.decompress(compressed, hello.length)), hello);
    for (const piece of [1, 5, 1000]) assertEquals(await streamed(zstd, compressed, hello.length, piece), hello);
    assertEquals(new Uint8Array(zstd.decompress(join(repeated, trailing), zeros.length)), zeros);
    assertEquals(await streamed(zstd, join(repeated, trailing), zeros.length, 3), zeros);
  }
  for (let length = 0; length < golden.zstd.length; length++) {
    await assertRejects(() => streamed(zstd, golden.zstd.subarray(0, length), hello.length, 4), DecompressError);
  }
});

Deno.test("bytes after a Zstandard frame are ignored, however the data are cut into pieces", async () => {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc.nat(300_000).map((length) => new Uint8Array(length).fill(7)),
    fc.nat(300_000).map((length) => Uint8Array.from({ length }, (_, index) => (index * index) >> 7)),
  );
  await fc.assert(
    fc.asyncProperty(
      content,
      fc.uint8Array({ maxLength: 50 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 5000 }),
      async (bytes, trailing, hasChecksum, size) => {
        const params = { [constants.ZSTD_c_checksumFlag]: hasChecksum };
        const compressed = join(new Uint8Array(zstdCompressSync(bytes, { params })), trailing);
        assertEquals(codecs.zstd.decompress(compressed, bytes.length), bytes);
        const decompressed = codecs.zstd.decompressPieces(inPieces(compressed, size), bytes.length);
        assertEquals(join(...await Array.fromAsync(decompressed)), bytes);
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test(
  "LZ4 frames with stored blocks, several blocks and copies across them are decompressed",
  needs("lz4"),
  async () => {
    const noise = crypto.getRandomValues(new Uint8Array(40_000));
    const content = join(noise, text("words ".repeat(20_000)), noise, noise.subarray(5_000), new Uint8Array(300_000));
    await withDirectory(async (directory) => {
      await Deno.writeFile(`${directory}/content`, content);
      for (
        const options of [["-B4", "-BD"], ["-B4", "-BX"], ["-B7", "--no-frame-crc"], [
          "-9",
          "-B5",
          "-BD",
          "--content-size",
        ]]
      ) {
        const args = ["-q", "-f", ...options, `${directory}/content`, `${directory}/packed`];
        const result = await new Deno.Command("lz4", { args }).output();
        assert(result.success, new TextDecoder().decode(result.stderr));
        const compressed = await Deno.readFile(`${directory}/packed`);
        assertEquals(codecs.lz4.decompress(compressed, content.length), content, options.join(" "));
        assertEquals(await streamed(codecs.lz4, compressed, content.length, 65_536), content, options.join(" "));
      }
    });
  },
);

Deno.test("an LZ4 copy may reach back to the first byte, and not one further", () => {
  // Two literals, a copy of four bytes, a literal; in a block of 7 bytes.
  const frame = (distance: number) =>
    join(hex("04224d18 6040 82"), u32(7), hex("20 41 42"), Uint8Array.of(distance, 0), hex("10 43"), u32(0));
  assertEquals(codecs.lz4.decompress(frame(1), 7), text("ABBBBBC"));
  assertEquals(codecs.lz4.decompress(frame(2), 7), text("ABABABC"));
  for (const distance of [0, 3, 4]) {
    assertThrows(() => codecs.lz4.decompress(frame(distance), 7), DecompressError, "a copy from before the start");
  }
});

Deno.test("an LZ4 bomb is stopped at the declared size", () => {
  // A block of 64 KiB has one literal and a copy of 4 + 15 + 255 * 200 bytes; the frame repeats it.
  const block = join(hex("1f 41 01 00"), new Uint8Array(200).fill(255), hex("00 00"));
  const frame = join(
    hex("04224d18 6040 82"),
    ...Array.from({ length: 50 }, () => join(u32(block.length), block)),
    u32(0),
  );
  assertThrows(
    () => codecs.lz4.decompress(frame, 100_000),
    DecompressError,
    "decompresses to more than its 100,000 declared bytes",
  );
});

Deno.test("zlib data begin with a header of RFC 1950", () => {
  const firsts = Array.from({ length: 65536 }, (_, value) => value)
    .filter((value) => isZlibHeader(Uint8Array.of(value >> 8, value & 0xff)));
  // Windows of 256 bytes to 32 KiB, four levels, no dictionary.
  assertEquals(firsts.length, 8 * 4);
  assertEquals(firsts.slice(-4).map((value) => value.toString(16)), ["7801", "785e", "789c", "78da"]);
});
