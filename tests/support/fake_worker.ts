/**
 * Workers whose messages a test makes.
 * @module
 */
import type { IndexVersion } from "../../mount/shared/thread_messages.ts";
import { Channel, type Port } from "../../system/channel.ts";

/** A message as a test sees it. */
export interface PostedMessage {
  readonly type: string;
  readonly thread?: number;
  readonly version?: IndexVersion;
  readonly queue?: SharedArrayBuffer;
}

/** A request to a worker, which the test answers. */
export interface PostedRequest extends PromiseWithResolvers<unknown> {
  readonly request: unknown;
}

/** Stands in for a worker. */
export class FakeWorker {
  /** All workers made within {@linkcode withFakeWorkers}, in order. */
  static all: FakeWorker[] = [];
  readonly posted: PostedMessage[] = [];
  readonly requests: PostedRequest[] = [];
  isTerminated = false;
  onmessage: ((event: MessageEvent) => void) | undefined;
  onerror: ((event: ErrorEvent) => void) | undefined;
  readonly #port: Port = { onmessage: null, postMessage: (data) => this.send(data) };
  /** The worker's own end. */
  readonly own: Channel<
    object,
    PostedMessage,
    (number: number) => IndexVersion | undefined,
    (request: unknown) => Promise<unknown>
  >;

  constructor() {
    this.own = new Channel(this.#port, (message) => void this.posted.push(message), (request) => {
      const posted = { request, ...Promise.withResolvers<unknown>() };
      this.requests.push(posted);
      return posted.promise;
    });
    FakeWorker.all.push(this);
  }

  postMessage(data: unknown): void {
    this.#port.onmessage?.(new MessageEvent("message", { data }));
  }

  /** Sends a message from the worker. */
  send(data: unknown): void {
    this.onmessage?.(new MessageEvent("message", { data }));
  }

  /** Breaks the worker. */
  fail(message: string): void {
    this.onerror?.(new ErrorEvent("error", { message, cancelable: true }));
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

/** Runs a test with {@linkcode FakeWorker}s as workers, and with its own functions in place of global ones. */
export async function withFakeWorkers(test: () => void | Promise<void>, functions: object = {}): Promise<void> {
  const replaced = { Worker: FakeWorker, ...functions };
  const before = Object.keys(replaced).map((name) => [name, Reflect.get(globalThis, name)]);
  Object.assign(globalThis, replaced);
  FakeWorker.all = [];
  try {
    await test();
  } finally {
    Object.assign(globalThis, Object.fromEntries(before));
  }
}
