/**
 * Whether and how a daemon notices changes on disk.
 * @module
 */
import { UsageError } from "../../command_line/usage.ts";

const watchings = ["events", "poll", "off"] as const;

/** As the kernel tells of changes; by looking now and then; or not at all. */
export type Watching = (typeof watchings)[number];

/**
 * What `$PAKFS_WATCH` says, for file systems on which the kernel's word is not enough; `events` by default.
 * @throws {UsageError} if it is none of the known words.
 */
export function defaultWatching(): Watching {
  const wanted = Deno.env.get("PAKFS_WATCH") || "events";
  const known = watchings.find((word) => word === wanted);
  if (known) return known;
  throw new UsageError(`PAKFS_WATCH is one of ${watchings.join(", ")}, and not "${wanted}"`);
}
