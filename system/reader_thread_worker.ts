/**
 * The thread of a reader that accesses files: handles requests with a module's `answer`, one after the other.
 * @module
 */
import type { noteCalls } from "./call_watch.ts";
import { OwnChannel } from "./channel.ts";
import type { ReaderFrame } from "./reader_frames.ts";

/** First message. */
export interface ThreadStart {
  /** Address of the module. */
  readonly module: string;
  readonly memory: SharedArrayBuffer;
}

/** A module for a reader. */
export interface ReaderModule<Order, Answer, Progress = never> {
  /** `noteCalls` of the module, since each built module has a separate copy of `call_watch.ts`. */
  readonly noteCalls: typeof noteCalls;
  /** Executes one request. */
  answer(order: Order, report: (progress: Progress) => void): Answer | Promise<Answer>;
}

const channel = new OwnChannel<ReaderFrame, unknown>();
const { module, memory } = await channel.next() as ThreadStart;
const { answer, ...calls }: ReaderModule<unknown, unknown, unknown> = await import(module);
calls.noteCalls(memory, 0);
for (;;) {
  // deno-lint-ignore no-await-in-loop -- one order after the other
  const order = await channel.next();
  try {
    // deno-lint-ignore no-await-in-loop -- as above
    const result = await answer(order, (progress) => channel.post({ type: "progress", progress }));
    channel.post({ type: "answer", answer: result });
  } catch (error) {
    channel.post({ type: "failure", message: error instanceof Error ? error.message : String(error) });
  }
}
