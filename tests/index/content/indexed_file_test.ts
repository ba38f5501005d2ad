/** Positions of members of archives in several files, compared with a table of every byte. */
import { assert, assertEquals } from "@std/assert";
import { locateEntry, offsetInFile } from "../../../index/content/indexed_file.ts";
import type { Snapshot } from "../../../index/columns/snapshot.ts";
import type { Source } from "../../../index/columns/source.ts";
import { numbersFrom, seed } from "../../support/chance.ts";

/** Bytes that may lie between the header of a zip's member and its data. */
const maxHeader = 30 + 2 * 65535;

Deno.test("a member is whole in a file if all its bytes are there, after a header of any length", () => {
  const chance = numbersFrom(seed);
  const counted = { whole: 0, parted: 0, single: 0 };
  for (let round = 0; round < 3000; round++) {
    const count = 1 + chance(4);
    const lengths = Array.from({ length: count }, () => 1 + chance(chance(2) === 0 ? 300_000 : 40));
    const starts = lengths.map((_, index) => lengths.slice(0, index).reduce((sum, length) => sum + length, 0));
    const size = lengths.reduce((sum, length) => sum + length, 0);
    const files = lengths.map(() => chance(3));
    const offsets = lengths.map(() => chance(1000));
    const source = {
      byteLayout: { files: [], ranges: { starts, files, offsets, size } },
    } as unknown as Source;
    const hasHeader = chance(2) === 0;
    const index = chance(count);
    const [start = 0, length = 0, file = 0, offset = 0] = [starts[index], lengths[index], files[index], offsets[index]];
    const address = start + chance(length);
    const left = start + length - address;
    // Offsets at the limits are more frequent than by chance.
    const packed = [left, left + 1, left - maxHeader, left - maxHeader + 1, chance(left + 9)][chance(5)] ?? 0;
    if (packed < 0) continue;
    const snapshot = {
      sourceOf: () => source,
      formatOf: () => hasHeader ? "zip" : "pak",
      columns: { entryOffsets: [address], entryCompressedSizes: [packed] },
    } as unknown as Snapshot;
    const found = locateEntry(snapshot, 0);
    const text = `${packed} bytes at ${address} of ${lengths}, PAKFS_SEED=${seed}`;
    assertEquals([found.file.number, address + found.shift], [file, offset + address - start], text);
    const isWhole = packed + (hasHeader ? maxHeader : 0) <= left;
    assertEquals(found.isWhole, isWhole || count === 1, text);
    counted[count === 1 ? "single" : isWhole ? "whole" : "parted"]++;
    assertEquals(offsetInFile(source, file, address, packed), packed <= left ? offset + address - start : -1, text);
    assertEquals(offsetInFile(source, file + 1, address, packed), -1, text);
    assertEquals(offsetInFile({ byteLayout: null } as unknown as Source, 0, address, packed), address);
  }
  for (const [kind, number] of Object.entries(counted)) assert(number > 100, `${number} ${kind}`);
});
