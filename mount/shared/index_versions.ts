/**
 * The indexes that a thread gets requests about: the shown one and the previous one, or older ones if reads wait long.
 * @module
 */
import type { IndexAnswerer, IndexVersion } from "./thread_messages.ts";

/** How a thread creates its parts of an index. */
export interface IndexVersionMaker<Parts> {
  readonly make: (version: IndexVersion) => Parts;
  /** Frees the parts. */
  readonly drop: (parts: Parts) => void;
  /** Requests an index from the main thread by its number. */
  readonly ask: (version: number) => Promise<ReturnType<IndexAnswerer>>;
}

/** Parts that a thread has created for each index. */
export class IndexVersions<Parts> implements Disposable {
  readonly #maker: IndexVersionMaker<Parts>;
  readonly #parts = new Map<number, Parts>();

  constructor(first: IndexVersion, maker: IndexVersionMaker<Parts>) {
    this.#maker = maker;
    this.#add(first);
  }

  /** Returns the parts of an index, which is requested if necessary; `undefined` if it is no longer kept. */
  async of(number: number): Promise<Parts | undefined> {
    const known = this.#parts.get(number);
    if (known) return known;
    const version = await this.#maker.ask(number);
    if (version) this.#add(version);
    return this.#parts.get(number);
  }

  [Symbol.dispose](): void {
    this.forgetBefore(Infinity);
  }

  /** Releases indexes older than this number. */
  forgetBefore(oldest: number): void {
    for (const [number, parts] of this.#parts) {
      if (number >= oldest) continue;
      this.#maker.drop(parts);
      this.#parts.delete(number);
    }
  }

  #add(version: IndexVersion): void {
    this.#parts.set(version.number, this.#maker.make(version));
    this.forgetBefore(version.number - 1);
  }
}
