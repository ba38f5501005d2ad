/**
 * Deno's cache of compiled code, an SQLite database. Deno replaces one that it cannot open; of one with damaged pages it
 * reads nothing and writes nothing, without a word, and compiles the program at every start.
 * @module
 */

/** SQLITE_CORRUPT and SQLITE_NOTADB */
const damageCodes: readonly unknown[] = [11, 26];
/** Files that SQLite keeps beside a database. */
const companions = ["", "-shm", "-wal"];

/** Returns paths of the code caches in a directory of Deno's; none if it cannot be listed. */
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
    // One that is locked or may not be read is not judged.
    return error instanceof Error && "errcode" in error && damageCodes.includes(error.errcode);
  }
}

/** Removes damaged code caches from a directory of Deno's, which makes others; returns their paths. */
export async function removeDamagedCodeCaches(directory: string): Promise<string[]> {
  const removed: string[] = [];
  for (const path of codeCachesIn(directory)) {
    // deno-lint-ignore no-await-in-loop -- there is one, beside those of earlier versions of Deno
    if (!await isDamagedCodeCache(path)) continue;
    for (const ending of companions) {
      try {
        // deno-lint-ignore no-await-in-loop -- the database before what is beside it
        await Deno.remove(path + ending);
        if (ending === "") removed.push(path);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied)) throw error;
      }
    }
  }
  return removed;
}
