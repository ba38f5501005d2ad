/**
 * The threads that read files on remote file systems for queries, one per file system, as used by the main thread.
 * @module
 */
import { ArchiveError, type ArchiveErrorDetails } from "../../../formats/parts.ts";
import type { Snapshot } from "../../columns/snapshot.ts";
import {
  callsUnderWay,
  createCallMemory,
  NotAnsweringError,
  Thread,
  ThreadError,
  type WatchedReader,
} from "../../../system/mod.ts";
import { at } from "../../columns/columns.ts";
import type { ContentAnswer, ContentAnswerer, ContentQuestion } from "./content_worker.ts";
import { sourceOfSubject } from "../subject_reader.ts";
import type { RemoteSources } from "./remote_sources.ts";

/** All threads. */
export class RemoteReaders implements Disposable {
  readonly remotes: RemoteSources;
  readonly #threads = new Map<number, ReaderThread>();
  readonly #numbers = new WeakMap<Snapshot, number>();
  #nextNumber = 1;

  constructor(remotes: RemoteSources) {
    this.remotes = remotes;
  }

  /**
   * Sends a query about an entry on the remote file system with a number.
   * @throws {NotAnsweringError} if the file system does not reply.
   * @throws {ArchiveError} like {@linkcode ContentReader}.
   */
  async ask(fileSystem: number, snapshot: Snapshot, question: ContentQuestion): Promise<ContentAnswer> {
    const index = this.#numbers.get(snapshot) ?? this.#nextNumber++;
    this.#numbers.set(snapshot, index);
    const { path } = sourceOfSubject(snapshot, "entry" in question ? question.entry : at(question.subjects, 0));
    const thread = this.#threads.get(fileSystem) ??
      new ReaderThread(fileSystem, () => this.#threads.delete(fileSystem));
    this.#threads.set(fileSystem, thread);
    try {
      return await this.remotes.answered(thread, () => thread.ask(index, snapshot, question), path);
    } catch (error) {
      throw errorOf(error as Error, path);
    }
  }

  /** Releases an index. */
  forget(snapshot: Snapshot): void {
    const number = this.#numbers.get(snapshot);
    if (number === undefined) return;
    for (const thread of this.#threads.values()) thread.forget(number);
  }

  [Symbol.dispose](): void {
    for (const thread of this.#threads.values()) thread[Symbol.dispose]();
    this.#threads.clear();
  }
}

class ReaderThread implements Disposable, WatchedReader {
  readonly locate: () => number;
  readonly needs: (fileSystem: number) => boolean;
  readonly #thread: Thread<number, never, ContentAnswerer>;
  readonly #memory = createCallMemory();
  readonly #known = new Set<number>();

  constructor(fileSystem: number, onFailure: () => void) {
    this.locate = () => fileSystem;
    this.needs = (number) => number === fileSystem;
    this.#thread = new Thread(new URL("./content_worker.ts", import.meta.url), { onFailure });
  }

  readonly calls = () => callsUnderWay(this.#memory);

  ask(index: number, snapshot: Snapshot, question: ContentQuestion): Promise<ContentAnswer> {
    const sent = this.#known.has(index) ? undefined : snapshot;
    this.#known.add(index);
    return this.#thread.ask({ index, snapshot: sent, question, calls: this.#memory });
  }

  forget(index: number): void {
    if (this.#known.delete(index)) this.#thread.post(index);
  }

  [Symbol.dispose](): void {
    this.#thread.end("the daemon is ending");
  }
}

/** Returns the error of a reader for an error of its thread. */
function errorOf(error: Error & Partial<ArchiveErrorDetails>, path: string): Error {
  if (error instanceof NotAnsweringError) return error;
  if (error instanceof ThreadError) return new ArchiveError(`not read: ${error.message}`, { path });
  if (!("offset" in error)) return error; // not about an archive
  const { message, path: archive = path, offset } = error;
  const prefix = `${archive}: `;
  const sentence = message.startsWith(prefix) ? message.slice(prefix.length) : message;
  return new ArchiveError(sentence, { path: archive, ...(offset === undefined ? {} : { offset }) });
}
