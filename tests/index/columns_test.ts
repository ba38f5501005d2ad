/**
 * A broken index fails loudly instead of answering with entry 0.
 * @module
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { at, none, sharedFloat64, sharedUint32, type SnapshotColumns } from "../../index/columns/columns.ts";
import { entryRow, namelessRow } from "../../index/columns/entry_tables.ts";
import { Snapshot } from "../../index/columns/snapshot.ts";
import { Tree } from "../../views/tree.ts";
import { foldByte, foldedHash } from "../../index/columns/fold.ts";
import { fold } from "./model.ts";
import { snapshotOf } from "./snapshots.ts";

Deno.test("at reads elements, and throws for an index beyond the column", () => {
  const nodes = sharedUint32(2);
  nodes[1] = 7;
  assertEquals([at(nodes, 0), at(nodes, 1), at(Uint8Array.of(9), 0), at(sharedFloat64(1), 0)], [0, 7, 9, 0]);
  for (const index of [2, -1, 0.5, NaN]) {
    assertThrows(() => at(nodes, index), RangeError, `Cannot read element ${index} of a column: it has 2`);
  }
});

const sound = snapshotOf([
  ["a/b.txt", "a/c.txt", "d.txt"].map((path) => ({ path, isDirectory: false, isDamaged: false })),
]);

/** Returns the snapshot with one element of a column replaced by a number beyond every table. */
function broken(
  name: "nodeOrder" | "nodeParents" | "nodeNames" | "entryNodes" | "candidates",
  index: number,
): Snapshot {
  const column = sound.columns[name].slice();
  column[index] = 1_000_000;
  const columns: SnapshotColumns = { ...sound.columns, [name]: column };
  return new Snapshot(columns, sound.sources, sound.clashes);
}

for (const ignoreCase of [true, false]) {
  const resolve = (snapshot: Snapshot) => new Tree(snapshot, { searchPath: [0], ignoreCase, duplicates: "last" });
  Deno.test(`a child, a parent or a path beyond its table throws, case ${ignoreCase ? "ignored" : "kept"}`, () => {
    assertEquals(resolve(sound).fileCount, 3);
    for (const column of ["nodeOrder", "nodeParents", "entryNodes"] as const) {
      assertThrows(
        () => resolve(broken(column, column === "entryNodes" ? 0 : 1)),
        RangeError,
        "Cannot read",
      );
    }
  });
}

Deno.test("a name or a candidate beyond its table throws", () => {
  const node = sound.findNode("d.txt", false);
  assertThrows(() => broken("nodeNames", node).pathOf(node), RangeError, "Cannot read");
  const alone = sound.findNode("d.txt", true);
  assertThrows(() => broken("candidates", 2).candidatesOf(alone, true), RangeError, "Cannot read");
  assertThrows(() => sound.sourceOf(sound.entryCount), RangeError, "Cannot read");
  assertThrows(() => sound.fieldsOf(sound.entryCount), RangeError, "Cannot read");
});

Deno.test("of all bytes the capitals of ASCII alone are folded", () => {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  assertEquals(bytes.map(foldByte), bytes.map((byte) => fold(String.fromCharCode(byte)).charCodeAt(0)));
});

Deno.test("a table that is used again has the row of the last entry alone", () => {
  const table = entryRow(sound, 0);
  for (const entry of [1, 2]) {
    assertEquals([entryRow(sound, entry, table).path(0), table.length], [sound.memberOf(entry), 1]);
    assertEquals([namelessRow(sound, entry, table).path(0), table.length], ["", 1]);
  }
});

Deno.test("empty and . components of a path are passed over, and names that begin with a dot are names", () => {
  const node = sound.findNode("d.txt", false);
  assert(node !== none);
  for (const path of ["/d.txt", "./d.txt", "d.txt/", "//./d.txt/."]) {
    assertEquals(sound.findNode(path, false), node, path);
  }
  for (const path of ["", ".", "/", "./."]) assertEquals(sound.findNode(path, true), 0, path);
  for (const path of ["..", "../d.txt", ".d.txt", "d.txt/.x"]) assertEquals(sound.findNode(path, false), none, path);
});

Deno.test("names that collide under one seed do not under another", () => {
  const seed = 0x1234;
  const name = new Uint8Array(8);
  // Bytes beyond ASCII, which have no case.
  const hash = (number: number, other: number) => {
    const view = new DataView(name.buffer);
    view.setUint32(0, 0x8080_8080 | Math.imul(number, 0x9e37_79b1));
    view.setUint32(4, 0x8080_8080 | Math.imul(number, 0x85eb_ca6b));
    return foldedHash(name, 0, name.length, other);
  };
  const numbers = Array.from({ length: 300_000 }, (_, number) => number);
  const known = new Map<number, number>();
  const pairs = numbers.map((number) => [number, known.getOrInsert(hash(number, seed), number)] as const)
    .filter(([number, other]) => number !== other);
  assert(pairs.length > 0);
  for (const other of [seed ^ 0x8000_0000, seed + 0x100, seed + 1]) {
    const still = pairs.filter(([one, another]) => hash(one, other) === hash(another, other));
    assert(still.length <= pairs.length / 2, `${still.length} of ${pairs.length}`);
  }
});
