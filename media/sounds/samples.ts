/**
 * Decodes sounds to plain samples, and writes them as WAV.
 *
 * Microsoft ADPCM: a block is per channel u8 predictor, i16 step, i16 second and i16 first sample, then four bits a
 * sample, the high ones first. IMA ADPCM: a block is per channel i16 sample, u8 index, a byte, then four bits a sample,
 * the low ones first, of several channels eight samples each. (Microsoft, Multiple Media Data Standards Update; IMA
 * Digital Audio Focus.) A-law and mu-law: ITU-T G.711. DMX, the sounds of Doom: u16 3, u16 rate, u32 length of the
 * rest; its first and last 16 bytes are not played (`I_PrecacheSounds` of Chocolate Doom's i_sdlsound.c).
 * @module
 */
import { MediaError, Reader } from "../core/reader.ts";
import { isWav, readWavChunks, type WavFormat } from "./wav.ts";

/** Samples of a sound. */
export interface Samples {
  readonly channels: number;
  /** Frames per second. */
  readonly rate: number;
  /** Samples of all channels of a frame, followed by the next frame: unsigned bytes or signed 16-bit numbers. */
  readonly samples: Uint8Array | Int16Array;
}

const headerBytes = 44;

/** Returns the size of a WAV with that many bytes of samples. */
export function wavSize(sampleBytes: number): number {
  return headerBytes + sampleBytes + sampleBytes % 2;
}

/** Writes a WAV of PCM samples. */
export function encodeWav({ channels, rate, samples }: Samples): Uint8Array<ArrayBuffer> {
  const size = samples.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(wavSize(samples.byteLength));
  const view = new DataView(bytes.buffer);
  const letters = (offset: number, text: string) =>
    Array.from(text).forEach((letter, index) => bytes[offset + index] = letter.charCodeAt(0));
  letters(0, "RIFF");
  view.setUint32(4, bytes.length - 8, true);
  letters(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * channels * size, true);
  view.setUint16(32, channels * size, true);
  view.setUint16(34, size * 8, true);
  letters(36, "data");
  view.setUint32(40, samples.byteLength, true);
  for (let index = 0; index < samples.length; index++) {
    const sample = samples[index] ?? 0;
    if (size === 1) bytes[headerBytes + index] = sample;
    else view.setInt16(headerBytes + index * 2, sample, true);
  }
  return bytes;
}

const dmxHeader = 8;
const dmxPadding = 16;
/** Maximum length after the header of a sound that the engine does not play. */
const dmxSilent = 48;

/** Returns the number of samples of a DMX sound from its header; undefined if it is none. */
export function dmxLength(start: Uint8Array, fileSize: number): number | undefined {
  if (start.length < dmxHeader) return undefined;
  const reader = new Reader(start);
  const [kind, rate, length] = [reader.u16(0), reader.u16(2), reader.u32(4)];
  const isPlayed = kind === 3 && rate > 0 && length > dmxSilent && length <= fileSize - dmxHeader;
  return isPlayed ? length - 2 * dmxPadding : undefined;
}

/**
 * Reads a sound of Doom.
 * @throws {MediaError} if the engine would not play it.
 */
export function decodeDmx(bytes: Uint8Array): Samples {
  const length = dmxLength(bytes, bytes.length);
  if (length === undefined) throw new MediaError("it is no sound of Doom, or cut short", { offset: 0 });
  const reader = new Reader(bytes);
  return { channels: 1, rate: reader.u16(2), samples: reader.slice(dmxHeader + dmxPadding, length, "the samples") };
}

function clamped(sample: number): number {
  return Math.max(-32768, Math.min(32767, sample));
}

const microsoftSteps = [230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230] as const;
/** Weights of the last two samples, by predictor. */
const microsoftWeights = [[256, 0], [512, -256], [0, 0], [192, 64], [240, 0], [460, -208], [392, -232]] as const;

/** Decodes the samples of a block, `frames` per channel, into `target`. */
type DecodeBlock = (reader: Reader, offset: number, frames: number, samples: Int16Array, target: number) => void;

function microsoftBlock(channels: number): DecodeBlock {
  return (reader, offset, frames, samples, target) => {
    const states = Array.from({ length: channels }, (_, channel) => {
      const [first, second] = microsoftWeights[reader.u8(offset + channel)] ?? [];
      if (first === undefined || second === undefined) {
        throw new MediaError(`unknown predictor ${reader.u8(offset + channel)}`, { offset });
      }
      const at16 = (part: number) => reader.i16(offset + channels + (part * channels + channel) * 2);
      return { first, second, step: at16(0), last: at16(1), before: at16(2) };
    });
    states.forEach(({ before, last }, channel) => {
      samples[target + channel] = before;
      if (frames > 1) samples[target + channels + channel] = last;
    });
    const data = offset + channels * 7;
    for (let index = 0; index < (frames - 2) * channels; index++) {
      const state = states[index % channels];
      if (!state) throw new RangeError("a channel is missing");
      const byte = reader.u8(data + (index >> 1));
      const code = index % 2 === 0 ? byte >> 4 : byte & 15;
      const guess = (state.last * state.first + state.before * state.second) >> 8;
      const sample = clamped(guess + (code > 7 ? code - 16 : code) * state.step);
      state.step = Math.max(16, state.step * (microsoftSteps[code] ?? 0) >> 8);
      state.before = state.last;
      state.last = sample;
      samples[target + 2 * channels + index] = sample;
    }
  };
}

const imaChanges = [-1, -1, -1, -1, 2, 4, 6, 8] as const;
const imaSteps: readonly number[] = [
  ...[7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97],
  ...[
    107,
    118,
    130,
    143,
    157,
    173,
    190,
    209,
    230,
    253,
    279,
    307,
    337,
    371,
    408,
    449,
    494,
    544,
    598,
    658,
    724,
    796,
    876,
  ],
  ...[963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358],
  ...[5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086],
  ...[29794, 32767],
];

function imaBlock(channels: number): DecodeBlock {
  return (reader, offset, frames, samples, target) => {
    for (let channel = 0; channel < channels; channel++) {
      let sample = reader.i16(offset + channel * 4);
      let index = Math.min(88, reader.u8(offset + channel * 4 + 2));
      samples[target + channel] = sample;
      for (let frame = 1; frame < frames; frame++) {
        const nibble = frame - 1;
        // Eight samples per channel alternate.
        const data = offset + channels * 4 + ((nibble >> 3) * channels + channel) * 4 + (nibble >> 1 & 3);
        const code = reader.u8(data) >> (nibble & 1) * 4 & 15;
        const step = imaSteps[index] ?? 0;
        let change = step >> 3;
        if (code & 4) change += step;
        if (code & 2) change += step >> 1;
        if (code & 1) change += step >> 2;
        sample = clamped(code & 8 ? sample - change : sample + change);
        index = Math.max(0, Math.min(88, index + (imaChanges[code & 7] ?? 0)));
        samples[target + frame * channels + channel] = sample;
      }
    }
  };
}

/** Returns the number of frames in a block of that many bytes. */
function microsoftFrames(bytes: number, channels: number): number {
  return bytes < channels * 7 ? 0 : 2 + Math.floor((bytes - channels * 7) * 2 / channels);
}

function imaFrames(bytes: number, channels: number): number {
  return bytes < channels * 4 ? 0 : 1 + Math.floor((bytes - channels * 4) / (channels * 4)) * 8;
}

/** Maximum channels of a compressed sound. */
const maxChannels = 8;

function decodeBlocks(data: Uint8Array, { channels, blockBytes, code }: WavFormat): Int16Array {
  const [framesIn, decode] = code === microsoftAdpcm
    ? [microsoftFrames, microsoftBlock(channels)]
    : [imaFrames, imaBlock(channels)];
  if (framesIn(blockBytes, channels) < 1) {
    throw new MediaError(`its blocks of ${blockBytes} bytes are too small for ${channels} channels`);
  }
  const starts = Array.from({ length: Math.ceil(data.length / blockBytes) }, (_, block) => block * blockBytes);
  const frames = starts.map((start) => framesIn(Math.min(blockBytes, data.length - start), channels));
  const samples = new Int16Array(frames.reduce((sum, count) => sum + count, 0) * channels);
  const reader = new Reader(data);
  let target = 0;
  for (const [block, start] of starts.entries()) {
    const count = frames[block] ?? 0;
    if (count > 0) decode(reader, start, count, samples, target);
    target += count * channels;
  }
  return samples;
}

function fromALaw(byte: number): number {
  const value = byte ^ 0x55;
  const [segment, step] = [value >> 4 & 7, value & 15];
  const size = segment === 0 ? step * 16 + 8 : (step * 16 + 264) << segment - 1;
  return value & 0x80 ? size : -size;
}

function fromMuLaw(byte: number): number {
  const value = ~byte & 255;
  const size = (((value & 15) << 3) + 132 << (value >> 4 & 7)) - 132;
  return value & 0x80 ? -size : size;
}

const microsoftAdpcm = 2;
const imaAdpcm = 0x11;
const byteLaws: ReadonlyMap<number, (byte: number) => number> = new Map([[6, fromALaw], [7, fromMuLaw]]);

/** Returns whether a WAV, by its first bytes, has an encoding that is decoded here because few programs support it. */
export function isRareWav(start: Uint8Array): boolean {
  const reader = new Reader(start);
  if (!isWav(reader)) return false;
  const code = readWavChunks(reader).format?.code ?? 1;
  return code === microsoftAdpcm || code === imaAdpcm || byteLaws.has(code);
}

/**
 * Decodes a WAV of Microsoft or IMA ADPCM, A-law or mu-law.
 * @throws {MediaError} if it is of another encoding, or damaged.
 */
export function decodeRareWav(bytes: Uint8Array): Samples {
  const { format, data, frames } = readWavChunks(new Reader(bytes));
  if (!format || !data) throw new MediaError("it has no samples: chunk fmt or data is missing");
  const { code, channels, rate } = format;
  if (channels < 1 || channels > maxChannels) throw new MediaError(`it has ${channels} channels`);
  const law = byteLaws.get(code);
  if (!law && code !== microsoftAdpcm && code !== imaAdpcm) {
    throw new MediaError("its encoding is not decoded; ADPCM, A-law and mu-law are");
  }
  const samples = law ? Int16Array.from(data, law) : decodeBlocks(data, format);
  const length = Math.min(samples.length, frames === undefined ? samples.length : frames * channels);
  return { channels, rate, samples: samples.subarray(0, length - length % channels) };
}
