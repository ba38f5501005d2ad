/**
 * Reads tables of Doom's lumps.
 *
 * `PNAMES`: u32 count, names of eight bytes. `TEXTURE1`: u32 count, u32 offsets of textures: name of eight bytes, u32, u16
 * width, u16 height, u32, u16 count of patches; a patch is i16 left, i16 top, u16 number in `PNAMES`, u16, u16
 * (`maptexture_t` of id-Software/DOOM r_data.c). Strife leaves out the second u32 of a texture and the last two u16 of a
 * patch. `ENDOOM`: 80 x 25 letters of code page 437, each with a byte of its colours. `GENMIDI`: `#OPL_II#`, 175 instruments
 * of 36 bytes that begin with u16 flags (1 fixed note, 2 late vibrato, 4 two voices), u8 fine tuning and u8 note, and their names of 32 bytes
 * (`genmidi_instr_t` of Chocolate Doom's src/i_oplmusic.c).
 * @module
 */
import { MediaError, Reader } from "./core/reader.ts";

/** A patch of a texture. */
export interface TexturePatch {
  /** Index of its name in `PNAMES`. */
  readonly number: number;
  readonly left: number;
  readonly top: number;
}

/** A texture that is composed of patches. */
export interface PatchTexture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly patches: readonly TexturePatch[];
}

/** Maximum number of patches of all textures. */
const maxPatches = 1_000_000;

/**
 * Reads `PNAMES`.
 * @throws {MediaError} if it is truncated.
 */
export function readPatchNames(bytes: Uint8Array): string[] {
  const reader = new Reader(bytes);
  const count = reader.count(0, 8, "names");
  return Array.from({ length: count }, (_, index) => reader.text(4 + index * 8, 8));
}

/**
 * Reads `TEXTURE1` or `TEXTURE2`.
 * @throws {MediaError} if it is truncated.
 */
export function readPatchTextures(bytes: Uint8Array): PatchTexture[] {
  const reader = new Reader(bytes);
  const count = reader.count(0, 4, "textures");
  let patchCount = 0;
  return Array.from({ length: count }, (_, index) => {
    const offset = reader.u32(4 + index * 4);
    // Strife has the count of patches, which is not zero, in place of the unused number.
    const isStrife = reader.u32(offset + 16) !== 0;
    const [head, size] = isStrife ? [18, 6] : [22, 10];
    const patches = reader.u16(offset + head - 2);
    patchCount += patches;
    if (patchCount > maxPatches) throw new MediaError(`over ${maxPatches} patches are too many`, { offset });
    reader.require(offset + head, patches * size, "the patches of a texture");
    return {
      name: reader.text(offset, 8),
      width: reader.u16(offset + 12),
      height: reader.u16(offset + 14),
      patches: Array.from({ length: patches }, (_, patch): TexturePatch => {
        const at = offset + head + patch * size;
        return { left: reader.i16(at), top: reader.i16(at + 2), number: reader.u16(at + 4) };
      }),
    };
  });
}

/** `TEXTURE1`, `TEXTURE2` and `PNAMES` with what is left of them. */
export interface PrunedTextures {
  /** The tables in the given order. */
  readonly tables: readonly Uint8Array<ArrayBuffer>[];
  /** `PNAMES`. */
  readonly patchNames: Uint8Array<ArrayBuffer>;
  /** Names of the patches that are left. */
  readonly patches: readonly string[];
}

/**
 * Leaves textures out of their tables, and patches that only these have out of `PNAMES`. All else stays as it is, in its
 * order: engines take neighbours for the frames of animations, and never draw the first texture.
 * @param patchNames `PNAMES`.
 * @param isKept Whether a texture stays.
 * @throws {MediaError} if a table is cut short.
 */
export function prunedTextures(
  tables: readonly Uint8Array[],
  patchNames: Uint8Array,
  isKept: (name: string) => boolean,
): PrunedTextures {
  const names = readPatchNames(patchNames);
  const kept = tables.map((bytes, table) => {
    const reader = new Reader(bytes);
    const textures = readPatchTextures(bytes);
    return textures.flatMap(({ name, patches }, index) => {
      if (!(table === 0 && index === 0) && !isKept(name.toUpperCase())) return [];
      const offset = reader.u32(4 + index * 4);
      const [head, size] = reader.u32(offset + 16) !== 0 ? [18, 6] : [22, 10];
      return [{ record: bytes.slice(offset, offset + head + patches.length * size), head, size, patches }];
    });
  });
  const used = new Set(kept.flat().flatMap(({ patches }) => patches.map(({ number }) => number)));
  const numbers = names.map((_, number) => number).filter((number) => used.has(number));
  const left = new Map(numbers.map((number, index) => [number, index]));
  const pruned = kept.map((textures) => {
    const start = 4 + textures.length * 4;
    const bytes = new Uint8Array(textures.reduce((sum, { record }) => sum + record.length, start));
    const view = new DataView(bytes.buffer);
    view.setUint32(0, textures.length, true);
    let offset = start;
    for (const [index, { record, head, size, patches }] of textures.entries()) {
      view.setUint32(4 + index * 4, offset, true);
      bytes.set(record, offset);
      for (const [patch, { number }] of patches.entries()) {
        // A number beyond PNAMES stays one.
        view.setUint16(offset + head + patch * size + 4, left.get(number) ?? 0xffff, true);
      }
      offset += record.length;
    }
    return bytes;
  });
  const list = new Uint8Array(4 + numbers.length * 8);
  new DataView(list.buffer).setUint32(0, numbers.length, true);
  for (const [index, number] of numbers.entries()) {
    list.set(patchNames.subarray(4 + number * 8, 12 + number * 8), 4 + index * 8);
  }
  return { tables: pruned, patchNames: list, patches: numbers.map((number) => names[number] ?? "") };
}

/** Letters of code page 437 up to 31 and from 127 on. */
const firstLetters = " ☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼";
const lastLetters =
  "⌂ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀" +
  "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";
const columns = 80;

/**
 * Returns the lines of a text screen.
 * @throws {MediaError} if its lines are not 80 letters long.
 */
export function readTextScreen(bytes: Uint8Array): string[] {
  if (bytes.length === 0 || bytes.length % (columns * 2) !== 0) {
    throw new MediaError(`a text screen has lines of ${columns * 2} bytes, this file ${bytes.length} bytes`);
  }
  const letter = (byte: number) =>
    byte < 32 ? firstLetters[byte] : byte < 127 ? String.fromCharCode(byte) : lastLetters[byte - 127];
  return Array.from(
    { length: bytes.length / (columns * 2) },
    (_, line) =>
      Array.from({ length: columns }, (_, column) => letter(bytes[(line * columns + column) * 2] ?? 0)).join("")
        .trimEnd(),
  );
}

const instrumentsSignature = "#OPL_II#";
const instruments = { count: 175, bytes: 36, nameBytes: 32, melodic: 128, firstDrum: 35 } as const;

/** Returns whether a file begins as `GENMIDI` does. */
export function isInstruments(start: Uint8Array): boolean {
  return new Reader(start).startsWith(instrumentsSignature);
}

/**
 * Returns a line for each instrument of `GENMIDI`: its number in MIDI, or the note of a drum, its name and how it sounds.
 * @throws {MediaError} if it is cut short.
 */
export function readInstruments(bytes: Uint8Array): string[] {
  const { count, bytes: size, nameBytes, melodic, firstDrum } = instruments;
  const reader = new Reader(bytes);
  const names = instrumentsSignature.length + count * size;
  reader.require(0, names + count * nameBytes, "the instruments");
  return Array.from({ length: count }, (_, index) => {
    const offset = instrumentsSignature.length + index * size;
    const flags = reader.u16(offset);
    const isDrum = index >= melodic;
    const number = isDrum ? `drum ${index - melodic + firstDrum}` : `${index + 1}`;
    const how = [
      ...(flags & 1) !== 0 ? [`fixed note ${reader.u8(offset + 3)}`] : [],
      ...(flags & 2) !== 0 ? ["late vibrato"] : [],
      ...(flags & 4) !== 0 ? [`two voices, tuned ${reader.u8(offset + 2) - 128}`] : [],
    ];
    return [number, reader.text(names + index * nameBytes, nameBytes), how.join(", ")].join("\t").trimEnd();
  });
}
