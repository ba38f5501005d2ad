/**
 * The thread that indexes games on remote file systems, which may be slow or hang.
 * @module
 */
import { messageOf } from "../formats/core/errors.ts";
import { Catalog, type CatalogParts } from "../index/views/catalog.ts";
import { GameError, type GameOptions } from "../index/profiles/game.ts";
import { RootPresence, type RootPresenceState } from "../index/scan/root_presence.ts";
import { indexGames } from "../index/scan/scanner.ts";
import { collectGarbage } from "../system/memory_release.ts";
import { workerChannel } from "../system/worker_channel.ts";

/** Games to index. */
export interface ScanOrder {
  readonly games: readonly GameOptions[];
  /** An earlier index; `last` for the last one that this thread knows. */
  readonly previous: CatalogParts | "last" | undefined;
  readonly previousNumbers: readonly number[] | undefined;
  /** State of the roots, where missing ones are not an error. */
  readonly presence: RootPresenceState | undefined;
}

/** Progress or result of an order. */
export type ScanAnswer =
  | { readonly type: "progress"; readonly done: number; readonly known: number; readonly name: string }
  | {
    readonly type: "indexed";
    /** `previous` if nothing has changed. */
    readonly catalog: CatalogParts | "previous";
    /** Times at which the sources were read. */
    readonly readAt: readonly number[];
    readonly presence: RootPresenceState | undefined;
  }
  | { readonly type: "failed"; readonly message: string; readonly subject: string | null };

const scope = workerChannel<ScanOrder, ScanAnswer>();
let last: Catalog | undefined;

async function scan({ games, previous, previousNumbers, presence: state }: ScanOrder): Promise<ScanAnswer> {
  const before = previous === "last" ? last : previous && new Catalog(previous);
  const presence = state && RootPresence.from(state);
  const catalog = await indexGames(games, {
    onProgress: (done, known, name) => scope.postMessage({ type: "progress", done, known, name }),
    ...(before ? { previous: before } : {}),
    ...(previousNumbers ? { previousNumbers } : {}),
    ...(presence ? { presence } : {}),
  });
  last = catalog;
  return {
    type: "indexed",
    catalog: catalog === before ? "previous" : catalog.parts(),
    readAt: catalog.snapshot.sources.map((source) => source.readAt),
    presence: presence?.state(),
  };
}

scope.onmessage = async ({ data }) => {
  try {
    scope.postMessage(await scan(data));
  } catch (error) {
    const message = messageOf(error);
    scope.postMessage({ type: "failed", message, subject: error instanceof GameError ? error.subject : null });
  }
  collectGarbage();
};
