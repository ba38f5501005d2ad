/**
 * Checks whether a directory can be mounted on, before anything is started.
 * @module
 */
import { resolve } from "@std/path";
import { isMountPoint, releaseDeadMount } from "deno-fuse-ffi";
import { isInside } from "../../formats/parts.ts";
import { MountError } from "../../mount/mod.ts";
import { shellWord } from "../../system/mod.ts";

/** Returns the attributes of the target of a path; `undefined` if there is none. */
function targetAt(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    throw error;
  }
}

/** Returns whether a path is on a file system that may hang. */
type IsRemote = (path: string) => boolean;

/**
 * Checks that paths on file systems that may hang answer: a reader looks at them.
 * @throws {MountError} if one does not.
 */
export async function requireAnswers(paths: readonly string[], isRemote: IsRemote, advice: string): Promise<void> {
  const remotes = paths.filter(isRemote);
  if (remotes.length === 0) return;
  const { unresponsivePaths } = await import("../../system/unresponsive_paths.ts");
  const [silent] = await unresponsivePaths(remotes);
  if (silent !== undefined) throw new MountError(`${silent} does not answer; ${advice}`);
}

/** A mount point that can be used. */
export interface MountPoint {
  /** Absolute path, as it was given. */
  readonly path: string;
  /** The path without links, found before mounting: a daemon never touches its own mount. */
  readonly real: string;
}

/**
 * Returns a mount point that can be used. Removes a mount that a killed daemon left there.
 * @param sources Directories and archives that will be mounted there.
 * @throws {MountError} if it cannot be used.
 */
export function usableMountPoint(path: string, sources: readonly string[], isRemote: IsRemote): MountPoint {
  const absolute = resolve(path);
  releaseDeadMount(absolute);
  const information = targetAt(absolute);
  if (!information) throw new MountError(`${path} does not exist; create it first: mkdir -p ${shellWord(path)}`);
  if (!information.isDirectory) throw new MountError(`${path} is not a directory; choose an empty directory`);
  requireFree(path);
  const mountPoint = { path: absolute, real: Deno.realPathSync(absolute) };
  checkSources(mountPoint, sources, isRemote);
  if (!Deno.readDirSync(absolute)[Symbol.iterator]().next().done) {
    // Another daemon may have mounted meanwhile: then the files belong to its mount.
    requireFree(path);
    throw new MountError(`${path} is not empty, and the mount would hide its files; choose an empty directory`);
  }
  return mountPoint;
}

/**
 * Checks that nothing is mounted at a mount point.
 * @throws {MountError} otherwise.
 */
export function requireFree(path: string): void {
  if (!isMountPoint(resolve(path))) return;
  throw new MountError(`${path} is already mounted; unmount it first: pakfs unmount ${shellWord(path)}`);
}

/**
 * Checks that directories and archives can be shown at a mount point.
 * @throws {MountError} if one of them contains the mount point or is inside it.
 */
export function checkSources({ path, real }: MountPoint, sources: readonly string[], isRemote: IsRemote): void {
  for (const source of sources) {
    // A path inside the mount point is not touched, as this process may have mounted there already.
    const isPlainlyInside = isInside(resolve(source), path);
    // The scanner reports missing sources, and a source that may hang is not touched.
    const isKnown = isPlainlyInside || isRemote(source);
    const realSource = isKnown ? resolve(source) : targetAt(source) ? Deno.realPathSync(source) : undefined;
    if (realSource === undefined) continue;
    if (isInside(real, realSource)) {
      throw new MountError(
        `${path} is inside ${source}, which would then contain itself; choose a mount point outside`,
      );
    }
    if (isPlainlyInside || isInside(realSource, real)) {
      throw new MountError(`${source} is inside ${path}, and the mount would hide it; choose another mount point`);
    }
  }
}
