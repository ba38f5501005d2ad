/**
 * Threads of this program: starting them, and handling failures.
 * @module
 */
import { type Answerer, Channel } from "./channel.ts";

/** Callbacks of the starter of a thread. */
export interface ThreadReceiver<Received, Ours> {
  readonly onMessage?: (message: Received) => void;
  readonly answer?: Ours;
  /** Called with the reason when an error has ended the thread; default: the error ends the program. */
  readonly onFailure?: (reason: string) => void;
}

/** A thread, as used by the thread that started it. */
export class Thread<Sent, Received, Theirs extends Answerer = never, Ours extends Answerer = never>
  extends Channel<Sent, Received, Theirs, Ours> {
  readonly #worker: Worker;

  /** @param program Address of its module, or a worker that was started before. */
  constructor(program: URL | Worker, { onMessage, answer, onFailure }: ThreadReceiver<Received, Ours> = {}) {
    const worker = program instanceof URL ? new Worker(program, { type: "module" }) : program;
    super(worker, onMessage, answer);
    this.#worker = worker;
    if (!onFailure) return;
    worker.onerror = (event) => {
      event.preventDefault();
      onFailure(event.message);
      this.close(event.message);
    };
  }

  /** Ends the thread and rejects pending calls. Its end is not awaited: it may hang in the kernel. */
  end(reason: string): void {
    this.#worker.terminate();
    this.close(reason);
  }
}

/** Threads of one program that handle one request at a time each; started on demand. */
export class ThreadPool<Theirs extends Answerer> implements Disposable {
  readonly #program: URL;
  readonly #most: number;
  readonly #idle: Thread<never, never, Theirs>[] = [];
  readonly #threads = new Set<Thread<never, never, Theirs>>();
  readonly #waiting: PromiseWithResolvers<Thread<never, never, Theirs>>[] = [];

  /** @param most Maximum threads; default: one for each processor. */
  constructor(program: URL, most: number = navigator.hardwareConcurrency) {
    this.#program = program;
    this.#most = most;
  }

  /**
   * Returns the reply of the next free thread.
   * @throws {ThreadError} if it failed or was ended.
   * @throws {Error} of the thread.
   */
  async ask(request: Parameters<Theirs>[0], transfer: Transferable[] = []): Promise<Awaited<ReturnType<Theirs>>> {
    const thread = await this.#freeThread();
    try {
      return await thread.ask(request, transfer);
    } finally {
      const next = this.#waiting.shift();
      if (next) next.resolve(thread);
      else this.#idle.push(thread);
    }
  }

  /** Ends all threads. */
  [Symbol.dispose](): void {
    for (const thread of this.#threads) thread.end("it is not needed any more");
  }

  #freeThread(): Promise<Thread<never, never, Theirs>> | Thread<never, never, Theirs> {
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#threads.size === this.#most) {
      const free = Promise.withResolvers<Thread<never, never, Theirs>>();
      this.#waiting.push(free);
      return free.promise;
    }
    const thread = new Thread<never, never, Theirs>(this.#program, { onFailure: () => {} });
    this.#threads.add(thread);
    return thread;
  }
}

/** Properties of {@linkcode RestartedThreads}, and callbacks with the number of a thread. */
export interface RestartedThreadsHost<Sent, Received, Ours extends Answerer> {
  readonly program: URL;
  /** Pauses before a failed thread is restarted, doubled each time one fails before it sends a message; milliseconds. */
  readonly pauses: readonly [first: number, longest: number];
  /** Returns the first message to a thread. */
  readonly start: (number: number) => Sent;
  readonly onMessage: (message: Received, number: number) => void;
  readonly answer: Ours;
  readonly onFailure: (reason: string, number: number) => void;
  /** Whether no further thread may be started. */
  readonly isEnding: () => boolean;
}

/** Threads by number: each is started on demand, and restarted if it fails. */
export class RestartedThreads<Sent, Received, Ours extends Answerer> {
  readonly #host: RestartedThreadsHost<Sent, Received, Ours>;
  readonly #running = new Map<number, Thread<Sent, Received, never, Ours>>();
  readonly #serving = new Set<number>();
  readonly #pauses = new Map<number, number>();

  constructor(host: RestartedThreadsHost<Sent, Received, Ours>) {
    this.#host = host;
  }

  /** Numbers of the running threads. */
  get running(): Iterable<number> {
    return this.#running.keys();
  }

  /** Whether a thread has sent a message since it was started. */
  get isServing(): boolean {
    return this.#serving.size > 0;
  }

  /** Starts the thread with a number, unless it runs. */
  start(number: number): void {
    const { program, start, onMessage, answer, isEnding } = this.#host;
    if (this.#running.has(number) || isEnding()) return;
    const thread = new Thread<Sent, Received, never, Ours>(program, {
      onMessage: (message) => {
        this.#serving.add(number);
        this.#pauses.delete(number);
        onMessage(message, number);
      },
      answer,
      onFailure: (reason) => this.#restart(reason, number),
    });
    this.#running.set(number, thread);
    thread.post(start(number));
  }

  /** Resolves when all running threads have ended. */
  async ended(): Promise<void> {
    await Promise.all(Array.from(this.#running.values(), ({ ended }) => ended));
  }

  #restart(reason: string, number: number): void {
    const { pauses: [first, longest], onFailure, isEnding } = this.#host;
    this.#running.delete(number);
    this.#serving.delete(number);
    const pause = Math.min(longest, 2 * (this.#pauses.get(number) ?? first / 2));
    this.#pauses.set(number, pause);
    onFailure(reason, number);
    if (!isEnding()) Deno.unrefTimer(setTimeout(() => this.start(number), pause));
  }
}
