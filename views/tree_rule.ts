/**
 * Rules that determine the tree of a view or of one pack.
 * @module
 */
import type { DuplicateRule, LooseCase, LooseOnly } from "../engines/mod.ts";

/** Rules of a tree: its sources in search order, and how names are compared. */
export interface TreeRule {
  /** Numbers of the usable sources, first searched first; twice for a pack whose inner packs are searched later. */
  readonly searchPath: readonly number[];
  /** Whether names that differ only in case are equal. */
  readonly ignoreCase: boolean;
  /** Winner among equal names inside one source. */
  readonly duplicates: DuplicateRule;
  /** If case is ignored: the spellings that find a loose file; default: any. */
  readonly looseCase?: LooseCase;
  /** How loose files are found in a list in which the first source with a name in any spelling hides the others. */
  readonly looseList?: {
    /** Sources whose files are opened by path if the list lacks them, in order. */
    readonly opened: readonly number[];
    /** Entries of these sources that are not in the list. */
    readonly unlisted: ReadonlySet<number>;
  };
  /** If case is ignored: paths that are not searched in packs, by requested spelling. */
  readonly looseOnly?: readonly LooseOnly[];
  /**
   * If case is ignored: negative if the first of two entries is preferred when the path is requested with the spelling
   * of node `asked`. Without it the spelling has no effect.
   */
  readonly order?: (a: number, b: number, asked: number) => number;
  /** Bits of the codes of damage that does not make an entry lose to valid ones; default: none. */
  readonly acceptedDamage?: number;
  /**
   * For each source by number: the first source with which it ties, so that `last-stored` decides; default: none does.
   */
  readonly ties?: ReadonlyMap<number, number>;
  /** Whether a backslash in a requested path counts as a slash; default: it is a letter. */
  readonly backslash?: boolean;
  /** Excluded entries: packs that are themselves on the search path. */
  readonly hidden?: ReadonlySet<number>;
  /** For each fold node: entries with another path that are also candidates for it; default: none. */
  readonly substitutes?: ReadonlyMap<number, number>;
  /** Entries that answer paths without a file, by the path in lower case; default: none. */
  readonly aliases?: ReadonlyMap<string, number>;
  /** Whether an entry cannot be used at all; default: none. */
  readonly refuses?: (entry: number) => boolean;
}

/** Returns a requested path as the engine reads it. */
export function requestedPath({ backslash = false }: Pick<TreeRule, "backslash">, path: string): string {
  return backslash ? path.replaceAll("\\", "/") : path;
}

/** Returns whether only their own spelling finds loose files. */
export function findsOwnSpelling({ ignoreCase, looseCase = "any" }: TreeRule): boolean {
  return ignoreCase && looseCase !== "any" && looseCase !== "small-directory";
}
