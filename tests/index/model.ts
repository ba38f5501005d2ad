/**
 * The answers of an index, computed with plain maps and nested loops: no column, no hash table, no shared code.
 * @module
 */

/** A member of a source. */
export interface ModelEntry {
  readonly path: string;
  readonly isDirectory: boolean;
  readonly isDamaged: boolean;
  /** Offset of the content; default: at the start. */
  readonly offset?: number;
}

/** Rules by which a tree is resolved. */
export interface ModelRule {
  /** Numbers of sources in search order. */
  readonly searchPath: readonly number[];
  readonly ignoreCase: boolean;
  readonly duplicates: "first" | "last" | "last-stored";
  /** For each source, the first source that it ties with. */
  readonly ties?: ReadonlyMap<number, number>;
  /** Entries left out, as `source:entry`. */
  readonly hidden: ReadonlySet<string>;
}

/** A file of the resolved tree. */
export interface ModelFile {
  readonly path: string;
  readonly source: number;
  readonly entry: number;
}

/** A resolved tree: files and directories by folded path (or path, where case counts). */
export interface ModelTree {
  readonly files: ReadonlyMap<string, ModelFile>;
  readonly directories: ReadonlySet<string>;
}

/** ASCII letters in lower case, nothing else changed. */
export function fold(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The directories above a path. */
export function parentsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Groups of tied sources on a search path. */
function groupsOf({ searchPath, ties }: ModelRule): number[][] {
  const groups = new Map<number, number[]>();
  for (const source of searchPath) {
    const first = ties?.get(source) ?? source;
    groups.set(first, [...groups.get(first) ?? [], source]);
  }
  return [...groups.values()];
}

/** Resolves a rule by looking at every entry of every source, one after the other. */
export function resolve(sources: readonly (readonly ModelEntry[])[], rule: ModelRule): ModelTree {
  const keyOf = (path: string) => rule.ignoreCase ? fold(path) : path;
  const files = new Map<string, ModelFile>();
  const directories = new Set<string>();
  for (const wanted of [false, true]) {
    for (const group of groupsOf(rule)) {
      const order = group.flatMap((source) => {
        const entries = (sources[source] ?? []).map((entry, index) => ({ ...entry, index, source }));
        return rule.duplicates === "first" ? entries : entries.reverse();
      });
      const isByOffset = rule.duplicates === "last-stored" && !wanted;
      if (isByOffset) order.sort((a, b) => (b.offset ?? 0) - (a.offset ?? 0));
      for (const { source, ...entry } of order) {
        if (rule.hidden.has(`${source}:${entry.index}`) && !entry.isDirectory) continue;
        for (const parent of parentsOf(entry.path)) directories.add(keyOf(parent));
        if (entry.isDirectory) directories.add(keyOf(entry.path));
        else if (entry.isDamaged === wanted && !files.has(keyOf(entry.path))) {
          files.set(keyOf(entry.path), { path: entry.path, source, entry: entry.index });
        }
      }
    }
  }
  return { files, directories };
}

/** Orders names as directories are sorted: by folded bytes, then by bytes. */
export function compareNames(a: string, b: string): number {
  return compareBytes(fold(a), fold(b)) || compareBytes(a, b);
}

function compareBytes(a: string, b: string): number {
  const encoder = new TextEncoder();
  const left = encoder.encode(a);
  const right = encoder.encode(b);
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    if (left[index] !== right[index]) return (left[index] ?? 0) - (right[index] ?? 0);
  }
  return left.length - right.length;
}
