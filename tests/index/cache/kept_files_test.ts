/** Files next to the index cache: seek points of large members. */
// deno-lint-ignore-file no-await-in-loop -- one file after the other
import { assertEquals } from "@std/assert";
import {
  descriptionSize,
  encodeSeekPoints,
  hasShortSpan,
  isSeekableSize,
  parseSeekPoints,
  type SeekMember,
  type SeekPoints,
  segmentBytes,
  segmentCount,
  segmentEnd,
  titleBytes,
  windowLength,
} from "../../../index/cache/seek_points.ts";
import { compareValues } from "../../support/outcomes.ts";

const identity = { device: 1, inode: 2, size: 9_000_100, mtime: 3, ctime: 4 };
const size = 9 * 1024 * 1024;
const member: SeekMember = { path: "/a.pk3", identity, offset: 40, compressedSize: 9_000_000, size, crc32: 7 };
const segments = Array.from({ length: segmentCount(size) }, (_, index) => ({
  startBit: index * 800,
  start: index * segmentBytes,
  endBit: (index + 1) * 900,
  end: segmentEnd(size, index),
  crc32: index,
  windowCrc32: index,
}));
const points: SeekPoints = { member, dataOffset: 80, segments };

/** Returns all values of a table that are not tables, each by its table and key. */
function leavesOf(value: object): [table: Record<string, unknown>, key: string][] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "object" && inner !== null ? leavesOf(inner) : [[value as Record<string, unknown>, key] as const]
  ).map(([table, key]) => [table, key]);
}

/** Results for a value with each of its fields changed. */
async function ofEachChange<T extends object>(sound: T, read: (changed: T) => unknown): Promise<unknown[]> {
  const values: unknown[] = [];
  for (let field = 0; field < leavesOf(sound).length; field++) {
    const known = leavesOf(sound)[field];
    const own = known?.[0][known[1]];
    const around = typeof own === "number" ? [own - 1, own + 1, -own, own + 0.5, own + 2 ** 27, own * 8] : [];
    for (const other of [...around, 0, -1, 2 ** 53, "x", null, undefined]) {
      const changed = structuredClone(sound);
      const leaf = leavesOf(changed)[field];
      if (leaf) leaf[0][leaf[1]] = other;
      try {
        values.push(await read(changed));
      } catch (error) {
        values.push(String(error));
      }
    }
  }
  return values;
}

const list = new URL("../outcomes.txt", import.meta.url);

Deno.test("points of a member are read as they were written, and refused where they cannot be", async () => {
  const read = (changed: SeekPoints) => {
    const head = encodeSeekPoints(changed, new Uint8Array(0));
    assertEquals(descriptionSize(head.subarray(0, titleBytes)), head.length - titleBytes);
    return parseSeekPoints(head, member);
  };
  assertEquals(read(points), points);
  // Not every format has a header before the data.
  const bare = { ...points, dataOffset: member.offset };
  assertEquals(read(bare), bare);
  await compareValues(
    list,
    "points with a changed field",
    await ofEachChange(points, (changed) => {
      const own = JSON.stringify(changed.member) === JSON.stringify(member);
      // Seek points of another member are refused with that reason.
      return own ? read(changed) : parseSeekPoints(encodeSeekPoints(changed, new Uint8Array(0)), changed.member);
    }),
  );
  const edges = [0, 1, 32 * 1024, segmentBytes, 8 * 1024 * 1024, 16 * 1024 * 1024, 1024 * 1024 * 1024, 2 ** 31];
  const near = edges.flatMap((edge) => [edge - 1, edge, edge + 1]);
  const ofSizes = near.map((size) => [
    isSeekableSize(size),
    segmentCount(size),
    segmentEnd(size, 3),
    windowLength({ start: size }),
    hasShortSpan({ start: 0, end: size, startBit: 0, endBit: 8 }),
    hasShortSpan({ start: 0, end: 8, startBit: 8, endBit: 8 * size + 8 }),
  ]);
  await compareValues(list, "sizes of members with points", ofSizes);
});
