/**
 * Conditions on files other than their names.
 * @module
 */
import { compileGlob } from "../formats/parts.ts";
import { at, type Snapshot, type Source, sourceHasName } from "../index/mod.ts";

/** Conditions of a search, which must all be true. */
export interface FindFilters {
  /** Minimum size in bytes, inclusive. */
  minSize?: number;
  /** Maximum size in bytes, inclusive. */
  maxSize?: number;
  /** File name extensions without the dot, in any case; a file must have one of them. */
  extensions?: string[];
  /** Source of the files: name, path or end of the path of a pack, name of a game directory, or a pattern of these. */
  source?: string;
}

/** Returns a predicate for entries of some sources that satisfy all conditions. */
export function filterTest(
  snapshot: Snapshot,
  sources: readonly Source[],
  filters: FindFilters,
): (entry: number) => boolean {
  const { entryNodes, entrySizes, entrySources } = snapshot.columns;
  const tests: ((entry: number) => boolean)[] = [];
  const { minSize, maxSize, extensions, source } = filters;
  if (minSize !== undefined) tests.push((entry) => at(entrySizes, entry) >= minSize);
  if (maxSize !== undefined) tests.push((entry) => at(entrySizes, entry) <= maxSize);
  if (source !== undefined) {
    const matches = sourceTest(source);
    const numbers = new Set(sources.filter(matches).map((item) => item.id));
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

/** Returns a predicate for sources with a name or matching a pattern. */
function sourceTest(name: string): (source: Source) => boolean {
  if (!/[*?[\]{}]/.test(name)) return (source) => isNamed(source, name);
  const matches = compileGlob(name, { ignoreCase: true });
  const isPath = name.includes("/");
  return (source) => {
    const own = source.kind === "pack" ? source.name : source.gameDirectory;
    const isMatch = isPath ? matches(`${source.gameDirectory}/${own}`) : matches(own) || matches(source.gameDirectory);
    return isMatch || isNamed(source, name);
  };
}

function isNamed(source: Source, name: string): boolean {
  return source.gameDirectory === name || (source.kind === "pack" ? sourceHasName(source, name) : source.path === name);
}

/**
 * Returns a predicate for the names of a snapshot's nodes that tests every distinct name once.
 * @param couldPass A faster test, by name number.
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
