/**
 * Conditions on files other than their names.
 * @module
 */
import { at, type Snapshot, type Source, sourceHasName } from "../index/mod.ts";
import type { View } from "../views/mod.ts";

/** Conditions of a search; all must hold. */
export interface FindFilters {
  /** Smallest size in bytes, inclusive. */
  minSize?: number;
  /** Largest size in bytes, inclusive. */
  maxSize?: number;
  /** File name extensions without the dot; any one of them, case does not matter. */
  extensions?: string[];
  /** A pack's file name, path or end of one, or a game directory's name: only files from there. */
  source?: string;
}

/** Returns a test whether an entry passes all conditions. */
export function filterTest(view: View, filters: FindFilters): (entry: number) => boolean {
  const { snapshot } = view;
  const { entryNodes, entrySizes, entrySources } = snapshot.columns;
  const tests: ((entry: number) => boolean)[] = [];
  const { minSize, maxSize, extensions, source } = filters;
  if (minSize !== undefined) tests.push((entry) => at(entrySizes, entry) >= minSize);
  if (maxSize !== undefined) tests.push((entry) => at(entrySizes, entry) <= maxSize);
  if (source !== undefined) {
    const numbers = new Set(view.searchPath.filter((item) => isNamed(item, source)).map((item) => item.id));
    tests.push((entry) => numbers.has(at(entrySources, entry)));
  }
  if (extensions !== undefined && extensions.length > 0) {
    const wanted = new Set(extensions.map((extension) => extension.replace(/^\./, "").toLowerCase()));
    const isWanted = onceForEachName(snapshot, (name) => {
      const lower = name.toLowerCase();
      for (let dot = lower.indexOf("."); dot >= 0; dot = lower.indexOf(".", dot + 1)) {
        if (wanted.has(lower.slice(dot + 1))) return true;
      }
      return false;
    });
    tests.push((entry) => isWanted(at(entryNodes, entry)));
  }
  return (entry) => tests.every((test) => test(entry));
}

function isNamed(source: Source, name: string): boolean {
  return source.gameDirectory === name || (source.kind === "pack" ? sourceHasName(source, name) : source.path === name);
}

/**
 * Returns a test of the names of a snapshot's nodes that tests every distinct name once.
 * @param couldPass A quicker test, by the number of the name.
 */
export function onceForEachName(
  snapshot: Snapshot,
  test: (name: string) => boolean,
  couldPass: (name: number) => boolean = () => true,
): (node: number) => boolean {
  const { nameStarts, nodeNames } = snapshot.columns;
  const answers = new Uint8Array(nameStarts.length);
  return (node) => {
    const name = at(nodeNames, node);
    if (answers[name] === 0) answers[name] = couldPass(name) && test(snapshot.nameOf(node)) ? 1 : 2;
    return answers[name] === 1;
  };
}
