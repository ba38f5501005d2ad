/**
 * Archives on disk from the command line, given directly or by directory.
 * @module
 */
import { join } from "@std/path";
import { shellWord } from "../../system/mod.ts";
import { CommandError, failureOf } from "../output/failure.ts";

/** Returns whether a path is a file on disk. */
export function isFileOnDisk(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** Archives from the command line. */
export interface NamedArchives {
  /** Paths of files as typed, and of files in directories. */
  readonly paths: readonly string[];
  /** Whether it is a single file. */
  readonly isOne: boolean;
}

/**
 * Returns the files on the command line, those that its wildcards match (no shell expands them at the prompt), and for
 * directories the archives below them, detected by content, sorted by name. A missing file is reported later, when it is
 * opened.
 * @throws {CommandError} if a directory cannot be read, or has no archive.
 */
export async function namedArchives(words: readonly string[]): Promise<NamedArchives> {
  const paths: string[] = [];
  let directories = 0;
  try {
    for (const word of (await Promise.all(words.map(matchingPaths))).flat()) {
      if (!isDirectoryOnDisk(word)) {
        paths.push(word);
        continue;
      }
      directories++;
      // deno-lint-ignore no-await-in-loop -- in the order of the command line
      paths.push(...await archivesBelow(word));
    }
  } catch (error) {
    throw new CommandError(failureOf(error).message, { cause: error });
  }
  if (paths.length === 0) throw new CommandError(`no archives in ${words.map(shellWord).join(" ")}`);
  return { paths, isOne: directories === 0 && paths.length === 1 };
}

/** Returns whether a path is a directory on disk. */
export function isDirectoryOnDisk(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** Returns the paths that a path with wildcards matches, sorted; the path itself if it has none or matches nothing. */
async function matchingPaths(path: string): Promise<string[]> {
  if (!/[*?[{]/.test(path) || isFileOnDisk(path) || isDirectoryOnDisk(path)) return [path];
  const { compileGlob } = await import("../../formats/mod.ts");
  let found = [path.startsWith("/") ? "/" : ""];
  for (const part of path.split("/").filter((name) => name !== "")) {
    const matches = compileGlob(part);
    found = found.filter((directory) => directory === "" || isDirectoryOnDisk(directory)).flatMap((directory) =>
      /[*?[{]/.test(part)
        ? namesIn(directory || ".").filter((name) => !name.startsWith(".") && matches(name)).sort()
          .map((name) => join(directory, name))
        : join(directory, part)
    );
  }
  found = found.filter((one) => isFileOnDisk(one) || isDirectoryOnDisk(one));
  return found.length > 0 ? found : [path];
}

/** Returns the names in a directory; none if it cannot be read, as a shell does. */
function namesIn(directory: string): string[] {
  try {
    return Array.from(Deno.readDirSync(directory), ({ name }) => name);
  } catch {
    return [];
  }
}

async function archivesBelow(directory: string): Promise<string[]> {
  const { detectFormat, FileByteReader } = await import("../../formats/parts.ts");
  const isArchive = (path: string) => {
    try {
      using file = new FileByteReader(path);
      return detectFormat(file) !== undefined;
    } catch {
      return false; // a device, or inaccessible
    }
  };
  const walk = async (path: string): Promise<string[]> => {
    const items = (await Array.fromAsync(Deno.readDir(path))).sort((a, b) => a.name < b.name ? -1 : 1);
    const found: string[] = [];
    for (const { name, isDirectory, isFile } of items) {
      const inner = join(path, name);
      // deno-lint-ignore no-await-in-loop -- in the order of names
      if (isDirectory) found.push(...await walk(inner));
      else if ((isFile || isFileOnDisk(inner)) && isArchive(inner)) found.push(inner);
    }
    return found;
  };
  return await walk(directory);
}
