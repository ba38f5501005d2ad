/**
 * Messages between two threads: those that are only sent, and requests, which the other end answers.
 * @module
 */

/** Answers requests of the other end; what is added to `transfer` moves with the answer. */
export type Answerer = (request: never, transfer: Transferable[]) => unknown;

/** A Worker, or the scope of one. */
export interface Port {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer: Transferable[]): void;
}

/** A request, its answer, the fields of an error, or the end of the thread; other messages are no arrays. */
type Frame = readonly [kind: "request" | "answer" | "failure" | "ended", id?: number, content?: unknown];

/** The other end of a channel failed, or ended while it had to answer. */
export class ThreadError extends Error {
  /** Name of the class. */
  override readonly name = "ThreadError";
}

/** One end of a channel: sends requests that `Theirs` answers, and answers the other end's requests by `Ours`. */
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

  /** Resolved when the other end has ended or failed. */
  get ended(): Promise<void> {
    return this.#end.promise;
  }

  /** Sends a message. */
  post(message: Sent, transfer: Transferable[] = []): void {
    this.port.postMessage(message, transfer);
  }

  /**
   * Returns the answer of the other end.
   * @throws {ThreadError} if the other end is over.
   * @throws {Error} with the name, the message and the fields of an error of the other end.
   */
  async ask(request: Parameters<Theirs>[0], transfer: Transferable[] = []): Promise<Awaited<ReturnType<Theirs>>> {
    if (this.#error) throw this.#error;
    const answer = Promise.withResolvers<unknown>();
    this.port.postMessage(["request", ++this.#lastId, request] satisfies Frame, transfer);
    this.#waiting.set(this.#lastId, answer);
    return await answer.promise as Awaited<ReturnType<Theirs>>;
  }

  /** Rejects requests that wait and later ones, as the other end is over. */
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

/** A thread's own end of the channel to the one that started it. */
export class OwnChannel<Sent, Received, Theirs extends Answerer = never, Ours extends Answerer = never>
  extends Channel<Sent, Received, Theirs, Ours> {
  readonly #inbox: Received[] = [];
  #wake: (() => void) | undefined;

  /** @param onMessage Default: messages wait for {@linkcode next}. */
  constructor(onMessage?: (message: Received) => void, answer?: Ours) {
    // Deno types the scope as the main thread's.
    super(globalThis as unknown as Port, onMessage ?? ((message) => this.#keep(message)), answer);
  }

  /** Returns the next message; waits for one. One caller at a time. */
  async next(): Promise<Received> {
    // deno-lint-ignore no-await-in-loop -- until a message is there
    while (this.#inbox.length === 0) await new Promise<void>((resolve) => this.#wake = resolve);
    return this.#inbox.shift() as Received;
  }

  /**
   * Runs the program of the thread, which gets the first message, and ends the thread, as an error does. It begins after
   * its module has been evaluated: of a thread that ends while a module awaits at its top level, Deno keeps two
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
