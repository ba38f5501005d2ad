/**
 * Where the index caches of this user are.
 * @module
 */
import { join } from "node:path";
import { cacheFiles, cacheProblem, IndexCache } from "../index/cache/index_cache.ts";

/** What `PAKFS_INDEX_CACHE` says where no cache is wanted. */
const off = "off";

/**
 * The index cache in `$PAKFS_INDEX_CACHE`, else in `pakfs/index` below `$XDG_CACHE_HOME` or `~/.cache`; `undefined` where
 * the variable is `off`, or nothing says where.
 * @param onProblem Told, in a sentence, why a cache was not used or not written.
 */
export function defaultIndexCache(onProblem: (sentence: string) => void = () => {}): IndexCache | undefined {
  const wanted = Deno.env.get("PAKFS_INDEX_CACHE") || undefined;
  if (wanted === off) return undefined;
  const home = Deno.env.get("HOME") || undefined;
  const caches = Deno.env.get("XDG_CACHE_HOME") || (home === undefined ? undefined : join(home, ".cache"));
  const directory = wanted ?? (caches === undefined ? undefined : join(caches, "pakfs", "index"));
  return directory === undefined ? undefined : new IndexCache(directory, { onProblem });
}

/** A cached index, and a sentence on why it cannot be used; null if it can. */
export interface CachedIndex {
  readonly path: string;
  readonly problem: string | null;
}

/** Reads and checks every index that {@linkcode defaultIndexCache} keeps. */
export function cachedIndexes({ directory }: IndexCache): CachedIndex[] {
  return cacheFiles(directory).map((path) => ({ path, problem: cacheProblem(path) }));
}
