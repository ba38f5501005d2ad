/**
 * Hashes of the files of an index: those that are known, and the work of computing others.
 * @module
 */
import { messageOf } from "../../formats/parts.ts";
import { at } from "../columns/columns.ts";
import type { IndexedGames } from "../columns/indexed_games.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import { type Hashes, sha256Bytes, sourceOfSubject, subjectBytes } from "../content/entry_hasher.ts";
import type { RemoteReaders } from "../content/remote/remote_readers.ts";
import { type HashStore, isSubjectSettled } from "./hash_store.ts";
import { HashThreads } from "./hash_threads.ts";
import { HashState, SubjectHashes } from "./subject_hashes.ts";

/** Bytes and subjects that a thread gets at once. */
const batchBytes = 8 * 1024 * 1024;
const batchSubjects = 256;
/** The same where a file system may hang: the reply to one question delays the others. */
const remoteBatchBytes = 1024 * 1024;
const remoteBatchSubjects = 16;

/** Collaborators of {@linkcode ContentHashes}. */
export interface HashingHost {
  readonly store: HashStore;
  /** Reads files on remote file systems; absent where they are read as local ones are. */
  readonly remoteReaders?: RemoteReaders | undefined;
}

/** Hashes the files of indexes that follow one another. */
export class ContentHashes implements Disposable {
  readonly #host: HashingHost;
  readonly #threads = new HashThreads();
  readonly #known = new WeakMap<Snapshot, IndexHashes>();

  constructor(host: HashingHost) {
    this.#host = host;
  }

  /** Returns the hashes of an index, those too that the store has. */
  of(index: IndexedGames): IndexHashes {
    const { snapshot } = index;
    const known = this.#known.get(snapshot);
    if (known) return known;
    const { store, remoteReaders } = this.#host;
    const numbers = remoteReaders?.remotes.numbersOf(index);
    const hashes = new IndexHashes(snapshot, store, (subjects, signal) => {
      const { id } = sourceOfSubject(snapshot, at(subjects, 0));
      const number = numbers?.[id] ?? 0;
      if (number === 0 || !remoteReaders) return this.#threads.hash(snapshot, subjects, signal);
      return remoteReaders.ask(number, snapshot, { kind: "hash", subjects }) as Promise<Hashes>;
    }, (source) => (numbers?.[source] ?? 0) !== 0);
    this.#known.set(snapshot, hashes);
    return hashes;
  }

  /** Forgets an index. */
  forget({ snapshot }: IndexedGames): void {
    this.#known.delete(snapshot);
    this.#threads.forget(snapshot);
  }

  [Symbol.dispose](): void {
    this.#threads[Symbol.dispose]();
  }
}

/** Hashes subjects of one source in another thread. */
type Hasher = (subjects: Uint32Array, signal: AbortSignal | undefined) => Promise<Hashes>;

/** Hashes of one index. */
export class IndexHashes extends SubjectHashes {
  readonly #store: HashStore;
  readonly #hasher: Hasher;
  readonly #isRemote: (source: number) => boolean;
  readonly #pending = new Map<number, Promise<void>>();

  constructor(snapshot: Snapshot, store: HashStore, hasher: Hasher, isRemote: (source: number) => boolean) {
    super(snapshot);
    this.#store = store;
    this.#hasher = hasher;
    this.#isRemote = isRemote;
    store.fill(this);
  }

  /** Begins to hash those of some subjects that are not known, in the order of their sources. */
  request(subjects: Iterable<number>, signal?: AbortSignal): void {
    const wanted = Array.from(subjects).filter((subject) =>
      this.stateOf(subject) === HashState.unknown && !this.#pending.has(subject)
    );
    const { snapshot } = this;
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
      const isRemote = this.#isRemote(placeOf(subject));
      const [most, mostBytes] = isRemote ? [remoteBatchSubjects, remoteBatchBytes] : [batchSubjects, batchBytes];
      const isEnd = next === undefined || batch.length >= most || bytes >= mostBytes ||
        (placeOf(next) !== placeOf(subject) && (isRemote || this.#isRemote(placeOf(next))));
      if (!isEnd) continue;
      this.#begin(Uint32Array.from(batch), signal);
      batch = [];
      bytes = 0;
    }
  }

  /**
   * Resolved when a subject is known or found unreadable.
   * @throws {DOMException} if the signal aborts.
   */
  async settled(subject: number, signal?: AbortSignal): Promise<void> {
    while (this.stateOf(subject) === HashState.unknown) {
      signal?.throwIfAborted();
      if (!this.#pending.has(subject)) this.request([subject], signal);
      // deno-lint-ignore no-await-in-loop -- another request for it may have been dropped
      await untilAborted(this.#pending.get(subject), signal);
    }
  }

  #begin(subjects: Uint32Array, signal: AbortSignal | undefined): void {
    const done = this.#hash(subjects, signal).finally(() => {
      for (const subject of subjects) this.#pending.delete(subject);
    });
    for (const subject of subjects) this.#pending.set(subject, done);
  }

  async #hash(subjects: Uint32Array, signal: AbortSignal | undefined): Promise<void> {
    const readAt = Date.now();
    try {
      const { sha256, crc32, problems } = await this.#hasher(subjects, signal);
      for (const [index, subject] of subjects.entries()) {
        const problem = problems.get(index);
        if (problem !== undefined) this.fail(subject, problem);
        else {
          const source = sourceOfSubject(this.snapshot, subject);
          const isSettled = isSubjectSettled(this.snapshot, subject, source, readAt);
          const digest = sha256.subarray(index * sha256Bytes, (index + 1) * sha256Bytes);
          this.set(subject, digest, at(crc32, index), false, isSettled);
        }
      }
      this.#store.schedule(this);
    } catch (error) {
      if (signal?.aborted) return;
      for (const subject of subjects) this.fail(subject, messageOf(error));
    }
  }
}

/** Waits for work that other requests wait for too; rejected when the signal aborts. */
async function untilAborted(work: Promise<void> | undefined, signal: AbortSignal | undefined): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal?.reason);
  signal?.addEventListener("abort", abort);
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}
