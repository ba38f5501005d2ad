/**
 * State of a run of commands: the connection, the current view and the current directory.
 * @module
 */
import {
  type Caller,
  type Connection,
  ConnectionLostError,
  type MethodName,
  type ParamsOf,
  type RequestOptions,
  type ResultOf,
  type SubscribeParameters,
} from "../../protocol/mod.ts";
import { untilAborted } from "../../system/mod.ts";
import type { Preferences } from "../output/output.ts";
import type { Mode } from "../output/row_format.ts";
import type { RefreshedEvent } from "../../protocol/rows.ts";

/** Opens a connection: to a daemon, or to an index in this process. */
export type OpenConnection = (signal: AbortSignal) => Promise<Connection>;

/** State that commands share. Connects at the first call. */
export class Session implements Caller, AsyncDisposable {
  /** Current view, `game/gamedirectory`; undefined: the daemon chooses. */
  view: string | undefined;
  /** Current directory: a qpath, empty at the root. */
  directory = "";
  /** View and directory before the last `use` or `cd`. */
  previous: { readonly view: string | undefined; readonly directory: string } | undefined;
  /** Output mode; undefined: as on the command line. */
  mode: Mode | undefined;
  /** Width of tables in columns; undefined: the terminal's. */
  width: number | undefined;
  /** Command line of the pager, or `off`; undefined: `$PAKFS_PAGER`, `$PAGER` or `less`. */
  pager: string | undefined;
  /** File of `.output`. */
  outputFile: string | undefined;
  /** File of `.once`, for the results of the next command. */
  once: string | undefined;
  /** Whether to print the duration of commands. */
  timer = false;
  /** Depth of `.read` inside `.read`. */
  reading = 0;
  /** Called after a reconnection to a restarted daemon. */
  reconnected: (() => void) | undefined;
  /** Whether `exit` was called. */
  ended = false;
  readonly #open: OpenConnection;
  #connection: Promise<Connection> | undefined;
  #opening = new AbortController();

  constructor(open: OpenConnection, view?: string) {
    this.#open = open;
    this.view = view;
  }

  /** Preferences set by `.mode` and `.width`. */
  get preferences(): Partial<Preferences> {
    const { mode, width } = this;
    return { ...mode === undefined ? {} : { mode }, ...width === undefined ? {} : { width } };
  }

  /** Switches to a view and a directory of it, which `-` reverts. */
  switchTo(view: string | undefined, directory: string): void {
    this.previous = { view: this.view, directory: this.directory };
    this.view = view;
    this.directory = directory;
  }

  /** Returns a session with a separate connection, opened on first use. */
  another(): Session {
    return new Session(this.#open, this.view);
  }

  /** Whether there is a connection that has not failed. */
  get connected(): boolean {
    return this.#connection !== undefined;
  }

  /** Connects before the first call. If that fails, the call connects again and reports why it cannot. */
  beginConnecting(): void {
    this.#connect().catch(() => undefined);
  }

  /**
   * Calls a method. If the connection was lost since the last call, reconnects and retries.
   * @throws {DaemonUnreachableError} if no daemon replies.
   * @throws {RpcError} if the reply is an error.
   */
  async call<M extends MethodName>(
    method: M,
    params: ParamsOf<M>,
    options: RequestOptions = {},
  ): Promise<ResultOf<M>> {
    const reused = this.#connection;
    try {
      return await (await this.#connect(options.signal)).call(method, params, options);
    } catch (error) {
      if (!(error instanceof ConnectionLostError)) throw error;
      // Another call may have reconnected already.
      if (this.#connection === reused) this.#connection = undefined;
      // These may end the daemon: the next daemon must not end too.
      if (!reused || method === "stop" || method === "unmount") throw error;
      const connection = await this.#connect(options.signal);
      this.reconnected?.();
      return await connection.call(method, params, options);
    }
  }

  /**
   * Subscribes to changes by refreshes; resolves when no later change can be missed. If the connection was lost since
   * the last call, reconnects.
   * @throws {DaemonUnreachableError} if no daemon replies.
   * @throws {RpcError} if the reply is an error.
   */
  async subscribe(
    params: SubscribeParameters,
    options: { signal?: AbortSignal } = {},
  ): Promise<AsyncIterableIterator<RefreshedEvent>> {
    const reused = this.#connection;
    try {
      return await (await this.#connect(options.signal)).subscribe(params, options);
    } catch (error) {
      if (!(error instanceof ConnectionLostError) || !reused) throw error;
      if (this.#connection === reused) this.#connection = undefined;
      return await (await this.#connect(options.signal)).subscribe(params, options);
    }
  }

  /** Drops the connection; calls in progress fail as cancelled. The next call opens another. */
  async disconnect(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#opening.abort();
    if (!connection) return;
    const opened = await connection.catch(() => undefined);
    await opened?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disconnect();
  }

  /** Several calls may wait for the connection: the signal of one only ends its own waiting. */
  #connect(signal?: AbortSignal): Promise<Connection> {
    if (this.#connection) return untilAborted(this.#connection, signal);
    this.#opening = new AbortController();
    const opening = this.#open(this.#opening.signal);
    this.#connection = opening;
    opening.catch(() => {
      if (this.#connection === opening) this.#connection = undefined;
    });
    return untilAborted(opening, signal);
  }
}

/** Resolves a typed qpath in `directory`: relative unless it starts with `/`, with `.` and `..`. */
export function resolveQpath(directory: string, typed: string): string {
  const start = typed.startsWith("/") ? [] : directory.split("/");
  const names: string[] = [];
  for (const name of [...start, ...typed.split("/")]) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names.join("/");
}
