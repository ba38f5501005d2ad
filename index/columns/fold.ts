/**
 * Case folding and hashing of names as bytes. Engines fold ASCII letters only (`Q_strlwr`, `Q_stricmp`), which is what
 * "case-insensitive" means here.
 * @module
 */
import { beyond } from "./columns.ts";

/** Returns the byte, with ASCII upper case converted to lower case. */
export function foldByte(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}

/**
 * Returns a hash of the case-folded bytes `[start, end)`. Names that collide cannot be made without the seed. FNV is
 * unsuitable: eight bits of a seed decide which of its values collide.
 */
export function foldedHash(bytes: Uint8Array, start: number, end: number, seed: number): number {
  let hash = seed;
  for (let index = start; index < end; index++) {
    hash = Math.imul(hash ^ foldByte(bytes[index] ?? beyond(bytes)), 0x5bd1e995);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}

/** Returns the hash of a child: its parent's fold node mixed with the hash of its folded name. */
export function childHash(parentFold: number, nameHash: number): number {
  let hash = Math.imul(parentFold ^ 0x9e3779b9, 0x85ebca6b) ^ nameHash;
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Compares `a[aStart, aEnd)` with `b[bStart, bEnd)`. */
type OfRanges<Result> = (
  ...ranges: [a: Uint8Array, aStart: number, aEnd: number, b: Uint8Array, bStart: number, bEnd: number]
) => Result;

/** Returns whether two byte ranges are equal after case folding. */
export const equalFolded: OfRanges<boolean> = (a, aStart, aEnd, b, bStart, bEnd) => {
  if (aEnd - aStart !== bEnd - bStart) return false;
  for (let index = 0; index < aEnd - aStart; index++) {
    const left = a[aStart + index] ?? beyond(a);
    const right = b[bStart + index] ?? beyond(b);
    if (left !== right && foldByte(left) !== foldByte(right)) return false;
  }
  return true;
};

/** Returns whether two byte ranges are the same. */
export const equalBytes: OfRanges<boolean> = (a, aStart, aEnd, b, bStart, bEnd) => {
  if (aEnd - aStart !== bEnd - bStart) return false;
  for (let index = 0; index < aEnd - aStart; index++) {
    if (a[aStart + index] !== b[bStart + index]) return false;
  }
  return true;
};

/** Orders byte ranges by folded bytes, a shorter prefix first: negative, zero or positive. */
export const compareFolded: OfRanges<number> = (a, aStart, aEnd, b, bStart, bEnd) => {
  const length = Math.min(aEnd - aStart, bEnd - bStart);
  for (let index = 0; index < length; index++) {
    const difference = foldByte(a[aStart + index] ?? beyond(a)) - foldByte(b[bStart + index] ?? beyond(b));
    if (difference !== 0) return difference;
  }
  return (aEnd - aStart) - (bEnd - bStart);
};

/** Orders byte ranges by bytes, a shorter prefix first: negative, zero or positive. */
export const compareBytes: OfRanges<number> = (a, aStart, aEnd, b, bStart, bEnd) => {
  const length = Math.min(aEnd - aStart, bEnd - bStart);
  for (let index = 0; index < length; index++) {
    const difference = (a[aStart + index] ?? beyond(a)) - (b[bStart + index] ?? beyond(b));
    if (difference !== 0) return difference;
  }
  return (aEnd - aStart) - (bEnd - bStart);
};
