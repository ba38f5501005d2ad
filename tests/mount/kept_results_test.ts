import { assert, assertEquals } from "@std/assert";
import { KeptResults } from "../../mount/converting/kept_results.ts";
import { type ConversionInputs, InputNotes } from "../../mount/shared/conversions.ts";
import { FileCalls } from "../../system/file_calls.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";

Deno.test("10,000 results stay within their bounds, and those that are kept are whole", async () => {
  await using directory = await temporaryDirectory();
  using library = new FileCalls();
  const limits = { memory: 100_000, spilled: 400_000, spillDirectory: directory.path };
  using results = new KeptResults(library, limits);
  const random = numbersFrom(seed);
  const sizes = new Map<string, number | null>();
  const keptBytes = () => {
    const kept = { memory: 0, spilled: 0 };
    for (const [key, size] of sizes) {
      const result = results.get(key);
      if (!result || size === null) continue;
      kept[size > limits.memory / 4 ? "spilled" : "memory"] += size;
      assertEquals(result.read(size >> 1, size), new Uint8Array(size - (size >> 1)).fill(Number(key) % 256), key);
    }
    return kept;
  };
  for (let number = 0; number < 10_000; number++) {
    const size = random(50) === 0 ? 26_000 + random(100_000) : random(400);
    const key = String(number);
    const isFailure = random(20) === 0;
    sizes.set(key, isFailure ? null : size);
    const added = results.add(key, isFailure ? null : new Uint8Array(size).fill(number % 256));
    assertEquals(added.size, sizes.get(key));
    assertEquals(results.get(key), added, "the newest is always kept");
    if (number % 2500 !== 2499) continue;
    const kept = keptBytes();
    assert(kept.memory <= limits.memory && kept.spilled <= limits.spilled, JSON.stringify(kept));
    assert(kept.spilled > 0, "large results are kept too");
  }
});

Deno.test("notes come in their order and whole, and a loss is reported once", () => {
  const buffer = new SharedArrayBuffer(4000);
  const [converter, session] = [new InputNotes(buffer), new InputNotes(buffer)];
  const random = numbersFrom(seed);
  let expected: ConversionInputs[] = [];
  let isLost = false;
  let losses = 0;
  for (let step = 0; step < 3000; step++) {
    if (random(50) === 0) {
      assertEquals([...session.take()], expected);
      assertEquals(session.takeLoss(), isLost);
      [expected, isLost] = [[], false];
      continue;
    }
    const paths = Array.from({ length: random(60) }, () => "aé\0/😀"[random(4)]).join("");
    const note = { high: 2 ** 32 - 1 - random(9), low: random(2 ** 31), paths };
    const used = expected.reduce(
      (sum, { paths: own }) => sum + 3 + Math.ceil(new TextEncoder().encode(own).length / 4),
      0,
    );
    converter.add(note);
    const words = 3 + Math.ceil(new TextEncoder().encode(paths).length / 4);
    if (used + words < 1000 - 3) expected.push(note);
    else [isLost, losses] = [true, losses + 1];
  }
  assert(losses > 10, "the notes were full now and then");
});
