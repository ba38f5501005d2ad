/**
 * A checksum of large columns: four sums over every fourth word. Each step is a bijection, so that every change of a
 * single word is detected. It is faster than a CRC-32 in JavaScript, and needs no module of Node.
 * @module
 */

const multiplier = 0x9e3779b1 | 0;
const rotation = 15;
/** Words per step of the loop. */
const lanes = 4;

/** Returns the sum after a word. */
function add(sum: number, word: number): number {
  const mixed = sum ^ word;
  return Math.imul(mixed << rotation | mixed >>> (32 - rotation), multiplier);
}

/**
 * Returns the 32-bit checksum of bytes, continued from the checksum of the bytes before them. It depends on the byte
 * order.
 */
export function wordSum(bytes: Uint8Array, previous = 0): number {
  const isAligned = bytes.byteOffset % Int32Array.BYTES_PER_ELEMENT === 0;
  const { buffer, byteOffset, length } = isAligned ? bytes : bytes.slice();
  const words = new Int32Array(buffer, byteOffset, Math.floor(length / Int32Array.BYTES_PER_ELEMENT));
  const whole = words.length - words.length % lanes;
  let [a, b, c, d] = [previous | 0, 1, 2, 3];
  for (let index = 0; index < whole; index += lanes) {
    // Inlined `add`: calls would take most of the time until V8 has optimized them.
    a ^= words[index] ?? 0;
    b ^= words[index + 1] ?? 0;
    c ^= words[index + 2] ?? 0;
    d ^= words[index + 3] ?? 0;
    a = Math.imul(a << rotation | a >>> (32 - rotation), multiplier);
    b = Math.imul(b << rotation | b >>> (32 - rotation), multiplier);
    c = Math.imul(c << rotation | c >>> (32 - rotation), multiplier);
    d = Math.imul(d << rotation | d >>> (32 - rotation), multiplier);
  }
  let sum = add(add(add(add(a, b), c), d), length);
  for (let index = whole; index < words.length; index++) sum = add(sum, words[index] ?? 0);
  for (const byte of bytes.subarray(words.length * Int32Array.BYTES_PER_ELEMENT)) sum = add(sum, byte);
  return sum >>> 0;
}
