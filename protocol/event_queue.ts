/**
 * Events for a reader that may be slow.
 * @module
 */
import { maxWaitingEvents } from "./limits.ts";
import type { RefreshedEvent } from "./rows.ts";

/** Holds events until they are read; of too many the oldest are dropped, and the next one counts them. */
export class EventQueue {
  readonly #waiting: RefreshedEvent[] = [];
  readonly #onClosed: () => void;
  #reader: PromiseWithResolvers<void> | undefined;
  #end: { readonly error: Error | undefined } | undefined;

  /** @param onClosed Called once, when the queue is closed. */
  constructor(onClosed: () => void = () => {}) {
    this.#onClosed = onClosed;
  }

  /** Adds an event. */
  push(event: RefreshedEvent): void {
    if (this.#end) return;
    this.#waiting.push(event);
    if (this.#waiting.length > maxWaitingEvents) {
      const lost = this.#waiting.shift();
      const [next] = this.#waiting;
      if (lost && next) this.#waiting[0] = { ...next, dropped: next.dropped + lost.dropped + 1 };
    }
    this.#wake();
  }

  /**
   * Ends the queue; waiting events are dropped.
   * @param error Thrown to the reader, if given.
   */
  close(error?: Error): void {
    if (this.#end) return;
    this.#end = { error };
    this.#waiting.length = 0;
    this.#wake();
    this.#onClosed();
  }

  /** Yields events until the queue is closed; ending the iteration closes it. */
  async *events(): AsyncGenerator<RefreshedEvent, void, void> {
    try {
      while (true) {
        if (this.#end?.error) throw this.#end.error;
        if (this.#end) return;
        const event = this.#waiting.shift();
        if (event) yield event;
        else {
          this.#reader = Promise.withResolvers();
          // deno-lint-ignore no-await-in-loop -- waiting for the next is the point
          await this.#reader.promise;
        }
      }
    } finally {
      this.close();
    }
  }

  #wake(): void {
    this.#reader?.resolve();
    this.#reader = undefined;
  }
}

/** Yields the events of a queue until a signal aborts. */
export async function* eventsUntil(
  queue: EventQueue,
  signal: AbortSignal | undefined,
): AsyncGenerator<RefreshedEvent, void, void> {
  const close = () => queue.close();
  signal?.addEventListener("abort", close, { once: true });
  if (signal?.aborted) close();
  try {
    yield* queue.events();
  } finally {
    signal?.removeEventListener("abort", close);
  }
}
