/** Compares the binding of libdeflate with zlib. */
import { assert, assertEquals } from "@std/assert";
import { deflateRawSync } from "node:zlib";
import { Libdeflate } from "../../mount/decoding/libdeflate.ts";
import { needs } from "../support/programs.ts";
import { numbersFrom, seed } from "../support/chance.ts";

/** Bytes with skewed frequencies, so that each member has different codes. */
function skewed(chance: (below: number) => number, size: number): Uint8Array<ArrayBuffer> {
  const [first, range] = [chance(200), 2 + chance(50)];
  return Uint8Array.from({ length: size }, () => first + chance(1 + chance(range)));
}

Deno.test(
  "members decompressed while another thread decompresses one have the right bytes, and so has that one",
  needs("libdeflate.so.0"),
  async () => {
    const chance = numbersFrom(seed);
    const pack = (content: Uint8Array) => new Uint8Array(deflateRawSync(content));
    const small = Array.from({ length: 20 }, () => skewed(chance, 20_000)).map((bytes) => ({
      bytes,
      packed: pack(bytes),
    }));
    const large = skewed(chance, 4 * 1024 * 1024);
    const packed = pack(large);
    using deflate = Libdeflate.open();
    assert(deflate);
    for (let round = 0; round < 10; round++) {
      const output = new Uint8Array(large.length);
      let isOver = false;
      const elsewhere = deflate.decompressElsewhere("deflate", packed, output).finally(() => isOver = true);
      while (!isOver) {
        for (const { bytes, packed } of small) {
          const target = new Uint8Array(bytes.length);
          assert(deflate.decompress("deflate", packed, target));
          assertEquals(target, bytes);
        }
        // deno-lint-ignore no-await-in-loop -- the thread may be done
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      // deno-lint-ignore no-await-in-loop -- one after the other
      assert(await elsewhere);
      assertEquals(output, large);
    }
  },
);
