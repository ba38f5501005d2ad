/**
 * Rows and results of all methods, and the events of subscriptions. Rows of questions are declared with their
 * questions. Sizes and offsets are bytes, times are milliseconds since the epoch, paths inside a view (qpaths) are
 * `/`-separated without a leading slash.
 * @module
 */
import type { ChangeKind, SqlRow } from "../questions/mod.ts";
export type * from "../questions/answer_types.ts";
export type { SqlRow, SqlValue } from "../questions/mod.ts";

/** How changes of one path are noticed, in {@linkcode StatusResult}. */
export interface WatchRow {
  /** Absolute path: a base directory, an archive, a list of names, or the target of a link. */
  path: string;
  /** The kernel reports changes; the daemon polls every few seconds; or nothing exists there. */
  mode: "events" | "polling" | "missing";
  /** Reason why the kernel's events are not used; null if they are. */
  because: string | null;
}

/** Failed reads of a pack or game directory, in {@linkcode StatusResult}. */
export interface FailureRow {
  /** Absolute path. */
  source: string;
  /** Number of reads of the mount that ended with an error. */
  reads: number;
}

/** A mount of the daemon: a row of `mounts`, and in {@linkcode StatusResult}. */
export interface MountRow {
  /** Absolute path of the mount point. */
  mount: string;
  /** The view at the mount point itself; null if each view has a directory, `game/mod`. */
  rootView: string | null;
  /** Names of the shown games. */
  games: string[];
  /** Number of their views. */
  views: number;
  /** Number of their packs. */
  packs: number;
  /** Files in all their packs and game directories, shadowed ones included. */
  files: number;
}

/** Reply of `mount`. */
export interface MountResult extends MountRow {
  /** Notes about engines and names that were chosen. */
  choices: string[];
  /** Problems of packs and files of the new games, one sentence each. */
  problems: string[];
}

/** Reply of `sql`: a part of a result. */
export interface SqlResult {
  /** Names of the columns, as in the statement. */
  columns: string[];
  /** Rows, each a list of values in the order of the columns; a BLOB is a string of hexadecimal digits. */
  rows: SqlRow[];
  /** Parameter for the next part; null at the end. */
  cursor: string | null;
}

/** Reply of `status`. */
export interface StatusResult {
  /** Process id of the daemon. */
  pid: number;
  /** Version of the daemon. */
  version: string;
  /** The first mount point; null if nothing is mounted. */
  mount: string | null;
  /** The view at the first mount point itself; null if each view has a directory, `game/mod`. */
  rootView: string | null;
  /** All mounts, in the order of mounting. */
  mounts: MountRow[];
  /** Path of its socket. */
  socket: string;
  /** Start time, in milliseconds since the epoch. */
  started: number;
  /** Number of games. */
  games: number;
  /** Number of views. */
  views: number;
  /** Number of packs. */
  packs: number;
  /** Files in all packs and game directories, shadowed ones included. */
  files: number;
  /** Bytes of the index in memory. */
  indexBytes: number;
  /** Memory of the whole process. */
  residentBytes: number;
  /** Connected clients, this one included. */
  clients: number;
  /** Problems of packs and files that cannot be indexed or read, one sentence each; at most 200. */
  problems: string[];
  /** Number of problems, including those beyond `problems`. */
  problemCount: number;
  /** How changes are noticed; empty with `--no-watch`. */
  watch: WatchRow[];
  /** Time of the last refresh; null: none since the start. */
  refreshed: number | null;
  /** Counters of reads, bytes and similar since the start. */
  counters: Record<string, number>;
  /** Sources with failed reads on the mount since the start, most failures first, at most 100. */
  errors: FailureRow[];
}

/** Numbers of changes found by a refresh. */
export interface ChangeCounts {
  /** Number of new items. */
  added: number;
  /** Number of missing items. */
  removed: number;
  /** Number of items whose bytes may have changed. */
  changed: number;
}

/** Reply of `refresh`. */
export interface RefreshResult {
  /** Packs that were added, removed or changed. */
  packs: ChangeCounts;
  /** Files of all packs and game directories, shadowed ones included. */
  files: ChangeCounts;
  /** Duration. */
  milliseconds: number;
}

/** Reply of `reload`. */
export interface ReloadResult extends RefreshResult {
  /** Path of the configuration that was read; null if the daemon has none. */
  config: string | null;
  /** Changed settings that need a restart of the daemon, one sentence each. */
  needsRestart: string[];
}

/** Changes of one view by a refresh. */
export interface ViewChanges {
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Whether the view itself was added or removed, or its files changed. */
  change: ChangeKind;
  /** Files of the view. */
  files: ChangeCounts;
  /** The first changed files, in the order of a walk. */
  sample: { qpath: string; change: ChangeKind }[];
}

/** A pack that is damaged or could not be read. */
export interface PackProblem {
  /** Absolute path. */
  source: string;
  /** Message without the path. */
  problem: string;
}

/** Parameters of `$/refreshed`: queries and the mount show a new index. */
export interface RefreshedEvent {
  /** The number passed to `subscribe`. */
  subscription: number;
  /** Time of the refresh, in milliseconds since the epoch. */
  time: number;
  /** Duration of the refresh. */
  milliseconds: number;
  /** Packs that were added, removed or changed. */
  packs: ChangeCounts;
  /** Absolute paths of these packs, the first `maxPackPaths` of each kind. */
  packPaths: Record<ChangeKind, string[]>;
  /**
   * Reasons why added and changed packs among these are damaged or could not be read, the most important sentence for
   * each.
   */
  packProblems: PackProblem[];
  /** Files of all packs and game directories, shadowed ones included. */
  files: ChangeCounts;
  /** Views that changed. */
  views: ViewChanges[];
  /** Number of earlier notifications that were dropped because the client read too slowly. */
  dropped: number;
}
