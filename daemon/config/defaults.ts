/**
 * Modes that users choose from, and default values.
 * @module
 */
import { UsageError } from "../../system/mod.ts";

/** Bytes of memory for decompressed files: enough to reply from, since the kernel's page cache keeps them. */
export const defaultCacheBytes: number = 8 * 1024 * 1024;

/** Seconds without a reply after which a file system is reported and left out until it replies. */
export const defaultHungSeconds = 10;

const watchModes = ["events", "poll", "off"] as const;

/** Mode of noticing changes on disk: by the kernel's events, by polling, or not at all. */
export type WatchMode = (typeof watchModes)[number];

/**
 * Returns the mode in `$PAKFS_WATCH`, for file systems whose events are not enough; `events` by default.
 * @throws {UsageError} if it is not a known mode.
 */
export function defaultWatchMode(): WatchMode {
  const wanted = Deno.env.get("PAKFS_WATCH") || "events";
  const known = watchModes.find((mode) => mode === wanted);
  if (known) return known;
  throw new UsageError(`PAKFS_WATCH=${wanted}: unknown mode; use one of ${watchModes.join(", ")}`);
}
