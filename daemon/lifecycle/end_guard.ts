/**
 * Makes sure that a daemon ends when it is to end, whatever hangs.
 * @module
 */
import { endAtOnce, type Remains } from "./deadline.ts";

/** Time for an orderly end; milliseconds. */
const patience = 2000;

const endingSignals = ["SIGINT", "SIGTERM"] as const;

/** Message to the thread of the guard. */
export type GuardMessage = { readonly type: "guard"; readonly remains: Remains } | { readonly type: "end" };

/** A deadline for the end of this process. A second signal ends it at once. */
export class Deadline {
  #remains: Remains;
  #hasBegun = false;
  #signals = 0;

  constructor(remains: Remains) {
    this.#remains = remains;
  }

  /** What is to be put away from now on. */
  set remains(remains: Remains) {
    this.#remains = remains;
  }

  /** Ends the process after a while, unless it has ended by itself. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    setTimeout(() => endAtOnce(this.#remains), patience);
  }

  /** Calls {@linkcode Deadline.begin} at the first signal that asks for the end, and `listener`. */
  listen(listener: () => void = () => {}): void {
    for (const signal of endingSignals) {
      Deno.addSignalListener(signal, () => {
        this.begin();
        listener();
        if (++this.#signals > 1) endAtOnce(this.#remains);
      });
    }
  }
}

/**
 * A {@linkcode Deadline} in this thread and in one of its own, which is there when this one hangs. Both last as long as
 * the process.
 */
export class EndGuard {
  readonly #deadline: Deadline;
  #worker: Worker | undefined;

  /** @param onSignal Called when a signal asks for the end. */
  constructor(remains: Remains, onSignal: () => void) {
    this.#deadline = new Deadline(remains);
    this.#deadline.listen(onSignal);
  }

  /** What is to be put away from now on. */
  set remains(remains: Remains) {
    this.#deadline.remains = remains;
  }

  /** Starts the thread. */
  start(remains: Remains): void {
    this.#deadline.remains = remains;
    this.#worker = new Worker(new URL("./end_guard_worker.ts", import.meta.url), { type: "module" });
    this.#worker.postMessage({ type: "guard", remains } satisfies GuardMessage);
  }

  /** Ends the process after a while, unless it has ended by itself. */
  begin(): void {
    this.#deadline.begin();
    this.#worker?.postMessage({ type: "end" } satisfies GuardMessage);
  }
}
