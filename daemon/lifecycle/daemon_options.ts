/**
 * Options of a daemon, and its connections to the process that started it.
 * @module
 */
import type { GameOptions } from "../../index/mod.ts";
import type { HungOptions, LayoutOptions, ParsedMountOptions } from "../../mount/mod.ts";
import type { WatchMode } from "../config/defaults.ts";
import type { LogFormat, SystemCalls } from "../../system/mod.ts";
import type { Announcement } from "./announcement.ts";
import type { LauncherPipe } from "./launcher_pipe.ts";
import type { ServiceManager } from "./service_manager.ts";

/** The process that waits for a daemon to start, and the C library. */
export interface ProcessContext {
  /** The launcher, if one waits. */
  readonly launcher: LauncherPipe;
  /** systemd, if it started this process. */
  readonly manager: ServiceManager;
  /** System calls of the main thread. */
  readonly system: SystemCalls;
  /** Whether SIGHUP was ignored when the process began, as under nohup(1). */
  readonly ignoresHangUp: boolean;
}

/** Options of a daemon. A reload changes `games` and `watchMode`; the others apply until the daemon ends. */
export interface DaemonOptions {
  readonly games: readonly GameOptions[];
  /** Whether the daemon waits for missing roots instead of failing. */
  readonly awaitsSources: boolean;
  /** Path of the configuration that these were read from; null if none was needed. */
  readonly config: string | null;
  /** Mount point, or null. */
  readonly mountPoint: string | null;
  readonly layout: LayoutOptions;
  readonly mountOptions: ParsedMountOptions;
  /** Socket; undefined for the default one. */
  readonly socket?: string;
  /** Whether it uses a socket named after its process if another daemon has the default socket. */
  readonly hasOwnSocket?: boolean;
  /** Bytes of memory for decompressed files. */
  readonly cacheBytes: number;
  /** How reads behave on file systems that do not reply. */
  readonly hung: HungOptions;
  /** Whether the index is kept in a file from one start to the next. */
  readonly keepsIndex: boolean;
  /** Mode of noticing changes on disk. */
  readonly watchMode: WatchMode;
  /** Whether the log holds warnings and errors only. */
  readonly quiet: boolean;
  readonly logFormat: LogFormat;
  /** How the mount is reported to the user. */
  readonly announcement: Announcement;
  /** Whether the log has a line for each request of the kernel. */
  readonly debugsFuse: boolean;
}

/**
 * Reads command line and configuration: at the start and at each reload.
 * @throws {ConfigError | UsageError} if anything in them is wrong.
 */
export type OptionsReader = () => Promise<DaemonOptions>;
