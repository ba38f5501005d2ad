// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assertEquals } from "@std/assert";
import { RateLimiter } from "../../daemon/server/rate_limiter.ts";
import fc from "../support/fast_check.ts";
import { HandClock } from "../support/hand_clock.ts";

Deno.test("a burst of requests is read at once, and then a number per second", async () => {
  const clock = new HandClock();
  const limiter = new RateLimiter(3, 10, clock);
  const times: number[] = [];
  const taking = (async () => {
    for (let number = 0; number < 6; number++) {
      await limiter.acquire();
      times.push(clock.now());
    }
  })();
  await new Promise((resolve) => setTimeout(resolve));
  await clock.advance(1000);
  await taking;
  assertEquals(times, [0, 0, 0, 100, 200, 300]);
  assertEquals(Array.from({ length: 5 }, () => limiter.tryAcquire()), [true, true, true, false, false]);
});

Deno.test("whenever requests come, each is read as soon as the rate allows", async () => {
  // A power of two makes its fractions exact.
  const [burst, interval] = [3, 128];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 30 }), async (gaps) => {
      const clock = new HandClock();
      const limiter = new RateLimiter(burst, 1000 / interval, clock);
      const times: number[] = [];
      const taking = (async () => {
        for (const gap of gaps) {
          await new Promise<void>((resolve) => clock.after(gap, resolve));
          await limiter.acquire();
          times.push(clock.now());
        }
      })();
      await clock.advance(gaps.length * 4 * interval);
      await taking;
      const expected: number[] = [];
      for (const gap of gaps) {
        const asked = (expected.at(-1) ?? 0) + gap;
        // Available requests, in intervals, and the time of their last update.
        let available = burst * interval;
        let updated = 0;
        for (const time of expected) {
          available = Math.min(burst * interval, available + time - updated) - interval;
          updated = time;
        }
        expected.push(asked + Math.max(0, interval - Math.min(burst * interval, available + asked - updated)));
      }
      assertEquals(times, expected);
    }),
    { numRuns: 30 },
  );
});
