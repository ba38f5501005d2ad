/**
 * The socket: accepts clients, reads their lines, answers each request once.
 * @module
 */
import { dirname } from "node:path";
import { chmodSync, lstatSync, mkdirSync, unlinkSync } from "node:fs";
import { RateLimiter } from "./rate_limiter.ts";
import { lockDirectory } from "../../system/directory_lock.ts";
import type { EventQueue } from "../../protocol/event_queue.ts";
import { hasTooManyValues, readLines } from "../../protocol/lines.ts";
import {
  errorCodes,
  RpcError,
  type RpcErrorObject,
  type RpcNotification,
  type RpcResponse,
} from "../../protocol/messages.ts";
import {
  maxClients,
  maxGreetingTime,
  maxIdLength,
  maxLineBytes,
  maxLineValues,
  maxPendingBytes,
  maxPendingRequests,
  maxSubscriptions,
  requestBurst,
  requestsPerSecond,
} from "../../protocol/limits.ts";
import type { Peer } from "../../service/methods/method.ts";
import type { Service } from "../../service/service.ts";

/** Answers the methods: a {@linkcode Service}, or what a test makes up. */
export type Callee = Pick<Service, "call">;

/** Time between two looks whether the client has left whose request is worked on; milliseconds. */
const departurePause = 100;
/** Time before accepting is tried again after it has failed; milliseconds. */
const acceptPause = 100;

/** The socket cannot be used. The message is for the user. */
export class SocketError extends Error {
  override readonly name = "SocketError";
  /** Whether another daemon answers there. */
  readonly isTaken: boolean;

  constructor(message: string, options: ErrorOptions & { isTaken?: boolean } = {}) {
    super(message, options);
    this.isTaken = options.isTaken ?? false;
  }
}

/** How a socket is listened on. */
export interface ServerOptions {
  /** Clients at once; of more, the one that has asked for nothing for the longest time is let go. */
  readonly maxClients?: number;
  /** Time that a client has for its greeting; milliseconds. */
  readonly greetingTime?: number;
  /** Ends the connections of other users' programs, and tells how many; called whenever one was accepted. */
  readonly refuseStrangers?: (path: string) => number;
}

/** A listening socket. */
export interface Server extends AsyncDisposable {
  readonly path: string;
  /** Number of connected clients. */
  clients(): number;
  /** Requests answered since the start. */
  calls(): number;
  /** Starts answering. */
  serve(service: Callee): void;
  /** Stops listening, disconnects all clients and removes the socket. */
  close(): Promise<void>;
}

/**
 * Makes the socket, with nobody but the owner able to reach it. A socket left by a dead daemon is replaced.
 * @throws {SocketError} if another daemon answers there, or the place is not safe or not writable.
 */
export async function listen(path: string, options: ServerOptions = {}): Promise<Server> {
  prepareDirectory(dirname(path));
  // Two that find the same dead daemon's socket would remove each other's.
  using _alone = await lockDirectory(dirname(path));
  await removeStale(path);
  try {
    // Others cannot connect before the mode is set either: Deno makes sockets 0755, and connecting needs write access.
    const listener = Deno.listen({ transport: "unix", path });
    chmodSync(path, 0o600);
    return new SocketServer(path, listener, options);
  } catch (error) {
    throw new SocketError(`Cannot make the socket ${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** The directory is made with mode 0700; one that is there must not be another user's. */
function prepareDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const information = lstatSync(directory);
    if (!information.isDirectory()) throw new Error("it is not a directory");
    if (information.uid !== Deno.uid() && information.uid !== 0) throw new Error("it is another user's");
    // Whoever may write to it could put a socket of their own in the place of this one.
    const mode = information.mode ?? 0;
    const isOpenToAll = (mode & 0o002) !== 0 && (mode & 0o1000) === 0;
    if (isOpenToAll) throw new Error("others may write to it; take that away: chmod o-w");
  } catch (error) {
    throw new SocketError(`Cannot use ${directory} for the socket: ${messageOf(error)}`, { cause: error });
  }
}

async function removeStale(path: string): Promise<void> {
  const information = lstatSync(path, { throwIfNoEntry: false });
  if (!information) return;
  if (!information.isSocket()) throw new SocketError(`${path} is in the way: it is not a socket`);
  try {
    (await Deno.connect({ transport: "unix", path })).close();
  } catch {
    unlinkSync(path);
    return;
  }
  const message = `Another daemon answers at ${path}; stop it with "pakfs stop", or choose another --socket`;
  throw new SocketError(message, { isTaken: true });
}

class SocketServer implements Server {
  readonly path: string;
  readonly #listener: Deno.UnixListener;
  readonly #options: ServerOptions;
  /** Those that came first stand first. */
  readonly #clients = new Set<Client>();
  #accepting: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #calls = 0;

  constructor(path: string, listener: Deno.UnixListener, options: ServerOptions) {
    this.#options = options;
    this.path = path;
    this.#listener = listener;
  }

  clients(): number {
    return this.#clients.size;
  }

  calls(): number {
    return this.#calls;
  }

  serve(service: Callee): void {
    this.#accepting = this.#accept(service);
  }

  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#listener.close();
    await this.#accepting;
    const clients = Array.from(this.#clients);
    for (const client of clients) client.close();
    await Promise.all(clients.map((client) => client.ended));
    unlinkSyncIfThere(this.path);
  }

  async #accept(service: Callee): Promise<void> {
    while (!this.#closing) {
      // deno-lint-ignore no-await-in-loop -- one client after the other
      const connection = await this.#listener.accept().catch(() => null);
      if (this.#closing) connection?.close();
      // Too many open files, most likely: those who are served go on, and some will leave.
      // deno-lint-ignore no-await-in-loop -- as above
      else if (!connection) await new Promise((resolve) => setTimeout(resolve, acceptPause));
      else this.#welcome(connection, service);
    }
  }

  #welcome(connection: Deno.UnixConn, service: Callee): void {
    const { maxClients: most = maxClients, greetingTime: patience = maxGreetingTime, refuseStrangers } = this.#options;
    // Each connection is looked at when it is accepted, so if one is a stranger's, it is this one.
    if ((refuseStrangers?.(this.path) ?? 0) > 0) return connection.close();
    if (this.#clients.size >= most) {
      const leaving = this.#maxIdle();
      if (!leaving) return connection.close();
      this.#clients.delete(leaving);
      leaving.close();
    }
    const client = new Client(connection, service, { patience, onCall: () => this.#calls++ });
    this.#clients.add(client);
    client.ended.finally(() => this.#clients.delete(client));
  }

  /** Who would be missed least: those that have not greeted, then those that have asked for nothing for longest. */
  #maxIdle(): Client | undefined {
    const clients = Array.from(this.#clients);
    return clients.find(({ isGreeted }) => !isGreeted) ??
      clients.filter(({ isIdle }) => isIdle).sort((a, b) => a.lastActive - b.lastActive)[0];
  }
}

/** One connected client. */
class Client implements Peer {
  /** Resolved when the client is gone and nothing of it is under way. */
  readonly ended: Promise<void>;
  readonly #connection: Deno.UnixConn;
  readonly #service: Callee;
  readonly #running = new Map<number | string, AbortController>();
  readonly #pending = new Set<Promise<void>>();
  #pendingBytes = 0;
  readonly #subscriptions = new Map<number, EventQueue>();
  readonly #telling = new Set<Promise<void>>();
  #writing: Promise<void> = Promise.resolve();
  /** Resolved when the last request that was taken is answered. */
  #answering: Promise<void> = Promise.resolve();
  readonly #onCall: () => void;
  readonly #limiter = new RateLimiter(requestBurst, requestsPerSecond);
  readonly #greetingTimer: ReturnType<typeof setTimeout>;
  #lastActive = performance.now();
  #greeted = false;
  #isLooking = false;
  #closed = false;

  /** @param terms Milliseconds that there are for the greeting, and who is told of each request. */
  constructor(
    connection: Deno.UnixConn,
    service: Callee,
    { patience, onCall }: { readonly patience: number; readonly onCall: () => void },
  ) {
    this.#onCall = onCall;
    this.#connection = connection;
    this.#service = service;
    this.#greetingTimer = setTimeout(() => this.#greeted || this.close(), patience);
    this.ended = this.#run();
  }

  /** Whether it has said hello. */
  get isGreeted(): boolean {
    return this.#greeted;
  }

  /** Whether it waits for nothing. */
  get isIdle(): boolean {
    return this.#pending.size === 0 && this.#subscriptions.size === 0;
  }

  /** When it asked last, by `performance.now`. */
  get lastActive(): number {
    return this.#lastActive;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#greetingTimer);
    for (const controller of this.#running.values()) controller.abort();
    for (const queue of this.#subscriptions.values()) queue.close();
    this.#connection.close();
  }

  subscribe(subscription: number, queue: EventQueue): void {
    if (this.#subscriptions.has(subscription) || this.#subscriptions.size === maxSubscriptions || this.#closed) {
      const message = this.#subscriptions.has(subscription)
        ? `there is a subscription ${subscription} already`
        : `there are ${maxSubscriptions} subscriptions already, and no more for one client`;
      throw new RpcError({ code: errorCodes.invalidParams, message });
    }
    this.#subscriptions.set(subscription, queue);
    const telling = this.#tell(queue).finally(() => this.#telling.delete(telling));
    this.#telling.add(telling);
  }

  unsubscribe(subscription: number): boolean {
    const queue = this.#subscriptions.get(subscription);
    this.#subscriptions.delete(subscription);
    queue?.close();
    return queue !== undefined;
  }

  /** Sends what a queue holds, one after the other: what is not read waits there, and not in memory of its own. */
  async #tell(queue: EventQueue): Promise<void> {
    for await (const params of queue.events()) await this.#send({ jsonrpc: "2.0", method: "$/refreshed", params });
  }

  async #run(): Promise<void> {
    try {
      for await (const line of readLines(this.#connection)) {
        if (this.#closed) return; // what had been received before is of no use to anybody
        this.#lastActive = performance.now();
        // A client that asks too often waits here.
        await this.#limiter.acquire();
        // Nothing is looked at before the greeting is answered, so that a client may send everything at once.
        await this.#take(line);
        // A client that asks faster than it reads waits here.
        while (this.#pending.size >= maxPendingRequests || this.#pendingBytes > maxPendingBytes) {
          // deno-lint-ignore no-await-in-loop -- until there is room
          await Promise.race(this.#pending);
        }
      }
    } catch (error) {
      if (error instanceof RangeError || error instanceof TypeError) {
        this.#refuse(null, errorCodes.parseError, error instanceof RangeError ? error.message : "a line is not UTF-8");
        await this.#writing;
      } // anything else is a connection that broke
    } finally {
      // A client that has only stopped sending still gets its answers.
      if (!this.#closed) await Promise.allSettled(this.#pending);
      this.close();
      await Promise.allSettled([...this.#pending, ...this.#telling, this.#writing]);
    }
  }

  /** Starts answering a line; what is returned must be awaited before the next. */
  #take(line: string): Promise<void> | void {
    let message: unknown;
    if (hasTooManyValues(line)) {
      return this.#refuse(null, errorCodes.invalidRequest, `a line has more than ${maxLineValues} values`);
    }
    try {
      message = JSON.parse(line);
    } catch {
      return this.#refuse(null, errorCodes.parseError, "a line is not JSON");
    }
    if (typeof message !== "object" || message === null || !("method" in message)) {
      return this.#refuse(null, errorCodes.invalidRequest, "a line is not a JSON-RPC request");
    }
    const { method, id, params } = message as { method: unknown; id?: unknown; params?: unknown };
    if (typeof method !== "string" || !(id === undefined || typeof id === "number" || typeof id === "string")) {
      return this.#refuse(null, errorCodes.invalidRequest, "a request needs a method and a number or text as id");
    }
    if (typeof id === "string" && id.length > maxIdLength) {
      return this.#refuse(null, errorCodes.invalidRequest, `an id is longer than ${maxIdLength} characters`);
    }
    if (method === "$/cancel") return this.#cancel(params);
    if (id === undefined) return;
    if (this.#running.has(id)) return this.#refuse(id, errorCodes.invalidRequest, `id ${id} is already under way`);
    if (!this.#greeted && method !== "hello") {
      return this.#refuse(id, errorCodes.protocolMismatch, `the first call must be "hello"`);
    }
    const pending = this.#answer(id, method, params).finally(() => {
      this.#pending.delete(pending);
      this.#pendingBytes -= line.length;
    });
    this.#pending.add(pending);
    this.#pendingBytes += line.length;
    return method === "hello" ? pending : undefined;
  }

  async #answer(id: number | string, method: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    // One after the other, and none before the answer in front of it is out: whoever asks much, or never reads, waits for
    // itself, and between two answers it is the turn of others.
    const before = this.#answering;
    const answered = Promise.withResolvers<void>();
    this.#answering = answered.promise;
    try {
      await before;
      this.#onCall();
      const looking = setInterval(() => this.#closeIfGone(), departurePause);
      const line = await this.#answerLine(id, method, params, controller.signal).finally(() => clearInterval(looking));
      await this.#sendLine(line);
    } finally {
      this.#running.delete(id);
      answered.resolve();
    }
  }

  /**
   * Ends everything if the other end is closed. Reading does not say so: a client may have stopped sending only, and of
   * one that sends too much nothing is read. Nothing is written here, but the kernel refuses even that then.
   */
  #closeIfGone(): void {
    if (this.#closed || this.#isLooking) return;
    this.#isLooking = true;
    this.#connection.write(new Uint8Array(0)).catch(() => this.close()).finally(() => this.#isLooking = false);
  }

  /** The line that answers a request. Its rows are no longer held when it is sent. */
  async #answerLine(id: number | string, method: string, params: unknown, signal: AbortSignal): Promise<Uint8Array> {
    try {
      const result = await this.#service.call(method, params, signal, this);
      if (method === "hello") this.#greeted = true;
      const line = encodeLine({ jsonrpc: "2.0", id, result });
      if (line.length <= maxLineBytes + 1) return line;
      const message = `the answer is ${line.length - 1} bytes long, more than the ${maxLineBytes} of a line`;
      return encodeLine({ jsonrpc: "2.0", id, error: { code: errorCodes.tooLarge, message } });
    } catch (error) {
      if (error instanceof RpcError) return encodeLine({ jsonrpc: "2.0", id, error: errorObject(error) });
      throw error;
    }
  }

  #cancel(params: unknown): void {
    const id = typeof params === "object" && params !== null && "id" in params ? params.id : undefined;
    if (typeof id === "number" || typeof id === "string") this.#running.get(id)?.abort();
  }

  #refuse(id: number | string | null, code: number, message: string): void {
    const pending = this.#send({ jsonrpc: "2.0", id, error: { code, message } })
      .finally(() => this.#pending.delete(pending));
    this.#pending.add(pending);
  }

  #send(message: RpcResponse | RpcNotification): Promise<void> {
    return this.#sendLine(encodeLine(message));
  }

  /** Lines go out one after another and whole. A client that is gone is closed. */
  #sendLine(line: Uint8Array): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      try {
        for (let sent = 0; sent < line.length && !this.#closed;) {
          // deno-lint-ignore no-await-in-loop -- one write at a time keeps lines whole
          sent += await this.#connection.write(line.subarray(sent));
        }
      } catch {
        this.close(); // the client went away; nobody is left to tell
      }
    });
    return this.#writing;
  }
}

function encodeLine(message: RpcResponse | RpcNotification): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(message)}\n`);
}

function errorObject(error: RpcError): RpcErrorObject {
  return { code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) };
}

function unlinkSyncIfThere(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })) unlinkSync(path);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
