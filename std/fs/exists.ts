/**
 * Whether something is there.
 * @module
 */

/** What has to be there, for {@linkcode exists} and {@linkcode existsSync}. */
export interface ExistsOptions {
  /** Whether this process must be able to read it. */
  isReadable?: boolean;
  /** Whether it must be a directory. Cannot be asked for together with `isFile`. */
  isDirectory?: boolean;
  /** Whether it must be a regular file. */
  isFile?: boolean;
}

/**
 * Whether `path` exists and is what `options` asks for. Follows symbolic links. Requires `--allow-read`, and
 * `--allow-sys` for `isReadable`.
 */
export async function exists(path: string | URL, options: ExistsOptions = {}): Promise<boolean> {
  checkOptions(options);
  try {
    return matches(await Deno.stat(path), options);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** {@linkcode exists} without waiting. */
export function existsSync(path: string | URL, options: ExistsOptions = {}): boolean {
  checkOptions(options);
  try {
    return matches(Deno.statSync(path), options);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function checkOptions(options: ExistsOptions): void {
  if (options.isDirectory === true && options.isFile === true) {
    throw new TypeError("ExistsOptions.isDirectory and ExistsOptions.isFile must not be true together");
  }
}

function matches(info: Deno.FileInfo, options: ExistsOptions): boolean {
  if (options.isDirectory === true && !info.isDirectory) return false;
  if (options.isFile === true && !info.isFile) return false;
  return options.isReadable !== true || isReadable(info);
}

function isReadable(info: Deno.FileInfo): boolean {
  if (info.mode === null) return true;
  const user = Deno.uid();
  if (user === 0) return true;
  if (user === info.uid) return (info.mode & 0o400) !== 0;
  if (Deno.gid() === info.gid) return (info.mode & 0o040) !== 0;
  return (info.mode & 0o004) !== 0;
}
