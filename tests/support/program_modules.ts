/**
 * The modules of the program, for tests that read its code.
 * @module
 */
import { walk } from "@std/fs";
import { relative } from "node:path";

const root = new URL("../..", import.meta.url).pathname;
/** Folders of the checkout that no installation loads. */
const otherFolders = new Set(["tests", "tools"]);

/** Returns the program's modules, by their paths in the checkout: neither tests nor tools nor stand-ins of `@std/*`. */
export async function readProgramModules(): Promise<Map<string, string>> {
  const modules = new Map<string, string>();
  for await (const { name, isDirectory } of Deno.readDir(root)) {
    if (name.startsWith(".") || otherFolders.has(name)) continue;
    if (!isDirectory) {
      if (name.endsWith(".ts")) modules.set(name, await Deno.readTextFile(root + name));
      continue;
    }
    for await (const { path } of walk(root + name, { exts: [".ts"], skip: [/\/system\/std$/] })) {
      modules.set(relative(root, path), await Deno.readTextFile(path));
    }
  }
  return modules;
}
