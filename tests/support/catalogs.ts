/**
 * Catalogs of games, for tests.
 * @module
 */
import type { GameOptions } from "../../index/columns/game.ts";
import { scanGames, type ScanOptions } from "../../index/scan/scanner.ts";
import { Catalog } from "../../views/catalog.ts";

/** Options of {@linkcode scanCatalog}. */
export interface ScanCatalogOptions extends Omit<ScanOptions, "previous"> {
  readonly previous?: Catalog;
}

/** Indexes games in this thread; returns `previous` itself if nothing has changed. */
export function scanCatalog(games: readonly GameOptions[], { previous, ...options }: ScanCatalogOptions = {}): Catalog {
  return Catalog.following(
    previous,
    scanGames(games, { ...options, ...(previous ? { previous: previous.index } : {}) }),
  );
}
