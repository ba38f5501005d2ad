/**
 * The threads that read files on remote file systems for queries, one per file system, seen from the main thread.
 * @module
 */
import { ArchiveError, type ArchiveErrorDetails } from "../../../formats/parts.ts";
import type { Snapshot } from "../../columns/snapshot.ts";
import { Thread, ThreadError } from "../../../system/mod.ts";
import { at } from "../../columns/columns.ts";
import type { ContentAnswer, ContentAnswerer, ContentQuestion } from "./content_worker.ts";
import { sourceOfSubject, subjectBytes } from "../subject_reader.ts";
import { describeFileSystem, type RemoteSources } from "./remote_sources.ts";

/** Poll interval for hung file systems, in milliseconds. */
const betweenLooks = 250;
/** Bytes a millisecond: a slower file system counts as hung. */
const minSpeed = 256;

/** A question that is not answered yet. */
interface Pending {
  readonly result: PromiseWithResolvers<ContentAnswer>;
  readonly path: string;
  readonly asked: number;
  /** Milliseconds that the answer may take. */
  readonly timeout: number;
}

/** The file system that a file is on does not answer. */
export class NotAnsweringError extends ArchiveError {
  /** Name of the class. */
  override readonly name = "NotAnsweringError";
}

/** All threads. */
export class RemoteReaders implements Disposable {
  readonly remotes: RemoteSources;
  readonly #timeout: number;
  readonly #threads = new Map<number, ReaderThread>();
  readonly #numbers = new WeakMap<Snapshot, number>();
  #nextNumber = 1;

  /** @param timeout Milliseconds after which a file system that does not answer hangs. */
  constructor(remotes: RemoteSources, timeout: number) {
    this.remotes = remotes;
    this.#timeout = timeout;
  }

  /**
   * Asks about an entry that is on the remote file system of a number.
   * @throws {NotAnsweringError} if the file system does not answer.
   * @throws {ArchiveError} as {@linkcode ContentReader} does.
   */
  ask(fileSystem: number, snapshot: Snapshot, question: ContentQuestion): Promise<ContentAnswer> {
    const thread = this.#threads.get(fileSystem) ?? new ReaderThread(fileSystem, this.remotes);
    this.#threads.set(fileSystem, thread);
    const index = this.#numbers.get(snapshot) ?? this.#nextNumber++;
    this.#numbers.set(snapshot, index);
    const [subject, bytes] = extentOf(snapshot, question);
    const { path } = sourceOfSubject(snapshot, subject);
    return thread.ask(index, snapshot, question, { path, timeout: this.#timeout + bytes / minSpeed });
  }

  /** Forgets an index. */
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

/** Returns the first subject that a question is about, and how many bytes are read for the answer. */
function extentOf(snapshot: Snapshot, question: ContentQuestion): [subject: number, bytes: number] {
  if (question.kind === "dataOffset") return [question.entry, 0];
  if (!("subjects" in question)) return [question.entry, snapshot.packedSizeOf(question.entry)];
  const { subjects } = question;
  return [at(subjects, 0), subjects.reduce((sum, subject) => sum + subjectBytes(snapshot, subject), 0)];
}

class ReaderThread implements Disposable {
  readonly #number: number;
  readonly #remotes: RemoteSources;
  readonly #known = new Set<number>();
  readonly #pending = new Set<Pending>();
  #thread: Thread<number, never, ContentAnswerer> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #heard = 0;
  #isHung = false;

  constructor(number: number, remotes: RemoteSources) {
    this.#number = number;
    this.#remotes = remotes;
  }

  ask(
    index: number,
    snapshot: Snapshot,
    question: ContentQuestion,
    { path, timeout }: Pick<Pending, "path" | "timeout">,
  ): Promise<ContentAnswer> {
    if (this.#isHung) return Promise.reject(this.#silence(path));
    const thread = this.#thread ??= this.#start();
    const sent = this.#known.has(index) ? undefined : snapshot;
    this.#known.add(index);
    const pending = { result: Promise.withResolvers<ContentAnswer>(), path, asked: Date.now(), timeout };
    this.#pending.add(pending);
    this.#timer ??= setInterval(() => this.#look(), betweenLooks);
    thread.ask({ index, snapshot: sent, question }).finally(() => this.#hear(pending)).then(
      pending.result.resolve,
      (error) => pending.result.reject(errorOf(error, path)),
    );
    return pending.result.promise;
  }

  forget(index: number): void {
    if (this.#known.delete(index)) this.#thread?.post(index);
  }

  [Symbol.dispose](): void {
    this.#stopLooking();
    this.#thread?.end("the daemon is ending");
    this.#thread = undefined;
  }

  #start(): Thread<number, never, ContentAnswerer> {
    const thread = new Thread<number, never, ContentAnswerer>(new URL("./content_worker.ts", import.meta.url), {
      onFailure: (reason) => {
        thread.end(`its thread failed: ${reason}`);
        this.#thread = undefined;
        this.#known.clear();
        this.#note(false);
      },
    });
    return thread;
  }

  /** Notes that a question is over, and that the file system answers unless the thread was ended. */
  #hear(pending: Pending): void {
    this.#pending.delete(pending);
    if (this.#pending.size === 0) this.#stopLooking();
    if (!this.#thread) return;
    this.#heard = Date.now();
    this.#note(false);
  }

  #stopLooking(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Fails what waits for a file system that has not answered the oldest question for too long. */
  #look(): void {
    const [oldest] = this.#pending;
    if (!oldest || Date.now() - Math.max(oldest.asked, this.#heard) <= oldest.timeout) return;
    this.#note(true);
    for (const { result, path } of this.#pending) result.reject(this.#silence(path));
    this.#pending.clear();
  }

  #note(isHung: boolean): void {
    this.#isHung = isHung;
    this.#remotes.note(this.#number, "queries", isHung);
  }

  #silence(path: string): NotAnsweringError {
    return new NotAnsweringError(`${describeFileSystem(this.#remotes.fileSystem(this.#number))} does not answer`, {
      path,
    });
  }
}

/** Returns the error of a reader for an error of its thread. */
function errorOf(error: Error & Partial<ArchiveErrorDetails>, path: string): Error {
  if (error instanceof ThreadError) return new ArchiveError(`not read: ${error.message}`, { path });
  if (!("offset" in error)) return error; // of no archive
  const { message, path: archive = path, offset } = error;
  const prefix = `${archive}: `;
  const sentence = message.startsWith(prefix) ? message.slice(prefix.length) : message;
  return new ArchiveError(sentence, { path: archive, ...(offset === undefined ? {} : { offset }) });
}
