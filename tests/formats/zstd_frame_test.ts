import { assertEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import { constants, zstdCompressSync } from "node:zlib";
import { codecs } from "../../formats/codecs/codecs.ts";
import { join } from "./bytes.ts";

/** `bytes` in pieces of `size`. */
function pieces(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from(
    { length: Math.ceil(bytes.length / size) },
    (_, index) => bytes.subarray(index * size, (index + 1) * size),
  );
}

Deno.test("a Zstandard frame ends where it ends, whatever stands behind it and however it is cut", async () => {
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
      async (bytes, behind, hasChecksum, size) => {
        const params = { [constants.ZSTD_c_checksumFlag]: hasChecksum };
        const compressed = join(new Uint8Array(zstdCompressSync(bytes, { params })), behind);
        assertEquals(codecs.zstd.decompress(compressed, bytes.length), bytes);
        const decompressed = codecs.zstd.decompressPieces(pieces(compressed, size), bytes.length);
        assertEquals(join(...await Array.fromAsync(decompressed)), bytes);
      },
    ),
    { numRuns: 60 },
  );
});
