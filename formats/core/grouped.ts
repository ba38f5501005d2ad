/**
 * Numbers for people.
 * @module
 */

/**
 * Formats a whole number with its thousands separated: `12,345`. Not `toLocaleString`, whose first call loads the rules
 * of all languages: 10 ms.
 */
export function grouped(count: number | bigint): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
