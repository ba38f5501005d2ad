/**
 * Sizes as people write them.
 * @module
 */

const units: Readonly<Record<string, number>> = { "": 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

/** Bytes of a size such as `64M`, `1.5G` or `4096`; undefined if it is none. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?$/i.exec(text.trim());
  if (!match) return undefined;
  const bytes = Math.round(Number(match[1]) * (units[(match[2] ?? "").toUpperCase()] ?? 1));
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
