import { assertEquals } from "@std/assert";
import { crc32 as zlibCrc32 } from "node:zlib";
import { crc32 } from "../../formats/core/crc32.ts";
import fc from "../support/fast_check.ts";

Deno.test("CRC-32 equals zlib's, in pieces and at any alignment, of few bytes and of many", () => {
  const check = () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(9), fc.nat(100), (bytes, skipped, cut) => {
        const part = bytes.subarray(skipped);
        const sum = crc32(part.subarray(cut), crc32(part.subarray(0, cut)));
        assertEquals(sum, zlibCrc32(part));
      }),
    );
  check();
  const many = crypto.getRandomValues(new Uint8Array(1 << 16));
  for (let round = 0; round < 600; round++) assertEquals(crc32(many, round), zlibCrc32(many, round));
  check();
});
