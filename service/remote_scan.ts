/**
 * Indexes games without waiting for a file system that hangs: its sources and names stay as they were, or are awaited.
 *
 * A file system is judged by the calls that a scan makes, not by a probe: the kernel may answer `stat` from its cache.
 * @module
 */
import { resolve } from "@std/path";
import {
  at,
  describeFileSystem,
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
import { ReaderProcess, SilentPathError } from "../system/mod.ts";
import type { ScanAnswer, ScanOrder, ScanReport } from "./scan_worker.ts";

/** A call of a file system that was slow before may take longer, up to so many times the timeout. */
const maxTimeout = 64;

type Scanner = ReaderProcess<ScanOrder, ScanAnswer, ScanReport>;

/** Indexes games on local file systems in this thread, others in a process of its own. */
export class RemoteScan implements AsyncDisposable {
  readonly #remotes: RemoteSources;
  readonly #timeout: number;
  #onBack: () => void = () => {};
  #scanner: Scanner | undefined;
  /** Scans that were given up: each waits for a file system. */
  readonly #waiting = new Set<Scanner>();
  /** By number of a file system: by how much the timeout of its calls is multiplied. */
  readonly #allowances = new Map<number, number>();
  /** The last index that the process knows. */
  #last: IndexedGames | undefined;

  /**
   * @param timeout Milliseconds without an answer after which a file system counts as hung.
   */
  constructor(remotes: RemoteSources, timeout: number) {
    this.#remotes = remotes;
    this.#timeout = timeout;
  }

  /** Calls `listener` when a file system that did not answer does again. */
  onBack(listener: () => void): void {
    this.#onBack = listener;
  }

  /**
   * Indexes games as {@linkcode indexGames} does.
   * @throws {GameError} also if a root or a list of names does not answer, where missing ones are an error.
   */
  async index(games: readonly GameOptions[], options: ScanOptions = {}): Promise<IndexedGames> {
    for (;;) {
      const paths = this.#remotePaths(games, options.previous);
      if (paths.size === 0) return indexGames(games, options);
      const silent = Array.from(paths).filter(([, number]) => this.#remotes.isHung(number));
      const [first] = silent;
      if (first && !options.presence) throw new GameError(`${first[0]} ${this.#silence(first[1])}`, first[0]);
      options.presence?.silence(new Map(silent.map(([path, number]) => [path, this.#silence(number)])));
      try {
        // deno-lint-ignore no-await-in-loop -- repeated only if one of them stops answering meanwhile
        const index = await this.#run(games, options);
        this.#allowances.clear();
        return index;
      } catch (error) {
        if (!(error instanceof SilentPathError)) {
          // A scan that still runs must not answer the next order.
          this.#end();
          throw error;
        }
        this.#giveUp(error, paths, silent.map(([, number]) => number));
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const scanners = [...this.#waiting, ...this.#scanner ? [this.#scanner] : []];
    this.#onBack = () => {};
    await Promise.all(scanners.map((scanner) => scanner[Symbol.asyncDispose]()));
  }

  /** Returns the numbers of the remote file systems that roots and lists of names need, by path. */
  #remotePaths(games: readonly GameOptions[], previous: IndexedGames | undefined): Map<string, number> {
    const paths = new Map<string, number>();
    const add = (path: string, number: number) => {
      if (number !== 0 && !this.#remotes.isHung(paths.get(path) ?? 0)) paths.set(path, number);
    };
    for (const path of games.flatMap(({ sources, names = [] }) => [...sources, ...names].map((one) => resolve(one)))) {
      add(path, this.#remotes.numberOf(path));
    }
    if (!previous) return paths;
    // Links lead from local directories to packs elsewhere.
    const numbers = this.#remotes.numbersOf(previous);
    for (const { id, game, rootIndex } of previous.snapshot.sources) {
      const path = previous.games[game]?.roots[rootIndex];
      if (path !== undefined) add(path, at(numbers, id));
    }
    return paths;
  }

  #silence(number: number): string {
    return `is on ${describeFileSystem(this.#remotes.fileSystem(number))}, which does not answer`;
  }

  /**
   * Leaves a scan alone that waits for a file system, until that answers.
   * @param silent File systems that the scan has left out.
   * @throws {GameError} if the path is on none that can be left out.
   */
  #giveUp(
    { path, message }: SilentPathError,
    paths: ReadonlyMap<string, number>,
    silent: readonly number[],
  ): void {
    const scanner = this.#scanner;
    const number = this.#remotes.numberOf(path) || (paths.entries().find(([root]) => isInside(path, root))?.[1] ?? 0);
    if (!scanner || silent.includes(number) || !paths.values().some((other) => other === number)) {
      this.#end();
      throw new GameError(message, path);
    }
    this.#scanner = this.#last = undefined;
    this.#waiting.add(scanner);
    this.#remotes.note(number, "refresh", true);
    void scanner.returned.then(async () => {
      this.#waiting.delete(scanner);
      this.#allowances.set(number, Math.min(maxTimeout, 2 * (this.#allowances.get(number) ?? 1)));
      await scanner[Symbol.asyncDispose]();
      this.#remotes.note(number, "refresh", false);
      this.#onBack();
    });
  }

  async #run(games: readonly GameOptions[], options: ScanOptions): Promise<IndexedGames> {
    const { previous, previousNumbers, presence, signal, onProgress } = options;
    const scanner = this.#scanner ??= new ReaderProcess(new URL("./scan_worker.ts", import.meta.url));
    const order: ScanOrder = {
      games,
      previous: previous === undefined ? undefined : previous === this.#last ? "last" : previous,
      previousNumbers,
      presence: presence?.state(),
    };
    const timeout = (path: string) => {
      const number = this.#remotes.numberOf(path);
      return this.#timeout * (this.#allowances.get(number) ?? 1);
    };
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal?.reason);
    signal?.addEventListener("abort", abort);
    const asked = scanner.ask(order, timeout, (progress) => onProgress?.(...progress));
    const answer = await Promise.race([asked, aborted.promise])
      .finally(() => signal?.removeEventListener("abort", abort));
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

  #end(): void {
    void this.#scanner?.[Symbol.asyncDispose]();
    this.#scanner = this.#last = undefined;
  }
}

function inSharedMemory({ snapshot, ...parts }: IndexParts): IndexedGames {
  return indexFrom({ ...parts, snapshot: { ...snapshot, columns: sharedColumns(snapshot.columns) } });
}
