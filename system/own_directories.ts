/**
 * Directories in which pakfs keeps files of a user.
 * @module
 */
import { join } from "@std/path";

const below = { CACHE: ".cache", CONFIG: ".config", STATE: join(".local", "state") } as const;
/** Value of `PAKFS_INDEX_CACHE` that turns the caches off. */
const off = "off";

/** Returns `pakfs` below a base directory of the user, such as `$XDG_CACHE_HOME`; undefined without a home directory. */
export function ownDirectory(kind: keyof typeof below): string | undefined {
  const home = Deno.env.get("HOME");
  const base = Deno.env.get(`XDG_${kind}_HOME`) || (home ? join(home, below[kind]) : undefined);
  return base === undefined ? undefined : join(base, "pakfs");
}

/**
 * Returns `$PAKFS_INDEX_CACHE`, else `pakfs/index` below `$XDG_CACHE_HOME` or `~/.cache`; undefined if the variable is
 * `off`, or none of them is set.
 */
export function cacheDirectory(): string | undefined {
  const wanted = Deno.env.get("PAKFS_INDEX_CACHE") || undefined;
  if (wanted === off) return undefined;
  const caches = ownDirectory("CACHE");
  return wanted ?? (caches === undefined ? undefined : join(caches, "index"));
}

/** Returns the directory in which converted files are kept; undefined too if this program may not read it. */
export function convertedDirectory(): string | undefined {
  const isGranted = (asked: Deno.PermissionDescriptor) => Deno.permissions.querySync(asked).state === "granted";
  // A script is not to ask its user for permissions.
  const variables = ["PAKFS_INDEX_CACHE", "XDG_CACHE_HOME", "HOME"];
  if (!variables.every((variable) => isGranted({ name: "env", variable }))) return undefined;
  const caches = cacheDirectory();
  const directory = caches === undefined ? undefined : join(caches, "converted");
  return directory !== undefined && isGranted({ name: "read", path: directory }) ? directory : undefined;
}
