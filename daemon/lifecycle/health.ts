/**
 * How the daemon is, in one line.
 * @module
 */
import type { Catalog } from "../../index/views/catalog.ts";

/** What a health line tells of. */
export interface Health {
  readonly catalog: Catalog;
  /** Or null. */
  readonly mountPoint: string | null;
  /** Connected now. */
  readonly clients: number;
  /** What is wrong, beside what is wrong with packs and files. */
  readonly problems: number;
  /** Reads of the mount that failed since the start. */
  readonly failedReads: number;
}

/** One line for `systemctl status`. */
export function healthLine({ catalog, mountPoint, clients, problems, failedReads }: Health): string {
  const count = catalog.problems.length + problems;
  return [
    `${catalog.games.length} games, ${catalog.packs.length} packs`,
    mountPoint === null ? "not mounted" : `mounted at ${mountPoint}`,
    `${clients} clients`,
    ...count > 0 ? [`${count} problems: see pakfs status`] : [],
    ...failedReads > 0 ? [`${failedReads} reads failed`] : [],
  ].join(", ");
}
