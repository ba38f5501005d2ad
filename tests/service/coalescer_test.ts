// deno-lint-ignore-file no-await-in-loop -- time passes step by step
import { assertEquals } from "@std/assert";
import { Coalescer } from "../../service/watch/coalescer.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { HandClock } from "../support/hand_clock.ts";

const quiet = 200;
const timeout = 1000;

/**
 * Returns the expected starts of runs, by checking every millisecond: 200 ms after the last change, or after a second
 * of changes, which is longer if the last run took more than a quarter of it; never during a run.
 * @param touches Times of changes.
 * @param costs Duration of each run.
 */
function expectedRuns(touches: readonly number[], costs: readonly number[], end: number): number[] {
  const begun: number[] = [];
  const left = [...touches];
  let changes: number[] = [];
  let cost = 0;
  let freeAt = 0;
  for (let time = 0; time <= end; time++) {
    const [first, last] = [changes[0], changes.at(-1)];
    const isDue = first !== undefined && last !== undefined &&
      (time >= last + quiet || time >= first + Math.max(timeout, 4 * cost));
    if (isDue && time >= freeAt) {
      cost = costs[begun.length] ?? 0;
      freeAt = time + cost;
      begun.push(time);
      changes = [];
    }
    for (; left[0] === time; left.shift()) changes.push(time);
  }
  return begun;
}

Deno.test("runs begin when the rules say, whatever the changes and however long runs take", async () => {
  const random = numbersFrom(seed);
  const some = (values: readonly number[]) => values[random(values.length)] ?? 0;
  for (let schedule = 0; schedule < 15; schedule++) {
    const clock = new HandClock();
    const costs = Array.from({ length: 200 }, () => some([0, 0, 1, 30, 249, 251, 400, 3000]));
    const touches: number[] = [];
    const begun: number[] = [];
    const coalescer = new Coalescer(async () => {
      const cost = costs[begun.length] ?? 0;
      begun.push(clock.now());
      if (cost > 0) await new Promise<void>((resolve) => clock.after(cost, resolve));
    }, clock);
    const gaps = some([0, 1]) === 0 ? [10, 100, 150, 199] : [0, 50, 199, 200, 201, 700, 2500];
    for (let change = 0; change < 80; change++) {
      await clock.advance(some(gaps));
      touches.push(clock.now());
      coalescer.touch();
    }
    await clock.advance(60_000);
    assertEquals(begun, expectedRuns(touches, costs, clock.now()), `schedule ${schedule}; PAKFS_SEED=${seed}`);
    assertEquals(coalescer.cost, costs[begun.length - 1]);
    await coalescer[Symbol.asyncDispose]();
  }
});

Deno.test("a coalescer that ends at any moment waits for the current run, and begins no other", async () => {
  const cost = 300;
  for (let moment = 0; moment <= 1000; moment += 50) {
    const clock = new HandClock();
    let [begun, ended] = [0, 0];
    const coalescer = new Coalescer(async () => {
      begun++;
      await new Promise<void>((resolve) => clock.after(cost, resolve));
      ended++;
    }, clock);
    coalescer.touch();
    await clock.advance(moment);
    if (moment > quiet) coalescer.touch();
    const before = begun;
    const ending = coalescer[Symbol.asyncDispose]().then(() => assertEquals(ended, begun, `after ${moment} ms`));
    await clock.advance(5000);
    await ending;
    coalescer.touch();
    await clock.advance(5000);
    assertEquals(begun, before, `after ${moment} ms`);
  }
});
