/**
 * Rows that only the client prints; rows of the protocol's methods are declared in `protocol/`.
 * @module
 */
import type { CreateResult } from "../../formats/mod.ts";
import type { ChangeCounts, ChangeKind, SqlValue } from "../../protocol/rows.ts";
import type { Failure, FailureKind } from "../output/failure.ts";

/** The first part of a text file. */
export interface HeadRow {
  /** The path in the view. */
  qpath: string;
  /** The lines, with their line breaks. */
  text: string;
}

/** A pack that players of a map rotation must download, or a directory with such files. */
export interface DownloadRow {
  /** Absolute path of the pack, or of the directory of a loose file. */
  source: string;
  /** `pack`, which is downloaded whole, or `loose`: files of a directory. */
  kind: "pack" | "loose";
  /** Name of its game directory. */
  gameDirectory: string;
  /** Bytes to download: the whole pack, or the needed files of a directory. */
  size: number;
  /** Number of files that the maps need. */
  files: number;
  /** Decompressed bytes of these files. */
  needed: number;
  /** Maps that need them, in rotation order. */
  maps: string[];
}

/** One line of a dump: up to 16 bytes. */
export interface DumpLine {
  /** Offset of the first byte. */
  offset: number;
  /** Two digits per byte. */
  hex: string;
  /** The bytes as text, with dots for unprintable bytes. */
  text: string;
}

/** A line of a comparison of two texts, including lines around each difference. */
export interface TextDiffRow {
  /** `added`: only the second text has the line; `removed`: only the first; `same`: both. */
  change: "same" | "added" | "removed";
  /** Line number in the first text, from 1; null if missing. */
  before: number | null;
  /** Line number in the second text, from 1; null if missing. */
  after: number | null;
  /** The line, without its line break. */
  text: string;
}

/** A row of an SQL statement, by column name. */
export type SqlResultRow = Record<string, SqlValue>;

/** A table that was written to a file. */
export interface ExportedRow {
  /** Absolute path of the file. */
  file: string;
  /** Name of the table. */
  table: string;
  /** Number of rows. */
  rows: number;
}

/** An SQL table. */
export interface TableRow {
  /** Name. */
  table: string;
  /** Meaning of a row. */
  row: string;
  /** Names of the columns. */
  columns: string[];
}

/** A column of an SQL table. */
export interface ColumnRow {
  /** Name of the table. */
  table: string;
  /** Name of the column. */
  name: string;
  /** `TEXT` or `INTEGER`. */
  type: string;
  /** Meaning. */
  meaning: string;
}

/** A difference between two archives. */
export interface ArchiveDiffRow {
  /** `added`: only the second has the file; `removed`: only the first; `changed`: its bytes differ. */
  change: "added" | "removed" | "changed";
  /** Path in the archives. */
  qpath: string;
  /** Bytes of the file in the first archive; null if missing. */
  before: number | null;
  /** Bytes of the file in the second archive; null if missing. */
  after: number | null;
  /** For an added file: path of a removed file with the same bytes. */
  renamedFrom?: string;
  /** For a removed file: path of an added file with the same bytes. */
  renamedTo?: string;
}

/** A file and its path on the mount. */
export interface OpenRow {
  /** The path in the view. */
  qpath: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Absolute path on the mount. */
  path: string;
}

/** A server that shows views to a browser. */
export interface WebRow {
  /** Address of the page, with the token that admits a browser. */
  url: string;
}

/** A file that was extracted or converted from a view. */
export interface ExtractedRow {
  /** The path in the view. */
  qpath: string;
  /** Path of the copy. */
  path: string;
  /** Bytes of the copy. */
  size: number;
  /** Format that it was converted to: `png`, `wav`, `mid`, `glb`, `json` or `txt`. */
  to?: string;
}

/** The new current view. */
export interface UseRow {
  /** `game/gamedirectory`. */
  view: string;
}

/** The new current directory. */
export interface DirectoryChangeRow {
  /** A path in the view; empty for its root. */
  directory: string;
}

/** Current view and directory of the REPL or a script. */
export interface PlaceRow {
  /** `game/gamedirectory`. */
  view: string;
  /** A path in the view; empty for its root. */
  directory: string;
}

/** Settings of the REPL or a script. */
export interface SettingsRow {
  /** `game/gamedirectory`; empty if none was chosen. */
  view: string;
  /** A path in the view; empty for its root. */
  directory: string;
  /** Output mode. */
  mode: string;
  /** Width of tables, in columns. */
  width: number;
  /** `on`, `off`, or the pager's command line. */
  pager: string;
  /** Whether the duration of commands is printed. */
  timer: boolean;
  /** File of `.output`; null for the screen. */
  output: string | null;
}

/** One command of the command table. */
export interface HelpRow {
  /** One word or two. */
  name: string;
  /** Aliases. */
  aliases: string[];
  /** Heading in the overview. */
  group: string;
  /** `anywhere`, `session` (REPL and scripts) or `launcher` (in a shell). */
  scope: string;
  /** Name, arguments and `[options]`. */
  usage: string;
  /** Summary in one line. */
  summary: string;
  /** Names of the types of its rows, as in this document. */
  rows: string[];
  /** Options of the command. */
  options: object[];
  /** Paragraphs. */
  details: string[];
  /** Examples with explanations. */
  examples: { line: string; does: string }[];
}

/** An unreadable archive among several. */
export interface ArchiveFaultRow {
  /** Absolute path of the archive. */
  source: string;
  /** Reason, as a sentence. */
  problem: string;
}

/** A member of an archive that was read and verified. */
export interface VerifiedRow {
  /** Absolute path of the archive. */
  source: string;
  /** Name in the archive; empty for the archive as a whole. */
  member: string;
  /** Whether it is valid. */
  ok: boolean;
  /** Damage as a sentence, or null. */
  problem: string | null;
  /** Note on a valid member. */
  note?: string;
}

/** Files extracted from an archive. */
export interface ArchiveExtractedRow {
  /** Absolute path of the archive. */
  source: string;
  /** Absolute path of the directory. */
  output: string;
  /** Number of files. */
  files: number;
  /** Bytes of the files. */
  bytes: number;
  /**
   * Files written with another name because a directory has the same path: name in the archive, and path below
   * `output`.
   */
  renamed?: { member: string; path: string }[];
  /** Names of files that were not written because another file with the same path was. */
  leftOut?: string[];
}

/** A new archive. */
export interface ArchiveCreatedRow extends CreateResult {
  /** Absolute path of the archive. */
  source: string;
  /** Sentences about files that engines would not find in it, if any. */
  warnings?: readonly string[];
}

/** A file that was added to an archive because it is needed. */
export interface ArchivedFileRow {
  /** Path in the view and in the archive. */
  qpath: string;
  /** Bytes. */
  size: number;
  /** Absolute path of the pack, or of the directory of a loose file. */
  source: string;
  /** Reason: `surface`, `sky box`, ... */
  why: string;
  /** Name of the item that refers to it; null for requested items. */
  by: string | null;
}

/** Reply of `stop`. */
export interface StopRow {
  /** Always true. */
  stopping: boolean;
}

/** A mount that has been released. */
export interface UnmountedRow {
  /** Absolute path of the mount point. */
  unmounted: string;
}

/** Rules of an engine: these, and every key of [profiles.md](profiles.md). */
export interface ProfileRow {
  /** Name of the profile. */
  name: string;
  /** The engine. */
  engine: string;
  /** The engine, for people. */
  title: string;
  /** The configuration file that defines it; null for a built-in profile. */
  source: string | null;
}

/** A first configuration. */
export interface InitRow {
  /** Absolute path of the configuration. */
  path: string;
  /** Whether it was written; false for `--dry-run`. */
  written: boolean;
  /** Names of the detected games. */
  games: string[];
  /** Content of the file. */
  text: string;
}

/** A new service. */
export interface ServiceInstalledRow {
  /** Absolute path of the unit. */
  path: string;
  /** Whether systemd has started it. */
  started: boolean;
  /** The unit, for `--dry-run`, which writes nothing. */
  text?: string;
}

/** A file or directory that pakfs has written. */
export interface WrittenPathRow {
  /** Absolute path. */
  path: string;
  /** Description of its content. */
  holds: string;
  /** Whether it was removed. */
  removed: boolean;
}

/** A service that was removed. */
export interface ServiceRemovedRow {
  /** Absolute path of its former unit. */
  removed: string;
}

/** The service, as systemd reports it. */
export interface ServiceStatusRow {
  /** Absolute path of the unit. */
  unit: string;
  /** Whether the unit exists. */
  installed: boolean;
  /** `active`, `inactive`, `failed`, ... */
  state: string;
  /** systemd's detailed state. */
  detail: string;
  /** Process id; `0` if none runs. */
  process: string;
  /** Status text that the daemon reports to systemd. */
  says: string;
}

/** A pack that was added, removed or changed, from `watch`. */
export interface WatchedPackRow {
  /** Kind of the row. */
  type: "pack";
  /** Kind of the change. */
  change: ChangeKind;
  /** Absolute path of the pack. */
  source: string;
  /** Reason why it is damaged or could not be read; absent if it is valid. */
  problem?: string;
}

/** A file of a view that was added, removed or changed, from `watch`. */
export interface WatchedFileRow {
  /** Kind of the row. */
  type: "file";
  /** `game/gamedirectory`. */
  view: string;
  /** The path in the view. */
  qpath: string;
  /** Kind of the change. */
  change: ChangeKind;
}

/** A refresh, printed by `watch` after the rows of its changes. */
export interface WatchedRefreshRow {
  /** Kind of the row. */
  type: "refresh";
  /** Milliseconds since the epoch. */
  time: number;
  /** Duration of the refresh. */
  milliseconds: number;
  /** Added, removed and changed packs. */
  packs: ChangeCounts;
  /** Files of all packs and game directories, shadowed ones included. */
  files: ChangeCounts;
  /** Changed views. */
  views: { view: string; change: ChangeKind; files: ChangeCounts }[];
  /** Refreshes skipped before this one because they were not read fast enough. */
  dropped: number;
}

/** A script that completes commands in a shell. */
export interface CompletionScriptRow {
  /** `bash`, `zsh` or `fish`. */
  shell: string;
  /** The script. */
  script: string;
}

/** A completion of a name. */
export interface MatchRow {
  /** The whole name. */
  match: string;
}

/** A manual page. */
export interface ManualPageRow {
  /** The page, in the language of `man`. */
  page: string;
}

/** Version. */
export interface VersionRow {
  /** Version of pakfs. */
  version: string;
}

/** Output mode. */
export interface ModeRow {
  /** `table`, `jsonlines`, ... */
  mode: string;
}

/** A step of the tour. */
export interface TourRow {
  /** Purpose of the step. */
  shows: string;
  /** The command line. */
  command: string;
  /** Output of the program; the rows of pakfs commands follow this one. */
  lines?: string[];
}

/** A failure: one line on standard error. */
export interface ErrorRow {
  error: {
    /** One word for the kind. */
    kind: FailureKind;
    /** A sentence. */
    message: string;
    /** Exit code of the program. */
    exitCode: number;
    /** Details: an errno name, a path, similar names. */
    data?: { errno?: string; path?: string; offset?: number; suggestions?: string[] };
    /** In scripts: the file. */
    file?: string;
    /** In scripts: the line. */
    line?: number;
  };
}

/** A warning, after which the command continues: one line on standard error. */
export interface WarningRow {
  warning: {
    /** A sentence. */
    message: string;
  };
}

/** Part of the reply to one line of the input. */
export type BatchRow =
  | { line: number; row: object }
  | { line: number; text: string }
  | { line: number; data: string }
  | { line: number; warning: string }
  | BatchEnd;

/** End of the reply to a line. */
export interface BatchEnd {
  /** Number of the line, from 1. */
  line: number;
  /** Exit code of the command. */
  exitCode: number;
  /** Reason of a failure. */
  error?: { kind: FailureKind; message: string; data?: NonNullable<Failure["data"]> };
}
