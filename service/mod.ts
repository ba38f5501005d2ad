/**
 * Interface of the live index for other rooms: its methods, and an index without a daemon.
 * @module
 */
export { engineWarnings, fileChecksum } from "./archive_checks.ts";
export { type ExchangeOptions, GameIndex, LiveIndex, openLiveIndex, type Replacement } from "./live_index.ts";
export { engineClausesOf, openLocalGames } from "./local.ts";
export type { Peer, ServiceHost } from "./methods/method.ts";
export { RefreshReports } from "./refresh_reports.ts";
export { RemoteScan } from "./remote_scan.ts";
export { Service } from "./service.ts";
export { IndexWatcher } from "./watch/index_watcher.ts";
