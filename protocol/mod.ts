/**
 * Interface shared by clients and the daemon: client, messages, methods, limits, socket, and the library for scripts;
 * `rows.ts` has the types of rows.
 * @module
 */
export { ConnectionLostError, connectSocket, type SocketConnection } from "./client.ts";
export { type Caller, type Connection, pagesOf, type RequestOptions, rowPages } from "./connection.ts";
export { EncodedPage, rowSeparator } from "./encoded_page.ts";
export { EventQueue, eventsUntil } from "./event_queue.ts";
export { contentOf } from "./library/content.ts";
export { ViewFiles } from "./library/conversion.ts";
export { type ExtractableFile, extractFiles, ExtractionError, isOfOneFile } from "./library/extraction.ts";
export { Index } from "./library/game_index.ts";
export {
  type CallOptions,
  type ChangesOptions,
  type CompareOptions,
  type ContentRange,
  type ConversionOptions,
  type ConvertedFile,
  type DuplicateOptions,
  type ExtractionOptions,
  type ExtractionResult,
  gamesOf,
  type GameSource,
  type HashOptions,
  type IndexSource,
  type IwadOptions,
  type NeedOptions,
  type PackOptions,
  type UnusedOptions,
  type UsageOptions,
} from "./library/options.ts";
export { LibraryView } from "./library/view.ts";
export {
  defaultPageSize,
  defaultSample,
  maxClients,
  maxGreetingTime,
  maxIdLength,
  maxLineBytes,
  maxLineValues,
  maxPackPaths,
  maxPageBytes,
  maxPageSize,
  maxPageTime,
  maxPendingBytes,
  maxPendingRequests,
  maxRead,
  maxSample,
  maxStatusProblems,
  maxStringCount,
  maxStringLength,
  maxSubscribedViews,
  maxSubscriptions,
  requestBurst,
  requestsPerSecond,
} from "./limits.ts";
export { hasTooManyValues, readLines } from "./lines.ts";
export {
  errorCodes,
  type IndexingProgress,
  oldestProtocolVersion,
  protocolVersion,
  RpcError,
  type RpcErrorObject,
  type RpcNotification,
  type RpcResponse,
} from "./messages.ts";
export type {
  ControlMethods,
  MethodName,
  Page,
  PagedMethod,
  PageParameters,
  ParamsOf,
  ResultOf,
  RowOf,
  SubscribeParameters,
} from "./methods.ts";
export { strangerOnWay } from "./socket_owner.ts";
export { socketPath } from "./socket_path.ts";
export { distinctNames, namedRow } from "./sql_rows.ts";
export { DaemonUnreachableError } from "./unix_socket.ts";
export { version } from "./version.ts";
