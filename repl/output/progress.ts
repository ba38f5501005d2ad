/**
 * Telling how far a long command is.
 * @module
 */
import type { Output } from "./output.ts";

/** A command this short needs no progress display; milliseconds. */
const silentFor = 1000;
/** Time between two updates of the display; milliseconds. */
const betweenUpdates = 100;

/** Shows how far a command is, on a terminal, once it has taken longer than a second. */
export class Progress {
  readonly #output: Output;
  #next = performance.now() + silentFor;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Shows `text()` if it is time to. */
  update(text: () => string): void {
    const now = performance.now();
    if (now < this.#next) return;
    this.#next = now + betweenUpdates;
    this.#output.progress(text());
  }

  /** Takes the display away. */
  end(): void {
    this.#output.clearProgress();
  }
}
