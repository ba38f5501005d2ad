/**
 * The global object of a Worker, typed by what is sent and received.
 * @module
 */

/** A Worker's own end of its channel. */
export interface WorkerChannel<Incoming, Outgoing> {
  onmessage: ((event: MessageEvent<Incoming>) => void) | null;
  postMessage(message: Outgoing, transfer?: Transferable[]): void;
  close(): void;
}

/**
 * Returns the scope of the Worker this runs in. Deno's types speak of the main thread, hence the change of type here.
 */
export function workerChannel<Incoming, Outgoing>(): WorkerChannel<Incoming, Outgoing> {
  return globalThis as unknown as WorkerChannel<Incoming, Outgoing>;
}

/**
 * Runs the program of a thread after its module has been evaluated: of a thread that ends while a module awaits at its
 * top level, Deno keeps two descriptors open. An error ends the thread.
 */
export function runThread(program: () => Promise<void>): void {
  void program();
}

/** Messages in the order in which they came, for a thread that looks for them only now and then. */
export class Inbox<Incoming> {
  readonly #waiting: Incoming[] = [];
  #wake: (() => void) | undefined;

  /** Takes over the scope's messages. */
  constructor(scope: Pick<WorkerChannel<Incoming, never>, "onmessage">) {
    scope.onmessage = ({ data }) => {
      this.#waiting.push(data);
      this.#wake?.();
    };
  }

  /** Returns the next message; waits for one. One caller at a time. */
  async next(): Promise<Incoming> {
    for (;;) {
      const message = this.#waiting.shift();
      if (message !== undefined) return message;
      // deno-lint-ignore no-await-in-loop -- until a message is there
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
