/**
 * Limits symbolic links, so that links in a mod cannot expose the rest of the disk.
 * @module
 */
import { isInside, type LinkRule } from "../../formats/parts.ts";

/** Advice for an omitted link. */
export const linkAdvice: string =
  "--follow-symlinks (followSymlinks = true in the configuration) shows what such links lead to";

/** The directories of one game that symbolic links must not leave. */
export class LinkBoundary {
  readonly #within: readonly string[];
  readonly #named: ReadonlySet<string>;

  /**
   * @param sources Base directories.
   * @param mods Game directories given by the user, which may be anywhere.
   */
  constructor(sources: readonly string[], mods: readonly string[] = []) {
    this.#named = new Set(mods);
    this.#within = sources.flatMap(realPathOf);
  }

  /** Returns whether a game directory or pack is outside and not given by the user. */
  isBeyond(path: string, name: string): boolean {
    if (this.#named.has(name)) return false;
    return realPathOf(path).some((real) => !this.#within.some((directory) => isInside(real, directory)));
  }

  /** Returns the rule for one directory. */
  rule(isReportedOnly: LinkRule["isReportedOnly"]): LinkRule {
    return { within: this.#within, advice: linkAdvice, ...(isReportedOnly ? { isReportedOnly } : {}) };
  }
}

/** Returns the path with all links resolved, if it exists. */
function realPathOf(path: string): string[] {
  try {
    return [Deno.realPathSync(path)];
  } catch {
    return [];
  }
}
