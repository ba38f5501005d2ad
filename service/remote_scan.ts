/**
 * Indexes games without waiting for a file system that hangs: its sources and names stay as they were, or are awaited.
 * @module
 */
import { resolve } from "@std/path";
import {
  at,
  type GameOptions,
  type IndexedGames,
  indexFrom,
  indexGames,
  type IndexParts,
  type RemoteSources,
  type ScanOptions,
  sharedColumns,
} from "../index/mod.ts";
import { GameError } from "../games/mod.ts";
import { isInside } from "../formats/parts.ts";
import { NotAnsweringError, ReaderProcess, untilAborted } from "../system/mod.ts";
import type { ScanAnswer, ScanOrder, ScanReport } from "./scan_worker.ts";

type Scanner = ReaderProcess<ScanOrder, ScanAnswer, ScanReport>;

/** Indexes games on local file systems in this thread, others in a separate process. */
export class RemoteScan implements AsyncDisposable {
  readonly #remotes: RemoteSources;
  #scanner: Scanner | undefined;
  /** The last index that the process knows. */
  #last: IndexedGames | undefined;

  constructor(remotes: RemoteSources) {
    this.#remotes = remotes;
  }

  /**
   * Indexes games like {@linkcode indexGames}.
   * @throws {GameError} also if a root or a list of names is on a file system that does not reply, if missing ones are
   * an error.
   */
  async index(games: readonly GameOptions[], options: ScanOptions = {}): Promise<IndexedGames> {
    for (;;) {
      const paths = this.#remotePaths(games, options.previous);
      const silent = Array.from(paths).filter(([, number]) => this.#remotes.isHung(number));
      const [first] = silent;
      if (first && !options.presence) throw new GameError(`${first[0]} ${this.#silence(first[1])}`, first[0]);
      options.presence?.silence(new Map(silent.map(([path, number]) => [path, this.#silence(number)])));
      if (paths.size === 0) return indexGames(games, options);
      const scanned = new Set(paths.values()).difference(new Set(silent.map(([, number]) => number)));
      try {
        // deno-lint-ignore no-await-in-loop -- repeated only if one of them stops answering meanwhile
        const index = await this.#run(games, options, paths);
        this.#remotes.forgive();
        return index;
      } catch (error) {
        const isHung = error instanceof NotAnsweringError;
        // A scan that still runs must not answer the next order.
        this.#scanner?.endLater();
        this.#scanner = this.#last = undefined;
        if (isHung && scanned.has(error.fileSystem)) continue;
        throw isHung ? new GameError(`${error.path} does not answer`, error.path) : error;
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#scanner?.[Symbol.asyncDispose]();
  }

  /** Returns the numbers of the remote file systems of roots and lists of names, by path. */
  #remotePaths(games: readonly GameOptions[], previous: IndexedGames | undefined): Map<string, number> {
    const paths = new Map<string, number>();
    const add = (path: string, number: number) => {
      if (number !== 0 && !this.#remotes.isHung(paths.get(path) ?? 0)) paths.set(path, number);
    };
    for (const path of games.flatMap(({ sources, names = [] }) => [...sources, ...names].map((one) => resolve(one)))) {
      add(path, this.#remotes.numberOf(path));
    }
    if (!previous) return paths;
    // Local directories may have links to packs elsewhere.
    const numbers = this.#remotes.numbersOf(previous);
    for (const { id, game, rootIndex } of previous.snapshot.sources) {
      const path = previous.games[game]?.roots[rootIndex];
      if (path !== undefined) add(path, at(numbers, id));
    }
    return paths;
  }

  #silence(number: number): string {
    return `is on ${this.#remotes.describe(number)}, which does not answer`;
  }

  /** @param paths Numbers of file systems by the roots that are on them or lead to them. */
  async #run(
    games: readonly GameOptions[],
    options: ScanOptions,
    paths: ReadonlyMap<string, number>,
  ): Promise<IndexedGames> {
    const { previous, previousNumbers, presence, signal, onProgress } = options;
    const scanner = this.#scanner ??= new ReaderProcess(new URL("./scan_worker.ts", import.meta.url));
    const order: ScanOrder = {
      games,
      previous: previous === undefined ? undefined : previous === this.#last ? "last" : previous,
      previousNumbers,
      presence: presence?.state(),
    };
    const locate = (path: string) =>
      this.#remotes.numberOf(path) || (paths.entries().find(([root]) => isInside(path, root))?.[1] ?? 0);
    const asked = this.#remotes.answered(
      { calls: scanner.calls, locate },
      () => scanner.ask(order, (progress) => onProgress?.(...progress)),
    );
    const answer = await untilAborted(asked, signal);
    if ("message" in answer) throw new GameError(answer.message, answer.subject);
    if (answer.presence) presence?.restore(answer.presence);
    const index = answer.index === "previous" ? previous : inSharedMemory(answer.index);
    if (!index) throw new RangeError("Cannot keep an index that was not given");
    for (const [id, readAt] of answer.readAt.entries()) {
      const source = index.snapshot.sources[id];
      if (source) source.readAt = readAt;
    }
    this.#last = index;
    return index;
  }
}

function inSharedMemory({ snapshot, ...parts }: IndexParts): IndexedGames {
  return indexFrom({ ...parts, snapshot: { ...snapshot, columns: sharedColumns(snapshot.columns) } });
}
