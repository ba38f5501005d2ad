/**
 * Deno's cache of compiled code, an SQLite database. Deno replaces a cache that it cannot open, but silently ignores
 * one with damaged pages and compiles the program at every start. It never removes the code of deleted modules, and
 * each version of the program has other modules.
 * @module
 */

/** SQLITE_CORRUPT and SQLITE_NOTADB */
const damageCodes: readonly unknown[] = [11, 26];
/** Files that SQLite keeps next to a database. */
const companions = ["", "-shm", "-wal"];
/** The code of the program takes about 6 MB. */
const maxBytes = 64 * 1024 * 1024;

/** A code cache that was removed. */
export interface RemovedCodeCache {
  readonly path: string;
  /** Reason, in words that follow its path. */
  readonly reason: string;
}

/** Returns paths of the code caches in a directory of Deno; none if it cannot be listed. */
export function codeCachesIn(directory: string): string[] {
  try {
    const names = Array.from(Deno.readDirSync(directory), ({ name }) => name);
    return names.filter((name) => /^v8_code_cache_v\d+$/.test(name)).map((name) => `${directory}/${name}`);
  } catch {
    return [];
  }
}

/** Returns whether the pages of a code cache are damaged. Takes some milliseconds for each megabyte. */
export async function isDamagedCodeCache(path: string): Promise<boolean> {
  const { DatabaseSync } = await import("node:sqlite");
  try {
    using database = new DatabaseSync(path, { readOnly: true });
    return database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"] !== "ok";
  } catch (error) {
    // A locked or unreadable cache is not checked.
    return error instanceof Error && "errcode" in error && damageCodes.includes(error.errcode);
  }
}

/**
 * Removes damaged and oversized code caches from a directory of Deno, which creates new ones.
 * @param most Maximum bytes of a cache.
 */
export async function removeUnusableCodeCaches(
  directory: string,
  most: number = maxBytes,
): Promise<RemovedCodeCache[]> {
  const removed: RemovedCodeCache[] = [];
  for (const path of codeCachesIn(directory)) {
    // deno-lint-ignore no-await-in-loop -- there is one, and one for each earlier version of Deno
    const reason = await reasonToRemove(path, most);
    if (reason === undefined) continue;
    for (const ending of companions) {
      try {
        // deno-lint-ignore no-await-in-loop -- the database before what is next to it
        await Deno.remove(path + ending);
        if (ending === "") removed.push({ path, reason });
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied)) throw error;
      }
    }
  }
  return removed;
}

async function reasonToRemove(path: string, most: number): Promise<string | undefined> {
  const size = await Deno.stat(path).then(({ size }) => size, () => 0); // another daemon may have removed it
  if (size > most) return `had ${Math.round(size / 1e6)} MB, most of them of earlier versions`;
  return await isDamagedCodeCache(path) ? "was damaged, which made starts slow" : undefined;
}
