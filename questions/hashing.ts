/**
 * Steps of listings that hash files: they wait for the threads that do, and end their pages meanwhile.
 * @module
 */
import { type IndexHashes, type Snapshot, subjectBytes } from "../index/mod.ts";
import type { QuestionContext, Step } from "./question.ts";

/** Subjects and bytes that are requested ahead of the row that is made. */
const aheadSubjects = 4096;
const aheadBytes = 1024 * 1024 * 1024;
/** Milliseconds that a step waits for a file; then it is repeated, and a page may end. */
const stepTime = 100;

/** Files that a listing hashes, in the order of its rows. */
export class HashedList {
  readonly subjects: readonly number[];
  readonly #snapshot: Snapshot;
  #sums: Float64Array | undefined;

  constructor(snapshot: Snapshot, subjects: readonly number[]) {
    this.#snapshot = snapshot;
    this.subjects = subjects;
  }

  /** Returns the bytes of the first `count` files. */
  bytesBefore(count: number): number {
    this.#sums ??= this.#sumUp();
    return this.#sums[count] ?? 0;
  }

  /** Returns the number of files that are hashed together from `start` on. */
  aheadOf(start: number): number {
    const until = this.bytesBefore(start) + aheadBytes;
    let end = Math.min(this.subjects.length, start + 1);
    while (end < this.subjects.length && end < start + aheadSubjects && this.bytesBefore(end + 1) <= until) end++;
    return end;
  }

  #sumUp(): Float64Array {
    const sums = new Float64Array(this.subjects.length + 1);
    let sum = 0;
    for (const [index, subject] of this.subjects.entries()) {
      sum += subjectBytes(this.#snapshot, subject);
      sums[index + 1] = sum;
    }
    return sums;
  }
}

/**
 * Hashes the files of a list from number `start` on, and steps through them.
 * @param rowOf Returns the row of a file whose hashes are known, or that cannot be read; undefined for none.
 * @param before Number of steps before those of the list.
 */
export function* hashSteps<Row>(
  { hashes: known, ended }: Pick<QuestionContext, "hashes" | "ended">,
  list: HashedList,
  start: number,
  rowOf: (index: number) => Row | undefined,
  before = 0,
): Generator<Step<Row>> {
  const hashes = known();
  const total = () => before + list.subjects.length;
  let requested = start;
  let next = start;
  for (let index = start; index < list.subjects.length;) {
    // The next part is requested while this one is hashed.
    while (requested < list.subjects.length && index >= next) {
      next = requested;
      const end = list.aheadOf(requested);
      hashes.request(list.subjects.slice(requested, end), ended);
      requested = end;
    }
    const subject = list.subjects[index] ?? 0;
    const bytes = () => ({
      bytes: list.bytesBefore(index + 1),
      totalBytes: list.bytesBefore(list.subjects.length),
    });
    if (!isDone(hashes, subject)) {
      const at = { at: before + index, part: 0 };
      yield { row: waited(hashes, subject, ended), next: at, total, bytes };
      if (!isDone(hashes, subject)) continue;
    }
    const row = rowOf(index);
    index++;
    if (row === undefined) {
      if (index % rowsPerPause === 0) yield undefined;
      continue;
    }
    yield { row, next: index < list.subjects.length ? { at: before + index, part: 0 } : null, total, bytes };
  }
}

/** Files without a row between two pauses. */
const rowsPerPause = 500;

function isDone(hashes: IndexHashes, subject: number): boolean {
  return hashes.isKnown(subject) || hashes.problemOf(subject) !== undefined;
}

/** Waits for a subject, but not for long. */
async function waited(hashes: IndexHashes, subject: number, signal: AbortSignal): Promise<undefined> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, stepTime);
  await Promise.race([hashes.settled(subject, signal), late.promise]).finally(() => clearTimeout(timer));
  signal.throwIfAborted();
}

/** Returns a digest in hexadecimal. */
export function hexOf(bytes: Uint8Array): string {
  return bytes.toHex();
}

/** Returns a CRC-32 in hexadecimal. */
export function crcHex(crc: number): string {
  return crc.toString(16).padStart(8, "0");
}
