/** Compares parsed lines of the socket's protocol with splitting and parsing the whole string. */
import { assertEquals, assertRejects } from "@std/assert";
import { EventQueue, eventsUntil } from "../../protocol/event_queue.ts";
import { maxLineBytes, maxLineValues, maxWaitingEvents } from "../../protocol/limits.ts";
import { hasTooManyValues, readLines } from "../../protocol/lines.ts";
import type { RefreshedEvent } from "../../protocol/rows.ts";
import { numbersFrom, seed } from "../support/chance.ts";

/** A stream that yields chunks of random lengths, some of them empty. */
function inPieces(bytes: Uint8Array, chance: (below: number) => number, most: number) {
  let position = 0;
  return {
    read(buffer: Uint8Array): Promise<number | null> {
      if (position === bytes.length) return Promise.resolve(null);
      const part = bytes.subarray(position, position + Math.min(buffer.length, chance(most)));
      buffer.set(part);
      position += part.length;
      return Promise.resolve(part.length);
    },
  };
}

Deno.test("lines do not depend on how the text is cut, and an unfinished last line is dropped", async () => {
  const chance = numbersFrom(seed);
  const letters = ["a", "ß", "😀", "\n", "\n", "\r", "x".repeat(70_000)];
  for (let round = 0; round < 300; round++) {
    const count = chance(30);
    const isLong = chance(4) === 0;
    const text = Array.from({ length: count }, () => letters[chance(isLong && chance(9) === 0 ? 7 : 6)]).join("");
    const stream = inPieces(new TextEncoder().encode(text), chance, isLong ? 100_000 : 4);
    // deno-lint-ignore no-await-in-loop -- one text after the other
    assertEquals(await Array.fromAsync(readLines(stream)), text.split("\n").slice(0, -1), `PAKFS_SEED=${seed}`);
  }
});

Deno.test("a line may be as long as the limit says, and no longer; of an unfinished one no more is kept", async () => {
  const chance = numbersFrom(seed);
  for (const [length, isAllowed] of [[maxLineBytes, true], [maxLineBytes + 1, false]] as const) {
    for (const ending of ["\n", ""]) {
      const lines = () => {
        const bytes = new TextEncoder().encode(`first\n${"x".repeat(length)}${ending}`);
        return Array.fromAsync(readLines(inPieces(bytes, chance, 2 ** 20)), (line) => line.length);
      };
      // deno-lint-ignore no-await-in-loop -- one line after the other
      if (isAllowed) assertEquals(await lines(), ending === "" ? [5] : [5, length]);
      // deno-lint-ignore no-await-in-loop -- as above
      else await assertRejects(lines, RangeError, `more than ${maxLineBytes} bytes`);
    }
  }
  const wrong = inPieces(Uint8Array.of(0x61, 0xff, 10), chance, 9);
  await assertRejects(() => Array.fromAsync(readLines(wrong)), TypeError);
});

/** Values of parsed JSON: elements, and four times the members, lists and objects; of the whole one less than elements. */
function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const children: unknown[] = Object.values(value);
  const separators = Math.max(0, children.length - 1);
  const members = Array.isArray(value) ? 0 : 4 * children.length;
  return children.reduce((sum: number, child) => sum + valuesIn(child), 4 + separators + members);
}

Deno.test("values of a long line are counted as parsing it would, whatever its texts hold", () => {
  const chance = numbersFrom(seed);
  const texts = ["", ",", "\\", '"', '\\"', "[{:,", "a\\\\", "ß,"];
  const some = (depth: number): unknown => {
    const kind = chance(depth > 3 ? 2 : 5);
    if (kind < 2) return kind === 0 ? chance(100) : texts[chance(texts.length)];
    if (kind === 2) return Array.from({ length: chance(5) }, () => some(depth + 1));
    return Object.fromEntries(Array.from({ length: chance(4) }, (_, index) => [`${texts[index]}`, some(depth + 1)]));
  };
  for (let round = 0; round < 20; round++) {
    const inner = Array.from({ length: 40 }, () => some(0));
    const padding = "x,".repeat(40_000);
    const known = valuesIn([inner, padding]);
    // Zeros fill the list up to the maximum number of values, and to one more.
    for (const more of [0, 1]) {
      const list = [inner, padding, ...new Uint8Array(maxLineValues - known + more)];
      assertEquals(hasTooManyValues(JSON.stringify(list)), more === 1, `round ${round}, PAKFS_SEED=${seed}`);
    }
  }
  // Short input is not checked before it is parsed.
  assertEquals(hasTooManyValues("[".repeat(64 * 1024)), false);
  assertEquals(hasTooManyValues("[".repeat(64 * 1024 + 1)), true);
  assertEquals(hasTooManyValues(`${" ".repeat(64 * 1024)}"${",".repeat(maxLineValues + 1)}`), false, "an open text");
});

Deno.test("a slow reader gets the newest events, with the number of those that were dropped", async () => {
  const chance = numbersFrom(seed);
  for (let round = 0; round < 200; round++) {
    let closed = 0;
    const queue = new EventQueue(() => closed++);
    const controller = new AbortController();
    const events = eventsUntil(queue, controller.signal);
    let pushed = 0;
    let expected: { number: number; dropped: number }[] = [];
    for (let step = chance(12); step >= 0; step--) {
      for (let count = chance(chance(3) === 0 ? 90 : 4); count > 0; count--) {
        queue.push({ generation: ++pushed, dropped: 0 } as unknown as RefreshedEvent);
        expected.push({ number: pushed, dropped: 0 });
        const [lost, next] = expected.length > maxWaitingEvents ? expected.splice(0, 2) : [];
        if (lost && next) expected.unshift({ number: next.number, dropped: lost.dropped + next.dropped + 1 });
      }
      for (let reads = Math.min(expected.length, chance(9)); reads > 0; reads--) {
        // deno-lint-ignore no-await-in-loop -- one event after the other
        const { value } = await events.next();
        const { generation, dropped } = value as unknown as { generation: number; dropped: number };
        assertEquals({ number: generation, dropped }, expected.shift());
      }
    }
    const kind = chance(4);
    if (kind === 0) controller.abort();
    else if (kind === 1) queue.close();
    else if (kind === 2) queue.close(new Error("lost"));
    // deno-lint-ignore no-await-in-loop -- as above
    if (kind === 2) await assertRejects(() => events.next(), Error, "lost");
    // deno-lint-ignore no-await-in-loop -- as above
    else assertEquals((await (kind === 3 ? events.return?.() : events.next()))?.done, true);
    assertEquals(closed, 1, `closed in round ${round}`);
    expected = [];
    queue.push({ dropped: 0 } as unknown as RefreshedEvent);
    queue.close(new Error("late"));
    assertEquals(closed, 1, `closed in round ${round}`);
  }
});

Deno.test("a reader that waits is woken by the next event, and by the end", async () => {
  const queue = new EventQueue();
  const events = queue.events();
  const [first, second] = [events.next(), events.next()];
  queue.push({ dropped: 0 } as unknown as RefreshedEvent);
  assertEquals((await first).done, false);
  queue.close();
  assertEquals((await second).done, true);
  const aborted = eventsUntil(new EventQueue(), AbortSignal.abort());
  assertEquals((await aborted.next()).done, true);
});
