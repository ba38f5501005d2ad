import { assertEquals } from "@std/assert";
import { CachedLookups, type NamedNode } from "../../mount/session/cached_lookups.ts";
import { numbersFrom, seed } from "../support/chance.ts";

const maxNames = 16_384;

Deno.test("names that lead elsewhere after a refresh are forgotten, others are kept, and there is a limit", () => {
  const chance = numbersFrom(seed);
  const lookups = new CachedLookups();
  const encoder = new TextEncoder();
  const model = new Map<string, NamedNode>();
  const node = (): NamedNode => chance(4) === 0 ? null : { high: chance(3), low: chance(3) };
  const keyOf = (high: number, low: number, name: Uint8Array) => `${high} ${low} ${new TextDecoder().decode(name)}`;
  for (let refresh = 0; refresh < 30; refresh++) {
    for (let count = chance(200); count >= 0; count--) {
      const name = encoder.encode(`ß${chance(50)}`);
      const [high, low, found] = [chance(3), chance(3), node()];
      const key = keyOf(high, low, name);
      assertEquals(lookups.note(high, low, name, found), true);
      model.set(key, found);
      // The kernel's buffer is reused.
      name.fill(0);
    }
    const asked = new Set<string>();
    const expected: string[] = [];
    const now = new Map<string, NamedNode | undefined>();
    for (const [key, before] of model) {
      const kind = chance(4);
      const next = kind === 0 ? undefined : kind === 1 ? node() : before && { ...before };
      now.set(key, next);
      const isSame = next !== undefined && next?.high === before?.high && next?.low === before?.low;
      if (isSame) continue;
      model.delete(key);
      // Invalidating a directory already covers its content.
      if (next !== undefined) expected.push(key);
    }
    const changed = lookups.takeChanged(({ high, low, name }) => {
      const key = keyOf(high, low, name);
      asked.add(key);
      return now.get(key);
    });
    assertEquals(changed.map(({ high, low, name }) => keyOf(high, low, name)).sort(), expected.sort());
    assertEquals(asked, new Set(now.keys()), `refresh ${refresh}, PAKFS_SEED=${seed}`);
  }
  lookups.takeChanged(() => undefined);
  const name = (number: number) => encoder.encode(`${number}`);
  for (let number = 0; number < maxNames; number++) assertEquals(lookups.note(1, 2, name(number), null), true);
  assertEquals([lookups.note(1, 2, name(maxNames), null), lookups.note(1, 2, name(5), null)], [false, true]);
  lookups.takeChanged(({ name: known }) => known[0] === 0x35 ? undefined : null);
  assertEquals(lookups.note(1, 2, name(maxNames), null), true);
});
