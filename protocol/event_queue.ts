/**
 * Events for a reader that may be slow.
 * @module
 */
import { maxWaitingEvents } from "./limits.ts";
import type { RefreshedEvent } from "./rows.ts";

/** Holds events until they are read; if there are too many, the oldest are dropped, and the next one counts them. */
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

/**
 * Yields the events of a queue until a signal aborts; then the queue is closed, even if no event was requested before.
 */
export function eventsUntil(
  queue: EventQueue,
  signal: AbortSignal | undefined,
): AsyncIterableIterator<RefreshedEvent, void> {
  const events = queue.events();
  const close = () => {
    signal?.removeEventListener("abort", close);
    queue.close();
  };
  signal?.addEventListener("abort", close);
  if (signal?.aborted) close();
  return {
    // A generator that was not started would not close the queue at its end.
    return: () => {
      close();
      return events.return();
    },
    next: async () => {
      let isEnd = true;
      try {
        const result = await events.next();
        isEnd = result.done === true;
        return result;
      } finally {
        if (isEnd) close();
      }
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
