/**
 * SQL statements of clients: each is carried out by a process of its own, so that nothing of it runs in the daemon's
 * threads, and one that takes too long, or is cancelled, ends at once with its process. A process keeps its tables for
 * the next statement, and changes them where another index differs.
 * @module
 */
import { type KnownHash, QuestionError, type SqlRow } from "../../questions/mod.ts";
import { ReaderProcess, RemoteFileSystems } from "../../system/mod.ts";
import type { Catalog } from "../../views/mod.ts";
import type { SqlAnswer, SqlOrder } from "./sql_worker.ts";

/** Timeout of a statement for a part of its result; milliseconds. */
const maxTime = 300_000;
/** Maximum running statements, including those whose results have not been read to the end. */
const maxRunning = 4;
/** Time after which the rest of an unread result is discarded; milliseconds. */
const keptFor = 30_000;
/** Time without statements after which a process is ended; milliseconds. */
const idleTime = 600_000;

const decoder = new TextDecoder();

/** Part of a result. */
export interface SqlPage {
  readonly columns: readonly string[];
  readonly rows: readonly SqlRow[];
  /** Number of the result; null at its end. */
  readonly result: number | null;
}

/** A statement, and its data. */
export interface SqlStatement {
  readonly catalog: Catalog;
  readonly statement: string;
  /** Returns the known hashes. */
  readonly hashes: () => Iterable<KnownHash>;
}

/** The requested part of a result. */
export interface SqlLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** A process for statements over one index at a time. */
class SqlProcess {
  readonly #process = new ReaderProcess<SqlOrder, SqlAnswer>(new URL("./sql_worker.ts", import.meta.url));
  readonly #remotes: RemoteFileSystems;
  #catalog: Catalog | undefined;
  #answer: PromiseWithResolvers<SqlAnswer> | undefined;
  #end: Promise<void> | undefined;

  constructor(remotes: RemoteFileSystems) {
    this.#remotes = remotes;
  }

  /**
   * Executes a statement; returns the names of its columns.
   * @throws {QuestionError} if it is invalid.
   */
  async run({ catalog, statement, hashes }: SqlStatement): Promise<readonly string[]> {
    if (catalog !== this.#catalog) {
      this.#catalog = catalog;
      const { snapshot: { columns, sources, clashes, numbering }, games, problems } = catalog.index;
      const index = { games, problems, snapshot: { sources, clashes, numbering } };
      await this.#ask({ kind: "index", index, columns }, "ready");
    }
    // They become more while the index stays.
    if (/\bhashes\b/i.test(statement)) await this.#ask({ kind: "hashes", hashes: [...hashes()] }, "ready");
    return (await this.#ask({ kind: "run", statement }, "names")).names;
  }

  /** Returns rows of the last statement, and whether they are the last. */
  async rows(after: number, { rows: limit, bytes: maxBytes }: SqlLimits): Promise<{ rows: SqlRow[]; isEnd: boolean }> {
    const { columns, isEnd } = await this.#ask({ kind: "rows", after, limit, maxBytes }, "rows");
    return { rows: JSON.parse(decoder.decode(columns.rows.slice())), isEnd };
  }

  /** Ends the process; its current work fails with `reason`. */
  end(reason: unknown): Promise<void> {
    this.#answer?.reject(reason);
    this.#end ??= this.#process[Symbol.asyncDispose]();
    return this.#end;
  }

  async #ask<Kind extends SqlAnswer["kind"]>(order: SqlOrder, kind: Kind): Promise<SqlAnswer & { kind: Kind }> {
    // A race with a promise that lasts as long as the process would keep every answer.
    const awaited = this.#answer = Promise.withResolvers<SqlAnswer>();
    this.#remotes.answered(this.#process, () => this.#process.ask(order)).then(awaited.resolve, awaited.reject);
    const answer = await awaited.promise;
    if (answer.kind === "problem") throw new QuestionError("invalid", answer.message);
    if (answer.kind !== kind) throw new RangeError(`Cannot use the answer ${answer.kind}: ${kind} was expected`);
    return answer as SqlAnswer & { kind: Kind };
  }
}

/** An unread result. */
interface OpenResult {
  readonly process: SqlProcess;
  readonly columns: readonly string[];
  readonly expiry: ReturnType<typeof setTimeout>;
}

/** Executes statements. */
export class SqlQueries implements AsyncDisposable {
  readonly #remotes: RemoteFileSystems;
  /** A process that has nothing to do. */
  #idle: SqlProcess | undefined;
  /** Results by number, the oldest first. */
  readonly #open = new Map<number, OpenResult>();
  #lastNumber = 0;
  /** Processes that are handling a call. */
  readonly #active = new Set<SqlProcess>();
  #idleEnd: ReturnType<typeof setTimeout> | undefined;
  /** Pending ends of processes. */
  #ends: Promise<unknown> = Promise.resolve();

  /** @param remotes List of the file systems that processes read. */
  constructor(remotes: RemoteFileSystems = new RemoteFileSystems()) {
    this.#remotes = remotes;
  }

  /**
   * Executes a statement, and returns the first part of its result.
   * @throws {QuestionError} if it is invalid, takes too long, or too many are in progress.
   */
  async run(
    statement: SqlStatement,
    limits: SqlLimits,
    signal?: AbortSignal,
  ): Promise<SqlPage> {
    if (this.#active.size >= maxRunning) {
      throw new QuestionError("invalid", `${maxRunning} statements are already running; try again later`);
    }
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#active.size + this.#open.size >= maxRunning) this.#giveUp(oldest);
    const process = this.#idle ?? new SqlProcess(this.#remotes);
    this.#idle = undefined;
    clearTimeout(this.#idleEnd);
    return await this.#answer(process, signal, async () => {
      const columns = await process.run(statement);
      return await this.#page(process, columns, ++this.#lastNumber, 0, limits);
    });
  }

  /**
   * Returns the part of a result after some rows; undefined if the result was discarded.
   * @throws {QuestionError} like {@linkcode SqlQueries.run}.
   */
  async more(number: number, after: number, limits: SqlLimits, signal?: AbortSignal): Promise<SqlPage | undefined> {
    const result = this.#open.get(number);
    if (!result) return undefined;
    const { process, columns, expiry } = result;
    clearTimeout(expiry);
    this.#open.delete(number);
    return await this.#answer(process, signal, () => this.#page(process, columns, number, after, limits));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const number of this.#open.keys()) this.#giveUp(number);
    for (const process of [...this.#active, ...this.#idle ? [this.#idle] : []]) this.#end(process);
    clearTimeout(this.#idleEnd);
    await this.#ends;
  }

  /** Handles a call within its timeout; ends its process if it fails for another reason than its statement. */
  async #answer(
    process: SqlProcess,
    signal: AbortSignal | undefined,
    work: () => Promise<SqlPage>,
  ): Promise<SqlPage> {
    const message = `the statement took longer than ${maxTime / 1000} s and was ended`;
    const timer = setTimeout(() => this.#end(process, new QuestionError("invalid", message)), maxTime);
    const abort = () => this.#end(process, signal?.reason);
    signal?.addEventListener("abort", abort);
    this.#active.add(process);
    try {
      signal?.throwIfAborted();
      return await work();
    } catch (error) {
      if (error instanceof QuestionError && this.#active.has(process)) this.#keep(process);
      else this.#end(process, error);
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      this.#active.delete(process);
    }
  }

  async #page(
    process: SqlProcess,
    columns: readonly string[],
    number: number,
    after: number,
    limits: SqlLimits,
  ): Promise<SqlPage> {
    const { rows, isEnd } = await process.rows(after, limits);
    if (isEnd) this.#keep(process);
    else {
      const expiry = setTimeout(() => this.#giveUp(number), keptFor);
      Deno.unrefTimer(expiry);
      this.#open.set(number, { process, columns, expiry });
    }
    return { columns, rows, result: isEnd ? null : number };
  }

  /** Keeps a process for the next statement, unless another one is kept. */
  #keep(process: SqlProcess): void {
    if (this.#idle) return this.#end(process);
    this.#idle = process;
    this.#idleEnd = setTimeout(() => {
      this.#idle = undefined;
      this.#end(process);
    }, idleTime);
    Deno.unrefTimer(this.#idleEnd);
  }

  #giveUp(number: number): void {
    const result = this.#open.get(number);
    if (!result) return;
    clearTimeout(result.expiry);
    this.#open.delete(number);
    this.#keep(result.process);
  }

  #end(process: SqlProcess, reason: unknown = new Error("the statement was ended")): void {
    this.#active.delete(process);
    this.#ends = Promise.all([this.#ends, process.end(reason)]);
  }
}
