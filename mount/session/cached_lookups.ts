/**
 * Names that the kernel caches although no listing has them: other spellings of a file, and of a file that
 * does not exist. A refresh knows only listed names, so these are asked again after it, and forgotten where they lead
 * elsewhere.
 * @module
 */
import type { CachedName } from "../layout/mounted_tree.ts";

/** Maximum names in the cache; the kernel must not cache more. */
const maxNames = 16_384;

/** The node that a name leads to; null: it leads to none. */
export type NamedNode = Pick<CachedName, "high" | "low"> | null;

interface UnlistedName extends CachedName {
  readonly node: NamedNode;
}

/** The unlisted names that a kernel may remember. Session thread only. */
export class CachedLookups {
  readonly #names = new Map<string, UnlistedName>();

  /** Notes what a name in a directory led to; false if the kernel must not remember it, because there are too many. */
  note(high: number, low: number, name: Uint8Array, node: NamedNode): boolean {
    const key = `${high} ${low} ${String.fromCharCode(...name)}`;
    if (this.#names.size >= maxNames && !this.#names.has(key)) return false;
    this.#names.set(key, { high, low, name: name.slice(), node });
    return true;
  }

  /**
   * Returns the names that lead elsewhere now, which are no longer noted.
   * @param find What a name leads to; undefined if its directory no longer exists.
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
