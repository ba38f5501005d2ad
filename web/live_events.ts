/**
 * Changes on disk, passed to every open page.
 * @module
 */
import { type Connection, maxSample, maxSubscriptions } from "../protocol/mod.ts";

/** Heartbeat interval, and pause before reconnecting to the daemon, in milliseconds. */
const heartbeat = 15_000;
const retryAfter = 1000;

const encoder = new TextEncoder();

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** The part of a connection that supplies events. */
export type Subscriber = Pick<Connection, "subscribe">;

/** Gets refreshes. */
export interface LiveListener {
  /** Called after each, and when some may have been missed. */
  onChange(): void;
}

/** Streams of server-sent events, and their common subscription. */
export class LiveEvents {
  /** The streams that are open, with the timers of their heartbeats. */
  readonly #streams = new Map<Controller, ReturnType<typeof setInterval>>();

  /** Opens a stream; undefined if too many are open. */
  open(): ReadableStream<Uint8Array> | undefined {
    if (this.#streams.size >= maxSubscriptions) return undefined;
    let own: Controller | undefined;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller;
        const beat = () => this.#put(controller, ": alive\n\n");
        beat();
        this.#streams.set(controller, setInterval(beat, heartbeat));
      },
      cancel: () => own && this.#forget(own),
    });
  }

  /** Forwards events until the signal aborts; reconnects when the daemon was lost. */
  async follow(subscriber: Subscriber, signal: AbortSignal, listener: LiveListener): Promise<void> {
    let hasGap = false;
    while (!signal.aborted) {
      try {
        // deno-lint-ignore no-await-in-loop -- one subscription after the other
        const events = await subscriber.subscribe({ sample: maxSample }, { signal });
        if (hasGap) {
          listener.onChange();
          this.#send("gap", {});
        }
        hasGap = true;
        for await (const event of events) {
          listener.onChange();
          this.#send("refreshed", { time: event.time, dropped: event.dropped, views: event.views });
        }
      } catch {
        // The daemon ended; commands report it, and events continue with the next daemon.
        if (!signal.aborted) this.#send("lost", {});
        hasGap = true;
      }
      // deno-lint-ignore no-await-in-loop -- asks a daemon that is not there once a second
      if (!signal.aborted) await pause(retryAfter, signal);
    }
    for (const controller of this.#streams.keys()) this.#close(controller);
  }

  #send(name: string, data: unknown): void {
    const text = `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const controller of this.#streams.keys()) this.#put(controller, text);
  }

  /** A page that does not read is disconnected: it reconnects and reloads everything. */
  #put(controller: Controller, text: string): void {
    if ((controller.desiredSize ?? 0) < -64) this.#close(controller);
    else controller.enqueue(encoder.encode(text));
  }

  #close(controller: Controller): void {
    this.#forget(controller);
    try {
      controller.close();
    } catch {
      // The browser has closed it.
    }
  }

  #forget(controller: Controller): void {
    clearInterval(this.#streams.get(controller));
    this.#streams.delete(controller);
  }
}

/** Waits until the signal aborts, at most for the given time. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const done = Promise.withResolvers<void>();
  const timer = setTimeout(done.resolve, milliseconds);
  signal.addEventListener("abort", () => done.resolve(), { once: true });
  return done.promise.finally(() => clearTimeout(timer));
}
