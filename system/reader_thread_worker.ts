/**
 * The thread of a reader that calls files: answers orders by a module's `answer`, one after the other.
 * @module
 */
import type { noteCalls } from "./call_watch.ts";
import type { ReaderFrame } from "./reader_frames.ts";
import { Inbox, workerChannel } from "./worker_channel.ts";

/** The first message. */
export interface ThreadStart {
  /** Address of the module. */
  readonly module: string;
  readonly memory: SharedArrayBuffer;
}

/** A module that a reader runs. */
export interface ReaderModule<Order, Answer, Progress = never> {
  /** That of `call_watch.ts`, of which a built module has a copy of its own. */
  readonly noteCalls: typeof noteCalls;
  /** Carries out one order. */
  answer(order: Order, report: (progress: Progress) => void): Answer | Promise<Answer>;
}

const scope = workerChannel<unknown, ReaderFrame>();
const inbox = new Inbox(scope);
const { module, memory } = await inbox.next() as ThreadStart;
const { answer, ...calls }: ReaderModule<unknown, unknown, unknown> = await import(module);
calls.noteCalls(memory, 0);
for (;;) {
  // deno-lint-ignore no-await-in-loop -- one order after the other
  const order = await inbox.next();
  try {
    // deno-lint-ignore no-await-in-loop -- as above
    const result = await answer(order, (progress) => scope.postMessage({ type: "progress", progress }));
    scope.postMessage({ type: "answer", answer: result });
  } catch (error) {
    scope.postMessage({ type: "failure", message: error instanceof Error ? error.message : String(error) });
  }
}
