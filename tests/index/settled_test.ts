/** When unchanged times prove that a file is unchanged: against file systems whose clocks tick more or less often. */
import { assert, assertEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import { isSettled } from "../../index/scan/settled.ts";

/** Ticks of a file system's clock in milliseconds: ext4 and others, those with whole seconds, FAT. */
const ticks = fc.constantFrom(1, 4, 10, 1000, 2000);
const start = 1_700_000_000_000;
const moment = fc.integer({ min: 0, max: 20_000 });

Deno.test("what is read within the tick in which it was written is never settled: a change in that tick would not show", () => {
  const cases = ticks.chain((tick) =>
    fc.record({ tick: fc.constant(tick), written: moment, within: fc.integer({ min: 0, max: tick - 1 }) })
  );
  fc.assert(
    fc.property(cases, ({ tick, written, within }) => {
      const stamp = Math.floor((start + written) / tick) * tick;
      assert(!isSettled({ mtime: stamp, ctime: stamp }, stamp + within));
    }),
    { numRuns: 2000 },
  );
});

Deno.test("what was changed long before it was read is settled, whatever programs have made of its mtime", () => {
  const wholeSecond = 1_000_000_000_000;
  const mtimes = fc.constantFrom(0, wholeSecond, wholeSecond + 1, start - 60_000, start + 86_400_000);
  fc.assert(
    fc.property(mtimes, fc.integer({ min: 0, max: 999 }), (mtime, fraction) => {
      const ctime = start - 4000 + fraction;
      assert(isSettled({ mtime, ctime }, start));
    }),
    { numRuns: 200 },
  );
});

Deno.test("times with fractions of a second need not wait for those of whole seconds", () => {
  const settled = (mtime: number, ctime: number, age: number) =>
    isSettled({ mtime, ctime }, Math.max(mtime, ctime) + age);
  assertEquals([50, 51].map((age) => settled(start, start + 1, age)), [false, true], "only the mtime is whole");
  assertEquals([50, 51].map((age) => settled(start + 1, start + 1000, age)), [false, true], "only the ctime is whole");
  assertEquals([2000, 2001].map((age) => settled(start, start, age)), [false, true], "both are whole");
});
