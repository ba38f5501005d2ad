/**
 * Damaged files.
 * @module
 */
import fc from "../support/fast_check.ts";

/** Returns files with some bytes replaced, some of them cut. */
export function mutants(seed: Uint8Array): fc.Arbitrary<Uint8Array> {
  const change = fc.record({
    offset: fc.nat(seed.length - 1),
    value: fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff)),
    run: fc.constantFrom(1, 1, 2, 4),
  });
  return fc.tuple(fc.array(change, { minLength: 1, maxLength: 6 }), fc.option(fc.nat(seed.length))).map(
    ([changes, length]) => {
      const bytes = seed.slice();
      for (const { offset, value, run } of changes) bytes.fill(value, offset, offset + run);
      return length === null ? bytes : bytes.subarray(0, length);
    },
  );
}
