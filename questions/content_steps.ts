/**
 * Steps of listings that read files: they wait for the threads that do, and end their pages meanwhile.
 * @module
 */
import { type Snapshot, subjectBytes } from "../index/mod.ts";
import type { Position, Step } from "./question.ts";

/** Maximum files and bytes that are requested ahead of the current row. */
const aheadOfHashes = { subjects: 4096, bytes: 1024 * 1024 * 1024 } as const;
/** Milliseconds that a step waits for a file; then the step is repeated, and a page may end. */
const stepTime = 100;

/** Files that a listing reads, in row order. */
export class ContentList {
  readonly subjects: readonly number[];
  readonly #snapshot: Snapshot;
  readonly #ahead: typeof aheadOfHashes | { readonly subjects: number; readonly bytes: number };
  #sums: Float64Array | undefined;

  constructor(
    snapshot: Snapshot,
    subjects: readonly number[],
    ahead: { readonly subjects: number; readonly bytes: number } = aheadOfHashes,
  ) {
    this.#snapshot = snapshot;
    this.subjects = subjects;
    this.#ahead = ahead;
  }

  /** Returns the bytes of the first `count` files. */
  bytesBefore(count: number): number {
    this.#sums ??= this.#sumUp();
    return this.#sums[count] ?? 0;
  }

  /** Returns the end of the batch of files that begins at `start`. */
  aheadOf(start: number): number {
    const { subjects, bytes } = this.#ahead;
    const until = this.bytesBefore(start) + bytes;
    let end = Math.min(this.subjects.length, start + 1);
    while (end < this.subjects.length && end < start + subjects && this.bytesBefore(end + 1) <= until) end++;
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

/** Work of other threads on the files of a list. */
export interface Work {
  /** Returns whether a file is finished. */
  isDone(subject: number): boolean;
  /** Starts work on the unfinished files among some. */
  request(subjects: Iterable<number>, signal?: AbortSignal): void;
  /** Resolves when a file is finished. */
  settled(subject: number, signal?: AbortSignal): Promise<void>;
  /** Called when the rows of a file are listed. */
  forget?(subject: number): void;
}

/** Position of a list in its listing. */
interface Place {
  /** Number of steps before the list's. */
  readonly before: number;
  /** Whether other lists follow. */
  readonly continues: boolean;
}

/**
 * Works on the files of a list from a position on, and steps through them.
 * @param rowsOf Returns the rows of a finished file.
 */
export function* contentSteps<Row>(
  { work, ended }: { readonly work: Work; readonly ended: AbortSignal },
  list: ContentList,
  from: Position,
  rowsOf: (index: number) => readonly Row[],
  { before, continues }: Place = { before: 0, continues: false },
): Generator<Step<Row>> {
  const total = () => before + list.subjects.length;
  let requested = from.at;
  let next = from.at;
  let { part } = from;
  for (let index = from.at; index < list.subjects.length;) {
    // The next batch is requested while this one is worked on.
    while (requested < list.subjects.length && index >= next) {
      next = requested;
      const end = list.aheadOf(requested);
      work.request(list.subjects.slice(requested, end), ended);
      requested = end;
    }
    const subject = list.subjects[index] ?? 0;
    const bytes = () => ({
      bytes: list.bytesBefore(index + 1),
      totalBytes: list.bytesBefore(list.subjects.length),
    });
    if (!work.isDone(subject)) {
      yield { row: waited(work, subject, ended), next: { at: before + index, part }, total, bytes };
      if (!work.isDone(subject)) continue;
    }
    const rows = rowsOf(index);
    const isLast = index + 1 === list.subjects.length;
    const after = continues || !isLast ? { at: before + index + 1, part: 0 } : null;
    while (part < rows.length) {
      const row = rows[part++] as Row;
      yield { row, next: part < rows.length ? { at: before + index, part } : after, total, bytes };
    }
    work.forget?.(subject);
    part = 0;
    index++;
    if (rows.length === 0 && (isLast || index % filesPerPause === 0)) {
      yield { row: nothing, next: after, total, bytes };
    }
  }
}

const nothing = Promise.resolve(undefined);
/** Maximum files without a row per step without a row. */
const filesPerPause = 500;

/** Waits for a subject, but not for long. */
async function waited(work: Work, subject: number, signal: AbortSignal): Promise<undefined> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, stepTime);
  await Promise.race([work.settled(subject, signal), late.promise]).finally(() => clearTimeout(timer));
  signal.throwIfAborted();
}

/** Returns a hash in hexadecimal. */
export function hexOf(bytes: Uint8Array): string {
  return bytes.toHex();
}

/** Returns a CRC-32 in hexadecimal. */
export function crcHex(crc: number): string {
  return crc.toString(16).padStart(8, "0");
}
