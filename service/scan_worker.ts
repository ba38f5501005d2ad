/**
 * Indexes games on remote file systems, which may be slow or hang, in a separate process.
 * @module
 */
import {
  type GameOptions,
  type IndexedGames,
  indexFrom,
  indexGames,
  type IndexParts,
  RootPresence,
  type RootPresenceState,
  type ScanProgress,
} from "../index/mod.ts";
import { GameError } from "../games/mod.ts";
import { collectGarbage } from "../system/mod.ts";

export { noteCalls } from "../system/mod.ts";

/** Games to index. */
export interface ScanOrder {
  readonly games: readonly GameOptions[];
  /** An earlier index; `last` for the last one that this process has. */
  readonly previous: IndexParts | "last" | undefined;
  readonly previousNumbers: readonly number[] | undefined;
  /** State of the roots, if missing ones are not an error. */
  readonly presence: RootPresenceState | undefined;
}

/** Progress of a scan: the parameters of {@linkcode ScanProgress}. */
export type ScanReport = Parameters<ScanProgress>;

/** Result of a request. */
export type ScanAnswer =
  | {
    /** `previous` if nothing has changed. */
    readonly index: IndexParts | "previous";
    /** Times at which the sources were read. */
    readonly readAt: readonly number[];
    readonly presence: RootPresenceState | undefined;
  }
  /** A game is invalid. */
  | { readonly message: string; readonly subject: string };

let last: IndexedGames | undefined;

/** Indexes games like {@linkcode indexGames}. */
export async function answer(order: ScanOrder, report: (progress: ScanReport) => void): Promise<ScanAnswer> {
  const { games, previous, previousNumbers, presence: state } = order;
  const before = previous === "last" ? last : previous && indexFrom(previous);
  const presence = state && RootPresence.from(state);
  try {
    const index = await indexGames(games, {
      onProgress: (...progress) => report(progress),
      ...(before ? { previous: before } : {}),
      ...(previousNumbers ? { previousNumbers } : {}),
      ...(presence ? { presence } : {}),
    });
    last = index;
    return {
      index: index === before ? "previous" : index,
      readAt: index.snapshot.sources.map((source) => source.readAt),
      presence: presence?.state(),
    };
  } catch (error) {
    if (!(error instanceof GameError)) throw error;
    return { message: error.message, subject: error.subject };
  } finally {
    collectGarbage();
  }
}
