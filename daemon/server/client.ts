/**
 * One connected client: reads its lines, answers each request once and in order, and sends events.
 * @module
 */
import {
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

/** Answers the methods: a {@linkcode Service}, or a stand-in of a test. */
export type Callee = Pick<Service, "call">;

/** Pause between two checks whether a client that waits for an answer has left; milliseconds. */
const departurePause = 100;

/** A client, from its greeting to its end. */
export class Client implements Peer {
  /** Resolved when the client is gone and none of its requests is under way. */
  readonly ended: Promise<void>;
  readonly #connection: Deno.UnixConn;
  readonly #service: Callee;
  readonly #running = new Map<number | string, AbortController>();
  readonly #pending = new Set<Promise<void>>();
  #pendingBytes = 0;
  readonly #subscriptions = new Map<number, EventQueue>();
  readonly #sending = new Set<Promise<void>>();
  #writing: Promise<void> = Promise.resolve();
  /** Resolved when the last request that was read is answered. */
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
   * @param clock Limits how often it may ask.
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

  /** Whether it has said hello. */
  get isGreeted(): boolean {
    return this.#greeted;
  }

  /** Whether it waits for neither an answer nor an event. */
  get isIdle(): boolean {
    return this.#pending.size === 0 && this.#subscriptions.size === 0;
  }

  /** Time of its last request, or of its arrival. */
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

  /** Sends the events of a queue one by one: those that the client does not read wait in the bounded queue. */
  async #sendEvents(queue: EventQueue): Promise<void> {
    for await (const params of queue.events()) await this.#send({ jsonrpc: "2.0", method: "$/refreshed", params });
  }

  async #run(): Promise<void> {
    try {
      for await (const line of readLines(this.#connection)) {
        if (this.#closed) return; // the rest was received earlier, and its answers cannot be sent
        this.#lastActive = this.#clock.now();
        // A client that asks too often waits here.
        await this.#limiter.acquire();
        // The next line waits until the greeting is answered, so that a client may send everything at once.
        await this.#accept(line);
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
    // Requests of one client are answered one by one, each after the answer before it was sent: a client that asks much
    // or never reads delays itself only, and other clients have their turn between two answers.
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

  /** Returns the line that answers a request, so that its rows are free before it is sent. */
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

  /** Sends a line after those before it, whole. Closes a client that has left. */
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

function encodeLine(message: RpcResponse | RpcNotification): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(message)}\n`);
}

function errorObject(error: RpcError): RpcErrorObject {
  return { code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) };
}
