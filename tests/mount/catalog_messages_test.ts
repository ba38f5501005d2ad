/** Messages to the session thread about a new index: changes, from which it rebuilds the index. */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { catalogAfter, catalogMessage } from "../../mount/shared/catalog_messages.ts";
import { elementAt } from "../../formats/core/cursor.ts";
import type { Source } from "../../index/columns/source.ts";
import type { IndexParts } from "../../index/columns/indexed_games.ts";
import { pakOf, scan, writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";

Deno.test("an index is what its message makes of the one before, and only sources that are others are sent", async () => {
  await using directory = await temporaryDirectory();
  await writeFiles(directory.path, {
    ...Object.fromEntries(Array.from({ length: 12 }, (_, number) => [`${number}.pak`, pakOf("a", "b", "c")])),
    "loose.txt": "x",
  });
  const first = scan(directory.path, { profile: "generic" }).index;
  const chance = numbersFrom(seed);
  /** Sources in order, with the numbers derived from it. */
  const numbered = (sources: readonly Source[]): Source[] => {
    let firstEntry = 0;
    return sources.map((source, id) => {
      const own = source.id === id && source.firstEntry === firstEntry ? source : { ...source, id, firstEntry };
      firstEntry += source.entryCount;
      return own;
    });
  };
  const changes: ((source: Source) => Source)[] = [
    (source) => ({ ...source, identity: { ...source.identity } }),
    (source) => ({ ...source, warnings: [...source.warnings] }),
    (source) => ({ ...source, entryCount: source.entryCount + 1 }),
    (source) => ({ ...source, failure: source.failure === null ? "damaged" : null }),
    (source) => ({ ...source, readAt: source.readAt + 1 }),
    (source) => ({ ...source, format: `${source.format}x` }),
  ];
  let parts: IndexParts = { ...first, snapshot: { ...first.snapshot, sources: numbered(first.snapshot.sources) } };
  let received = structuredClone(parts);
  let wholeCount = 0;
  for (let step = 0; step < 400; step++) {
    const before = parts.snapshot.sources;
    const kept = before.filter(() => chance(12) > 0);
    const changed = new Set<Source["identity"]>();
    const next = kept.map((source) => {
      if (chance(10) > 0) return source;
      const other = elementAt(changes, chance(changes.length))(source);
      changed.add(other.identity);
      return other;
    });
    while (next.length < 8) {
      const added = {
        ...elementAt(first.snapshot.sources, chance(first.snapshot.sources.length)),
        identity: { ...elementAt(before, 0).identity },
      };
      changed.add(added.identity);
      next.splice(chance(next.length + 1), 0, added);
    }
    if (chance(5) === 0) next.push(...next.splice(chance(next.length), 2));
    const { columns } = parts.snapshot;
    const entryTimes = chance(3) === 0 ? columns.entryTimes.slice() : columns.entryTimes;
    parts = { ...parts, snapshot: { ...parts.snapshot, columns: { ...columns, entryTimes }, sources: numbered(next) } };
    const message = catalogMessage({ ...parts, snapshot: { ...parts.snapshot, columns, sources: before } }, parts);
    const whole = message.sources.filter((item): item is Source => !("count" in item));
    wholeCount += whole.length;
    const text = `step ${step}, PAKFS_SEED=${seed}`;
    assertEquals(whole.map(({ identity }) => changed.has(identity)), whole.map(() => true), text);
    assertEquals(Object.keys(message.columns), entryTimes === columns.entryTimes ? [] : ["entryTimes"], text);
    const earlier = received.snapshot.sources;
    received = catalogAfter(received, structuredClone(message));
    assertEquals(received.snapshot.sources, parts.snapshot.sources, text);
    // Unchanged parts are the same objects, by which the session recognizes them.
    for (const [id, source] of parts.snapshot.sources.entries()) {
      if (before[id] === source) assertStrictEquals(received.snapshot.sources[id], earlier[id], text);
    }
    // Sources that stay next to each other are one item.
    const runs = message.sources.length - whole.length;
    assert(runs <= whole.length + (before.length - kept.length) + 4, `${runs} runs in ${text}`);
  }
  assert(wholeCount > 100);
});
