/**
 * Files that are old enough to be trusted.
 * @module
 */

/**
 * Waits until the index trusts what has been written just now: Deno rounds times of change down to seconds, so an
 * unchanged time proves nothing before the next second.
 */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1100));
}
