/**
 * Directories in which pakfs keeps files of a user.
 * @module
 */
import { join } from "@std/path";

const below = { CACHE: ".cache", CONFIG: ".config", STATE: join(".local", "state") } as const;

/** Returns `pakfs` below a base directory of the user, such as `$XDG_CACHE_HOME`; undefined without a home directory. */
export function ownDirectory(kind: keyof typeof below): string | undefined {
  const home = Deno.env.get("HOME");
  const base = Deno.env.get(`XDG_${kind}_HOME`) || (home ? join(home, below[kind]) : undefined);
  return base === undefined ? undefined : join(base, "pakfs");
}
