import { assert, assertEquals } from "@std/assert";
import type { Replier } from "deno-fuse-ffi";
import { KeptResults } from "../../mount/converting/kept_results.ts";
import { type ConversionInputs, InputNotes } from "../../mount/shared/conversions.ts";
import { MountLayout } from "../../mount/layout/mount_layout.ts";
import { ConvertedFiles } from "../../mount/session/converted_files.ts";
import { HandedRequests } from "../../mount/session/handed_requests.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { FileCalls } from "../../system/file_calls.ts";
import { writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { FailingLibrary } from "./content_model.ts";

Deno.test("the results used last are kept as far as there is room, whole, and the files of others are closed", async () => {
  await using directory = await temporaryDirectory();
  using library = new FailingLibrary();
  const limits = { memory: 100_000, spilled: 400_000, files: 5, spillDirectory: directory.path };
  const results = new KeptResults(library, limits);
  const random = numbersFrom(seed);
  /** Sizes by key, least recently used first; null: a failure. */
  const kept = new Map<string, number | null>();
  const inFiles = new Set<string>();
  const sumOf = (isInFile: boolean) =>
    Array.from(kept).filter(([key]) => inFiles.has(key) === isInFile).reduce((sum, [, size]) => sum + (size ?? 0), 0);
  const recordBytes = 128;
  const counted = { left: 0, files: 0, again: 0, full: 0, many: 0 };
  for (let number = 0; number < 6000; number++) {
    const key = String(number);
    // Long stretches of small results, and of large ones.
    const isLarge = random(number % 1000 < 500 ? 200 : 8) === 0;
    const size = random(20) === 0 ? null : isLarge ? 25_000 + random(3) - 1 + random(2) * random(200_000) : random(400);
    library.isFull = random(9) === 0;
    library.hasNoFiles = random(9) === 0;
    const added = results.add(key, size === null ? null : new Uint8Array(size).fill(number % 256));
    kept.set(key, size);
    if (size !== null && size > limits.memory / 4) {
      if (library.isFull || library.hasNoFiles) counted.full++;
      else inFiles.add(key);
    }
    for (const oldest of kept.keys()) {
      if (oldest === key) break;
      if (
        sumOf(false) + kept.size * recordBytes <= limits.memory && sumOf(true) <= limits.spilled &&
        inFiles.size <= limits.files
      ) {
        counted.many += Number(inFiles.size === limits.files);
        break;
      }
      kept.delete(oldest);
      inFiles.delete(oldest);
      counted.left++;
    }
    assertEquals([added.size, library.open.size], [size, inFiles.size], `${key}, PAKFS_SEED=${seed}`);
    for (let looks = random(4); looks > 0; looks--) {
      const asked = String(Math.max(0, number - random(300)));
      const result = results.get(asked);
      const known = kept.get(asked);
      assertEquals(result?.size, known, `${asked} after ${key}, PAKFS_SEED=${seed}`);
      if (!result || known === undefined) continue;
      counted.again++;
      kept.delete(asked);
      kept.set(asked, known);
      if (inFiles.has(asked)) counted.files++;
      const [start, length] = [random((known ?? 0) + 1), random(1000)];
      const end = Math.min(known ?? 0, start + length);
      const expected = known === null ? undefined : new Uint8Array(end - start).fill(Number(asked) % 256);
      assertEquals(result.read(start, length), expected);
      library.readError = 5;
      if (expected && expected.length > 0 && inFiles.has(asked)) assertEquals(result.read(start, length), undefined);
      library.readError = 0;
    }
  }
  for (const [kind, count] of Object.entries(counted)) assert(count > 20, `${count} ${kind}`);
  results[Symbol.dispose]();
  assertEquals(library.open.size, 0);
});

Deno.test("however small, no more than 65,536 results are kept", () => {
  using library = new FileCalls();
  using results = new KeptResults(library, { memory: 2 ** 30, spilled: 0, files: 0, spillDirectory: "/nowhere" });
  for (let number = 0; number <= 65_536; number++) results.add(String(number), null);
  assertEquals([0, 1, 65_536].map((number) => results.get(String(number))?.size), [undefined, null, null]);
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
  assert(losses > 10, "the notes were full sometimes");
});

Deno.test("inputs of 262,144 converted files are remembered, those that changed left out; beyond, all of them may have changed", async () => {
  await using directory = await temporaryDirectory();
  await writeFiles(directory.path, { "q/id1/a.lmp": "a" });
  const catalog = scanCatalog([{ name: "q", profile: "quake", sources: [`${directory.path}/q`] }]);
  const options = { view: null, showPacks: false, showAs: true };
  const before = new MountLayout(catalog, options);
  const encoder = new TextEncoder();
  let child = { high: 0, low: 1 };
  for (const name of [".as", "q", "id1"]) child = before.childOf(child.low, encoder.encode(name)) ?? child;
  assert(child.high > 0);
  const after = new MountLayout(catalog, options, before);
  const buffer = new SharedArrayBuffer(2 ** 23);
  const notes = new InputNotes(buffer);
  const requests = new HandedRequests([], undefined as unknown as Replier, () => {});
  const converted = new ConvertedFiles([], requests, [buffer]);
  const most = 262_144;
  const unknown = { high: 2 ** 32 - 1, low: 5 };
  /** Records files, some twice, and checks the changes of a refresh. */
  const changes = (high: number, first: number, last: number) => {
    for (let low = first; low <= last; low++) notes.add({ high, low, paths: "x" });
    for (let low = first; low <= Math.min(last, 99); low++) notes.add({ high, low, paths: "x" });
    const { isStale } = converted.changes(before, after);
    return [isStale(high, first), isStale(high, last), isStale(unknown.high, unknown.low)];
  };
  // The tree with these files no longer exists.
  assertEquals(changes(77, 1, 100), [true, true, false]);
  assertEquals(changes(child.high, 1, most), [false, false, false]);
  assertEquals(changes(child.high, most + 1, most + 1), [true, true, true]);
  assertEquals(changes(child.high, 1, 9), [false, false, false], "they are forgotten");
});
