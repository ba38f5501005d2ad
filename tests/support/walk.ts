/**
 * The files of a tree.
 * @module
 */

/** Yields the path of every file below `root`, links included; what `skip` matches is left out, with all below it. */
export async function* walkFiles(root: string, skip?: RegExp): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(root)) {
    const path = `${root.replace(/\/$/, "")}/${name}`;
    if (skip?.test(path)) continue;
    if (isDirectory) yield* walkFiles(path, skip);
    else yield path;
  }
}
