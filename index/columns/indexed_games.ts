/**
 * Result of indexing: plain data that is cached and sent to threads. `views/catalog.ts` makes views of it.
 * @module
 */
import type { Game } from "./game.ts";
import { Snapshot, type SnapshotParts } from "./snapshot.ts";

/** One index: a snapshot and its games. */
export interface IndexedGames {
  readonly snapshot: Snapshot;
  readonly games: readonly Game[];
  /** Problems of indexing, one message each. */
  readonly problems: readonly string[];
}

/** An index as another thread receives it. */
export interface IndexParts extends Omit<IndexedGames, "snapshot"> {
  readonly snapshot: SnapshotParts;
}

/** Returns the index from another thread. */
export function indexFrom({ snapshot, games, problems }: IndexParts): IndexedGames {
  return { snapshot: Snapshot.from(snapshot), games, problems };
}
