/**
 * Recorded results of reading sound and damaged files, of engine rules, and of questions: an unintended change shows in
 * one of thousands.
 * @module
 */
import { crc32, deflateRawSync } from "node:zlib";
import { assertEquals } from "@std/assert";
import { text } from "../formats/bytes.ts";
import { mutate } from "../formats/mutants.ts";
import { numbersFrom } from "./chance.ts";

/** Number of damaged files per sound one. */
const damagedFiles = 200;
/** Number of files whose results are recorded as one checksum. */
const filesPerNumber = 5;
/** Fixed instead of the run's seed: recorded results belong to these files. */
const start = 20_261_123;
/** Whether this zlib compresses as the one that made the files of the recorded results. */
const isKnownZlib = crc32(deflateRawSync(text("known outcomes ".repeat(99)), { level: 6 })) === 0x9a4233f0;
// Times of zips that name no zone are local.
Deno.env.set("TZ", "UTC");

const isUpdate = Deno.env.get("PAKFS_UPDATE_OUTCOMES") === "1";

/** Adds a value and its content to a checksum. */
function add(sum: number, value: unknown): number {
  if (value instanceof Error) return add(add(sum, value.name), value.message);
  if (value instanceof Float32Array || value instanceof Float64Array) {
    // V8's compilation decides which bit pattern a NaN has.
    return Array.from(value).reduce(add, add(sum, value.length));
  }
  if (ArrayBuffer.isView(value)) {
    return crc32(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), add(sum, value.byteLength));
  }
  if (value instanceof Map || value instanceof Set) return add(sum, [...value]);
  if (Array.isArray(value)) return value.reduce(add, add(sum, value.length));
  if (typeof value === "object" && value !== null) return Object.entries(value).reduce(add, sum);
  return crc32(typeof value === "function" ? "function" : `${typeof value} ${String(value)};`, sum);
}

async function outcomeOf(file: Uint8Array, read: (file: Uint8Array) => unknown): Promise<unknown> {
  try {
    return await read(file);
  } catch (error) {
    return error;
  }
}

/**
 * Compares what `read` returns or throws for `seed`, and for damaged files made of it, with the line of that title in a
 * text file. `PAKFS_UPDATE_OUTCOMES=1` writes the line.
 */
export async function compareOutcomes(
  list: URL,
  title: string,
  seed: Uint8Array,
  read: (file: Uint8Array) => unknown,
): Promise<void> {
  const below = numbersFrom(start);
  const numbers: string[] = [];
  for (let first = 0; first <= damagedFiles; first += filesPerNumber) {
    let sum = 0;
    for (let number = first; number < first + filesPerNumber; number++) {
      // deno-lint-ignore no-await-in-loop -- one file after the other
      sum = add(sum, await outcomeOf(number === 0 ? seed.slice() : mutate(seed, below), read));
    }
    numbers.push(numberOf(sum));
  }
  await compareLine(list, title, crc32(seed), numbers);
}

/** Compares the results of some values, each as one checksum, with the line of that title in a text file. */
export async function compareValues(list: URL, title: string, values: readonly unknown[]): Promise<void> {
  await compareLine(list, title, values.length, values.map((value) => numberOf(add(0, value))));
}

function numberOf(sum: number): string {
  return (sum & 0xff).toString(16).padStart(2, "0");
}

/** @param origin Checksum of the inputs. */
async function compareLine(list: URL, title: string, origin: number, numbers: readonly string[]): Promise<void> {
  const line = { title, seed: origin.toString(16).padStart(8, "0"), outcomes: numbers.join("") };
  const written = await Deno.readTextFile(list).catch(() => "");
  const lines = written.split("\n").filter((row) => row !== "").map((row) => {
    const [outcomes = "", seed = "", ...words] = row.split(" ");
    return { title: words.join(" "), seed, outcomes };
  });
  const known = lines.find((row) => row.title === title);
  if (isUpdate) {
    const others = lines.filter((row) => row !== known);
    const rows = [...others, line].sort((a, b) => a.title < b.title ? -1 : 1);
    return await Deno.writeTextFile(list, rows.map((row) => `${row.outcomes} ${row.seed} ${row.title}\n`).join(""));
  }
  // Another zlib makes other files of the same content, whose results are unknown.
  if (!isKnownZlib && known !== undefined && known.seed !== line.seed) return;
  assertEquals(
    line,
    known,
    `other outcomes than before; if that was meant: PAKFS_UPDATE_OUTCOMES=1 deno test -A, of this file`,
  );
}
