/**
 * Indexes games without waiting for a file system that hangs: its sources and names stay as they were, or are awaited.
 * @module
 */
import { resolve } from "@std/path";
import { at } from "../index/columns/columns.ts";
import { Catalog } from "../index/views/catalog.ts";
import { GameError, type GameOptions } from "../index/profiles/game.ts";
import { indexGames, type ScanOptions } from "../index/scan/scanner.ts";
import { describeFileSystem, type RemoteSources } from "../content/remote/remote_sources.ts";
import type { ScanAnswer, ScanOrder } from "./scan_worker.ts";

/** Time between two checks whether file systems still answer, while the thread works; milliseconds. */
const betweenChecks = 500;
/** Maximum duration of a scan while a file system hangs, as a multiple of the patience. */
const maxPatience = 6;

/** A `stat` that checks whether a file system answers. */
interface Probe {
  readonly began: number;
  readonly answered: Promise<void>;
}

/** Indexes games on local file systems in this thread, others in a thread of its own. */
export class RemoteScan implements Disposable {
  readonly #remotes: RemoteSources;
  readonly #patience: number;
  #onBack: () => void = () => {};
  /** Probes that were not answered yet, by number of the file system. One each, as a probe occupies a thread. */
  readonly #probes = new Map<number, Probe>();
  #worker: Worker | undefined;
  /** The last index that the thread knows. */
  #last: Catalog | undefined;

  /**
   * @param patience Milliseconds without an answer after which a file system counts as hung.
   */
  constructor(remotes: RemoteSources, patience: number) {
    this.#remotes = remotes;
    this.#patience = patience;
  }

  /** Calls `listener` when a file system that did not answer does again. */
  onBack(listener: () => void): void {
    this.#onBack = listener;
  }

  /**
   * Indexes games as {@linkcode indexGames} does.
   * @throws {GameError} also if a root or a list of names does not answer, where missing ones are an error.
   */
  async index(games: readonly GameOptions[], options: ScanOptions): Promise<Catalog> {
    for (;;) {
      const paths = this.#remotePaths(games, options.previous);
      if (paths.size === 0) return indexGames(games, options);
      const numbers = new Set(paths.values());
      // deno-lint-ignore no-await-in-loop -- repeated only if one of them stops answering meanwhile
      await Promise.all(Array.from(numbers, (number) => this.#ask(number, this.#patience)));
      const silent = Array.from(paths).filter(([, number]) => this.#remotes.isHung(number));
      const [first] = silent;
      if (first && !options.presence) throw new GameError(`${first[0]} ${this.#silence(first[1])}`, first[0]);
      options.presence?.silence(new Map(silent.map(([path, number]) => [path, this.#silence(number)])));
      // deno-lint-ignore no-await-in-loop -- as above
      const catalog = await this.#run(games, options, numbers);
      if (catalog) return catalog;
    }
  }

  [Symbol.dispose](): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  /** Returns the numbers of the remote file systems that roots and lists of names need, by path. */
  #remotePaths(games: readonly GameOptions[], previous: Catalog | undefined): Map<string, number> {
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

  /** Checks whether a file system answers within `patience` milliseconds. */
  async #ask(number: number, patience: number): Promise<void> {
    const known = this.#probes.get(number);
    if (known && this.#remotes.isHung(number)) return;
    const probe = known ?? this.#probe(number);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<void>((done) => {
      timer = setTimeout(done, Math.max(0, probe.began + patience - Date.now()));
    });
    await Promise.race([probe.answered, timeout]);
    clearTimeout(timer);
    if (this.#probes.get(number) === probe) this.#remotes.note(number, "refresh", true);
  }

  #probe(number: number): Probe {
    const path = this.#remotes.fileSystem(number)?.mountPoint ?? "/";
    const answered = Deno.stat(path).then(() => {}, () => {}).finally(() => {
      this.#probes.delete(number);
      const wasHung = this.#remotes.isHung(number);
      this.#remotes.note(number, "refresh", false);
      if (wasHung) this.#onBack();
    });
    const probe = { began: Date.now(), answered };
    this.#probes.set(number, probe);
    return probe;
  }

  /** Indexes in the thread; returns `undefined` if one of the file systems stops answering. */
  async #run(
    games: readonly GameOptions[],
    options: ScanOptions,
    numbers: ReadonlySet<number>,
  ): Promise<Catalog | undefined> {
    const { previous, previousNumbers, presence, signal, onProgress } = options;
    const worker = this.#worker ??= new Worker(new URL("./scan_worker.ts", import.meta.url), { type: "module" });
    const result = Promise.withResolvers<Extract<ScanAnswer, { type: "indexed" }> | undefined>();
    worker.onmessage = ({ data }: MessageEvent<ScanAnswer>) => {
      if (data.type === "progress") onProgress?.(data.done, data.known, data.name);
      else if (data.type === "indexed") result.resolve(data);
      else result.reject(data.subject === null ? new Error(data.message) : new GameError(data.message, data.subject));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end();
      result.reject(new Error(`index not made: its thread failed: ${event.message}`));
    };
    const abort = () => result.reject(signal?.reason);
    signal?.addEventListener("abort", abort);
    const known = new Set(Array.from(numbers).filter((number) => this.#remotes.isHung(number)));
    const began = Date.now();
    const checking = setInterval(() => {
      for (const number of numbers) this.#ask(number, this.#patience);
      if (Array.from(numbers).some((number) => this.#remotes.isHung(number) && !known.has(number))) {
        result.resolve(undefined);
      } else if (known.size > 0 && Date.now() - began > maxPatience * this.#patience) {
        result.reject(new Error("index not made: a file system does not answer"));
      }
    }, betweenChecks);
    const order: ScanOrder = {
      games,
      previous: previous === undefined ? undefined : previous === this.#last ? "last" : previous.parts(),
      previousNumbers,
      presence: presence?.state(),
    };
    let answer: Extract<ScanAnswer, { type: "indexed" }> | undefined;
    try {
      worker.postMessage(order);
      answer = await result.promise;
    } catch (error) {
      // A scan that still runs must not answer the next order.
      this.#end();
      throw error;
    } finally {
      clearInterval(checking);
      signal?.removeEventListener("abort", abort);
    }
    if (!answer) {
      this.#end();
      return undefined;
    }
    if (answer.presence) presence?.restore(answer.presence);
    const catalog = answer.catalog === "previous" ? previous : new Catalog(answer.catalog, previous);
    if (!catalog) throw new RangeError("Cannot keep an index that was not given");
    for (const [id, readAt] of answer.readAt.entries()) {
      const source = catalog.snapshot.sources[id];
      if (source) source.readAt = readAt;
    }
    this.#last = catalog;
    return catalog;
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#last = undefined;
  }
}
