/**
 * Methods of the socket. Methods about the index are derived from the table of questions; the others are declared here.
 * Server, client, REPL and library are typed by {@linkcode Methods}.
 * @module
 */
import type { PagedQuestion, Question } from "../questions/mod.ts";
import type * as questions from "../questions/table.ts";
import type { MountResult, RefreshResult, ReloadResult, SqlResult, StatusResult } from "./rows.ts";

/** Part of a listing. */
export interface Page<Row> {
  /** Rows of this part. */
  rows: Row[];
  /** Parameter for the next page; null at the end. */
  cursor: string | null;
  /** Progress of a listing that reads files. */
  progress?: {
    /** Steps done. */
    done: number;
    /** Total number of steps, as far as known. */
    total: number;
    /** Bytes hashed so far, if files are hashed. */
    bytes?: number;
    /** Total bytes to hash. */
    totalBytes?: number;
  };
}

/** Parameters of every paged method. */
export interface PageParameters {
  /** Maximum rows of the page; a page of long rows has fewer. */
  limit?: number;
  /** The `cursor` of the previous page. */
  cursor?: string;
}

/** Parameters of a subscription. */
export interface SubscribeParameters {
  /** Names of views; default: all views listed by `views`. */
  views?: string[];
  /** Maximum number of named changed paths per view; default 20, at most 1000. */
  sample?: number;
  /** Whether refreshes within 1.5 s of each other are reported as one, 1.5 s after the last or after 30 s. */
  settle?: boolean;
}

/** Parameters of a method without any. */
type NoParameters = Record<string, never>;

/** Keys of a configuration, as written in its file. */
export interface MountConfig {
  /** A key and its value. */
  readonly [key: string]: unknown;
  /** Mount point. */
  readonly mount: string;
}

/** Methods other than queries. */
export interface ControlMethods {
  /** Starts the conversation. `protocol` is the oldest and the newest version of the client. */
  hello: {
    params: { protocol: [number, number]; client: string };
    result: { protocol: number; server: string; version: string; pid: number; capabilities: string[] };
  };
  /**
   * Reads up to 1 MiB of a file. `data` is base64; `end` is true when it holds the file's last byte. Given the
   * `version` of an earlier part, it fails with code `unreadable` if the file has changed since. `candidate` is the
   * number of a candidate in the reply of `which`; default: the winner.
   */
  read: {
    params: {
      view?: string;
      qpath: string;
      candidate?: number;
      offset?: number;
      length?: number;
      version?: string;
    };
    result: { data: string; size: number; end: boolean; version: string };
  };
  /**
   * Completes `prefix` to paths (directories end in `/`), views, packs, packs and game directories, or shaders and
   * materials.
   */
  complete: {
    params: { view?: string; kind: "qpath" | "view" | "pack" | "source" | "shader"; prefix: string; limit?: number };
    result: { matches: string[] };
  };
  /**
   * Executes a read-only SQL statement, in a separate process; `docs/queries.md` lists the tables. Rows are lists of
   * values in the order of `columns`. A result that is not read for 30 s is discarded.
   */
  sql: {
    params: { statement: string } & PageParameters;
    result: SqlResult;
  };
  /** Reports on the daemon. */
  status: { params: NoParameters; result: StatusResult };
  /** Brings the index up to date; replies when queries and the mount show the new index. */
  refresh: { params: NoParameters; result: RefreshResult };
  /**
   * Reads the configuration again and applies it without unmounting; replies when queries and the mount show it. Fails
   * with code `misconfigured`, and changes nothing, if the configuration is invalid.
   */
  reload: { params: NoParameters; result: ReloadResult };
  /**
   * Mounts further games; replies when the mount is ready. `config` has the keys of a configuration file: `mount`,
   * `options`, `hung`, `hungAfter`, `game`, `profile`, with absolute paths; `view` is shown at the mount point itself,
   * `showPacks` lists `.packs`, `showAs` lists `.as`. Fails with code `mountFailed`, and changes nothing, if that is
   * impossible.
   */
  mount: {
    params: { config: MountConfig; view?: string; showPacks?: boolean; showAs?: boolean };
    result: MountResult;
  };
  /**
   * Unmounts one of the daemon's mounts; with `lazy`, at once even if it is in use. Replies when it is gone; a daemon
   * that was started with a mount ends with the last one. Fails with code `mountFailed`, with `EBUSY` if programs use
   * it.
   */
  unmount: { params: { mount: string; lazy?: boolean }; result: { unmounted: string } };
  /** Notifies of each refresh that changes something. `subscription` is a number of the client's choice. */
  subscribe: { params: SubscribeParameters & { subscription: number }; result: { subscription: number } };
  /** Ends a subscription; a notification in transit may still arrive. */
  unsubscribe: { params: { subscription: number }; result: { unsubscribed: boolean } };
  /** Unmounts and ends the daemon; the reply is sent first. */
  stop: { params: NoParameters; result: { stopping: true } };
}

type MethodOf<Asked> = Asked extends PagedQuestion<infer Parameters, infer Row>
  ? { params: Parameters & PageParameters; result: Page<Row> }
  : Asked extends Question<infer Parameters, infer Result> ? { params: Parameters; result: Result }
  : never;

/** Methods that query the index. */
export type QuestionMethods = { [Name in keyof typeof questions]: MethodOf<(typeof questions)[Name]> };

/**
 * Parameters and result of every method.
 * @internal
 */
export interface Methods extends ControlMethods, QuestionMethods {}

/** Name of a method. */
export type MethodName = keyof Methods;
/** Parameters of method `M`. */
export type ParamsOf<M extends MethodName> = Methods[M]["params"];
/** Result of method `M`. */
export type ResultOf<M extends MethodName> = Methods[M]["result"];
/** Name of a paged method. */
export type PagedMethod = { [M in MethodName]: ResultOf<M> extends Page<unknown> ? M : never }[MethodName];
/** Rows of method `M`. */
export type RowOf<M extends PagedMethod> = ResultOf<M> extends Page<infer Row> ? Row : never;
