/**
 * Rules that decide the tree of a view or of one pack.
 * @module
 */
import type { DuplicateRule, LooseCase, LooseOnly } from "../engines/mod.ts";

/** Rules of a tree: its sources in search order, and how names are compared. */
export interface TreeRule {
  /**
   * Numbers of the usable sources, first searched first; twice if packs in a pack are searched later than the pack.
   */
  readonly searchPath: readonly number[];
  /** Names that differ only in case are one. */
  readonly ignoreCase: boolean;
  /** Which of several equal names inside one source answers. */
  readonly duplicates: DuplicateRule;
  /** Where case is ignored: which spellings find a loose file; default: any. */
  readonly looseCase?: LooseCase;
  /** How loose files are found by a list in which the first source of a name in any spelling hides it in all others. */
  readonly looseList?: {
    /** Sources whose files are opened by their paths where the list leads to none, in that order. */
    readonly opened: readonly number[];
    /** Entries of these that are not in the list. */
    readonly unlisted: ReadonlySet<number>;
  };
  /** Where case is ignored: paths for which packs are passed over, by the spelling that is requested. */
  readonly looseOnly?: readonly LooseOnly[];
  /**
   * Where case is ignored: negative if the first of two entries is preferred, when the path is requested as the node
   * `asked` is spelled. Without it the spelling decides nothing.
   */
  readonly order?: (a: number, b: number, asked: number) => number;
  /** Bits of the codes of damage that does not keep an entry from answering before sound ones; default: none. */
  readonly acceptedDamage?: number;
  /**
   * By number of a source: the first of those with which it ties, so that `last-stored` decides; default: none does.
   */
  readonly ties?: ReadonlyMap<number, number>;
  /** Whether a backslash of a requested path counts as a slash; default: it is a letter. */
  readonly backslash?: boolean;
  /** Entries left out: packs that are themselves on the search path. */
  readonly hidden?: ReadonlySet<number>;
  /** By fold node: entries that answer it although they have another path; default: none. */
  readonly substitutes?: ReadonlyMap<number, number>;
  /** By path in lower case: the entry that answers it where no file has it; default: none. */
  readonly aliases?: ReadonlyMap<string, number>;
  /** Whether an entry cannot be used at all; default: none. */
  readonly refuses?: (entry: number) => boolean;
}

/** Returns a requested path as the engine reads it. */
export function requestedPath({ backslash = false }: Pick<TreeRule, "backslash">, path: string): string {
  return backslash ? path.replaceAll("\\", "/") : path;
}

/** Returns whether loose files are found by their own spelling. */
export function findsOwnSpelling({ ignoreCase, looseCase = "any" }: TreeRule): boolean {
  return ignoreCase && (looseCase === "own" || looseCase === "own-or-small");
}
