/**
 * Messages of the daemon's socket: JSON-RPC 2.0, one object per line, UTF-8. `methods.ts` has the methods, `rows.ts` their
 * rows, `limits.ts` the limits.
 * @module
 */
import type { RefreshedEvent } from "./rows.ts";

/** Newest protocol version of this code. */
export const protocolVersion = 1;
/** Oldest protocol version that this code still supports. */
export const oldestProtocolVersion = 1;

/** Codes of {@linkcode RpcErrorObject}. Codes up to -32000 are reserved by JSON-RPC. */
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
  /** Unknown game, view, file or pack. */
  notFound: 2,
  /** The file cannot be read: damaged, or its source has changed. */
  unreadable: 3,
  /** The cursor belongs to another listing or to a replaced index; restart the listing. */
  staleCursor: 4,
  /** The configuration is invalid and was not applied. */
  misconfigured: 5,
  /** The reply would be longer than a line may be. */
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
  /** Details, if known: an errno name such as `ENOENT`, a path, a byte offset, similar names for an unknown name. */
  data?: { errno?: string; path?: string; offset?: number; suggestions?: string[] };
}

/** A response. Every request gets exactly one, including cancelled ones. */
export type RpcResponse =
  | { jsonrpc: "2.0"; id: number | string | null; result: unknown }
  | { jsonrpc: "2.0"; id: number | string | null; error: RpcErrorObject };

/** Progress of indexing during a call. */
export interface IndexingProgress {
  /** Number of packs read. */
  done: number;
  /** Number of packs to read. */
  total: number;
  /** File name of the next pack. */
  name: string;
}

/** A notification of the daemon. */
export type RpcNotification =
  | { jsonrpc: "2.0"; method: "$/refreshed"; params: RefreshedEvent }
  | { jsonrpc: "2.0"; method: "$/progress"; params: IndexingProgress };

/** A call that failed, in the daemon or on the connection. */
export class RpcError extends Error {
  /** Name of the class. */
  override readonly name = "RpcError";
  /** One of {@linkcode errorCodes}. */
  readonly code: number;
  /** Details, if known. */
  readonly data: RpcErrorObject["data"];

  /** Creates the error from an error object. */
  constructor(error: RpcErrorObject) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
  }
}
