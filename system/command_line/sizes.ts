/**
 * Sizes in the notation of users.
 * @module
 */

const units: Readonly<Record<string, number>> = { "": 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

/** Pattern of a size. It has no flags, as JSON Schema has none. */
export const sizePattern = "^\\s*(\\d+(?:\\.\\d+)?)\\s*([KMGTkmgt]?)(?:[iI]?[bB])?\\s*$";

/** Returns the bytes of a size such as `64M`, `1.5G` or `4096`; undefined if it is not a size. */
export function parseSize(text: string): number | undefined {
  const match = new RegExp(sizePattern).exec(text);
  if (!match) return undefined;
  const bytes = Math.round(Number(match[1]) * (units[(match[2] ?? "").toUpperCase()] ?? 1));
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
