/**
 * MD4 (RFC 1320), which Quake III's engines use for checksums of packs. It is not used for security; `node:crypto` no
 * longer has it.
 * @module
 */
import { at } from "../columns/columns.ts";

/** Bytes of one block. */
const blockLength = 64;
/** Bytes of the message length, after the message. */
const lengthBytes = 8;

const initialState: readonly number[] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];

/** One of the three rounds: mixing function, added constant, order of the block's words, and rotations. */
interface Round {
  mix(x: number, y: number, z: number): number;
  readonly constant: number;
  readonly order: readonly number[];
  readonly turns: readonly number[];
}

const rounds: readonly Round[] = [
  {
    mix: (x, y, z) => (x & y) | (~x & z),
    constant: 0,
    order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    turns: [3, 7, 11, 19],
  },
  {
    mix: (x, y, z) => (x & y) | (x & z) | (y & z),
    constant: 0x5a827999,
    order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    turns: [3, 5, 9, 13],
  },
  {
    mix: (x, y, z) => x ^ y ^ z,
    constant: 0x6ed9eba1,
    order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
    turns: [3, 9, 11, 15],
  },
];

function mixBlock(state: Uint32Array, view: DataView, start: number): void {
  let [a = 0, b = 0, c = 0, d = 0] = state;
  for (const { mix, constant, order, turns } of rounds) {
    for (let step = 0; step < 16; step++) {
      const word = view.getUint32(start + (order[step] ?? 0) * 4, true);
      const sum = (a + mix(b, c, d) + word + constant) | 0;
      const turn = turns[step % 4] ?? 0;
      a = d;
      d = c;
      c = b;
      b = (sum << turn) | (sum >>> (32 - turn));
    }
  }
  [a, b, c, d].forEach((word, index) => state[index] = at(state, index) + word);
}

/**
 * Returns the MD4 of a message.
 * @returns 16 bytes.
 */
export function md4(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const state = Uint32Array.from(initialState);
  const whole = message.length - message.length % blockLength;
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  for (let start = 0; start < whole; start += blockLength) mixBlock(state, view, start);

  const rest = message.subarray(whole);
  const tail = new Uint8Array(rest.length + 1 + lengthBytes <= blockLength ? blockLength : 2 * blockLength);
  tail.set(rest);
  tail[rest.length] = 0x80;
  const tailView = new DataView(tail.buffer);
  tailView.setBigUint64(tail.length - lengthBytes, BigInt(message.length) * 8n, true);
  for (let start = 0; start < tail.length; start += blockLength) mixBlock(state, tailView, start);

  const digest = new Uint8Array(16);
  const digestView = new DataView(digest.buffer);
  state.forEach((word, index) => digestView.setUint32(index * 4, word, true));
  return digest;
}
