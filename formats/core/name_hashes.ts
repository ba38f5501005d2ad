/**
 * Hash functions that identify files in packs without names, and the ways to write a path before hashing. All have 32
 * bits; their tests use the published test vectors.
 *
 * Sources: FNV by Fowler, Noll and Vo (RFC 9923); CRC-32 of ISO 3309 and of MPEG-2 (ISO 13818-1); djb2 by Bernstein
 * (comp.lang.c) with `+` and with `^`; sdbm of the database library sdbm; one-at-a-time by Jenkins (Dr. Dobb's 1997);
 * MurmurHash3_x86_32 by Appleby and XXH32 by Collet, both with seed 0.
 * @module
 */
import { byteAt } from "./cursor.ts";

/** Names of the hash functions, the most common in games first. */
export const nameHashFunctions = [
  "fnv1a",
  "crc32",
  "fnv1",
  "djb2",
  "djb2a",
  "sdbm",
  "jenkins",
  "crc32-mpeg2",
  "murmur3",
  "xxhash32",
] as const;

/** Name of a hash function. */
export type NameHashFunction = typeof nameHashFunctions[number];

/** Hash function, and way of writing a path before hashing. */
export interface NameHashVariant {
  /** The hash function. */
  readonly function: NameHashFunction;
  /** Case of ASCII letters. */
  readonly letters: "as-is" | "lower" | "upper";
  /** Separator between directories. */
  readonly separator: "/" | "\\";
  /** Whether the path begins with a separator. */
  readonly leading: boolean;
  /** Whether the first directory of the path is omitted. */
  readonly rootless: boolean;
}

function fnv1a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5 | 0; // a 32-bit integer, which is much faster than a double
  for (let index = 0; index < bytes.length; index++) hash = Math.imul(hash ^ byteAt(bytes, index), 0x01000193);
  return hash >>> 0;
}

function fnv1(bytes: Uint8Array): number {
  let hash = 0x811c9dc5 | 0; // a 32-bit integer, which is much faster than a double
  for (let index = 0; index < bytes.length; index++) hash = Math.imul(hash, 0x01000193) ^ byteAt(bytes, index);
  return hash >>> 0;
}

/** Tables of both CRC-32s, created on first use: highest bit first (MPEG-2), and lowest first (IEEE). */
let crcTables: { readonly mpeg2: Int32Array; readonly ieee: Int32Array } | undefined;

function makeCrcTables(): { readonly mpeg2: Int32Array; readonly ieee: Int32Array } {
  const mpeg2 = new Int32Array(256);
  const ieee = new Int32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let high = byte << 24;
    let low = byte;
    for (let bit = 0; bit < 8; bit++) {
      high = high < 0 ? (high << 1) ^ 0x04c11db7 : high << 1;
      low = (low & 1) === 0 ? low >>> 1 : (low >>> 1) ^ 0xedb88320;
    }
    mpeg2[byte] = high;
    ieee[byte] = low;
  }
  return { mpeg2, ieee };
}

function signedAt(table: Int32Array, index: number): number {
  const value = table[index];
  if (value === undefined) throw new RangeError(`Cannot read number ${index} of ${table.length}`);
  return value;
}

/** Returns the same value as `crc32` of node:zlib, at a fraction of the cost for a short path. */
function crc32(bytes: Uint8Array): number {
  const { ieee } = crcTables ??= makeCrcTables();
  let hash = -1;
  for (let index = 0; index < bytes.length; index++) {
    hash = (hash >>> 8) ^ signedAt(ieee, (hash ^ byteAt(bytes, index)) & 0xff);
  }
  return ~hash >>> 0;
}

function crc32Mpeg2(bytes: Uint8Array): number {
  const { mpeg2 } = crcTables ??= makeCrcTables();
  let hash = -1;
  for (let index = 0; index < bytes.length; index++) {
    hash = (hash << 8) ^ signedAt(mpeg2, (hash >>> 24) ^ byteAt(bytes, index));
  }
  return hash >>> 0;
}

function djb2(bytes: Uint8Array): number {
  let hash = 5381;
  for (let index = 0; index < bytes.length; index++) hash = (Math.imul(hash, 33) + byteAt(bytes, index)) | 0;
  return hash >>> 0;
}

function djb2a(bytes: Uint8Array): number {
  let hash = 5381;
  for (let index = 0; index < bytes.length; index++) hash = Math.imul(hash, 33) ^ byteAt(bytes, index);
  return hash >>> 0;
}

function sdbm(bytes: Uint8Array): number {
  let hash = 0;
  for (let index = 0; index < bytes.length; index++) hash = (Math.imul(hash, 65599) + byteAt(bytes, index)) | 0;
  return hash >>> 0;
}

function jenkins(bytes: Uint8Array): number {
  let hash = 0;
  for (let index = 0; index < bytes.length; index++) {
    hash = (hash + byteAt(bytes, index)) | 0;
    hash = (hash + (hash << 10)) | 0;
    hash ^= hash >>> 6;
  }
  hash = (hash + (hash << 3)) | 0;
  hash ^= hash >>> 11;
  return (hash + (hash << 15)) >>> 0;
}

function rotated(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Returns the four bytes at `start` as a little-endian integer; bytes past the end count as zero. */
function word(bytes: Uint8Array, start: number): number {
  return (bytes[start] ?? 0) | ((bytes[start + 1] ?? 0) << 8) | ((bytes[start + 2] ?? 0) << 16) |
    ((bytes[start + 3] ?? 0) << 24);
}

function murmurScrambled(value: number): number {
  return Math.imul(rotated(Math.imul(value, 0xcc9e2d51), 15), 0x1b873593);
}

function murmur3(bytes: Uint8Array): number {
  let hash = 0;
  const tail = bytes.length - bytes.length % 4;
  for (let start = 0; start < tail; start += 4) {
    hash = (Math.imul(rotated(hash ^ murmurScrambled(word(bytes, start)), 13), 5) + 0xe6546b64) | 0;
  }
  if (tail < bytes.length) hash ^= murmurScrambled(word(bytes, tail));
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const prime1 = 0x9e3779b1;
const prime2 = 0x85ebca77;
const prime3 = 0xc2b2ae3d;
const prime4 = 0x27d4eb2f;
const prime5 = 0x165667b1;

function xxRound(accumulator: number, value: number): number {
  return Math.imul(rotated((accumulator + Math.imul(value, prime2)) | 0, 13), prime1);
}

function xxMerged(first: number, second: number, third: number, fourth: number): number {
  return (rotated(first, 1) + rotated(second, 7) + rotated(third, 12) + rotated(fourth, 18)) | 0;
}

/** Hashes the bytes from `start`, which do not fill a stripe, and applies the final mix. */
function xxFinished(accumulator: number, bytes: Uint8Array, start: number): number {
  let hash = accumulator | 0;
  let at = start;
  for (; at + 4 <= bytes.length; at += 4) {
    hash = Math.imul(rotated((hash + Math.imul(word(bytes, at), prime3)) | 0, 17), prime4);
  }
  for (; at < bytes.length; at++) {
    hash = Math.imul(rotated((hash + Math.imul(byteAt(bytes, at), prime5)) | 0, 11), prime1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), prime2);
  hash = Math.imul(hash ^ (hash >>> 13), prime3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** XXH32 with seed 0 of bytes that arrive in chunks. */
export class XxHash32 {
  readonly #lanes: [number, number, number, number] = [(prime1 + prime2) | 0, prime2 | 0, 0, -prime1 | 0];
  readonly #rest: Uint8Array = new Uint8Array(16);
  #restLength = 0;
  #length = 0;

  /** Adds the next bytes. */
  update(bytes: Uint8Array): void {
    this.#length += bytes.length;
    let start = 0;
    if (this.#restLength > 0) {
      start = Math.min(bytes.length, 16 - this.#restLength);
      this.#rest.set(bytes.subarray(0, start), this.#restLength);
      this.#restLength += start;
      if (this.#restLength < 16) return;
      this.#stripe(this.#rest, 0);
      this.#restLength = 0;
    }
    for (; start + 16 <= bytes.length; start += 16) this.#stripe(bytes, start);
    this.#rest.set(bytes.subarray(start));
    this.#restLength = bytes.length - start;
  }

  /** Returns the hash of all bytes so far, from 0 to 2^32 - 1. */
  digest(): number {
    const [first, second, third, fourth] = this.#lanes;
    const start = this.#length < 16 ? prime5 | 0 : xxMerged(first, second, third, fourth);
    return xxFinished(start + this.#length, this.#rest.subarray(0, this.#restLength), 0);
  }

  #stripe(bytes: Uint8Array, start: number): void {
    const lanes = this.#lanes;
    lanes[0] = xxRound(lanes[0], word(bytes, start));
    lanes[1] = xxRound(lanes[1], word(bytes, start + 4));
    lanes[2] = xxRound(lanes[2], word(bytes, start + 8));
    lanes[3] = xxRound(lanes[3], word(bytes, start + 12));
  }
}

/** {@linkcode XxHash32} of a few bytes, without creating an object. */
function xxHash32(bytes: Uint8Array): number {
  let start = 0;
  let hash = prime5 | 0;
  if (bytes.length >= 16) {
    let first = (prime1 + prime2) | 0;
    let second = prime2 | 0;
    let third = 0;
    let fourth = -prime1 | 0;
    for (; start + 16 <= bytes.length; start += 16) {
      first = xxRound(first, word(bytes, start));
      second = xxRound(second, word(bytes, start + 4));
      third = xxRound(third, word(bytes, start + 8));
      fourth = xxRound(fourth, word(bytes, start + 12));
    }
    hash = xxMerged(first, second, third, fourth);
  }
  return xxFinished(hash + bytes.length, bytes, start);
}

const functions: Readonly<Record<NameHashFunction, (bytes: Uint8Array) => number>> = {
  fnv1a,
  crc32,
  fnv1,
  djb2,
  djb2a,
  sdbm,
  jenkins,
  "crc32-mpeg2": crc32Mpeg2,
  murmur3,
  xxhash32: xxHash32,
};

/** Returns the hash of unchanged bytes, from 0 to 2^32 - 1. */
export function hashBytes(name: NameHashFunction, bytes: Uint8Array): number {
  return functions[name](bytes);
}

const spellings: readonly Omit<NameHashVariant, "function">[] = (["as-is", "lower", "upper"] as const).flatMap(
  (letters) =>
    [false, true].flatMap((rootless) =>
      [false, true].flatMap((leading) =>
        (["/", "\\"] as const).map((separator) => ({ letters, separator, leading, rootless }))
      )
    ),
);

/** All combinations of hash function and path spelling, the most likely first. */
export const nameHashVariants: readonly NameHashVariant[] = spellings.flatMap((spelling) =>
  nameHashFunctions.map((name) => ({ function: name, ...spelling }))
);

/**
 * Returns the name of a variant: the function and the changes to paths, joined with `+`, as in `fnv1a+lower+backslash`.
 */
export function variantName(variant: NameHashVariant): string {
  return [
    variant.function,
    ...(variant.letters === "as-is" ? [] : [variant.letters]),
    ...(variant.separator === "/" ? [] : ["backslash"]),
    ...(variant.leading ? ["leading"] : []),
    ...(variant.rootless ? ["rootless"] : []),
  ].join("+");
}

/**
 * Returns the variant of a name such as `crc32` or `fnv1a+lower+backslash+leading+rootless`; `undefined` if it is unknown.
 * The words after the function may be in any order.
 */
export function variantNamed(name: string): NameHashVariant | undefined {
  const wanted = name.split("+");
  return nameHashVariants.find((variant) => {
    const words = variantName(variant).split("+");
    return words[0] === wanted[0] && words.length === wanted.length && words.every((word) => wanted.includes(word));
  });
}

const encoder = new TextEncoder();

function foldedLetters(text: string, letters: NameHashVariant["letters"]): string {
  if (letters === "lower") return text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
  if (letters === "upper") return text.replace(/[a-z]+/g, (run) => run.toUpperCase());
  return text;
}

/** Returns a path (`/`-separated, without a leading slash) as a variant writes it before hashing. */
export function hashedSpelling(path: string, variant: Omit<NameHashVariant, "function">): string {
  const { separator, leading, rootless } = variant;
  const relative = rootless ? path.slice(path.indexOf("/") + 1) : path;
  const folded = foldedLetters(relative, variant.letters);
  const separated = separator === "/" ? folded : folded.replaceAll("/", separator);
  return leading ? separator + separated : separated;
}

/** Returns the hash of a path (`/`-separated, without a leading slash) in UTF-8, by one variant. */
export function hashName(path: string, variant: NameHashVariant): number {
  return functions[variant.function](encoder.encode(hashedSpelling(path, variant)));
}
