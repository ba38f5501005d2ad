/**
 * Detects whether programs that list directories access the files in them. Session thread only.
 *
 * Attributes in a listing save a lookup for each file that a program accesses. If none is accessed, since `find -type
 * f` only needs names and types, they make the kernel create an inode for every name: most of the time of such a walk,
 * and more than a kilobyte per file. The kernel does not report which attributes it has used, so a few files are listed
 * without them.
 * @module
 */
import type { NodeId } from "../layout/mounted_tree.ts";

/** Number of files listed with attributes per file listed without. */
const filesPerProbe = 256;
/**
 * Maximum files of an index that is always listed with attributes: its inodes take at most about 40 MB of the kernel's
 * memory, and a program that first lists all files and then accesses each would need a lookup for each.
 */
const minFiles = 32_768;
/** Number of files listed with attributes, without a lookup, after which directories are listed without attributes. */
const maxUnused = 1024;
/**
 * This number inside one directory: programs may read 10,000 names before they access the first file (`fts` of the C
 * library).
 */
const maxUnusedWithin = 12_000;

/** Number of lookups after which directories that were listed without attributes are worth listing again. */
const minLookups = 64;
/** Maximum number of directories that are tracked for that. */
const maxBare = 65_536;

/** Decides which files are listed with their attributes. */
export class ListingPattern {
  #unused = 0;
  #isUnused = false;
  /** Directories listed without attributes, and the number of lookups since. */
  #bare: NodeId[] = [];
  #lookups = 0;
  /** Whether the index is large enough to omit attributes. */
  #isLarge: boolean;

  /** @param fileCount Files of the index. */
  constructor(fileCount: number) {
    this.#isLarge = fileCount >= minFiles;
  }

  /** Resets the counters for another index. */
  show(fileCount: number): void {
    this.#isLarge = fileCount >= minFiles;
  }

  /** Returns whether files get attributes in the part of a directory's listing that begins at `offset`. */
  wantsAttributes(directory: NodeId, offset: number): boolean {
    if (!this.#isLarge) return true;
    if (this.#unused >= (offset === 0 ? maxUnused : maxUnusedWithin)) this.#isUnused = true;
    if (this.#isUnused && this.#bare.length < maxBare) this.#bare.push(directory);
    return !this.#isUnused;
  }

  /** Counts a file of such a listing; returns whether it is listed without attributes as a probe. */
  isProbe(): boolean {
    return this.#isLarge && ++this.#unused % filesPerProbe === 0;
  }

  /**
   * Counts a lookup of a file. After many, returns the directories that were listed without attributes: the kernel has
   * cached these listings, and a program that accesses every file would need a lookup for each.
   */
  lookedUp(): NodeId[] {
    this.#unused = 0;
    this.#isUnused = false;
    if (this.#bare.length === 0 || ++this.#lookups < minLookups) return [];
    const directories = this.#bare;
    this.#bare = [];
    this.#lookups = 0;
    return directories;
  }
}
