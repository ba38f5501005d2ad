/**
 * Columns fail loudly where an index is broken.
 * @module
 */
import { assertEquals, assertThrows } from "@std/assert";
import { at, sharedFloat64, sharedUint32 } from "../../index/columns/columns.ts";

Deno.test("at reads elements, and throws for an index beyond the column", () => {
  const nodes = sharedUint32(2);
  nodes[1] = 7;
  assertEquals([at(nodes, 0), at(nodes, 1), at(Uint8Array.of(9), 0), at(sharedFloat64(1), 0)], [0, 7, 9, 0]);
  for (const index of [2, -1, 0.5, NaN]) {
    assertThrows(() => at(nodes, index), RangeError, `Cannot read element ${index} of a column: it has 2`);
  }
});
