/**
 * Decodes blocks of BC7 (BPTC): 4 x 4 pixels in 16 bytes, in one of eight modes. (Khronos Data Format Specification, BPTC;
 * Microsoft, BC7 Format Mode Reference.)
 *
 * Bits, lowest first: as many zeros as the mode's number and a one; number of a partition, rotation, choice of indices; red of
 * both ends of each subset, green, blue, opacity; a lowest bit for each end, or for both of a subset; indices of the pixels,
 * with one bit less for the first pixel of each subset (its anchor).
 * @module
 */
import { byteAt, elementAt } from "../../formats/parts.ts";

/** Numbers of bits, except for the first. */
interface Mode {
  readonly subsets: number;
  readonly partition: number;
  readonly rotation: number;
  readonly choice: number;
  readonly colour: number;
  readonly opacity: number;
  readonly lowest: "each" | "shared" | "none";
  readonly index: number;
  /** Bits of second indices, which opacity has; 0 if it has the first. */
  readonly second: number;
}

const plain = { rotation: 0, choice: 0, opacity: 0, second: 0 } as const;
const modes: readonly Mode[] = [
  { ...plain, subsets: 3, partition: 4, colour: 4, lowest: "each", index: 3 },
  { ...plain, subsets: 2, partition: 6, colour: 6, lowest: "shared", index: 3 },
  { ...plain, subsets: 3, partition: 6, colour: 5, lowest: "none", index: 2 },
  { ...plain, subsets: 2, partition: 6, colour: 7, lowest: "each", index: 2 },
  { subsets: 1, partition: 0, rotation: 2, choice: 1, colour: 5, opacity: 6, lowest: "none", index: 2, second: 3 },
  { subsets: 1, partition: 0, rotation: 2, choice: 0, colour: 7, opacity: 8, lowest: "none", index: 2, second: 2 },
  { ...plain, subsets: 1, partition: 0, colour: 7, opacity: 7, lowest: "each", index: 4 },
  { ...plain, subsets: 2, partition: 6, colour: 5, opacity: 5, lowest: "each", index: 2 },
];

/** Weights of the second end by the bits of an index, in 64ths. */
const weights: readonly (readonly number[])[] = [
  [],
  [],
  [0, 21, 43, 64],
  [0, 9, 18, 27, 37, 46, 55, 64],
  [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64],
];

/** Partitions into two subsets, four hexadecimal digits each: a bit per pixel. */
const halves =
  "cccc8888eeeeecc8c880feecfec8ec80c800ffecfe80e800ffe8ff00fff0f000f710008e710008ce008c731031008cce088c3110" +
  "6666366c17e80ff0718e399caaaaf0f05a5a33cc3c3c55aa9696a55a73ce13c8324c3bdc6996c33c99660660027204e44e402720" +
  "c936936c39c6639c93369cc6817ee718ccf00fcc7744ee22";
/** Partitions into three subsets, eight hexadecimal digits each: two bits per pixel. */
const thirds =
  "aa6850506a5a50405a5a42005450a0a8a5a50000a0a050505555a0a05a5a5050aa550000aa555500aaaa55009090909094949494" +
  "a4a4a4a4a9a594502a0a4250a59450400a425054a5a5a50055a0a0a0a8a854546a6a4040a4a450001a1a05000050a4a4aaa59090" +
  "1469691469691400a08585a0aa82141450a4a4506a5a0200a9a580005090a0a8a8a090502424242400aa55002492492424499224" +
  "50a50a50500aa550aaaa444466660000a5a0a5a050a050a06928692844aaaa4466666600aa44444454a854a89580958096969600" +
  "a85454a880959580aa14141496960000aaaa1414a05050a0a0a5a5a09600000040804080a9a8a9a8aaaaaa442a4a5254";
/** Anchors, a hexadecimal digit per partition: of the second subset of two, and of the second and third of three. */
const anchors = {
  half: "fffffffffffffffff282288f28228822ff6828ff28222ff66268ff22fffff22f",
  second: "33ff83ff88666533338f336a588685ff8f356a8ff3f5ffff3f55585a5a8dfc33",
  third: "f883ff38fffffff8f8f3f8f83f6affa8f3faa89a6f8f3668f3ffffffffff3ff8",
} as const;

/** The subset of each pixel, and the first pixel of each subset. */
interface Partition {
  readonly subsets: Uint8Array;
  readonly anchors: readonly number[];
}

/** Returns the partitions of a table of hexadecimal digits, each of `digits`. */
function partitions(table: string, digits: number, anchors: readonly string[]): readonly Partition[] {
  const size = digits / 4;
  return Array.from({ length: 64 }, (_, index) => {
    const bits = BigInt(`0x${table.slice(index * digits, (index + 1) * digits)}`);
    const subsetOf = (pixel: number) => Number(bits >> BigInt(pixel * size) & (1n << BigInt(size)) - 1n);
    return {
      subsets: Uint8Array.from({ length: 16 }, (_, pixel) => subsetOf(pixel)),
      anchors: [0, ...anchors.map((list) => Number.parseInt(list.charAt(index), 16))],
    };
  });
}

let known: { readonly halves: readonly Partition[]; readonly thirds: readonly Partition[] } | undefined;
const whole: Partition = { subsets: new Uint8Array(16), anchors: [0] };

function partitionOf({ subsets }: Mode, index: number): Partition {
  if (subsets === 1) return whole;
  known ??= {
    halves: partitions(halves, 4, [anchors.half]),
    thirds: partitions(thirds, 8, [anchors.second, anchors.third]),
  };
  return elementAt(subsets === 2 ? known.halves : known.thirds, index);
}

/** Reads numbers of up to eight bits, lowest bit first. */
class Bits {
  readonly #block: Uint8Array;
  #position: number;

  constructor(block: Uint8Array, position: number) {
    this.#block = block;
    this.#position = position;
  }

  read(count: number): number {
    const byte = this.#position >> 3;
    const pair = byteAt(this.#block, byte) | (byte < 15 ? byteAt(this.#block, byte + 1) << 8 : 0);
    const value = pair >> (this.#position & 7) & (1 << count) - 1;
    this.#position += count;
    return value;
  }
}

function readIndices(bits: Bits, size: number, anchors: readonly number[], target: Uint8Array): void {
  for (let pixel = 0; pixel < 16; pixel++) target[pixel] = bits.read(anchors.includes(pixel) ? size - 1 : size);
}

/** Reads both ends of each subset, as eight bits: red, green, blue and opacity of each. */
function readEnds(bits: Bits, { subsets, colour, opacity, lowest }: Mode): Uint8Array {
  const ends = new Uint8Array(subsets * 8).fill(255);
  const channels = opacity > 0 ? 4 : 3;
  for (let channel = 0; channel < channels; channel++) {
    for (let end = 0; end < subsets * 2; end++) ends[end * 4 + channel] = bits.read(channel < 3 ? colour : opacity);
  }
  let bit = 0;
  for (let end = 0; end < subsets * 2; end++) {
    if (lowest === "each" || (lowest === "shared" && end % 2 === 0)) bit = bits.read(1);
    for (let channel = 0; channel < channels; channel++) {
      const more = lowest === "none" ? 0 : 1;
      const size = (channel < 3 ? colour : opacity) + more;
      const value = byteAt(ends, end * 4 + channel) << more | bit;
      ends[end * 4 + channel] = value << 8 - size | value >> 2 * size - 8;
    }
  }
  return ends;
}

const indices = new Uint8Array(16);
const seconds = new Uint8Array(16);

/** Decodes a block of 16 bytes to 16 pixels of red, green, blue and opacity. A reserved mode is transparent black. */
export function decodeBc7(block: Uint8Array, pixels: Uint8Array): void {
  const number = 31 - Math.clz32(byteAt(block, 0) & -byteAt(block, 0));
  const mode = modes[number];
  if (!mode) {
    pixels.fill(0);
    return;
  }
  const bits = new Bits(block, number + 1);
  const partition = bits.read(mode.partition);
  const rotation = bits.read(mode.rotation);
  const isSwapped = bits.read(mode.choice) === 1;
  const ends = readEnds(bits, mode);
  const { subsets, anchors } = partitionOf(mode, partition);
  readIndices(bits, mode.index, anchors, indices);
  if (mode.second > 0) readIndices(bits, mode.second, [0], seconds);
  else seconds.set(indices);
  const [first, second] = [weights[mode.index] ?? [], weights[mode.second || mode.index] ?? []];
  for (let pixel = 0; pixel < 16; pixel++) {
    const low = byteAt(subsets, pixel) * 8;
    const [one, other] = [elementAt(first, byteAt(indices, pixel)), elementAt(second, byteAt(seconds, pixel))];
    for (let channel = 0; channel < 4; channel++) {
      const weight = (channel === 3) === isSwapped ? one : other;
      pixels[pixel * 4 + channel] = (64 - weight) * byteAt(ends, low + channel) +
          weight * byteAt(ends, low + 4 + channel) + 32 >> 6;
    }
    if (rotation === 0) continue;
    const opacity = byteAt(pixels, pixel * 4 + 3);
    pixels[pixel * 4 + 3] = byteAt(pixels, pixel * 4 + rotation - 1);
    pixels[pixel * 4 + rotation - 1] = opacity;
  }
}
