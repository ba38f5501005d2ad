import { assert, assertEquals, assertThrows } from "@std/assert";
import { Cursor } from "../../formats/core/cursor.ts";
import { numbersFrom, seed } from "../support/chance.ts";

Deno.test("fields are read in order in either byte order, and none past the end, whole or in part", () => {
  const chance = numbersFrom(seed);
  for (let round = 0; round < 500; round++) {
    const isLittleEndian = chance(2) === 0;
    const length = chance(60);
    const padding = chance(9);
    // The cursor reads a part of a larger buffer, and must not read the bytes around it.
    const bytes = Uint8Array.from({ length: length + 2 * padding }, () => chance(256)).subarray(
      padding,
      padding + length,
    );
    const view = new DataView(bytes.buffer, padding, length);
    const cursor = new Cursor(bytes, isLittleEndian);
    let offset = 0;
    for (let step = 0; step < 12; step++) {
      const size = chance(24);
      const reads: readonly (readonly [number, () => unknown, () => unknown])[] = [
        [1, () => cursor.uint8(), () => view.getUint8(offset)],
        [2, () => cursor.uint16(), () => view.getUint16(offset, isLittleEndian)],
        [4, () => cursor.uint32(), () => view.getUint32(offset, isLittleEndian)],
        [4, () => cursor.int32(), () => view.getInt32(offset, isLittleEndian)],
        [8, () => cursor.bigUint64(), () => view.getBigUint64(offset, isLittleEndian)],
        [8, () => cursor.uint64(), () => Number(view.getBigUint64(offset, isLittleEndian))],
        [size, () => cursor.bytes(size), () => bytes.slice(offset, offset + size)],
        [size, () => cursor.name(size), () => bytes.slice(offset, offset + size).slice(0, nameLength(offset, size))],
      ];
      const nameLength = (from: number, count: number) => {
        const end = bytes.subarray(from, from + count).indexOf(0);
        return end < 0 ? count : end;
      };
      assertEquals(cursor.remaining, length - offset);
      const [width, read, expected] = reads[chance(reads.length)] ?? [0, () => {}, () => {}];
      if (offset + width > length) {
        assertThrows(read, RangeError);
        assertThrows(() => cursor.bytes(-1), RangeError);
        break;
      }
      assertEquals(read(), expected(), `PAKFS_SEED=${seed}, round ${round}`);
      offset += width;
    }
    assert(offset <= length);
  }
});
