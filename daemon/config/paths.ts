/**
 * Paths of the files that pakfs keeps for a user: the configuration and the index caches.
 * @module
 */
import { join } from "@std/path";
import { cacheFiles, cacheProblem, IndexCache } from "../../index/mod.ts";
import { cacheDirectory } from "../../system/mod.ts";

/** Returns the path of the configuration: `--config`, `$PAKFS_CONFIG`, `$XDG_CONFIG_HOME/pakfs/config.toml`. */
export function configPath(option: string | undefined): string {
  const home = Deno.env.get("XDG_CONFIG_HOME") || join(Deno.env.get("HOME") ?? "/", ".config");
  return option ?? (Deno.env.get("PAKFS_CONFIG") || join(home, "pakfs", "config.toml"));
}

/**
 * Returns the index cache in {@linkcode cacheDirectory}.
 * @param onProblem Called with the reason why a cache was not used or not written.
 */
export function defaultIndexCache(onProblem: (sentence: string) => void = () => {}): IndexCache | undefined {
  const directory = cacheDirectory();
  return directory === undefined ? undefined : new IndexCache(directory, { onProblem });
}

/** A cached index, and the reason why it cannot be used, or null. */
export interface CachedIndex {
  readonly path: string;
  readonly problem: string | null;
}

/** Reads and checks every index that {@linkcode defaultIndexCache} keeps. */
export function cachedIndexes({ directory }: IndexCache): CachedIndex[] {
  return cacheFiles(directory).map((path) => ({ path, problem: cacheProblem(path) }));
}
