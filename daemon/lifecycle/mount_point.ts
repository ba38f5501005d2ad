/**
 * Whether a directory can be mounted on, said before anything is started.
 * @module
 */
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isMountPoint, releaseDeadMount } from "deno-fuse-ffi";
import { isInside } from "../../formats/core/directory.ts";
import { MountError } from "../../mount/mount.ts";

/** Whether a path is on a file system that may hang. */
type IsRemote = (path: string) => boolean;

/** A mount point that can be used. */
export interface MountPoint {
  /** Absolute path, as it was given. */
  readonly path: string;
  /** The same with all links followed, found out while nothing is mounted: nobody looks at their own mount. */
  readonly real: string;
}

/**
 * Absolute path of a mount point that can be used. A mount left by a killed daemon is taken away first.
 * @param sources Directories and archives that will be mounted there.
 * @throws {MountError} if it cannot be used; the message says what to do.
 */
export function usableMountPoint(path: string, sources: readonly string[], isRemote: IsRemote): MountPoint {
  const absolute = resolve(path);
  releaseDeadMount(absolute);
  const information = statSync(absolute, { throwIfNoEntry: false });
  if (!information) throw new MountError(`${path} does not exist; make it first: mkdir -p ${path}`);
  if (!information.isDirectory()) throw new MountError(`${path} is not a directory, so nothing can be mounted there`);
  requireFree(path);
  const place = { path: absolute, real: realpathSync(absolute) };
  checkSources(place, sources, isRemote);
  if (readdirSync(absolute).length > 0) {
    throw new MountError(`${path} is not empty; what is in it would be hidden, so choose an empty directory`);
  }
  return place;
}

/**
 * Looks whether nothing is mounted at a mount point.
 * @throws {MountError} if something is.
 */
export function requireFree(path: string): void {
  if (!isMountPoint(resolve(path))) return;
  throw new MountError(`Something is mounted at ${path} already; end it first: pakfs unmount ${path}`);
}

/**
 * Looks whether directories and archives can be shown at a mount point.
 * @throws {MountError} if one of them is inside of the other.
 */
export function checkSources({ path, real }: MountPoint, sources: readonly string[], isRemote: IsRemote): void {
  for (const source of sources) {
    // What seems to lie in the mount is not looked at, as that may be this process's own.
    const isPlainlyInside = isInside(resolve(source), path);
    // A source that is not there is the scanner's to complain about. Nor is one looked at that may not answer.
    const isKnown = isPlainlyInside || isRemote(source);
    const realReader = isKnown ? resolve(source) : existsSync(source) ? realpathSync(source) : undefined;
    if (realReader === undefined) continue;
    if (isInside(real, realReader)) {
      throw new MountError(`${path} lies in ${source}, which would then contain itself; choose a place outside of it`);
    }
    if (isPlainlyInside || isInside(realReader, real)) {
      throw new MountError(`${source} lies in ${path} and would be hidden by the mount`);
    }
  }
}
