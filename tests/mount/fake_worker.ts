/**
 * Workers whose messages a test makes.
 * @module
 */
import type { IndexVersion } from "../../mount/shared/thread_messages.ts";

/** A message as a test looks at it. */
export interface PostedMessage {
  readonly type: string;
  readonly thread?: number;
  readonly version?: IndexVersion;
  readonly queue?: SharedArrayBuffer;
}

/** Takes the part of a worker. */
export class FakeWorker {
  /** All that were made within {@linkcode withFakeWorkers}, in their order. */
  static all: FakeWorker[] = [];
  readonly posted: PostedMessage[] = [];
  isTerminated = false;
  onmessage: ((event: MessageEvent) => void) | undefined;
  onerror: ((event: ErrorEvent) => void) | undefined;

  constructor() {
    FakeWorker.all.push(this);
  }

  postMessage(message: PostedMessage): void {
    this.posted.push(message);
  }

  /** Sends a message from the worker. */
  send(message: object): void {
    this.onmessage?.(new MessageEvent("message", { data: message }));
  }

  /** Breaks the worker. */
  fail(message: string): void {
    this.onerror?.(new ErrorEvent("error", { message, cancelable: true }));
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

/** Runs a test whose workers are {@linkcode FakeWorker}s. */
export async function withFakeWorkers(test: () => void | Promise<void>): Promise<void> {
  const { Worker } = globalThis;
  Object.assign(globalThis, { Worker: FakeWorker });
  FakeWorker.all = [];
  try {
    await test();
  } finally {
    Object.assign(globalThis, { Worker });
  }
}
