/**
 * Notices whether programs that list directories look at the files in them. Session thread only.
 *
 * The attributes that come with a listing spare a lookup for each file that a program looks at. Where none is looked at,
 * as `find -type f` only needs names and types, they make the kernel keep an inode for every name: most of the time that
 * such a walk takes, and more than a kilobyte per file. The kernel does not say which attributes it has used, so now and
 * then a file is listed without.
 * @module
 */
import type { NodeId } from "../layout/mounted_tree.ts";

/** Files listed with attributes for each that is listed without. */
const filesPerProbe = 256;
/**
 * An index with fewer files is listed with attributes in any case: its inodes take some 40 MB of the kernel's memory at
 * most, and a program that lists all files first and looks at each of them afterwards would need a lookup for each.
 */
const minFiles = 32_768;
/** Files listed with attributes, none looked up since, after which directories are listed without. */
const maxUnused = 1024;
/** The same inside a directory: programs may read 10,000 names before they look at the first (`fts` of the C library). */
const maxUnusedWithin = 12_000;

/** Files looked up after which directories that were listed without attributes are worth listing again. */
const minLookups = 64;
/** Maximum directories that are tracked for that. */
const maxBare = 65_536;

/** Decides which files are listed with their attributes. */
export class ListingPattern {
  #unused = 0;
  #isUnused = false;
  /** Directories listed without attributes, and the files looked up since. */
  #bare: NodeId[] = [];
  #lookups = 0;
  /** Whether the index is large enough for attributes to be left out. */
  #isLarge: boolean;

  /** @param fileCount Files of the index. */
  constructor(fileCount: number) {
    this.#isLarge = fileCount >= minFiles;
  }

  /** Notes that another index is shown. */
  show(fileCount: number): void {
    this.#isLarge = fileCount >= minFiles;
  }

  /** Returns whether the files of a directory get attributes in the part of its listing that begins at `offset`. */
  wantsAttributes(directory: NodeId, offset: number): boolean {
    if (!this.#isLarge) return true;
    if (this.#unused >= (offset === 0 ? maxUnused : maxUnusedWithin)) this.#isUnused = true;
    if (this.#isUnused && this.#bare.length < maxBare) this.#bare.push(directory);
    return !this.#isUnused;
  }

  /** Counts a file of such a listing; returns whether it is listed without attributes even so. */
  isProbe(): boolean {
    return this.#isLarge && ++this.#unused % filesPerProbe === 0;
  }

  /**
   * Notes that a file was looked up. Where many are, returns the directories that were listed without attributes: the
   * kernel has these listings, and a program that looks at every file would ask for each.
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
