/**
 * One connected client: reads its lines, replies to each request once and in order, and sends events.
 * @module
 */
import {
  EncodedPage,
  errorCodes,
  type EventQueue,
  hasTooManyValues,
  type IndexingProgress,
  maxIdLength,
  maxLineBytes,
  maxLineValues,
  maxPendingBytes,
  maxPendingRequests,
  maxSubscriptions,
  readLines,
  requestBurst,
  requestsPerSecond,
  RpcError,
  type RpcErrorObject,
  type RpcNotification,
  type RpcResponse,
} from "../../protocol/mod.ts";
import type { Peer, Service } from "../../service/mod.ts";
import type { Clock } from "../../system/mod.ts";
import { RateLimiter } from "./rate_limiter.ts";

/** Executes the methods: a {@linkcode Service}, or a test double. */
export type Callee = Pick<Service, "call">;

/** Interval of checks whether a waiting client has left, in milliseconds. */
const departurePause = 100;

/** A client, from its greeting to its end. */
export class Client implements Peer {
  /** Resolves when the client is gone and none of its requests is in progress. */
  readonly ended: Promise<void>;
  readonly #connection: Deno.UnixConn;
  readonly #service: Callee;
  readonly #running = new Map<number | string, AbortController>();
  readonly #pending = new Set<Promise<void>>();
  #pendingBytes = 0;
  readonly #subscriptions = new Map<number, EventQueue>();
  readonly #sending = new Set<Promise<void>>();
  #writing: Promise<void> = Promise.resolve();
  /** Resolves when the last request that was read has its reply. */
  #answering: Promise<void> = Promise.resolve();
  readonly #onCall: () => void;
  readonly #limiter: RateLimiter;
  readonly #greetingTimer: ReturnType<typeof setTimeout>;
  readonly #clock: Clock;
  #lastActive: number;
  #greeted = false;
  #isLooking = false;
  #isReporting = false;
  #closed = false;

  /**
   * @param greetingTime Milliseconds that the client has for its greeting.
   * @param clock Limits the rate of requests.
   */
  constructor(
    connection: Deno.UnixConn,
    service: Callee,
    { greetingTime, clock, onCall }: {
      readonly greetingTime: number;
      readonly clock: Clock;
      readonly onCall: () => void;
    },
  ) {
    this.#clock = clock;
    this.#lastActive = clock.now();
    this.#limiter = new RateLimiter(requestBurst, requestsPerSecond, clock);
    this.#onCall = onCall;
    this.#connection = connection;
    this.#service = service;
    this.#greetingTimer = setTimeout(() => this.#greeted || this.close(), greetingTime);
    this.ended = this.#run();
  }

  /** Whether the client has sent `hello`. */
  get isGreeted(): boolean {
    return this.#greeted;
  }

  /** Whether the client waits for neither a reply nor an event. */
  get isIdle(): boolean {
    return this.#pending.size === 0 && this.#subscriptions.size === 0;
  }

  /** Time of the last request, or of the connection. */
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
        ? `subscription ${subscription} already exists`
        : `a client has at most ${maxSubscriptions} subscriptions`;
      throw new RpcError({ code: errorCodes.invalidParams, message });
    }
    this.#subscriptions.set(subscription, queue);
    const sending = this.#sendEvents(queue).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  unsubscribe(subscription: number): boolean {
    const queue = this.#subscriptions.get(subscription);
    this.#subscriptions.delete(subscription);
    queue?.close();
    return queue !== undefined;
  }

  progress(params: IndexingProgress): void {
    if (this.#isReporting) return;
    this.#isReporting = true;
    this.#send({ jsonrpc: "2.0", method: "$/progress", params }).finally(() => this.#isReporting = false);
  }

  /** Sends the events of a queue one by one; unread events wait in the bounded queue. */
  async #sendEvents(queue: EventQueue): Promise<void> {
    for await (const params of queue.events()) await this.#send({ jsonrpc: "2.0", method: "$/refreshed", params });
  }

  async #run(): Promise<void> {
    try {
      for await (const line of readLines(this.#connection)) {
        if (this.#closed) return; // the rest was received earlier, and its replies cannot be sent
        this.#lastActive = this.#clock.now();
        // A client that sends requests too often waits here.
        await this.#limiter.acquire();
        // The next line waits until the greeting has its reply, so that a client may send everything at once.
        await this.#accept(line);
        // A client that sends requests faster than it reads replies waits here.
        while (this.#pending.size >= maxPendingRequests || this.#pendingBytes > maxPendingBytes) {
          // deno-lint-ignore no-await-in-loop -- until there is room
          await Promise.race(this.#pending);
        }
      }
    } catch (error) {
      if (error instanceof RangeError || error instanceof TypeError) {
        this.#refuse(null, errorCodes.parseError, error instanceof RangeError ? error.message : "a line is not UTF-8");
        await this.#writing;
      } // other errors mean that the connection broke
    } finally {
      // A client that has only stopped sending still gets its replies.
      if (!this.#closed) await Promise.allSettled(this.#pending);
      this.close();
      await Promise.allSettled([...this.#pending, ...this.#sending, this.#writing]);
    }
  }

  /** Starts answering a line. The result must be awaited before the next line. */
  #accept(line: string): Promise<void> | void {
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
      return this.#refuse(null, errorCodes.invalidRequest, "a request needs a method and a number or string as id");
    }
    if (typeof id === "string" && id.length > maxIdLength) {
      return this.#refuse(null, errorCodes.invalidRequest, `an id is longer than ${maxIdLength} characters`);
    }
    if (method === "$/cancel") return this.#cancel(params);
    if (id === undefined) return;
    if (this.#running.has(id)) return this.#refuse(id, errorCodes.invalidRequest, `id ${id} is already in use`);
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
    // Requests of one client are handled one by one, each after the previous reply was sent: a client that sends many
    // requests or never reads only delays itself, and other clients are served between two replies.
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
   * Closes the client if the other end is closed. Reading does not show that: a client may have stopped sending only,
   * and one that sends too much is not read. Writing no bytes at all fails if the other end is closed.
   */
  #closeIfGone(): void {
    if (this.#closed || this.#isLooking) return;
    this.#isLooking = true;
    this.#connection.write(new Uint8Array(0)).catch(() => this.close()).finally(() => this.#isLooking = false);
  }

  /** Returns the reply line of a request, so that the rows are freed before it is sent. */
  async #answerLine(id: number | string, method: string, params: unknown, signal: AbortSignal): Promise<Uint8Array> {
    try {
      const result = await this.#service.call(method, params, signal, this);
      if (method === "hello") this.#greeted = true;
      const line = result instanceof EncodedPage ? result.replyLine(id) : encodeLine({ jsonrpc: "2.0", id, result });
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

  /** Sends a whole line after the previous ones. Closes a client that has left. */
  #sendLine(line: Uint8Array): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      try {
        for (let sent = 0; sent < line.length && !this.#closed;) {
          // deno-lint-ignore no-await-in-loop -- one write at a time keeps lines whole
          sent += await this.#connection.write(line.subarray(sent));
        }
      } catch {
        this.close(); // the client has left
      }
    });
    return this.#writing;
  }
}

const encoder = new TextEncoder();

function encodeLine(message: RpcResponse | RpcNotification): Uint8Array {
  return encoder.encode(`${JSON.stringify(message)}\n`);
}

function errorObject(error: RpcError): RpcErrorObject {
  return { code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) };
}
