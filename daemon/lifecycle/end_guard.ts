/**
 * Makes sure that the daemon ends in time, even if a part hangs.
 * @module
 */
import { type LogFormat, Thread } from "../../system/mod.ts";
import { Deadline, type Remains } from "./deadline.ts";
import type { GuardMessage } from "./end_guard_worker.ts";

/** Delay from the start of a daemon to the start of its guard, in milliseconds. */
const pause = 1000;

/**
 * A {@linkcode Deadline} in this thread and one in a separate thread, which works when this thread hangs. Both last as
 * long as the process.
 */
export class EndGuard {
  readonly #deadline: Deadline;
  #remains: Remains;
  #endsWithMounts = false;
  #thread: Thread<GuardMessage, never> | undefined;

  constructor(logFormat: LogFormat) {
    this.#remains = { mountPoints: [], socket: null, logFormat };
    this.#deadline = new Deadline(this.#remains);
  }

  /** Calls `onSignal` at each signal to end; the first starts the time limit. */
  listen(onSignal: () => void): void {
    this.#deadline.listen(onSignal);
  }

  /**
   * Replaces some of the resources that must be removed at the end.
   * @param endsWithMounts Whether the time limit starts when the last of the mount points is no longer mounted.
   */
  setRemains(remains: Partial<Remains>, endsWithMounts: boolean = this.#endsWithMounts): void {
    this.#remains = { ...this.#remains, ...remains };
    this.#endsWithMounts = endsWithMounts;
    this.#deadline.remains = this.#remains;
    this.#inform();
  }

  /** Starts the thread after a pause, as it would delay the first reads of a new mount. */
  startSoon(): void {
    Deno.unrefTimer(setTimeout(() => this.start(), pause));
  }

  /** Starts the thread now, if it has not started yet: the next step may hang. */
  start(): void {
    if (this.#thread) return;
    this.#thread = new Thread(new URL("./end_guard_worker.ts", import.meta.url));
    this.#inform();
  }

  /** Starts the time limit. */
  begin(): void {
    this.#deadline.begin();
    this.start();
    this.#thread?.post({ type: "end" });
  }

  #inform(): void {
    this.#thread?.post({ type: "guard", remains: this.#remains, endsWithMounts: this.#endsWithMounts });
  }
}
