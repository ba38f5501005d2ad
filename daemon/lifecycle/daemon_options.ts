/**
 * What a daemon is to do, as the command line and the configuration say.
 * @module
 */
import type { GameOptions } from "../../index/profiles/game.ts";
import type { HungOptions } from "../../mount/mount.ts";
import type { LayoutOptions } from "../../mount/layout.ts";
import type { ParsedMountOptions } from "../../config/mount_options.ts";
import type { LogFormat } from "../../system/log.ts";
import type { CLibrary } from "../../system/c_library.ts";
import type { Readiness } from "./launcher_pipe.ts";
import type { ServiceManager } from "./service_manager.ts";
import type { Watching } from "../../service/watch/watching.ts";

/** Who waits to hear how the daemon is. */
export interface Waiting {
  /** The launcher, if one waits. */
  readonly readiness: Readiness;
  /** systemd, if it started this. */
  readonly manager: ServiceManager;
  /** The C library of the main thread. */
  readonly library: CLibrary;
}

/** What a daemon is to do. A running one takes other `games` and another `watching`; the rest stays until it ends. */
export interface DaemonPlan {
  readonly games: readonly GameOptions[];
  /** Whether source directories that are not there yet are waited for, instead of being an error. */
  readonly awaitsSources: boolean;
  /** Path of the configuration that this was read from; null: none was needed. */
  readonly config: string | null;
  /** Where to mount, or null. */
  readonly mountPoint: string | null;
  readonly layout: LayoutOptions;
  readonly mountOptions: ParsedMountOptions;
  /** Socket that was asked for; undefined for the usual place. */
  readonly socket?: string;
  /** Bytes of memory for decompressed files. */
  readonly cacheBytes: number;
  /** What becomes of file systems that do not answer. */
  readonly hung: HungOptions;
  /** Keep the index in a file from one start to the next. */
  readonly keepsIndex: boolean;
  /** How changes on disk are noticed. */
  readonly watching: Watching;
  /** Nothing but warnings in the log. */
  readonly quiet: boolean;
  readonly logFormat: LogFormat;
  /** One line in the log for each request of the kernel. */
  readonly debugsFuse: boolean;
}

/**
 * Reads command line and configuration: at the start, and again whenever that is asked for.
 * @throws {ConfigError | UsageError} if anything in them is wrong.
 */
export type PlanReader = () => DaemonPlan;
