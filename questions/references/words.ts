/**
 * Words of a text or program that may be names of files. Most bytes of programs and models are no names, so words are
 * compared by a hash of their bytes before they become strings.
 * @module
 */

/** Maximum characters of a word. */
const maxWord = 128;
/** Bits of a set of hashes. */
const hashBits = 22;

const latin = new TextDecoder("windows-1252");
const slash = 0x2f;
const backslash = 0x5c;
const dot = 0x2e;
const star = 0x2a;
const percent = 0x25;
const space = 0x20;

/** For each byte: 1 if it is part of a word. */
const ofWord = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte > space && byte < 0x7f && !"\"';,{}()<>|=`".includes(String.fromCharCode(byte)) ? 1 : 0,
);
/** For each byte: 1 if it ends a string that may contain spaces. */
const endsString = Uint8Array.from({ length: 256 }, (_, byte) => byte === 0x22 || byte === 0 || byte === 0x0a ? 1 : 0);

/** Stems of file names, in lower case: a word without them names no file. Contains more than was added. */
export class StemSet {
  readonly #bits = new Uint8Array(2 ** hashBits / 8);

  /** @param stems Base names without extension, in lower case. */
  constructor(stems: Iterable<string>) {
    for (const stem of stems) {
      let hash = 0;
      for (let index = 0; index < stem.length; index++) hash = hashed(hash, stem.charCodeAt(index));
      const bit = bitOf(hash);
      this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] ?? 0) | 1 << (bit & 7);
    }
  }

  /** Returns whether the stem of an ASCII word, in any case, may be in the set. */
  mayHave(bytes: Uint8Array, start: number, end: number): boolean {
    let first = start;
    let last = end;
    for (let index = start; index < end; index++) {
      const byte = bytes[index];
      if (byte === slash || byte === backslash) {
        first = index + 1;
        last = end;
      } else if (byte === dot) last = index;
    }
    if (bytes[first] === star && first < last) first++;
    let hash = 0;
    for (let index = first; index < last; index++) {
      const byte = bytes[index] ?? 0;
      hash = hashed(hash, byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);
    }
    const bit = bitOf(hash);
    return ((this.#bits[bit >>> 3] ?? 0) & 1 << (bit & 7)) !== 0;
  }
}

function hashed(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193) + 0x9e3779b1 | 0;
}

function bitOf(hash: number): number {
  return Math.imul(hash ^ hash >>> 15, 0x85ebca6b) >>> 32 - hashBits;
}

/**
 * Yields the words of a text or program, then its strings with spaces and slashes: those whose stems may be in a set,
 * and those with placeholders. A word may occur more than once.
 */
export function* wordsOf(bytes: Uint8Array, stems: StemSet): Generator<string> {
  const strings: string[] = [];
  let start = 0;
  let string = 0;
  let hasSpace = false;
  let hasSlash = false;
  let hasPercent = false;
  for (let index = 0; index <= bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (ofWord[byte] === 1) {
      if (byte === slash) hasSlash = true;
      else if (byte === percent) hasPercent = true;
      continue;
    }
    const length = index - start;
    if (length > 1 && length <= maxWord && (hasPercent || stems.mayHave(bytes, start, index))) {
      yield latin.decode(bytes.subarray(start, index));
    }
    start = index + 1;
    hasPercent = false;
    if (byte === space) hasSpace = true;
    if (index < bytes.length && endsString[byte] === 0) continue;
    if (hasSpace && hasSlash) {
      const text = trimmed(bytes.subarray(string, index));
      if (text.length > 1 && text.length <= maxWord) strings.push(latin.decode(text));
    }
    string = index + 1;
    hasSpace = false;
    hasSlash = false;
  }
  yield* strings;
}

/** Returns bytes without the whitespace at both ends, which may be long. */
function trimmed(bytes: Uint8Array): Uint8Array {
  const isBlank = (byte: number | undefined) =>
    byte === space || byte === 0xa0 || byte !== undefined && byte >= 9 && byte <= 13;
  let start = 0;
  let end = bytes.length;
  while (start < end && isBlank(bytes[start])) start++;
  while (end > start && isBlank(bytes[end - 1])) end--;
  return bytes.subarray(start, end);
}
