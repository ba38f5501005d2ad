/**
 * The threads that read files on remote file systems for queries, one per file system, seen from the main thread.
 * @module
 */
import { ArchiveError } from "../../../formats/core/errors.ts";
import type { Snapshot } from "../../columns/snapshot.ts";
import type { ContentAnswer, ContentOrder, ContentQuestion } from "./content_worker.ts";
import { describeFileSystem, type RemoteSources } from "./remote_sources.ts";

/** Between two looks at whether a file system answers; milliseconds. */
const betweenLooks = 250;
/** Bytes a millisecond: a slower file system counts as hung. */
const minSpeed = 256;

/** A question that is not answered yet. */
interface Pending {
  readonly result: PromiseWithResolvers<Uint8Array | number | null>;
  readonly path: string;
  readonly asked: number;
  /** Milliseconds that the answer may take. */
  readonly patience: number;
}

/** The file system that a file is on does not answer. */
export class NotAnsweringError extends ArchiveError {
  /** Name of the class. */
  override readonly name = "NotAnsweringError";
}

/** All threads. */
export class RemoteReaders implements Disposable {
  readonly remotes: RemoteSources;
  readonly #patience: number;
  readonly #threads = new Map<number, ReaderThread>();
  readonly #numbers = new WeakMap<Snapshot, number>();
  #nextNumber = 1;

  /** @param patience Milliseconds after which a file system that does not answer hangs. */
  constructor(remotes: RemoteSources, patience: number) {
    this.remotes = remotes;
    this.#patience = patience;
  }

  /**
   * Asks about an entry that is on the remote file system of a number.
   * @throws {NotAnsweringError} if the file system does not answer.
   * @throws {ArchiveError} as {@linkcode ContentReader} does.
   */
  ask(fileSystem: number, snapshot: Snapshot, question: ContentQuestion): Promise<Uint8Array | number | null> {
    const thread = this.#threads.get(fileSystem) ?? new ReaderThread(fileSystem, this.remotes);
    this.#threads.set(fileSystem, thread);
    const index = this.#numbers.get(snapshot) ?? this.#nextNumber++;
    this.#numbers.set(snapshot, index);
    const { path } = snapshot.sourceOf(question.entry);
    const bytes = question.kind === "dataOffset" ? 0 : snapshot.packedSizeOf(question.entry);
    return thread.ask(index, snapshot, question, { path, patience: this.#patience + bytes / minSpeed });
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

class ReaderThread implements Disposable {
  readonly #number: number;
  readonly #remotes: RemoteSources;
  readonly #known = new Set<number>();
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #nextId = 1;
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
    { path, patience }: Pick<Pending, "path" | "patience">,
  ): Promise<Uint8Array | number | null> {
    if (this.#isHung) return Promise.reject(this.#silence(path));
    const worker = this.#worker ??= this.#start();
    if (!this.#known.has(index)) {
      this.#known.add(index);
      worker.postMessage({ type: "index", number: index, snapshot } satisfies ContentOrder);
    }
    const id = this.#nextId++;
    const result = Promise.withResolvers<Uint8Array | number | null>();
    this.#pending.set(id, { result, path, asked: Date.now(), patience });
    worker.postMessage({ type: "ask", id, index, question } satisfies ContentOrder);
    this.#timer ??= setInterval(() => this.#look(), betweenLooks);
    return result.promise;
  }

  forget(index: number): void {
    if (this.#known.delete(index)) this.#worker?.postMessage({ type: "forget", number: index } satisfies ContentOrder);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#fail((path) => new ArchiveError("not read: the daemon is ending", { path }));
  }

  #start(): Worker {
    const worker = new Worker(new URL("./content_worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<ContentAnswer>) => this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#worker = undefined;
      this.#known.clear();
      this.#note(false);
      this.#fail((path) => new ArchiveError(`not read: its thread failed: ${event.message}`, { path }));
    };
    return worker;
  }

  #receive({ id, value, failure }: ContentAnswer): void {
    this.#heard = Date.now();
    this.#note(false);
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    if (!pending) return;
    if (!failure) pending.result.resolve(value ?? null);
    else pending.result.reject(errorOf(failure));
  }

  /** Fails what waits for a file system that has not answered the oldest question for too long. */
  #look(): void {
    const [oldest] = this.#pending.values();
    if (!oldest || Date.now() - Math.max(oldest.asked, this.#heard) <= oldest.patience) return;
    this.#note(true);
    this.#fail((path) => this.#silence(path));
  }

  #note(isHung: boolean): void {
    this.#isHung = isHung;
    this.#remotes.note(this.#number, "queries", isHung);
  }

  #fail(errorFor: (path: string) => ArchiveError): void {
    for (const { result, path } of this.#pending.values()) result.reject(errorFor(path));
    this.#pending.clear();
  }

  #silence(path: string): NotAnsweringError {
    return new NotAnsweringError(`${describeFileSystem(this.#remotes.fileSystem(this.#number))} does not answer`, {
      path,
    });
  }
}

function errorOf({ message, path, offset }: NonNullable<ContentAnswer["failure"]>): Error {
  if (path === null) return new Error(message);
  const prefix = `${path}: `;
  const sentence = message.startsWith(prefix) ? message.slice(prefix.length) : message;
  return new ArchiveError(sentence, { path, ...(offset === undefined ? {} : { offset }) });
}
