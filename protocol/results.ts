/**
 * What the daemon's methods answer with and what it tells subscribers: the rows and results of the protocol that belong to
 * no other room. Sizes and offsets are bytes, times are milliseconds since the epoch.
 * @module
 */
import type { DirectoryRow, FileRow } from "../index/questions/rows.ts";
import type { ShaderDefinitionRow, ShaderImageRow } from "../index/shaders/shader_index.ts";
import type { CandidateRow } from "../index/views/which.ts";

/** A row of `ls`. */
export type ListRow = FileRow | DirectoryRow;

/** Answer of `which`. */
export interface WhichResult {
  /** The path that was asked for. */
  qpath: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Name of the engine profile. */
  profile: string;
  /** Winner first, unusable ones last. Empty when nothing has that name. */
  candidates: CandidateRow[];
}

/** A row of `games`. */
export interface GameRow {
  /** Name of the game. */
  game: string;
  /** Name of the engine profile. */
  profile: string;
  /** Why this profile: `--profile`, or what was found. */
  because: string;
  /** Base directories, highest first. */
  sources: string[];
  /** Name of the base game directory. */
  base: string;
  /** Number of views. */
  views: number;
  /** Number of packs. */
  packs: number;
  /** Number of files. */
  files: number;
}

/** A row of `views`. */
export interface ViewRow {
  /** `game/gamedirectory`. */
  view: string;
  /** Name of the game. */
  game: string;
  /** Name of the engine profile. */
  profile: string;
  /** Game directories on its search path, highest first. */
  gameDirectories: string[];
  /** Number of packs. */
  packs: number;
  /** Whether it is the game's base view, without a mod. */
  base: boolean;
}

/** A row of `path`: one element of a view's search path, best first. */
export interface PathRow {
  /** Place on the search path; 1 is searched first. */
  rank: number;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Absolute path of the pack or directory. */
  source: string;
  /** Archive or `.pk3dir`, or a directory of loose files. */
  kind: "pack" | "loose";
  /** Name of an archive format, `pk3dir`, `loose`, or `unknown` for what could not be read. */
  format: string;
  /** Name of the game directory it belongs to. */
  gameDirectory: string;
  /** Number of files. */
  files: number;
}

/** A row of `packs`. */
export interface PackRow {
  /** Name of the game. */
  game: string;
  /** Name of the game directory it belongs to. */
  gameDirectory: string;
  /** File name. */
  pack: string;
  /** Absolute path of the pack or directory. */
  source: string;
  /** Name of an archive format, `pk3dir`, `loose`, or `unknown` for what could not be read. */
  format: string;
  /** Number of files. */
  files: number;
  /** Bytes. */
  size: number;
  /** Modification time. */
  mtime: number;
  /** Whether the view (or, without one, the game's own view of that game directory) uses it. */
  usable: boolean;
  /** Why not, else null. */
  reason: string | null;
  /** Sentences about the archive that did not stop it from being read. */
  warnings: string[];
  /** How many of its files win in the view; null where no view was asked about. */
  wins: number | null;
  /** What Quake III's engines know a pk3 by, as a signed 32-bit integer; null for other packs. */
  checksum: number | null;
}

/** Answer of `checksum`: the numbers by which Quake III's engines know a pk3, as they print them. */
export interface ChecksumResult {
  /** File name. */
  pack: string;
  /** Absolute path. */
  source: string;
  /** Signed 32-bit integer: what `sv_paks` holds. */
  checksum: number;
  /** The same number without its sign, as some lists give it. */
  unsigned: number;
  /** What a client answers a pure server with this feed; signed. */
  pure: number;
  /** The server's `sv_checksumFeed`. */
  feed: number;
}

/** A row of {@linkcode PureResult}: one pack of a pure list. */
export interface PureRow {
  /** Place on the list; 1 is searched first. */
  rank: number;
  /** What the list says: a checksum or a name. For the list of a view: the checksum. */
  wanted: string;
  /** Signed 32-bit integer; null where only a name is known. */
  checksum: number | null;
  /** File name of the pack; null if it is missing. */
  pack: string | null;
  /** Name of its game directory, or null. */
  gameDirectory: string | null;
  /** Absolute path, or null. */
  source: string | null;
}

/** Answer of `pure`. */
export interface PureResult {
  /** Name of the view under the list; without a list, of the view whose packs these are. */
  view: string;
  /** Name of the engine profile. */
  profile: string;
  /** The list, in its order. */
  packs: PureRow[];
  /** How many of its packs are nowhere. */
  missing: number;
}

/** A row of `names`: what is known of the names of one pack that holds none. */
export interface NamesRow {
  /** Name of the game. */
  game: string;
  /** Name of the game directory it belongs to. */
  gameDirectory: string;
  /** File name. */
  pack: string;
  /** Absolute path of the pack. */
  source: string;
  /** How it hashes names, such as `fnv1a+lower+backslash`; null if that could not be found out. */
  hash: string | null;
  /** Number of files. */
  files: number;
  /** How many of them have a name. */
  named: number;
  /** How many paths were tried. */
  tried: number;
  /** How many hits chance alone gives: `files` times `tried` by 2^32. */
  expected: number;
  /** Paths of the same hash, of which the first was taken. */
  collisions: { hash: string; names: string[] }[];
}

/** Answer of `shader`. */
export interface ShaderResult {
  /** The name that was asked for. */
  name: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Name of the engine profile. */
  profile: string;
  /** Whose rules for shaders were applied: the profile's engine's, or where that has none, the nearest. */
  rules: "ioquake3" | "quake3" | "chomenor" | "doom3";
  /** Winner first, those that the engine does not know last. Empty when the name is not defined. */
  definitions: ShaderDefinitionRow[];
  /** What is wrong in the files that define it, a sentence each. */
  warnings: string[];
  /** What the engine shows under that name; null if there is neither. */
  answers: "shader" | "image" | null;
  /** Why not the other one, as a sentence; null if there is no other. */
  because: string | null;
  /** Images of the name, the one that the engine would take first. */
  images: ShaderImageRow[];
}

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
