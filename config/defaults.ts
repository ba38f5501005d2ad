/**
 * What holds where nothing else is said.
 * @module
 */

/** Bytes of memory for decompressed files: enough to answer from; the kernel is who remembers them. */
export const defaultCacheBytes: number = 8 * 1024 * 1024;

/** Seconds after which a file system that does not answer is reported, and left out until it does. */
export const defaultHungSeconds = 10;
