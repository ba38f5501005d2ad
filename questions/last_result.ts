/**
 * Caches the last result of a listing: the next page usually belongs to the same one.
 * @module
 */

/** The last result by owner, such as a catalog or a tree. */
export class LastResult<Owner extends WeakKey, Key, Result> {
  readonly #last = new WeakMap<Owner, { readonly key: Key; readonly result: Result }>();

  /** Returns the last result of an owner if it has this key, or computes it. */
  of(owner: Owner, key: Key, compute: () => Result): Result {
    const last = this.#last.get(owner);
    if (last?.key === key) return last.result;
    const result = compute();
    this.#last.set(owner, { key, result });
    return result;
  }
}
