/**
 * Display of how far a long command is.
 * @module
 */
import type { Output } from "./output.ts";

/** Time that a command runs before its progress is shown; milliseconds. */
const silentFor = 1000;
/** Time between two updates of the display; milliseconds. */
const betweenUpdates = 100;

/** Shows how far a command is, on a terminal, once it has run for a second. */
export class Progress {
  readonly #output: Output;
  #next = performance.now() + silentFor;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Shows `text()`, at most every {@linkcode betweenUpdates} milliseconds. */
  update(text: () => string): void {
    const now = performance.now();
    if (now < this.#next) return;
    this.#next = now + betweenUpdates;
    this.#output.progress(text());
  }

  /** Removes the display. */
  end(): void {
    this.#output.clearProgress();
  }
}
