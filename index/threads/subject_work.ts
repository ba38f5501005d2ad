/**
 * Work of other threads on the files of one snapshot, in batches, with each file in at most one batch at a time.
 * @module
 */
import type { Snapshot } from "../columns/snapshot.ts";
import { sourceOfSubject, subjectBytes } from "../content/subject_reader.ts";
import { untilAborted } from "../../system/mod.ts";

/** Maximum bytes and subjects of a batch. */
const batchBytes = 8 * 1024 * 1024;
const batchSubjects = 256;
/** Limits of a batch on a file system that may hang: the reply to one query delays the others. */
const remoteBatchBytes = 1024 * 1024;
const remoteBatchSubjects = 16;

/** Callbacks of {@linkcode SubjectWork}. */
export interface SubjectWorkHost {
  /** Returns whether a subject is finished. */
  readonly isDone: (subject: number) => boolean;
  /** Works on subjects; unfinished ones were cancelled. */
  readonly run: (subjects: Uint32Array, signal: AbortSignal | undefined) => Promise<void>;
  /** Returns whether a source is on a file system that may hang. */
  readonly isRemote: (source: number) => boolean;
}

/** Requests work on subjects, in the order of their sources. */
export class SubjectWork {
  readonly #snapshot: Snapshot;
  readonly #host: SubjectWorkHost;
  readonly #pending = new Map<number, Promise<void>>();

  constructor(snapshot: Snapshot, host: SubjectWorkHost) {
    this.#snapshot = snapshot;
    this.#host = host;
  }

  /** Starts work on the unfinished subjects among some. */
  request(subjects: Iterable<number>, signal?: AbortSignal): void {
    const { isDone, isRemote: isRemoteSource } = this.#host;
    const wanted = Array.from(subjects).filter((subject) => !isDone(subject) && !this.#pending.has(subject));
    const snapshot = this.#snapshot;
    const { entryOffsets } = snapshot.columns;
    const places = new Map(wanted.map((subject) => [subject, sourceOfSubject(snapshot, subject).id]));
    const placeOf = (subject: number) => places.get(subject) ?? 0;
    wanted.sort((a, b) => placeOf(a) - placeOf(b) || (entryOffsets[a] ?? 0) - (entryOffsets[b] ?? 0));
    let batch: number[] = [];
    let bytes = 0;
    for (const [index, subject] of wanted.entries()) {
      batch.push(subject);
      bytes += subjectBytes(snapshot, subject);
      const next = wanted[index + 1];
      const isRemote = isRemoteSource(placeOf(subject));
      const [most, mostBytes] = isRemote ? [remoteBatchSubjects, remoteBatchBytes] : [batchSubjects, batchBytes];
      const isEnd = next === undefined || batch.length >= most || bytes >= mostBytes ||
        (placeOf(next) !== placeOf(subject) && (isRemote || isRemoteSource(placeOf(next))));
      if (!isEnd) continue;
      this.#begin(Uint32Array.from(batch), signal);
      batch = [];
      bytes = 0;
    }
  }

  /**
   * Resolves when a subject is finished.
   * @throws {DOMException} if the signal aborts.
   * @throws {Error} if the work does.
   */
  async settled(subject: number, signal?: AbortSignal): Promise<void> {
    while (!this.#host.isDone(subject)) {
      signal?.throwIfAborted();
      if (!this.#pending.has(subject)) this.request([subject], signal);
      // deno-lint-ignore no-await-in-loop -- another request for it may have been dropped
      await untilAborted(this.#pending.get(subject) ?? Promise.resolve(), signal);
    }
  }

  #begin(subjects: Uint32Array, signal: AbortSignal | undefined): void {
    const done = this.#host.run(subjects, signal).finally(() => {
      for (const subject of subjects) this.#pending.delete(subject);
    });
    // The requests that wait for it get the error.
    done.catch(() => {});
    for (const subject of subjects) this.#pending.set(subject, done);
  }
}
