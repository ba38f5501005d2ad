import { assertEquals } from "@std/assert";
import type { RemoteSources } from "../../index/content/remote/remote_sources.ts";
import type { Source } from "../../index/columns/source.ts";
import { Snapshot } from "../../index/columns/snapshot.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { ShownIndexes } from "../../mount/shown_indexes.ts";
import { Catalog } from "../../views/catalog.ts";
import type { TreeParts } from "../../views/tree.ts";
import { numbersFrom, seed } from "../support/chance.ts";

/** Indexes whose counters may still grow. */
const maxOpen = 4;
const { columns } = scanCatalog([]).snapshot;

/** Returns an index of packs without files. */
function catalogOf(paths: readonly string[]): Catalog {
  const sources = paths.map((path, id) => ({ id, path })) as unknown as Source[];
  return new Catalog({ snapshot: new Snapshot(columns, sources, new Map()), games: [], problems: [] });
}

Deno.test("failed reads are summed by source over all indexes that a mount has shown", () => {
  const chance = numbersFrom(seed);
  const sums = new Map<string, number>();
  // The same sources have other numbers in each index.
  const paths = () => Array.from({ length: 150 }, (_, number) => `/${number}.pak`).filter(() => chance(4) !== 0);
  const indexes = new ShownIndexes(catalogOf(paths()), [], { numbersOf: () => new Uint8Array() });
  const open = [indexes.shown];
  for (let step = 0; step < 60; step++) {
    if (step % 4 === 3) open.push(indexes.add(catalogOf(paths()), []));
    for (const { version, snapshot } of open.slice(-maxOpen)) {
      const counts = new Uint32Array(version.failures);
      for (let count = chance(step); count > 0; count--) {
        const id = chance(counts.length);
        counts[id] = (counts[id] ?? 0) + 1;
        const path = snapshot.sources[id]?.path ?? "";
        sums.set(path, (sums.get(path) ?? 0) + 1);
      }
    }
    assertEquals(indexes.failedReads(), sums, `step ${step}, PAKFS_SEED=${seed}`);
  }
});

Deno.test("an index is numbered, knows its remote sources, and is sent with the columns that the one before lacks", () => {
  const numbers = new Map([["/a.pak", 0], ["/b.pak", 2]]);
  const numbersOf: RemoteSources["numbersOf"] = ({ snapshot }) =>
    Uint8Array.from(snapshot.sources, ({ path }) => numbers.get(path) ?? 0);
  const indexes = new ShownIndexes(catalogOf(["/a.pak"]), ["q"], { numbersOf });
  const first = indexes.shown;
  const second = indexes.add(catalogOf(["/b.pak", "/a.pak"]), ["q", "r"]);
  assertEquals([first.number, second.number, indexes.shown === second], [0, 1, true]);
  assertEquals([first, second].map(({ version }) => Array.from(new Uint8Array(version.remotes))), [[0], [2, 0]]);
  const { type, version, catalog } = second.replacing(first);
  assertEquals([type, version.number, version.games, "catalog" in version], ["replace", 1, ["q", "r"], false]);
  assertEquals([catalog.columns, catalog.sources.length], [{}, 2]);
});

Deno.test("a tree that the session has resolved is taken by the index that is shown, and by no other", () => {
  const taken: string[] = [];
  const withView = (name: string) => {
    const adopt = () => void taken.push(name);
    return Object.assign(catalogOf([]), { views: [{ name: "q/id1", adopt }] });
  };
  const indexes = new ShownIndexes(withView("first"), ["q"], { numbersOf: () => new Uint8Array() });
  const tree = {} as unknown as TreeParts;
  indexes.adopt(0, "q/id1", tree);
  indexes.adopt(0, "q/other", tree);
  indexes.add(withView("second"), ["q"]);
  indexes.adopt(0, "q/id1", tree);
  assertEquals(taken, ["first"]);
  indexes.adopt(1, "q/id1", tree);
  assertEquals(taken, ["first", "second"]);
});
