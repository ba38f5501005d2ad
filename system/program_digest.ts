/**
 * The version of what makes files: results that are kept hold as long as the modules that made them are the same.
 * @module
 */
import { join } from "@std/path";
import { programRoot } from "./program_root.ts";

/** Name of a file next to the files of a build, and in a release next to this one. */
export const digestFile = "modules.sha256";
/** Modules that make files, and what says which packages they use. */
const parts = ["deno.lock", "formats", "media"];
/** Linux stamps files with the time of its last tick, at most this long ago; milliseconds. */
const tick = 10;

/**
 * Returns the SHA-256 of the modules.
 * @param before Time before which all of them were changed last; milliseconds since the epoch.
 * @throws {Error} if one was changed later, or cannot be read.
 */
export function modulesDigest(root: string, before = Infinity): string {
  // deno-lint-ignore no-process-global -- importing it would load it in every thread
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  const add = (path: string): void => {
    const { isDirectory, mtime, ctime } = Deno.statSync(join(root, path));
    if (isDirectory) {
      const names = Array.from(Deno.readDirSync(join(root, path)), ({ name }) => name);
      return names.sort().forEach((name) => add(join(path, name)));
    }
    if (Math.max(mtime?.getTime() ?? 0, ctime?.getTime() ?? 0) > before) throw new Error(`${path}: changed just now`);
    const content = Deno.readFileSync(join(root, path));
    hash.update(`${path} ${content.length} `).update(content);
  };
  parts.forEach(add);
  return hash.digest("hex");
}

/** Returns the SHA-256 of the modules of this program; undefined if it may not read them, or others lie there by now. */
export function programDigest(): string | undefined {
  const directory = import.meta.dirname ?? "";
  try {
    return Deno.readTextFileSync(join(directory, digestFile));
  } catch {
    // It runs from its modules.
  }
  try {
    return import.meta.url.endsWith(".js") ? undefined : modulesDigest(programRoot, performance.timeOrigin - tick);
  } catch {
    return undefined;
  }
}
