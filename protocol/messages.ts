/**
 * The language of the daemon's socket: JSON-RPC 2.0, one object per line, UTF-8. These types are the single
 * description of it; server, client, REPL and `mod.ts` are all typed by {@linkcode Methods}.
 *
 * Rows are what `--json` prints. Sizes and offsets are bytes, times are milliseconds since the epoch, paths
 * inside a view (qpaths) are `/`-separated without a leading slash.
 * @module
 */
import type { FindFilters } from "../index/questions/find.ts";
import type { ConflictRow, LoserRow } from "../index/questions/conflicts.ts";
import type { Verdict } from "../index/questions/contest.ts";
import type { Change, DiffRow, DiffSummary } from "../index/questions/diff.ts";
import type { HolderRow } from "../index/questions/holder_row.ts";
import type { LimitKind } from "../index/profiles/engine_limits.ts";
import type { LimitRow, OffenderRow } from "../index/questions/limits.ts";
import type { RegisteredPackRow, RegisteredResult } from "../index/questions/registered.ts";
import type { ShadowedRow } from "../index/questions/shadowed.ts";
import type { UsageRow } from "../index/questions/usage.ts";
import type { DirectoryRow, FileRow } from "../index/questions/rows.ts";
import type { ShaderDefinitionRow, ShaderImageRow, ShaderRow } from "../index/shaders/shader_index.ts";
import type { CandidateRow } from "../index/views/which.ts";
import type {
  ChecksumResult,
  GameRow,
  ListRow,
  NamesRow,
  PackRow,
  PathRow,
  PureResult,
  RefreshedEvent,
  RefreshResult,
  ReloadResult,
  ShaderResult,
  StatusResult,
  ViewRow,
  WhichResult,
} from "./results.ts";

export type {
  ChangeCounts,
  ChangeKind,
  ChecksumResult,
  FailureRow,
  GameRow,
  ListRow,
  NamesRow,
  PackRow,
  PathRow,
  PureResult,
  PureRow,
  RefreshedEvent,
  RefreshResult,
  ReloadResult,
  ShaderResult,
  StatusResult,
  ViewChanges,
  ViewRow,
  WatchRow,
  WhichResult,
} from "./results.ts";
export type {
  CandidateRow,
  Change,
  ConflictRow,
  DiffRow,
  DiffSummary,
  DirectoryRow,
  FileRow,
  FindFilters,
  HolderRow,
  LimitKind,
  LimitRow,
  LoserRow,
  OffenderRow,
  RegisteredPackRow,
  RegisteredResult,
  ShaderDefinitionRow,
  ShaderImageRow,
  ShaderRow,
  ShadowedRow,
  UsageRow,
  Verdict,
};

/** Newest protocol version this code speaks. */
export const protocolVersion = 1;
/** Oldest protocol version this code still answers. */
export const oldestProtocolVersion = 1;
/** Longest line either side accepts, in bytes. */
export const lineLimit = 4 * 1024 * 1024;
/** Rows of one page when the client names no `limit`. */
export const defaultPageSize = 1000;
/** Largest page a client may ask for. */
export const maxPageSize = 20_000;
/** Maximum values of one line: list elements; members, lists and objects count four times. */
export const maxLineValues = 131_072;
/** Maximum characters of a path, name or other text in parameters: more than any name in an index has. */
export const maxTextLength = 65_536;
/** Maximum texts of one list in parameters. */
export const maxTextCount = 10_000;
/** Bytes after which a page ends, even if it has fewer rows than asked for. */
export const pageBytes = 1024 * 1024;
/** Maximum sentences of `problems` in an answer of `status`. */
export const maxStatusProblems = 200;
/** Most bytes one `read` returns. */
export const maxRead = 1024 * 1024;

/** What a subscriber may say. */
export interface SubscribeParameters {
  /** Names of the views to be told about; default: all, but for those that are made by asking. */
  views?: string[];
  /** Paths that are named of each view; default {@linkcode defaultSample}, at most {@linkcode maxSample}. */
  sample?: number;
}

/** Most paths of packs of each kind in a {@linkcode RefreshedEvent}. */
export const maxPackPaths = 1000;
/** Paths of each view in a {@linkcode RefreshedEvent} when the client names no number. */
export const defaultSample = 20;
/** Most paths of each view that a client may ask for. */
export const maxSample = 1000;

/** Part of a listing. With a `cursor`, asking again with it gives the next part; null is the end. */
export interface Page<Row> {
  rows: Row[];
  cursor: string | null;
}

/** What a client may say about paging. */
export interface PageParameters {
  /** Maximum number of rows; a page of long rows has fewer. */
  limit?: number;
  cursor?: string;
}

/** What a client may say about how files are compared. */
export interface CompareParameters {
  /** Read files of which the index does not know whether they are the same. */
  compare?: boolean;
}

/** Every method: what it takes, what it answers. */
export interface Methods {
  /** Must be the first call. `protocol` is the client's oldest and newest version. */
  hello: {
    params: { protocol: [number, number]; client: string; want?: string[] };
    result: { protocol: number; server: string; version: string; pid: number; capabilities: string[] };
  };
  games: { params: PageParameters; result: Page<GameRow> };
  views: { params: PageParameters & { game?: string }; result: Page<ViewRow> };
  path: { params: PageParameters & { view?: string }; result: Page<PathRow> };
  /**
   * With `checksum` (signed or not) only the packs that have it. With `fullyShadowed` only used packs none of whose files
   * win: in the view, or without one in the views of their own game directories.
   */
  packs: {
    params: PageParameters & { view?: string; checksum?: number; fullyShadowed?: boolean };
    result: Page<PackRow>;
  };
  /** `pack` is a file name, the end of a path or a whole path; where several have it, those of the view come first. */
  checksum: { params: { view?: string; pack: string; feed?: number }; result: ChecksumResult };
  /**
   * The view under a pure server's list of packs, given as names or checksums; what is behind `:pure` in the view's name
   * is replaced. Without a list: the one that the view has, or that a server with this search path would send.
   */
  pure: { params: { view?: string; list?: string[] }; result: PureResult };
  /** A row for each pack that holds no names; with `pack` (as for `checksum`) that one. */
  names: { params: PageParameters & { view?: string; pack?: string }; result: Page<NamesRow> };
  ls: { params: PageParameters & { view?: string; path?: string }; result: Page<ListRow> };
  find: {
    params: PageParameters & { view?: string; patterns: string[]; filters?: FindFilters };
    result: Page<FileRow>;
  };
  /** The directory `path` and those below it, down to `depth` (default 1), each before what is in it, largest first. */
  usage: { params: PageParameters & { view?: string; path?: string; depth?: number }; result: Page<UsageRow> };
  /** `dataOffset` is where the compressed bytes themselves begin. */
  stat: {
    params: { view?: string; qpath: string };
    result: DirectoryRow | (FileRow & { dataOffset: number | null });
  };
  which: { params: { view?: string; qpath: string }; result: WhichResult };
  /** Files that lose. Patterns are compared with paths in the view, filters with the file that loses. */
  shadowed: {
    params: PageParameters & CompareParameters & { view?: string; patterns?: string[]; filters?: FindFilters };
    result: Page<ShadowedRow>;
  };
  /** Paths that several sources have; with `source` (a pack or game directory) those that it takes part in. */
  conflicts: {
    params: PageParameters & CompareParameters & { view?: string; source?: string };
    result: Page<ConflictRow>;
  };
  /** Files that only a pack or game directory provides: without it they would vanish. */
  unique: { params: PageParameters & { view?: string; source: string }; result: Page<FileRow> };
  /** What a pack or game directory takes over from others; `by`: what others take over from it. */
  overrides: {
    params: PageParameters & CompareParameters & { view?: string; source: string; by?: boolean };
    result: Page<ConflictRow>;
  };
  /** What changes from view `from` to view `to`. */
  diff: { params: PageParameters & CompareParameters & { from: string; to: string }; result: Page<DiffRow> };
  /** How near the view is to the limits of its engine. */
  limits: { params: PageParameters & { view?: string }; result: Page<LimitRow> };
  /** Whether the view's engine takes the game for the registered version of Quake. */
  registered: { params: { view?: string }; result: RegisteredResult };
  /** How much changes. */
  diffstat: { params: CompareParameters & { from: string; to: string }; result: DiffSummary };
  /** Where a shader or material is defined. Case does not matter; the extension of an image may be behind the name. */
  shader: { params: { view?: string; name: string }; result: ShaderResult };
  /** A row for each name that is defined; with `pattern` those that match it. */
  shaders: { params: PageParameters & { view?: string; pattern?: string }; result: Page<ShaderRow> };
  /**
   * At most {@linkcode maxRead} bytes; `data` is base64, `end` is true when the file's last byte is in it. Given the
   * `version` of an earlier part, it fails with code `unreadable` if the file is another one by now.
   */
  read: {
    params: { view?: string; qpath: string; offset?: number; length?: number; version?: string };
    result: { data: string; size: number; end: boolean; version: string };
  };
  /**
   * Names that complete `prefix`: qpaths (directories end in `/`), views, packs, packs and game directories, or shaders
   * and materials.
   */
  complete: {
    params: { view?: string; kind: "qpath" | "view" | "pack" | "source" | "shader"; prefix: string; limit?: number };
    result: { matches: string[] };
  };
  status: { params: Record<string, never>; result: StatusResult };
  /** Brings the index up to date; answered when queries and the mount show what was found. */
  refresh: { params: Record<string, never>; result: RefreshResult };
  /**
   * Reads the configuration anew and goes on with what it says, without unmounting; answered when queries and the mount
   * show it. Fails with code `misconfigured` if anything in it is wrong: then all stays as it was.
   */
  reload: { params: Record<string, never>; result: ReloadResult };
  /**
   * From now on each refresh that finds something is told by a notification `$/refreshed`, whose parameters are a
   * {@linkcode RefreshedEvent}. `subscription` is a number of the client's choice.
   */
  subscribe: { params: SubscribeParameters & { subscription: number }; result: { subscription: number } };
  /** Ends a subscription; a notification that is under way may still come. */
  unsubscribe: { params: { subscription: number }; result: { unsubscribed: boolean } };
  /** Unmounts and ends the daemon; answered before it does. */
  stop: { params: Record<string, never>; result: { stopping: true } };
}

/** Name of a method. */
export type MethodName = keyof Methods;
/** Parameters of method `M`. */
export type ParamsOf<M extends MethodName> = Methods[M]["params"];
/** Result of method `M`. */
export type ResultOf<M extends MethodName> = Methods[M]["result"];

/** Codes of {@linkcode RpcErrorObject}. Those up to -32000 are JSON-RPC's own. */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The request was cancelled by `$/cancel` or the connection's end. */
  cancelled: -32800,
  /** `hello` has not been called, or no version is shared. */
  protocolMismatch: 1,
  /** No such game, view, file or pack. */
  notFound: 2,
  /** The file is there but cannot be read: damaged, or its source has changed. */
  unreadable: 3,
  /** The cursor is of an index that has been replaced; ask from the start. */
  staleCursor: 4,
  /** The configuration is wrong, and was not taken. */
  misconfigured: 5,
  /** The answer would be longer than a line may be. */
  tooLarge: 6,
} as const;

/** The `error` member of a response. */
export interface RpcErrorObject {
  /** One of {@linkcode errorCodes}. */
  code: number;
  /** A sentence for people. */
  message: string;
  /** Where known: an errno name such as `ENOENT`, a path, a byte offset, near misses for a wrong name. */
  data?: { errno?: string; path?: string; offset?: number; suggestions?: string[] };
}

/** A request, or a notification when `id` is absent (`$/cancel {id}` is the only one clients send). */
export interface RpcRequest {
  jsonrpc: "2.0";
  id?: number | string;
  method: string;
  params?: unknown;
}

/** A response. Every request gets exactly one, cancelled ones too. */
export type RpcResponse =
  | { jsonrpc: "2.0"; id: number | string | null; result: unknown }
  | { jsonrpc: "2.0"; id: number | string | null; error: RpcErrorObject };

/** What the daemon sends without having been asked just then. */
export interface RpcNotification {
  jsonrpc: "2.0";
  method: "$/refreshed";
  params: RefreshedEvent;
}

/** A failure answered by the other side, or found on the way there. */
export class RpcError extends Error {
  /** Name of the class. */
  override readonly name = "RpcError";
  /** One of {@linkcode errorCodes}. */
  readonly code: number;
  /** What more is known, or undefined. */
  readonly data: RpcErrorObject["data"];

  /** Makes an error of what came over the socket. */
  constructor(error: RpcErrorObject) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
  }
}

/**
 * Something that answers the protocol's methods: a daemon behind a socket, or an index in this process.
 * Everything above the protocol (REPL, one-shot commands, `mod.ts`) is written against this.
 */
export interface Connection extends AsyncDisposable {
  /**
   * Calls one method.
   * @throws {RpcError} what the other side answered.
   */
  call<M extends MethodName>(method: M, params: ParamsOf<M>, options?: { signal?: AbortSignal }): Promise<ResultOf<M>>;
  /**
   * Subscribes to what refreshes change; resolved when nothing can be missed any more. Without a daemon, what was indexed
   * is watched as long as somebody subscribes. Whoever is too slow loses the oldest, and is told how many. The signal ends
   * the iteration.
   * @throws {RpcError} what the other side answered.
   */
  subscribe(
    params: SubscribeParameters,
    options?: { signal?: AbortSignal },
  ): Promise<AsyncIterableIterator<RefreshedEvent>>;
  /** Ends the connection; calls under way fail as cancelled. */
  close(): Promise<void>;
}
