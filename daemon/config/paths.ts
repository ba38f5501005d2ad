/**
 * Paths of the files that pakfs keeps for a user: the configuration and the index caches.
 * @module
 */
import { join } from "@std/path";
import { ownDirectory } from "./own_directories.ts";
import { cacheFiles, cacheProblem, IndexCache } from "../../index/mod.ts";

/** Value of `PAKFS_INDEX_CACHE` that turns the cache off. */
const off = "off";

/** Returns the path of the configuration: `--config`, `$PAKFS_CONFIG`, `$XDG_CONFIG_HOME/pakfs/config.toml`. */
export function configPath(option: string | undefined): string {
  const home = Deno.env.get("XDG_CONFIG_HOME") || join(Deno.env.get("HOME") ?? "/", ".config");
  return option ?? (Deno.env.get("PAKFS_CONFIG") || join(home, "pakfs", "config.toml"));
}

/**
 * Returns the index cache in `$PAKFS_INDEX_CACHE`, else in `pakfs/index` below `$XDG_CACHE_HOME` or `~/.cache`;
 * `undefined` if the variable is `off`, or none of them is set.
 * @param onProblem Called with the reason why a cache was not used or not written.
 */
export function defaultIndexCache(onProblem: (sentence: string) => void = () => {}): IndexCache | undefined {
  const wanted = Deno.env.get("PAKFS_INDEX_CACHE") || undefined;
  if (wanted === off) return undefined;
  const caches = ownDirectory("CACHE");
  const directory = wanted ?? (caches === undefined ? undefined : join(caches, "index"));
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
