/**
 * Whether a directory can be mounted on, said before anything is started.
 * @module
 */
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import { isMountPoint, releaseDeadMount } from "deno-fuse-ffi";
import { MountError } from "./mount/mount.ts";

/**
 * Absolute path of a mount point that can be used. A mount left by a killed daemon is taken away first.
 * @param sources Directories and archives that will be mounted there.
 * @throws {MountError} if it cannot be used; the message says what to do.
 */
export function usableMountPoint(path: string, sources: readonly string[]): string {
  const absolute = resolve(path);
  releaseDeadMount(absolute);
  const information = statSync(absolute, { throwIfNoEntry: false });
  if (!information) throw new MountError(`${path} does not exist; make it first: mkdir -p ${path}`);
  if (!information.isDirectory()) throw new MountError(`${path} is not a directory, so nothing can be mounted there`);
  if (isMountPoint(absolute)) {
    throw new MountError(`Something is mounted at ${path} already; end it first: pakfs unmount ${path}`);
  }
  const real = realpathSync(absolute);
  // A source that is not there is the scanner's to complain about.
  for (const source of sources.filter((path) => existsSync(path))) {
    const realSource = realpathSync(source);
    if (isInside(real, realSource)) {
      throw new MountError(`${path} lies in ${source}, which would then contain itself; choose a place outside of it`);
    }
    if (isInside(realSource, real)) throw new MountError(`${source} lies in ${path} and would be hidden by the mount`);
  }
  if (readdirSync(absolute).length > 0) {
    throw new MountError(`${path} is not empty; what is in it would be hidden, so choose an empty directory`);
  }
  return absolute;
}

function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}
