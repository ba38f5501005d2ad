/**
 * Archives broken in many ways.
 * @module
 */
import { join, pak, u16, u32, zip } from "./bytes.ts";
import { type Seed, seeds } from "./seeds.ts";

/** An archive that holds a stored and a compressed archive of every format. */
export const nestedSeed: Seed = {
  title: "archives in archives",
  format: "quake-pak",
  bytes: pak([
    ...seeds.map(({ format, bytes }, index) => [`${index}-${format}.pak`, bytes] as const),
    ["packed.zip", zip(seeds.map(({ bytes }, index) => ({ name: `${index}.wad`, content: bytes, method: 8 })))],
  ]),
  files: {},
};

const interesting = [0, 1, 2, 0x7f, 0x80, 0xff, 0x5c, 0x2e, 0x2f];
const interesting32 = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff, 64, 46, 22];

type Mutation = (bytes: Uint8Array, at: number, below: (limit: number) => number) => Uint8Array;

function overwrite(bytes: Uint8Array, at: number, value: Uint8Array): Uint8Array {
  bytes.set(value.subarray(0, bytes.length - at), at);
  return bytes;
}

const mutations: readonly Mutation[] = [
  (bytes, at, below) => overwrite(bytes, at, Uint8Array.of(interesting[below(interesting.length)] ?? 0)),
  (bytes, at, below) => overwrite(bytes, at, Uint8Array.of((bytes[at] ?? 0) ^ (1 << below(8)))),
  (bytes, at, below) => overwrite(bytes, at, u32(interesting32[below(interesting32.length)] ?? 0)),
  (bytes, at, below) => overwrite(bytes, at, u16(below(65536))),
  // Changes a number of a header or table, mostly at a multiple of four, slightly or to about the size.
  (bytes, at, below) => {
    const offset = at - at % 4;
    const view = new DataView(bytes.buffer);
    const old = offset + 4 <= bytes.length ? view.getUint32(offset, true) : 0;
    return overwrite(bytes, offset, u32(((below(2) === 0 ? old : bytes.length) + below(33) - 16) >>> 0));
  },
  (bytes, at) => bytes.slice(0, at),
  (bytes, at, below) => join(bytes.subarray(0, at), bytes.subarray(at + 1 + below(20))),
  (bytes, at, below) => join(bytes.subarray(0, at), bytes.subarray(at, at + below(80)), bytes.subarray(at)),
  (bytes, at, below) =>
    join(bytes.subarray(0, at), Uint8Array.from({ length: 1 + below(20) }, () => below(256)), bytes.subarray(at)),
];

/** An archive made from a valid one by a few changes. */
export function mutate(bytes: Uint8Array, below: (limit: number) => number): Uint8Array {
  let mutant: Uint8Array = bytes.slice();
  for (let change = 1 + below(4); change > 0; change--) {
    mutant = mutations[below(mutations.length)]?.(mutant, below(mutant.length || 1), below) ?? mutant;
  }
  return mutant;
}
