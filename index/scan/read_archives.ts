/**
 * Reads the lists of many archives, with the help of other threads if that is faster.
 *
 * Starting a thread costs as much as reading about a hundred small archives, so this thread begins alone, and others
 * are started only if the rest will take long; it keeps reading while they start. Archives that are unpacked first are
 * left to another thread, so that a daemon answers its clients meanwhile.
 * @module
 */
import { elementAt } from "../../formats/parts.ts";
import { ArchiveQueue } from "./archive_queue.ts";
import { deserializeLists, type SerializedLists } from "./serialized_lists.ts";
import { ownCallMemory, Thread, untilAborted } from "../../system/mod.ts";
import { isSlow, type OpenArchive, type PackList, readPack, type UnreadArchive } from "./read_pack.ts";

/** Message that starts a reader thread. */
export interface ReaderStart {
  readonly archives: readonly UnreadArchive[];
  /** Memory of the queue. */
  readonly memory: SharedArrayBuffer;
  /** Memory in which the thread records its file operations, if the starting thread does. */
  readonly calls: SharedArrayBuffer | undefined;
  /** From 1 on. */
  readonly thread: number;
}

/** Message from a reader thread: lists of archives, beginning with number `start`. */
export interface ReaderMessage {
  readonly start: number;
  readonly lists: SerializedLists;
}

/** Options of {@linkcode readArchives}. */
export interface ReadOptions {
  /** Called before this thread reads archives, with the number of the next archive. */
  readonly onProgress?: (done: number) => void;
  /** Aborts reading with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Opens archives in this thread; default: by path. */
  readonly open?: OpenArchive | undefined;
  /** Maximum number of threads in addition to this one; default: as many as there are further processors, up to three. */
  readonly helpers?: number;
  /** Expected milliseconds of remaining work above which other threads help; default 400. */
  readonly timeout?: number;
}

const defaultTimeout = 400;
const maxHelpers = 3;
/** Milliseconds of reading after which to yield: a short scan never yields. */
const maxTurn = 100;

/** Returns the lists of archives, in the order of the archives. An unreadable archive is a list with a failure. */
export async function readArchives(archives: readonly UnreadArchive[], options: ReadOptions = {}): Promise<PackList[]> {
  using reading = new Reading(archives, options);
  await reading.run();
  return reading.lists();
}

class Reading implements Disposable {
  readonly #archives: readonly UnreadArchive[];
  readonly #options: ReadOptions;
  readonly #queue: ArchiveQueue;
  readonly #lists: (PackList | undefined)[];
  /** Numbers of archives that are unpacked first, and their queue. */
  readonly #slow: number[] = [];
  #slowQueue: ArchiveQueue | undefined;
  readonly #threads: Thread<ReaderStart, ReaderMessage>[] = [];

  constructor(archives: readonly UnreadArchive[], options: ReadOptions) {
    this.#archives = archives;
    this.#options = options;
    this.#queue = new ArchiveQueue(archives.length);
    this.#lists = archives.map(() => undefined);
  }

  async run(): Promise<void> {
    const { signal, onProgress, timeout = defaultTimeout } = this.#options;
    const start = performance.now();
    let turn = start;
    for (let part = this.#queue.take(); part; part = this.#queue.take()) {
      signal?.throwIfAborted();
      onProgress?.(part.start);
      this.#read(part.start, part.end);
      if (performance.now() - turn > maxTurn) {
        // deno-lint-ignore no-await-in-loop -- lets a daemon answer its clients meanwhile
        await new Promise((resolve) => setTimeout(resolve));
        turn = performance.now();
      }
      const left = this.#archives.length - part.end;
      const expected = (performance.now() - start) / part.end * left;
      if (this.#threads.length === 0 && expected > timeout) this.#startThreads();
    }
    if (this.#slow.length > 0) {
      this.#slowQueue = new ArchiveQueue(this.#slow.length);
      this.#startThread(this.#slow.map((number) => elementAt(this.#archives, number)), this.#slowQueue, this.#slow);
    }
    await untilAborted(Promise.all(this.#threads.map(({ ended }) => ended)), signal);
  }

  /** Returns all lists; archives that a dead thread took without returning their lists are read here. */
  lists(): PackList[] {
    return this.#archives.map((archive, index) => this.#lists[index] ?? readPack(archive, this.#options.open));
  }

  [Symbol.dispose](): void {
    // Threads end on their own: terminating one while it reads would leave its archive open.
    this.#queue.close();
    this.#slowQueue?.close();
  }

  #read(start: number, end: number): void {
    const { open } = this.#options;
    for (const [index, archive] of this.#archives.slice(start, end).entries()) {
      if (!open && isSlow(archive)) this.#slow.push(start + index);
      else this.#lists[start + index] = readPack(archive, open);
    }
  }

  #startThreads(): void {
    const helpers = this.#options.helpers ?? Math.min(maxHelpers, navigator.hardwareConcurrency - 1);
    for (let number = 0; number < helpers; number++) this.#startThread(this.#archives, this.#queue);
  }

  /** @param numbers Numbers of the archives; default: they are all. */
  #startThread(archives: readonly UnreadArchive[], { memory }: ArchiveQueue, numbers?: readonly number[]): void {
    const thread = new Thread<ReaderStart, ReaderMessage>(new URL("./reader_worker.ts", import.meta.url), {
      onMessage: ({ start, lists }) => {
        for (const [index, list] of deserializeLists(lists).entries()) {
          this.#lists[numbers?.[start + index] ?? start + index] = list;
        }
      },
      onFailure: () => {}, // its unread archives are read here
    });
    this.#threads.push(thread);
    thread.post({
      // The objects may have further fields, which should not be copied to each thread.
      archives: archives.map((
        { path, size, mtime, ctime, nested, packFormat, lumps, smallInZips, colonsInZips, search, lumpTypes, isAlone },
      ) => ({
        path,
        size,
        mtime,
        ctime,
        nested,
        packFormat,
        lumps,
        smallInZips,
        colonsInZips,
        search,
        lumpTypes,
        isAlone,
      })),
      memory,
      calls: ownCallMemory(),
      thread: this.#threads.length,
    });
  }
}
