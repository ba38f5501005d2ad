/**
 * What reads of files do whose file system does not answer.
 * @module
 */

/** To wait until it answers, or to fail with EIO. */
export const hungModes = ["wait", "error"] as const;

/** One of {@linkcode hungModes}. */
export type HungMode = (typeof hungModes)[number];
