/**
 * Notices a program that looks up one file after another and reads each. Session thread only.
 * @module
 */
import { none } from "../../index/mod.ts";

/** Files that must have been read right after they were looked up before the next is expected to be. */
const minFollowed = 3;

/** Predicts whether a file that is looked up will be read next. */
export class LookupPattern {
  #lookedUp: number = none;
  #followed = 0;

  /** Notes that a file was looked up; returns whether it will probably be read next. */
  lookedUp(entry: number): boolean {
    if (this.#lookedUp !== none) this.#followed = 0;
    this.#lookedUp = entry;
    return this.#followed >= minFollowed;
  }

  /** Notes that a file is read. */
  read(entry: number): void {
    if (entry !== this.#lookedUp) return;
    this.#lookedUp = none;
    this.#followed++;
  }
}
