/**
 * Limits symbolic links, so that a mod's links cannot show the rest of the disk.
 * @module
 */
import { isInside, type LinkRule } from "../../formats/parts.ts";

/** Advice for a link that was left out. */
export const linkAdvice: string =
  "--follow-symlinks (followSymlinks = true in the configuration) shows what such links lead to";

/** The directories of one game that symbolic links may not lead out of. */
export class LinkBoundary {
  readonly #within: readonly string[];
  readonly #named: ReadonlySet<string>;

  /**
   * @param sources Base directories.
   * @param mods Game directories that the user has named, which may lie anywhere.
   */
  constructor(sources: readonly string[], mods: readonly string[] = []) {
    this.#named = new Set(mods);
    this.#within = sources.flatMap(realPathOf);
  }

  /** Returns whether a game directory or pack that the user has not named lies outside. */
  isBeyond(path: string, name: string): boolean {
    if (this.#named.has(name)) return false;
    return realPathOf(path).some((real) => !this.#within.some((directory) => isInside(real, directory)));
  }

  /** Returns the rule for one directory. */
  rule(isReportedOnly: LinkRule["isReportedOnly"]): LinkRule {
    return { within: this.#within, advice: linkAdvice, ...(isReportedOnly ? { isReportedOnly } : {}) };
  }
}

/** Returns the path with all links followed, if it is there. */
function realPathOf(path: string): string[] {
  try {
    return [Deno.realPathSync(path)];
  } catch {
    return [];
  }
}
