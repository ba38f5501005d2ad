/**
 * Rows and results of all methods, and the events of subscriptions. Those of questions are declared with their questions.
 * Sizes and offsets are bytes, times are milliseconds since the epoch, paths inside a view (qpaths) are `/`-separated
 * without a leading slash.
 * @module
 */
export type * from "../index/questions/table.ts";

/** How changes of one place are noticed, in {@linkcode StatusResult}. */
export interface WatchRow {
  /** Absolute path: a source directory, an archive, a list of names, or what a link leads to. */
  path: string;
  /** The kernel tells of changes; the daemon looks every few seconds; or there is nothing to be watched at the moment. */
  mode: "events" | "polling" | "missing";
  /** Why the kernel is not relied on; null where it is. */
  because: string | null;
}

/** How often reading a pack or game directory has failed, in {@linkcode StatusResult}. */
export interface FailureRow {
  /** Absolute path. */
  source: string;
  /** Reads of the mount that ended with an error. */
  reads: number;
}

/** Answer of `status`. */
export interface StatusResult {
  /** Process id of the daemon. */
  pid: number;
  /** Version of the daemon. */
  version: string;
  /** Mount point, or null with `--no-mount`. */
  mount: string | null;
  /** The view whose files are at the mount point itself; null where every view has its directory, `game/mod`. */
  rootView: string | null;
  /** Path of its socket. */
  socket: string;
  /** Milliseconds since the epoch. */
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
  /** Packs and files that cannot be indexed or read, a sentence each; at most 200. */
  problems: string[];
  /** Number of problems, those included that `problems` has no room for. */
  problemCount: number;
  /** How changes are noticed; empty with `--no-watch`. */
  watch: WatchRow[];
  /** When the index was brought up to date last; null: not since the start. */
  refreshed: number | null;
  /** Reads, bytes and the like since the start. */
  counters: Record<string, number>;
  /** Where reads of the mount have failed since the start, most first, at most 100. */
  errors: FailureRow[];
}

/** How many of something a refresh found to be different. */
export interface ChangeCounts {
  /** Those that were not there before. */
  added: number;
  /** Those that are no longer there. */
  removed: number;
  /** Those whose bytes may be other ones. */
  changed: number;
}

/** Answer of `refresh`. */
export interface RefreshResult {
  /** Packs that came, went or were changed. */
  packs: ChangeCounts;
  /** Files of all packs and game directories, shadowed ones included. */
  files: ChangeCounts;
  /** How long it took. */
  milliseconds: number;
}

/** Answer of `reload`. */
export interface ReloadResult extends RefreshResult {
  /** Path of the configuration that was read; null if the daemon has none. */
  config: string | null;
  /** What the configuration says, but takes a new start of the daemon: a sentence each. */
  needsRestart: string[];
}

/** What happened to a pack or a path. */
export type ChangeKind = "added" | "removed" | "changed";

/** What a refresh changed in one view. */
export interface ViewChanges {
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Whether the view itself came or went, or only what is in it is different. */
  change: ChangeKind;
  /** Files of the view. */
  files: ChangeCounts;
  /** The first of them, in the order of a walk. */
  sample: { qpath: string; change: ChangeKind }[];
}

/** What `$/refreshed` tells: queries and the mount show another index now. */
export interface RefreshedEvent {
  /** The number that was given to `subscribe`. */
  subscription: number;
  /** Milliseconds since the epoch. */
  time: number;
  /** How long the refresh took. */
  milliseconds: number;
  /** Packs that came, went or were changed. */
  packs: ChangeCounts;
  /** Absolute paths of these packs, the first `maxPackPaths` of each kind. */
  packPaths: Record<ChangeKind, string[]>;
  /** Files of all packs and game directories, shadowed ones included. */
  files: ChangeCounts;
  /** Views in which something is different. */
  views: ViewChanges[];
  /** How many of these notifications were left out before this one, as they were not read fast enough. */
  dropped: number;
}
