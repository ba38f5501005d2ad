/**
 * Random pictures and sounds in which every field of a header varies, each with its expected content.
 * @module
 */
import fc from "../support/fast_check.ts";
import type { Picture } from "../../media/pictures/picture.ts";
import { join, text, u16, u32 } from "../formats/bytes.ts";

/** A file, and its expected content. */
export interface RandomPicture {
  readonly bytes: Uint8Array;
  readonly picture: Picture;
  /** Whether strict readers of the format read it as well. */
  readonly isCommon: boolean;
}

/** Returns the colour of stored bytes of a TGA. */
function colourOf(bits: number, stored: readonly number[]): number[] {
  const [first = 0, second = 0, third = 0, fourth = 0] = stored;
  if (bits === 8) return [first, first, first, 255];
  if (bits === 24) return [third, second, first, 255];
  if (bits === 32) return [third, second, first, fourth];
  const value = first + second * 256;
  const channel = (shift: number) => {
    const five = Math.floor(value / shift) % 32;
    return five * 8 + Math.floor(five / 4);
  };
  return [channel(1024), channel(32), channel(1), 255];
}

/** Packets of at most 128 pixels, each with its bytes and whether its pixels are equal. */
type Packets = readonly (readonly [isRun: boolean, length: number, pixel: number])[];

const packets: fc.Arbitrary<Packets> = fc.array(
  fc.tuple(fc.boolean(), fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(127, 128)), fc.nat(999)),
  { minLength: 1, maxLength: 12 },
);

/** TGAs of all types, with a colour map that is used or not, in any order of rows and columns. */
export const tgas: fc.Arbitrary<RandomPicture> = fc.record({
  kind: fc.constantFrom(1, 2, 3),
  isCompressed: fc.boolean(),
  packets,
  width: fc.integer({ min: 1, max: 40 }),
  bits: fc.constantFrom(15, 16, 24, 32),
  mapBits: fc.constantFrom(15, 16, 24, 32),
  hasMap: fc.boolean(),
  first: fc.nat(254),
  count: fc.integer({ min: 1, max: 256 }),
  comment: fc.uint8Array({ maxLength: 255 }),
  origin: fc.tuple(fc.nat(0xffff), fc.nat(0xffff)),
  rows: fc.constantFrom(0, 0x20),
  columns: fc.constantFrom(0, 0, 0x10),
  opacity: fc.constantFrom(0, 8),
  noise: fc.uint8Array({ minLength: 1021, maxLength: 1021 }),
  isInside: fc.boolean(),
  isTransparent: fc.boolean(),
}).map((options) => {
  const { kind, isCompressed, width, first, mapBits, rows, columns, opacity, noise, comment, origin } = options;
  const bits = kind === 2 ? options.bits : 8;
  const size = Math.ceil(bits / 8);
  const hasMap = kind === 1 || options.hasMap;
  const mapSize = Math.ceil(mapBits / 8);
  const count = Math.min(options.count, kind === 1 ? 256 - first : 256);
  const pixelAt = (index: number) => {
    const stored = Array.from({ length: size }, (_, byte) => noise[(index * 7 + byte) % noise.length] ?? 0);
    if (bits === 32 && options.isTransparent) stored[3] = 0;
    return kind === 1 && options.isInside ? [first + (stored[0] ?? 0) % count] : stored;
  };
  const stored = options.packets.flatMap(([isRun, length, pixel]) =>
    Array.from({ length }, (_, index) => pixelAt(isRun ? pixel : pixel + index))
  );
  const height = Math.ceil(stored.length / width);
  // The last row is filled by packets of one pixel each.
  const missing = Array.from({ length: width * height - stored.length }, (_, index) => pixelAt(index));
  const all = [...stored, ...missing];
  let next = 0;
  const compressed = [...options.packets, ...missing.map((): Packets[number] => [false, 1, 0])].map(
    ([isRun, length]) => {
      const pixels = all.slice(next, next += length);
      return [length - 1 + (isRun ? 128 : 0), ...isRun ? pixels[0] ?? [] : pixels.flat()];
    },
  );
  const map = Array.from(
    { length: count },
    (_, entry) =>
      Array.from({ length: mapSize }, (_, byte) => noise[(entry * mapSize + byte + 500) % noise.length] ?? 0),
  );
  const bytes = join(
    Uint8Array.of(comment.length, hasMap ? 1 : 0, kind + (isCompressed ? 8 : 0)),
    u16(hasMap ? first : 0, hasMap ? count : 0),
    Uint8Array.of(hasMap ? mapBits : 0),
    u16(...origin, width, height),
    Uint8Array.of(bits, rows + columns + opacity),
    comment,
    Uint8Array.from(hasMap ? map.flat() : []),
    Uint8Array.from((isCompressed ? compressed : all).flat()),
  );
  const rgba = new Uint8Array(width * height * 4);
  all.forEach((pixel, index) => {
    const [column, row] = [index % width, Math.floor(index / width)];
    const [x, y] = [columns === 0 ? column : width - 1 - column, rows === 0 ? height - 1 - row : row];
    const entry = map[(pixel[0] ?? 0) - first];
    const colour = kind !== 1 ? colourOf(bits, pixel) : entry ? colourOf(mapBits, entry) : [0, 0, 0, 0];
    rgba.set(colour, (y * width + x) * 4);
  });
  const isInvisible = bits === 32 && opacity === 0 && rgba.every((value, index) => index % 4 !== 3 || value === 0);
  if (isInvisible) rgba.forEach((_, index) => index % 4 === 3 && (rgba[index] = 255));
  // Netpbm supports neither rows from the right nor unused colour maps, and does not expand five bits.
  const isPlain = kind === 1 ? mapBits >= 24 && options.isInside : bits >= 24 || kind === 3;
  const isCommon = isPlain && columns === 0 && hasMap === (kind === 1);
  return { bytes, picture: { width, height, rgba }, isCommon };
});

/** PCXs of 256 colours or of three planes, whose rows are longer than the picture. */
export const pcxs: fc.Arbitrary<RandomPicture> = fc.record({
  planes: fc.constantFrom(1, 3),
  left: fc.nat(50),
  top: fc.nat(50),
  width: fc.integer({ min: 1, max: 70 }),
  height: fc.integer({ min: 1, max: 5 }),
  padding: fc.nat(3),
  isCompressed: fc.boolean(),
  runs: fc.array(fc.nat(66), { minLength: 1, maxLength: 20 }),
  colours: fc.uint8Array({ minLength: 768, maxLength: 768 }),
  header: fc.uint8Array({ minLength: 128, maxLength: 128 }),
}).map(({ planes, left, top, width, height, padding, isCompressed, runs, colours, header }) => {
  const stride = width + padding;
  let run = 0;
  let left1 = 0;
  let value = 0;
  const rows = Uint8Array.from({ length: stride * planes * height }, (_, index) => {
    if (left1-- > 0) return value;
    left1 = runs[run++ % runs.length] ?? 0;
    return value = colours[(index * 5) % 768] ?? 0;
  });
  const compressed: number[] = [];
  for (let index = 0; index < rows.length;) {
    let length = 1;
    // Runs end with the rows of a plane, as writers end them.
    while (length < 63 && (index + length) % stride !== 0 && rows[index + length] === rows[index]) length++;
    const one = rows[index] ?? 0;
    if (length > 1 || one >= 0xc0) compressed.push(0xc0 + length, one);
    else compressed.push(one);
    index += length;
  }
  const bytes = join(
    Uint8Array.of(10, 5, isCompressed ? 1 : 0, 8),
    u16(left, top, left + width - 1, top + height - 1),
    header.subarray(12, 64),
    Uint8Array.of(0, planes),
    u16(stride, 1),
    new Uint8Array(58),
    isCompressed ? Uint8Array.from(compressed) : rows,
    ...planes === 1 ? [Uint8Array.of(12), colours] : [],
  );
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (plane: number) => rows[(y * planes + plane) * stride + x] ?? 0;
      const colour = planes === 3 ? [at(0), at(1), at(2)] : colours.subarray(at(0) * 3, at(0) * 3 + 3);
      rgba.set([...colour, 255], (y * width + x) * 4);
    }
  }
  // Rows of odd length violate the format, and other programs expect runs.
  return { bytes, picture: { width, height, rgba }, isCommon: isCompressed && stride % 2 === 0 };
});

/** A sound, and its expected content. */
export interface RandomSound {
  readonly bytes: Uint8Array;
  readonly code: number;
  readonly channels: number;
  readonly rate: number;
  readonly bits: number;
  /** Samples of all channels as stored, without an incomplete frame. */
  readonly data: Uint8Array;
  readonly loop: number | null;
  /** Whether Python reads it as well. */
  readonly isCommon: boolean;
}

/** WAVs of plain samples with chunks of any length around the two that count. */
export const wavs: fc.Arbitrary<RandomSound> = fc.record({
  encoding: fc.constantFrom([1, 8], [1, 16], [1, 24], [1, 32], [3, 32]),
  isExtended: fc.boolean(),
  channels: fc.integer({ min: 1, max: 3 }),
  rate: fc.integer({ min: 1, max: 192_000 }),
  data: fc.uint8Array({ maxLength: 60 }),
  others: fc.array(fc.uint8Array({ maxLength: 9 }), { minLength: 3, maxLength: 3 }),
  padding: fc.nat(255),
  loop: fc.option(fc.nat(0xffffffff), { nil: null }),
  isLoopFirst: fc.boolean(),
}).map(({ encoding: [code = 0, bits = 0], isExtended, channels, rate, data, others, padding, loop, isLoopFirst }) => {
  const frame = channels * bits / 8;
  const chunk = (name: string, content: Uint8Array) =>
    join(text(name), u32(content.length), content, Uint8Array.of(padding).subarray(0, content.length % 2));
  const fields = join(u16(isExtended ? 0xfffe : code, channels), u32(rate, rate * frame), u16(frame, bits));
  // The format of an extended chunk is the beginning of a GUID.
  const extension = join(u16(22, bits), u32(3), u16(code), new Uint8Array(14));
  const cue = loop === null ? [] : [chunk("cue ", join(u32(1, 1, 0), text("data"), u32(0, 0, loop)))];
  const [first, second, third] = others.map((content) => chunk("LIST", content));
  const body = join(
    text("WAVE"),
    first ?? data,
    chunk("fmt ", isExtended ? join(fields, extension) : fields),
    second ?? data,
    ...isLoopFirst ? cue : [],
    chunk("data", data),
    third ?? data,
    ...isLoopFirst ? [] : cue,
  );
  const bytes = join(text("RIFF"), u32(body.length), body);
  const whole = data.subarray(0, data.length - data.length % frame);
  return { bytes, code, channels, rate, bits, data: whole, loop, isCommon: !isExtended && code === 1 };
});
