/**
 * The known hashes of one snapshot's files.
 * @module
 */
import { at } from "../columns/columns.ts";
import type { Source } from "../columns/source.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import { sha256Bytes } from "../content/entry_hasher.ts";
import { packSubject, sourceOfSubject } from "../content/subject_reader.ts";

/** Whether the hashes of a subject are known. */
export const HashState = {
  unknown: 0,
  /** Known, but the file changed so recently that a later change might not show. */
  fresh: 1,
  settled: 2,
  /** The subject cannot be read. */
  unreadable: 3,
} as const;

/** Hashes by subject: entries, followed by whole packs. Only known hashes use memory. */
export class SubjectHashes {
  readonly snapshot: Snapshot;
  readonly #states: Uint8Array;
  readonly #sha256: Uint8Array;
  readonly #crc32: Uint32Array;
  readonly #problems = new Map<number, string>();
  readonly #changed = new Set<number>();

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
    const subjects = snapshot.entryCount + snapshot.sources.length;
    this.#states = new Uint8Array(subjects);
    this.#sha256 = new Uint8Array(subjects * sha256Bytes);
    this.#crc32 = new Uint32Array(subjects);
  }

  /** Returns one of {@linkcode HashState}. */
  stateOf(subject: number): number {
    return at(this.#states, subject);
  }

  /** Returns whether the hashes of a subject are known. */
  isKnown(subject: number): boolean {
    const state = this.stateOf(subject);
    return state === HashState.fresh || state === HashState.settled;
  }

  /** Returns the SHA-256 of a subject whose hashes are known (a view). */
  sha256Of(subject: number): Uint8Array {
    return this.#sha256.subarray(subject * sha256Bytes, (subject + 1) * sha256Bytes);
  }

  /** Returns the CRC-32 of a subject whose hashes are known. */
  crc32Of(subject: number): number {
    return at(this.#crc32, subject);
  }

  /** Returns the reason why a subject cannot be read; undefined if it can, or was not read yet. */
  problemOf(subject: number): string | undefined {
    return this.#problems.get(subject);
  }

  /**
   * Sets the hashes of a subject.
   * @param isKept Whether they are from the store.
   */
  set(subject: number, sha256: Uint8Array, crc32: number, isKept: boolean, isSettled: boolean = isKept): void {
    this.#states[subject] = isSettled ? HashState.settled : HashState.fresh;
    this.#sha256.set(sha256, subject * sha256Bytes);
    this.#crc32[subject] = crc32;
    this.#problems.delete(subject);
    if (isSettled && !isKept) this.#changed.add(sourceOfSubject(this.snapshot, subject).id);
  }

  /** Records that a subject cannot be read. */
  fail(subject: number, problem: string): void {
    this.#states[subject] = HashState.unreadable;
    this.#problems.set(subject, problem);
  }

  /** Drops the read errors of subjects, so that they are read again. */
  retry(): void {
    for (const subject of this.#problems.keys()) this.#states[subject] = HashState.unknown;
    this.#problems.clear();
  }

  /** Returns whether a source has hashes that are not from the store. */
  isChanged({ id }: Source): boolean {
    return this.#changed.has(id);
  }

  /** Returns the settled subjects of a source. */
  settledOf(source: Source): number[] {
    const entries = Array.from({ length: source.entryCount }, (_, index) => source.firstEntry + index);
    return [...entries, packSubject(this.snapshot, source)].filter((subject) =>
      this.stateOf(subject) === HashState.settled
    );
  }
}

/** Yields the entries of a snapshot whose SHA-256 is known. */
export function* knownHashes(
  hashes: SubjectHashes,
): Generator<{ readonly entry: number; readonly sha256: Uint8Array; readonly crc32: number }> {
  for (let entry = 0; entry < hashes.snapshot.entryCount; entry++) {
    if (hashes.isKnown(entry)) yield { entry, sha256: hashes.sha256Of(entry), crc32: hashes.crc32Of(entry) };
  }
}
