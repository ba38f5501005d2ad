/**
 * Messages of the daemon's socket: JSON-RPC 2.0, one object per line, UTF-8. `methods.ts` has the methods, `rows.ts` their
 * rows, `limits.ts` the limits.
 * @module
 */
import type { RefreshedEvent } from "./rows.ts";

/** Newest protocol version of this code. */
export const protocolVersion = 1;
/** Oldest protocol version that this code still answers. */
export const oldestProtocolVersion = 1;

/** Codes of {@linkcode RpcErrorObject}. Codes up to -32000 are JSON-RPC's own. */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The request was cancelled by `$/cancel` or the connection's end. */
  cancelled: -32800,
  /** `hello` has not been called, or no version is shared. */
  protocolMismatch: 1,
  /** No such game, view, file or pack. */
  notFound: 2,
  /** The file cannot be read: damaged, or its source has changed. */
  unreadable: 3,
  /** The cursor belongs to another listing or to a replaced index; start again. */
  staleCursor: 4,
  /** The configuration is wrong and was not applied. */
  misconfigured: 5,
  /** The answer would be longer than a line may be. */
  tooLarge: 6,
  /** The games cannot be mounted there, or the mount cannot be unmounted. */
  mountFailed: 7,
} as const;

/** The `error` member of a response. */
export interface RpcErrorObject {
  /** One of {@linkcode errorCodes}. */
  code: number;
  /** A sentence for people. */
  message: string;
  /** Where known: an errno name such as `ENOENT`, a path, a byte offset, near misses for a wrong name. */
  data?: { errno?: string; path?: string; offset?: number; suggestions?: string[] };
}

/** A response. Every request gets exactly one, cancelled ones too. */
export type RpcResponse =
  | { jsonrpc: "2.0"; id: number | string | null; result: unknown }
  | { jsonrpc: "2.0"; id: number | string | null; error: RpcErrorObject };

/** How far the indexing of a call is. */
export interface IndexingProgress {
  /** Number of packs that have been read. */
  done: number;
  /** Number of packs that are to be read. */
  total: number;
  /** File name of the next. */
  name: string;
}

/** A notification of the daemon. */
export type RpcNotification =
  | { jsonrpc: "2.0"; method: "$/refreshed"; params: RefreshedEvent }
  | { jsonrpc: "2.0"; method: "$/progress"; params: IndexingProgress };

/** A call that failed, on the other side or on the way there. */
export class RpcError extends Error {
  /** Name of the class. */
  override readonly name = "RpcError";
  /** One of {@linkcode errorCodes}. */
  readonly code: number;
  /** Details, where known. */
  readonly data: RpcErrorObject["data"];

  /** Creates the error that an error object describes. */
  constructor(error: RpcErrorObject) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
  }
}
