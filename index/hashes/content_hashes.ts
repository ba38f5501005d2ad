/**
 * Hashes of the files of an index: known hashes, and the computation of others.
 * @module
 */
import { messageOf } from "../../formats/parts.ts";
import { at } from "../columns/columns.ts";
import type { IndexedGames } from "../columns/indexed_games.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import { ContentThreads } from "../threads/content_threads.ts";
import { type Hashes, sha256Bytes } from "../content/entry_hasher.ts";
import type { RemoteReaders } from "../content/remote/remote_readers.ts";
import { sourceOfSubject } from "../content/subject_reader.ts";
import { SubjectWork } from "../threads/subject_work.ts";
import { type HashStore, isSubjectSettled } from "./hash_store.ts";
import { HashState, SubjectHashes } from "./subject_hashes.ts";

/** Collaborators of {@linkcode ContentHashes}. */
export interface HashingHost {
  readonly store: HashStore;
  /** Reads files on remote file systems; absent if they are read like local ones. */
  readonly remoteReaders?: RemoteReaders | undefined;
}

/** Hashes the files of successive indexes. */
export class ContentHashes implements Disposable {
  readonly #host: HashingHost;
  readonly #threads = new ContentThreads();
  readonly #known = new WeakMap<Snapshot, IndexHashes>();

  constructor(host: HashingHost) {
    this.#host = host;
  }

  /** Returns the hashes of an index, including stored ones. */
  of(index: IndexedGames): IndexHashes {
    const { snapshot } = index;
    return this.#known.getOrInsertComputed(snapshot, () => this.#hashesOf(index));
  }

  #hashesOf(index: IndexedGames): IndexHashes {
    const { snapshot } = index;
    const { store, remoteReaders } = this.#host;
    const numbers = remoteReaders?.remotes.numbersOf(index);
    return new IndexHashes(snapshot, store, async (subjects, signal) => {
      const question = { kind: "hash", subjects } as const;
      const number = numbers?.[sourceOfSubject(snapshot, at(subjects, 0)).id] ?? 0;
      const answer = number === 0 || !remoteReaders
        ? this.#threads.ask(snapshot, question, signal)
        : remoteReaders.ask(number, snapshot, question);
      return await answer as Hashes;
    }, (source) => (numbers?.[source] ?? 0) !== 0);
  }

  /** Releases an index. */
  forget({ snapshot }: IndexedGames): void {
    this.#known.delete(snapshot);
    this.#threads.forget(snapshot);
  }

  [Symbol.dispose](): void {
    this.#threads[Symbol.dispose]();
  }
}

/** Hashes subjects in another thread. */
type Hasher = (subjects: Uint32Array, signal: AbortSignal | undefined) => Promise<Hashes>;

/** Hashes of one index. */
export class IndexHashes extends SubjectHashes {
  readonly #store: HashStore;
  readonly #hasher: Hasher;
  readonly #work: SubjectWork;

  constructor(snapshot: Snapshot, store: HashStore, hasher: Hasher, isRemote: (source: number) => boolean) {
    super(snapshot);
    this.#store = store;
    this.#hasher = hasher;
    this.#work = new SubjectWork(snapshot, {
      isDone: (subject) => this.isDone(subject),
      run: (subjects, signal) => this.#hash(subjects, signal),
      isRemote,
    });
    store.fill(this);
  }

  /** Returns whether a subject's hash is known, or it cannot be read. */
  isDone(subject: number): boolean {
    return this.stateOf(subject) !== HashState.unknown;
  }

  /** Starts hashing unfinished subjects. */
  request(subjects: Iterable<number>, signal?: AbortSignal): void {
    this.#work.request(subjects, signal);
  }

  /**
   * Resolves when a subject is finished.
   * @throws {DOMException} if the signal aborts.
   */
  async settled(subject: number, signal?: AbortSignal): Promise<void> {
    await this.#work.settled(subject, signal);
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
