/**
 * The client's end of the daemon's socket.
 * @module
 */
import { EventQueue, eventsUntil } from "./event_queue.ts";
import { hasTooManyValues, readLines } from "./lines.ts";
import { pageInReply } from "./encoded_page.ts";
import type { Connection, RequestOptions } from "./connection.ts";
import {
  errorCodes,
  type IndexingProgress,
  oldestProtocolVersion,
  protocolVersion,
  RpcError,
  type RpcErrorObject,
} from "./messages.ts";
import { maxLineBytes, maxLineValues } from "./limits.ts";
import type { MethodName, ParamsOf, ResultOf, SubscribeParameters } from "./methods.ts";
import type { RefreshedEvent } from "./rows.ts";
import { connectUnix, DaemonUnreachableError } from "./unix_socket.ts";

/** The daemon ended, or broke the protocol, during a call or before it. */
export class ConnectionLostError extends Error {
  /** Name of the class. */
  override readonly name = "ConnectionLostError";
  /** Path of the socket. */
  readonly path: string;

  /** Creates the error for the socket at `path`; `reason` is part of a sentence. */
  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`lost the daemon at ${path}: ${reason}`, options);
    this.path = path;
  }
}

/** A {@linkcode Connection} over a Unix socket. */
export interface SocketConnection extends Connection {
  /** Reply of the daemon to `hello`. */
  readonly server: ResultOf<"hello">;
}

/** Options of {@linkcode connectSocket}. */
export interface ConnectOptions {
  /** Name and version of this program: `pakfs-repl 0.1.0`. */
  client: string;
  /** Aborts connecting. */
  signal?: AbortSignal;
  /** Called with the progress of the current call, if the daemon reports it. */
  onProgress?: (progress: IndexingProgress) => void;
  /** Called with a message for root, instead of rejecting a socket that another user may have made. */
  onStranger?: (sentence: string) => void;
  /** Timeout of the daemon's reply to `hello`, in milliseconds; default 10,000. */
  helloTimeout?: number;
}

interface PendingCall {
  /** Whether rows may stay encoded. */
  readonly encoded: boolean;
  resolve(result: unknown): void;
  reject(error: Error): void;
  /** Whether `$/cancel` has been sent for it. */
  cancelled: boolean;
}

const encoder = new TextEncoder();

function cancelledError(): RpcError {
  return new RpcError({ code: errorCodes.cancelled, message: "cancelled" });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function rpcError(value: unknown): RpcError {
  if (isRecord(value) && typeof value.code === "number" && typeof value.message === "string") {
    const error: RpcErrorObject = { code: value.code, message: value.message };
    if (isRecord(value.data)) error.data = value.data;
    return new RpcError(error);
  }
  return new RpcError({ code: errorCodes.internalError, message: "the daemon returned a malformed error" });
}

class RpcSocket implements Connection {
  readonly #path: string;
  readonly #onProgress: (progress: IndexingProgress) => void;
  readonly #socket: Deno.UnixConn;
  readonly #pending = new Map<number, PendingCall>();
  readonly #subscriptions = new Map<number, EventQueue>();
  readonly #receiving: Promise<void>;
  #sending: Promise<void> = Promise.resolve();
  #nextId = 1;
  #nextSubscription = 1;
  /** Reason why no more calls are possible; undefined while they are. */
  #ended: Error | undefined;

  constructor(path: string, socket: Deno.UnixConn, onProgress: (progress: IndexingProgress) => void) {
    this.#onProgress = onProgress;
    this.#path = path;
    this.#socket = socket;
    this.#receiving = this.#receive();
  }

  call<M extends MethodName>(
    method: M,
    params: ParamsOf<M>,
    { signal, encoded = false }: RequestOptions = {},
  ): Promise<ResultOf<M>> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (signal?.aborted) return Promise.reject(cancelledError());
    const id = this.#nextId++;
    const text = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const line = encoder.encode(`${text}\n`);
    if (line.length > maxLineBytes) {
      const message = `the request is ${line.length} bytes long, more than the ${maxLineBytes} the daemon accepts`;
      return Promise.reject(new RpcError({ code: errorCodes.invalidRequest, message }));
    }
    if (hasTooManyValues(text)) {
      const message = `the request has more than the ${maxLineValues} values the daemon accepts`;
      return Promise.reject(new RpcError({ code: errorCodes.invalidRequest, message }));
    }
    return new Promise<ResultOf<M>>((resolve, reject) => {
      const cancel = () => {
        pending.cancelled = true;
        this.#send(encoder.encode(JSON.stringify({ jsonrpc: "2.0", method: "$/cancel", params: { id } }) + "\n"));
      };
      const settle = () => signal?.removeEventListener("abort", cancel);
      const pending: PendingCall = {
        encoded,
        cancelled: false,
        resolve(result) {
          settle();
          resolve(result as ResultOf<M>);
        },
        reject(error) {
          settle();
          reject(error);
        },
      };
      signal?.addEventListener("abort", cancel, { once: true });
      this.#pending.set(id, pending);
      this.#send(line);
    });
  }

  async subscribe(
    params: SubscribeParameters,
    options: { signal?: AbortSignal } = {},
  ): Promise<AsyncIterableIterator<RefreshedEvent>> {
    const subscription = this.#nextSubscription++;
    const queue = new EventQueue(() => {
      this.#subscriptions.delete(subscription);
      // The reply is not needed; without the connection the subscription has ended too.
      if (!this.#ended) this.call("unsubscribe", { subscription }).catch(() => {});
    });
    this.#subscriptions.set(subscription, queue);
    try {
      await this.call("subscribe", { ...params, subscription }, options);
    } catch (error) {
      queue.close();
      throw error;
    }
    return eventsUntil(queue, options.signal);
  }

  async close(): Promise<void> {
    this.#end(cancelledError());
    await this.#receiving;
    await this.#sending;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #send(line: Uint8Array): void {
    this.#sending = this.#sending.then(async () => {
      if (this.#ended) return;
      try {
        for (let sent = 0; sent < line.length;) {
          // deno-lint-ignore no-await-in-loop -- one write at a time keeps lines whole
          sent += await this.#socket.write(line.subarray(sent));
        }
      } catch (error) {
        this.#end(new ConnectionLostError(this.#path, "it no longer accepts requests", { cause: error }));
      }
    });
  }

  async #receive(): Promise<void> {
    try {
      for await (const line of readLines(this.#socket)) this.#take(line);
      this.#end(new ConnectionLostError(this.#path, "it closed the connection"));
    } catch (error) {
      const reason = error instanceof RangeError || error instanceof SyntaxError
        ? error.message
        : error instanceof TypeError
        ? "it sent a line that is not UTF-8"
        : "reading from it failed";
      this.#end(new ConnectionLostError(this.#path, reason, { cause: error }));
    }
  }

  #take(line: string): void {
    let message: unknown;
    try {
      const reply = pageInReply(line);
      if (reply && this.#pending.get(reply.id)?.encoded) return this.#settle(reply.id, { result: reply.page });
      message = JSON.parse(line);
    } catch {
      throw new SyntaxError("it sent a line that is not JSON");
    }
    if (!isRecord(message)) throw new SyntaxError("it sent a line that is not a JSON-RPC message");
    if (typeof message.method === "string") return this.#hear(message.method, message.params);
    if (typeof message.id !== "number") {
      // An error without a call: the daemon could not read the request, so no reply will come.
      throw new SyntaxError("error" in message ? rpcError(message.error).message : "it sent a reply to no request");
    }
    this.#settle(message.id, message);
  }

  #settle(id: number, reply: { readonly result?: unknown; readonly error?: unknown }): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    if (pending.cancelled) pending.reject(cancelledError());
    else if ("error" in reply) pending.reject(rpcError(reply.error));
    else pending.resolve(reply.result);
  }

  /** Unknown notifications are from a newer daemon. */
  #hear(method: string, params: unknown): void {
    if (!isRecord(params)) return;
    const { done, total, name } = params;
    if (method === "$/progress" && typeof done === "number" && typeof total === "number" && typeof name === "string") {
      return this.#onProgress({ done, total, name });
    }
    if (method !== "$/refreshed" || typeof params.subscription !== "number") return;
    this.#subscriptions.get(params.subscription)?.push(params as unknown as RefreshedEvent);
  }

  #end(reason: Error): void {
    if (this.#ended) return;
    this.#ended = reason;
    try {
      this.#socket.close();
    } catch {
      // Already closed by the system: there is nothing left to release.
    }
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const call of pending) call.reject(reason);
    for (const queue of this.#subscriptions.values()) queue.close(reason);
  }
}

const endOtherVersion = "end it with the pakfs that started it, or unmount what it serves: pakfs unmount MOUNTPOINT";

function requireSharedVersion(path: string, hello: ResultOf<"hello">): void {
  const version: unknown = hello?.protocol;
  if (typeof version === "number" && version >= oldestProtocolVersion && version <= protocolVersion) return;
  throw new RpcError({
    code: errorCodes.protocolMismatch,
    message: `the daemon at ${path} speaks protocol ${version}, this program ${oldestProtocolVersion} to ` +
      `${protocolVersion}; ${endOtherVersion}`,
  });
}

async function greet(path: string, socket: RpcSocket, options: ConnectOptions): Promise<ResultOf<"hello">> {
  const milliseconds = options.helloTimeout ?? 10_000;
  const failure = Promise.withResolvers<never>();
  // Not `setTimeout`: Deno loads modules at the first call, for which a short command would wait.
  const late = AbortSignal.timeout(milliseconds);
  const giveUp = () =>
    failure.reject(new DaemonUnreachableError(path, `it did not answer within ${milliseconds / 1000} s`));
  late.addEventListener("abort", giveUp);
  const abort = () => failure.reject(cancelledError());
  if (options.signal?.aborted) abort();
  options.signal?.addEventListener("abort", abort, { once: true });
  try {
    const params: ParamsOf<"hello"> = { protocol: [oldestProtocolVersion, protocolVersion], client: options.client };
    const hello = await Promise.race([socket.call("hello", params), failure.promise]);
    requireSharedVersion(path, hello);
    return hello;
  } catch (error) {
    if (error instanceof RpcError && error.code === errorCodes.protocolMismatch && !error.message.includes(path)) {
      const message = `the daemon at ${path} is of another version: ${error.message}; ${endOtherVersion}`;
      throw new RpcError({ code: error.code, message });
    }
    if (error instanceof ConnectionLostError) {
      throw new DaemonUnreachableError(path, `the listener is full, ending or not pakfs: ${error.message}`, {
        cause: error,
      });
    }
    throw error;
  } finally {
    late.removeEventListener("abort", giveUp);
    options.signal?.removeEventListener("abort", abort);
  }
}

/**
 * Connects to a daemon and agrees on a protocol version. Requires `--allow-read` for `path` and the directories above
 * it, `--allow-write` for `path`, and `--allow-sys=uid,gid`.
 *
 * A call whose signal aborts sends `$/cancel` and rejects with code `cancelled` once the daemon has replied. When the
 * connection is lost, every call in progress and every later one rejects with {@linkcode ConnectionLostError}.
 * @throws {DaemonUnreachableError} if no daemon replies there.
 * @throws {RpcError} with code `protocolMismatch` if no protocol version is shared.
 */
export async function connectSocket(path: string, options: ConnectOptions): Promise<SocketConnection> {
  const socket = new RpcSocket(path, await connectUnix(path, options.onStranger), options.onProgress ?? (() => {}));
  try {
    const server = await greet(path, socket, options);
    return Object.assign(socket, { server });
  } catch (error) {
    await socket.close();
    throw error;
  }
}
