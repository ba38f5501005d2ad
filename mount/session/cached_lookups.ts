/**
 * Names that the kernel caches although no listing has them: other spellings of files, and missing files. A refresh
 * knows only listed names, so these are looked up again after it, and forgotten if their node has changed.
 * @module
 */
import type { CachedName } from "../layout/mounted_tree.ts";

/** Maximum number of these names; the kernel must not cache more. */
const maxNames = 16_384;

/** The node of a name, or null if it does not exist. */
export type NamedNode = Pick<CachedName, "high" | "low"> | null;

interface UnlistedName extends CachedName {
  readonly node: NamedNode;
}

/** The unlisted names that a kernel may cache. Session thread only. */
export class CachedLookups {
  readonly #names = new Map<string, UnlistedName>();

  /** Records the result of a lookup; false if there are too many and the kernel must not cache it. */
  note(high: number, low: number, name: Uint8Array, node: NamedNode): boolean {
    const key = `${high} ${low} ${String.fromCharCode(...name)}`;
    if (this.#names.size >= maxNames && !this.#names.has(key)) return false;
    this.#names.set(key, { high, low, name: name.slice(), node });
    return true;
  }

  /**
   * Returns the names with another node, which are no longer recorded.
   * @param find Returns the node of a name; undefined if its directory no longer exists.
   */
  takeChanged(find: (name: CachedName) => NamedNode | undefined): CachedName[] {
    const changed: CachedName[] = [];
    for (const [key, known] of this.#names) {
      const now = find(known);
      if (now !== undefined && now?.high === known.node?.high && now?.low === known.node?.low) continue;
      this.#names.delete(key);
      if (now !== undefined) changed.push(known);
    }
    return changed;
  }
}
