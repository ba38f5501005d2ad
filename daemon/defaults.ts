/**
 * What holds where nothing else is said.
 * @module
 */

/** Bytes of memory for unpacked files. */
export const defaultCacheBytes: number = 64 * 1024 * 1024;
