/**
 * Questions about paths that several modules here ask.
 * @module
 */
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** `path` as text, whether it came as text or as a `file:` URL. */
export function pathText(path: string | URL): string {
  return typeof path === "string" ? path : fileURLToPath(path);
}

/** Whether `path` lies strictly below `directory`, judged by their names. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(resolve(directory), resolve(path));
  return way !== "" && way !== ".." && !way.startsWith("../") && !way.startsWith("/");
}

/** Whether anything has the name `path`, be it a link that leads nowhere. */
export async function isThere(path: string | URL): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
