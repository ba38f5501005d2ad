/**
 * Detects a program that looks up one file after another and reads each. Session thread only.
 * @module
 */
import { none } from "../../index/mod.ts";

/** Number of files that must be read right after their lookup before the next read is predicted. */
const minFollowed = 3;

/** Predicts whether a file that is looked up will be read next. */
export class LookupPattern {
  #lookedUp: number = none;
  #followed = 0;

  /** Records a lookup; returns whether the file will probably be read next. */
  lookedUp(entry: number): boolean {
    if (this.#lookedUp !== none) this.#followed = 0;
    this.#lookedUp = entry;
    return this.#followed >= minFollowed;
  }

  /** Records a read. */
  read(entry: number): void {
    if (entry !== this.#lookedUp) return;
    this.#lookedUp = none;
    this.#followed++;
  }
}
