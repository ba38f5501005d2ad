/**
 * Messages between two threads: plain messages, and requests with replies.
 * @module
 */

/** Handles requests of the other end; values added to `transfer` are transferred with the reply. */
export type Answerer = (request: never, transfer: Transferable[]) => unknown;

/** A Worker, or the scope of one. */
export interface Port {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer: Transferable[]): void;
}

/** A request, its reply, the fields of an error, or the end of the thread; other messages are not arrays. */
type Frame = readonly [kind: "request" | "answer" | "failure" | "ended", id?: number, content?: unknown];

/** The other end of a channel failed, or ended before its reply. */
export class ThreadError extends Error {
  /** Name of the class. */
  override readonly name = "ThreadError";
}

/**
 * One end of a channel: sends requests to the methods in `Theirs`, and handles the other end's requests with `Ours`.
 */
export class Channel<Sent, Received, Theirs extends Answerer = never, Ours extends Answerer = never> {
  answer: Ours | undefined;
  protected readonly port: Port;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #end = Promise.withResolvers<void>();
  #lastId = 0;
  #error: ThreadError | undefined;

  constructor(port: Port, onMessage?: (message: Received) => void, answer?: Ours) {
    this.port = port;
    this.answer = answer;
    port.onmessage = ({ data }) => Array.isArray(data) ? this.#take(data as unknown as Frame) : onMessage?.(data);
  }

  /** Resolves when the other end has ended or failed. */
  get ended(): Promise<void> {
    return this.#end.promise;
  }

  /** Sends a message. */
  post(message: Sent, transfer: Transferable[] = []): void {
    this.port.postMessage(message, transfer);
  }

  /**
   * Returns the reply of the other end.
   * @throws {ThreadError} if the other end has ended.
   * @throws {Error} with the name, the message and the fields of an error of the other end.
   */
  async ask(request: Parameters<Theirs>[0], transfer: Transferable[] = []): Promise<Awaited<ReturnType<Theirs>>> {
    if (this.#error) throw this.#error;
    const answer = Promise.withResolvers<unknown>();
    this.port.postMessage(["request", ++this.#lastId, request] satisfies Frame, transfer);
    this.#waiting.set(this.#lastId, answer);
    return await answer.promise as Awaited<ReturnType<Theirs>>;
  }

  /** Rejects waiting and later requests, as the other end has ended. */
  protected close(reason: string): void {
    this.#error ??= new ThreadError(reason);
    this.#end.resolve();
    for (const { reject } of this.#waiting.values()) reject(this.#error);
    this.#waiting.clear();
  }

  #take([kind, id = 0, content]: Frame): void {
    if (kind === "ended") return this.close("the thread has ended");
    if (kind === "request") return void this.#reply(id, content as never);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (kind === "answer") waiting?.resolve(content);
    else waiting?.reject(Object.assign(new Error(), content));
  }

  async #reply(id: number, request: never): Promise<void> {
    const transfer: Transferable[] = [];
    try {
      this.port.postMessage(["answer", id, await this.answer?.(request, transfer)] satisfies Frame, transfer);
    } catch (error) {
      const { name, message } = error as Error;
      this.port.postMessage(["failure", id, { ...error as Error, name, message }] satisfies Frame, []);
    }
  }
}

/** A thread's end of the channel to the thread that started it. */
export class OwnChannel<Sent, Received, Theirs extends Answerer = never, Ours extends Answerer = never>
  extends Channel<Sent, Received, Theirs, Ours> {
  readonly #inbox: Received[] = [];
  #wake: (() => void) | undefined;

  /** @param onMessage Default: messages wait for {@linkcode next}. */
  constructor(onMessage?: (message: Received) => void, answer?: Ours) {
    // Deno types the scope as the main thread's.
    super(globalThis as unknown as Port, onMessage ?? ((message) => this.#keep(message)), answer);
  }

  /** Waits for and returns the next message. One caller at a time. */
  async next(): Promise<Received> {
    // deno-lint-ignore no-await-in-loop -- until a message is there
    while (this.#inbox.length === 0) await new Promise<void>((resolve) => this.#wake = resolve);
    return this.#inbox.shift() as Received;
  }

  /**
   * Runs the program of the thread, which gets the first message, and ends the thread, as does an error. It begins
   * after its module has been evaluated: if a thread ends while a module awaits at its top level, Deno keeps two
   * descriptors open.
   */
  run(program: (first: Received) => Promise<void> | void): void {
    void this.next().then(program).then(() => {
      this.port.postMessage(["ended"] satisfies Frame, []);
      globalThis.close();
    });
  }

  #keep(message: Received): void {
    this.#inbox.push(message);
    this.#wake?.();
  }
}
