/**
 * Rows that only the client prints; those of the protocol's methods are declared in `protocol/`.
 * @module
 */
import type { CreateResult } from "../../formats/mod.ts";
import type { ChangeCounts, ChangeKind } from "../../protocol/rows.ts";
import type { Failure, FailureKind } from "../output/failure.ts";

/** The beginning of a text. */
export interface HeadRow {
  /** The path in the view. */
  qpath: string;
  /** The lines, with their line breaks. */
  text: string;
}

/** One line of a dump: up to 16 bytes. */
export interface DumpLine {
  /** Of its first byte. */
  offset: number;
  /** Two digits for each byte. */
  hex: string;
  /** The same as text, with dots for what is no letter. */
  text: string;
}

/** What `open --json` prints. */
export interface OpenRow {
  /** The path in the view. */
  qpath: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Absolute path on the mount. */
  path: string;
}

/** A file that was copied out of a view. */
export interface ExtractedRow {
  /** The path in the view. */
  qpath: string;
  /** Where it is now. */
  path: string;
  /** Bytes. */
  size: number;
}

/** The view that is the current one from now on. */
export interface UseRow {
  /** `game/gamedirectory`. */
  view: string;
}

/** The directory that is the current one from now on. */
export interface DirectoryChangeRow {
  /** A path in the view; empty for its root. */
  directory: string;
}

/** Where the REPL or a script stands. */
export interface PlaceRow {
  /** `game/gamedirectory`. */
  view: string;
  /** A path in the view; empty for its root. */
  directory: string;
}

/** One command of the command table. */
export interface HelpRow {
  /** One word or two. */
  name: string;
  /** Other names of it. */
  aliases: string[];
  /** The heading it stands under. */
  group: string;
  /** `anywhere`, `session` (REPL and scripts) or `launcher` (in a shell). */
  scope: string;
  /** Name, arguments and `[options]`. */
  usage: string;
  /** What it does, in one line. */
  summary: string;
  /** Names of the types of its rows, as in this document. */
  rows: string[];
  /** Its own options. */
  options: object[];
  /** Paragraphs. */
  details: string[];
  /** Command lines with what they do. */
  examples: { line: string; does: string }[];
}

/** A member of an archive that was read and checked. */
export interface VerifiedRow {
  /** Absolute path of the archive. */
  source: string;
  /** Name in the archive. */
  member: string;
  /** Whether it is sound. */
  ok: boolean;
  /** What is wrong, else null. */
  problem: string | null;
  /** What is odd about a sound member. */
  note?: string;
}

/** What was taken out of an archive. */
export interface ArchiveExtractedRow {
  /** Absolute path of the archive. */
  source: string;
  /** Absolute path of the directory. */
  output: string;
  /** Number of files. */
  files: number;
  /** Bytes of them. */
  bytes: number;
  /** Files written under another name, since a directory has theirs: name in the archive, and path below `output`. */
  renamed?: { member: string; path: string }[];
  /** Files that were not written, since another of the same path with other bytes was: name of each. */
  leftOut?: string[];
}

/** An archive that was made. */
export interface ArchiveCreatedRow extends CreateResult {
  /** Absolute path of the archive. */
  source: string;
  /** Sentences on files that engines would not find in it, if there are any. */
  warnings?: readonly string[];
}

/** Answer of `stop`. */
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
  /** The configuration file that describes it; null where it comes with pakfs. */
  source: string | null;
}

/** A first configuration. */
export interface InitRow {
  /** Absolute path of the configuration. */
  path: string;
  /** Whether it was written; false for `--dry-run`. */
  written: boolean;
  /** Names of the games that were found. */
  games: string[];
  /** What the file holds. */
  text: string;
}

/** A service that was made. */
export interface ServiceInstalledRow {
  /** Absolute path of the unit. */
  path: string;
  /** Whether systemd has started it. */
  started: boolean;
  /** The unit, for `--dry-run`, which writes nothing. */
  text?: string;
}

/** A service that was removed. */
export interface ServiceRemovedRow {
  /** Absolute path of what was its unit. */
  removed: string;
}

/** The service, as systemd tells it. */
export interface ServiceStatusRow {
  /** Absolute path of the unit. */
  unit: string;
  /** Whether the unit is there. */
  installed: boolean;
  /** `active`, `inactive`, `failed`, ... */
  state: string;
  /** systemd's finer word for the state. */
  detail: string;
  /** Process id; `0` where none runs. */
  process: string;
  /** What the daemon tells systemd about itself. */
  says: string;
}

/** A pack that came, went or was changed, told by `watch`. */
export interface WatchedPackRow {
  /** What kind of row it is. */
  type: "pack";
  /** What happened to it. */
  change: ChangeKind;
  /** Absolute path of the pack. */
  source: string;
}

/** A file of a view that came, went or has other bytes, told by `watch`. */
export interface WatchedFileRow {
  /** What kind of row it is. */
  type: "file";
  /** `game/gamedirectory`. */
  view: string;
  /** The path in the view. */
  qpath: string;
  /** What happened to it. */
  change: ChangeKind;
}

/** A refresh, told by `watch` after the rows of what it changed. */
export interface WatchedRefreshRow {
  /** What kind of row it is. */
  type: "refresh";
  /** Milliseconds since the epoch. */
  time: number;
  /** How long the refresh took. */
  milliseconds: number;
  /** Packs that came, went or were changed. */
  packs: ChangeCounts;
  /** Files of all packs and game directories, shadowed ones included. */
  files: ChangeCounts;
  /** Views in which something is different. */
  views: { view: string; change: ChangeKind; files: ChangeCounts }[];
  /** Refreshes that were left out before this one, as they were not read fast enough. */
  dropped: number;
}

/** A script that completes commands in a shell. */
export interface CompletionScriptRow {
  /** `bash`, `zsh` or `fish`. */
  shell: string;
  /** The script. */
  script: string;
}

/** What a beginning of a name could become. */
export interface MatchRow {
  /** The whole name. */
  match: string;
}

/** A manual page. */
export interface ManualPageRow {
  /** The page, in the language of `man`. */
  page: string;
}

/** How results are written. */
export interface ModeRow {
  /** `table`, `jsonlines`, ... */
  mode: string;
}

/** A step of the tour. */
export interface TourRow {
  /** What it shows. */
  shows: string;
  /** The command line. */
  command: string;
  /** What the program prints; of commands of pakfs the rows follow this one. */
  lines?: string[];
}

/** A failure: one line on standard error. */
export interface ErrorRow {
  error: {
    /** One word for the kind. */
    kind: FailureKind;
    /** A sentence. */
    message: string;
    /** What the program exits with. */
    exitCode: number;
    /** What more is known: an errno name, a path, near misses. */
    data?: { errno?: string; path?: string; offset?: number; suggestions?: string[] };
    /** In scripts: the file. */
    file?: string;
    /** In scripts: the line. */
    line?: number;
  };
}

/** Something the user should know although the command goes on: one line on standard error. */
export interface WarningRow {
  warning: {
    /** A sentence. */
    message: string;
  };
}

/** Something that a command printed, in answer to one line of the input. */
export type BatchRow =
  | { line: number; row: object }
  | { line: number; text: string }
  | { line: number; data: string }
  | { line: number; warning: string }
  | BatchEnd;

/** The last answer to a line. */
export interface BatchEnd {
  /** Number of the line, from 1. */
  line: number;
  /** What the command would have exited with. */
  exitCode: number;
  /** Why it failed; absent where it did not. */
  error?: { kind: FailureKind; message: string; data?: NonNullable<Failure["data"]> };
}
