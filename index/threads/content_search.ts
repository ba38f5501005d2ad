/**
 * Searches the text files of indexes with a regular expression.
 * @module
 */
import { messageOf } from "../../formats/parts.ts";
import { at } from "../columns/columns.ts";
import type { IndexedGames } from "../columns/indexed_games.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import { ContentThreads } from "./content_threads.ts";
import type { Expression, FoundLines } from "../content/line_search.ts";
import type { RemoteReaders } from "../content/remote/remote_readers.ts";
import { sourceOfSubject } from "../content/subject_reader.ts";
import { SubjectWork, type SubjectWorkHost } from "./subject_work.ts";

/** Timeout of an expression for a batch of files, about 8 MiB, in milliseconds. */
const maxTime = 30_000;

/** Number of cached searches per index, for their next pages. */
const maxSearches = 32;

/** Matching lines of a file, or its read error. */
export interface FoundInFile {
  /** Line numbers, from 1. */
  readonly numbers: Uint32Array;
  readonly lines: readonly string[];
  readonly problem?: string | undefined;
}

const nothing: FoundInFile = { numbers: new Uint32Array(0), lines: [] };

/** Searches indexes. */
export class ContentSearch implements Disposable {
  readonly #remoteReaders: RemoteReaders | undefined;
  readonly #threads = new ContentThreads(maxTime);
  /** The last searches of each index by expression, the latest last. */
  readonly #searches = new WeakMap<Snapshot, Map<string, IndexSearch>>();

  /**
   * @param remoteReaders Reads files on remote file systems; absent if they are read like local ones.
   */
  constructor(remoteReaders: RemoteReaders | undefined) {
    this.#remoteReaders = remoteReaders;
  }

  /** Returns the search of an index for an expression. */
  of(index: IndexedGames, expression: Expression): IndexSearch {
    const { snapshot } = index;
    const key = JSON.stringify(expression);
    const searches = this.#searches.getOrInsertComputed(snapshot, () => new Map<string, IndexSearch>());
    const search = searches.get(key) ?? this.#newSearch(index, expression);
    searches.delete(key);
    searches.set(key, search);
    const [oldest = key] = searches.keys();
    if (searches.size > maxSearches) {
      searches.get(oldest)?.cancel();
      searches.delete(oldest);
    }
    return search;
  }

  /** Releases an index. */
  forget({ snapshot }: IndexedGames): void {
    this.#searches.delete(snapshot);
    this.#threads.forget(snapshot);
  }

  [Symbol.dispose](): void {
    this.#threads[Symbol.dispose]();
  }

  #newSearch(index: IndexedGames, expression: Expression): IndexSearch {
    const { snapshot } = index;
    const numbers = this.#remoteReaders?.remotes.numbersOf(index);
    const numberOf = (source: number) => numbers?.[source] ?? 0;
    return new IndexSearch(snapshot, async (subjects, signal) => {
      const number = numberOf(sourceOfSubject(snapshot, at(subjects, 0)).id);
      if (number !== 0) return await this.#searchRemote(number, snapshot, subjects, expression, signal);
      return [await this.#threads.ask(snapshot, { kind: "search", subjects, expression }, signal) as FoundLines];
    }, (source) => numberOf(source) !== 0);
  }

  /** Searches files that the thread of their file system reads: a slow expression must not make it seem hung. */
  async #searchRemote(
    number: number,
    snapshot: Snapshot,
    subjects: Uint32Array,
    expression: Expression,
    signal: AbortSignal | undefined,
  ): Promise<FoundLines[]> {
    const found: FoundLines[] = [];
    for (const entry of subjects) {
      signal?.throwIfAborted();
      let bytes: Uint8Array;
      try {
        // deno-lint-ignore no-await-in-loop -- one file after the other is how its file system is read
        bytes = await this.#remoteReaders?.ask(number, snapshot, { kind: "whole", entry }) as Uint8Array;
      } catch (error) {
        const problems = new Map([[0, messageOf(error)]]);
        found.push({ counts: new Uint32Array(1), numbers: nothing.numbers, lines: [], problems });
        continue;
      }
      const question = { kind: "search", subjects: new Uint32Array(0), expression, bytes } as const;
      // deno-lint-ignore no-await-in-loop -- as above
      found.push(await this.#threads.ask(snapshot, question, signal) as FoundLines);
    }
    return found;
  }
}

/** Searches some subjects in another thread. */
type Searcher = (subjects: Uint32Array, signal: AbortSignal | undefined) => Promise<readonly FoundLines[]>;

/** The search of one index for one expression. */
export class IndexSearch extends SubjectWork {
  readonly #found: Map<number, FoundInFile>;
  #cancel = new AbortController();

  constructor(snapshot: Snapshot, searcher: Searcher, isRemote: SubjectWorkHost["isRemote"]) {
    const found = new Map<number, FoundInFile>();
    super(snapshot, {
      isDone: (subject) => found.has(subject),
      run: async (subjects, signal) => {
        const answers = await searcher(subjects, signal).catch((error) => {
          // Another request that waits for them starts them again.
          if (signal?.aborted) return [];
          throw error;
        });
        let index = 0;
        for (const answer of answers) {
          for (const one of inFiles(answer)) found.set(at(subjects, index++), one);
        }
      },
      isRemote,
    });
    this.#found = found;
  }

  /** Starts searching the unsearched files among some files; later requests share this work. */
  override request(subjects: Iterable<number>): void {
    super.request(subjects, this.#cancel.signal);
  }

  /**
   * Resolves when a file was searched. The signal ends all searches in progress, which can only be interrupted by
   * ending their threads.
   */
  override async settled(subject: number, signal?: AbortSignal): Promise<void> {
    try {
      await super.settled(subject, signal);
    } catch (error) {
      if (signal?.aborted) this.cancel();
      throw error;
    }
  }

  /** Ends all searches in progress. */
  cancel(): void {
    this.#cancel.abort();
    this.#cancel = new AbortController();
  }

  /** Returns whether a file was searched. */
  isDone(subject: number): boolean {
    return this.#found.has(subject);
  }

  /** Returns the result for a searched file. */
  foundIn(subject: number): FoundInFile {
    return this.#found.get(subject) ?? nothing;
  }

  /** Drops the result for a file. */
  forget(subject: number): void {
    this.#found.delete(subject);
  }
}

function* inFiles({ counts, numbers, lines, problems }: FoundLines): Generator<FoundInFile> {
  let start = 0;
  for (const [index, count] of counts.entries()) {
    const problem = problems.get(index);
    yield count === 0 && problem === undefined
      ? nothing
      : { numbers: numbers.subarray(start, start + count), lines: lines.slice(start, start + count), problem };
    start += count;
  }
}
