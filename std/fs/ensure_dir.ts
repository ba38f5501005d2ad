/**
 * Directories that have to be there.
 * @module
 */

/**
 * Makes `dir` and what is above it, if they are not there yet. Requires `--allow-read` and `--allow-write`.
 * @throws {Error} if something that is not a directory has that name.
 */
export async function ensureDir(dir: string | URL): Promise<void> {
  try {
    await Deno.mkdir(dir, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    refuseNonDirectory(dir, await Deno.stat(dir), error);
  }
}

/** {@linkcode ensureDir} without waiting. */
export function ensureDirSync(dir: string | URL): void {
  try {
    Deno.mkdirSync(dir, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    refuseNonDirectory(dir, Deno.statSync(dir), error);
  }
}

function refuseNonDirectory(dir: string | URL, info: Deno.FileInfo, cause: Error): void {
  if (info.isDirectory) return;
  const kind = info.isFile ? "file" : "special file";
  throw new Error(`Failed to ensure directory "${dir}" exists: expected 'dir', got '${kind}'`, { cause });
}
