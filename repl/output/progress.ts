/**
 * Progress display of a long command.
 * @module
 */
import type { Output } from "./output.ts";

/** Duration of a command before its progress is shown; milliseconds. */
const silentFor = 1000;
/** Time between two updates of the display; milliseconds. */
const betweenUpdates = 100;

/** Shows the progress of a command on a terminal, after it has run for a second. */
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
