/**
 * Games and views for scripts, the same for an index in this process and for a daemon.
 * @module
 */
import { type Connection, pages } from "../connection.ts";
import type { MethodName, PagedMethod, ParamsOf, ResultOf, RowOf } from "../methods.ts";
import type {
  ChecksumResult,
  DiffRow,
  DiffSummary,
  DuplicateRow,
  GameRow,
  NamesRow,
  PackRow,
  RefreshedEvent,
  RefreshResult,
  SqlResult,
  SqlValue,
  StatusResult,
  ViewRow,
} from "../rows.ts";
import {
  type CallOptions,
  type ChangesOptions,
  type CompareOptions,
  compareParameter,
  type DuplicateOptions,
} from "./options.ts";
import { distinctNames, namedRow } from "../sql_rows.ts";
import { LibraryView } from "./view.ts";

/** Games and views, to be closed after use: `await using`. */
export class Index implements AsyncDisposable {
  readonly #connection: Connection;

  /** Wraps a connection, which is closed with the index. */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Lists the games. */
  games(options: CallOptions = {}): AsyncIterable<GameRow> {
    return pages(this.#connection, "games", {}, options);
  }

  /** Lists the views of one game or of all. */
  views(game?: string, options: CallOptions = {}): AsyncIterable<ViewRow> {
    return pages(this.#connection, "views", game === undefined ? {} : { game }, options);
  }

  /**
   * Returns a view by name; a game's name alone means its base view, no name the only game's. The name is checked when
   * the view is used.
   */
  view(name = ""): LibraryView {
    return new LibraryView(this.#connection, name);
  }

  /**
   * Returns the checksums by which Quake III's engines identify a pk3, from the index alone.
   * @param pack File name, path or end of a path of an indexed pack.
   * @param feed The server's `sv_checksumFeed` for the pure checksum.
   */
  checksum(pack: string, feed = 0, options: CallOptions = {}): Promise<ChecksumResult> {
    return this.#connection.call("checksum", { pack, feed }, options);
  }

  /** Lists all packs; with `checksum` (signed or not) only packs with it. */
  packs(checksum?: number, options: CallOptions = {}): AsyncIterable<PackRow> {
    return pages(this.#connection, "packs", checksum === undefined ? {} : { checksum }, options);
  }

  /** Lists the packs of all games without names, with the number of recovered names. */
  names(options: CallOptions = {}): AsyncIterable<NamesRow> {
    return pages(this.#connection, "names", {}, options);
  }

  /** Lists files of all games with the same bytes, the most wasteful first. */
  duplicates(options: CallOptions & DuplicateOptions = {}): AsyncIterable<DuplicateRow> {
    const { signal, ...wanted } = options;
    return pages(this.#connection, "duplicates", wanted, signal ? { signal } : {});
  }

  /** Lists the changes from one view to another, in the order of a walk. */
  diff(from: string, to: string, options: CallOptions & CompareOptions = {}): AsyncIterable<DiffRow> {
    return pages(this.#connection, "diff", { from, to, ...compareParameter(options) }, options);
  }

  /** Counts the changes from one view to another. */
  diffSummary(from: string, to: string, options: CallOptions & CompareOptions = {}): Promise<DiffSummary> {
    return this.#connection.call("diffstat", { from, to, ...compareParameter(options) }, options);
  }

  /**
   * Executes a read-only SQL statement, and yields its rows by column name; `docs/queries.md` lists the tables. Without
   * a daemon it requires `--allow-run`, as it starts a process.
   *
   * @example
   * ```ts ignore
   * const kinds = "SELECT extension, count(*) AS files FROM files GROUP BY 1";
   * for await (const { extension, files } of index.sql(kinds)) console.log(extension, files);
   * ```
   * @throws {RpcError} if the statement is invalid or writes.
   */
  async *sql(statement: string, options: CallOptions = {}): AsyncGenerator<Record<string, SqlValue>, void, void> {
    let cursor: string | null = null;
    do {
      const params = { statement, ...cursor === null ? {} : { cursor } };
      // deno-lint-ignore no-await-in-loop -- each part's cursor comes with the part before it
      const part: SqlResult = await this.#connection.call("sql", params, options);
      const names = distinctNames(part.columns);
      for (const row of part.rows) yield namedRow(names, row);
      cursor = part.cursor;
    } while (cursor !== null);
  }

  /** Returns counters and problems. */
  status(options: CallOptions = {}): Promise<StatusResult> {
    return this.#connection.call("status", {}, options);
  }

  /** Brings the index up to date with the disk; returns the changes. */
  refresh(options: CallOptions = {}): Promise<RefreshResult> {
    return this.#connection.call("refresh", {}, options);
  }

  /**
   * Reports changes on disk as soon as queries and the mount show them: one event for each refresh that finds something.
   * Without a daemon, the indexed directories are watched during the iteration. A slow reader loses the oldest events, and
   * the next one counts them. The signal ends the iteration.
   */
  async *changes(options: ChangesOptions = {}): AsyncGenerator<RefreshedEvent, void, void> {
    const { views, sample, signal } = options;
    const params = { ...(views ? { views: [...views] } : {}), ...(sample === undefined ? {} : { sample }) };
    yield* await this.#connection.subscribe(params, signal ? { signal } : {});
  }

  /** Calls any method of the socket's protocol (docs/protocol.md). */
  call<M extends MethodName>(method: M, params: ParamsOf<M>, options: CallOptions = {}): Promise<ResultOf<M>> {
    return this.#connection.call(method, params, options);
  }

  /** Yields the rows of any paged method. */
  rows<M extends PagedMethod>(method: M, params: ParamsOf<M>, options: CallOptions = {}): AsyncIterable<RowOf<M>> {
    return pages(this.#connection, method, params, options);
  }

  /** Ends the connection. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Ends the connection. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
