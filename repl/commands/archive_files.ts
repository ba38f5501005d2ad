/**
 * Archives on disk that a command line names, alone or by their directories.
 * @module
 */
import { join } from "@std/path";
import { CommandError, failureOf } from "../output/failure.ts";

/** Returns whether a path is a file on disk. */
export function isFileOnDisk(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/**
 * Returns the paths of files as they are named, and for directories the archives in and below them, by content, in the
 * order of their names. Links in directories are followed to files only.
 * @throws {CommandError} if a path does not exist or cannot be read.
 */
export async function archivesIn(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    try {
      // deno-lint-ignore no-await-in-loop -- in the order of the command line
      if ((await Deno.stat(path)).isDirectory) found.push(...await archivesBelow(path));
      else found.push(path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) throw new CommandError(`${path}: no such file`, { cause: error });
      throw new CommandError(failureOf(error).message, { cause: error });
    }
  }
  return found;
}

async function archivesBelow(directory: string): Promise<string[]> {
  const { detectFormat, FileByteReader } = await import("../../formats/parts.ts");
  const isArchive = (path: string) => {
    try {
      using file = new FileByteReader(path);
      return detectFormat(file) !== undefined;
    } catch {
      return false; // a device, or nothing that may be read
    }
  };
  const walk = async (path: string): Promise<string[]> => {
    const items = (await Array.fromAsync(Deno.readDir(path))).sort((a, b) => a.name < b.name ? -1 : 1);
    const found: string[] = [];
    for (const { name, isDirectory } of items) {
      const inner = join(path, name);
      // deno-lint-ignore no-await-in-loop -- in the order of names
      if (isDirectory) found.push(...await walk(inner));
      else if (isFileOnDisk(inner) && isArchive(inner)) found.push(inner);
    }
    return found;
  };
  return await walk(directory);
}
