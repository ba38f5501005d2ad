/**
 * Reads the header and the waveform of a WAV.
 *
 * RIFF: `RIFF`, u32 length, `WAVE`, then chunks of a name, a u32 length and content, padded to even lengths. `fmt `:
 * u16 format (1 PCM, 3 float, 2 and 0x11 ADPCM, 0xFFFE: the format is at byte 24), u16 channels, u32 rate, u32 bytes
 * per second, u16 bytes of a frame, u16 bits. `cue `: u32 count, then 24 bytes each whose last u32 is a frame: Quake
 * repeats a sound from the first cue point on (id-Software/Quake `snd_mem.c`). (Microsoft, Multiple Channel Audio Data
 * and WAVE Files.)
 * @module
 */
import { MediaError, Reader } from "../core/reader.ts";

/** Facts of a sound. */
export interface Sound {
  /** `PCM`, `float`, `Vorbis`, or the name or number of another encoding. */
  readonly encoding: string;
  readonly channels: number;
  /** Frames per second. */
  readonly rate: number;
  /** Bits of a sample; null if the file holds no PCM samples. */
  readonly bits: number | null;
  /** Seconds. */
  readonly length: number;
  /** Number of frames; null if the encoding does not define it. */
  readonly frames: number | null;
  /** Frame from which a game repeats it; null if it is played once. */
  readonly loop: number | null;
  /** Maximum amplitude, from 0 to 1; null if samples cannot be read. */
  readonly peak: number | null;
  /** Lowest and highest amplitude of each of equal parts, -1 to 1; empty if samples cannot be read. */
  readonly waveform: readonly (readonly [low: number, high: number])[];
  /** Title, artist and other tags by their upper-case names; absent if there are none. */
  readonly tags?: Record<string, string>;
}

const encodings: ReadonlyMap<number, string> = new Map([
  [1, "PCM"],
  [2, "Microsoft ADPCM"],
  [3, "float"],
  [6, "A-law"],
  [7, "mu-law"],
  [0x11, "IMA ADPCM"],
  [0x55, "MP3"],
]);

/** Format of the samples of a WAV. */
export interface WavFormat {
  /** Number of the encoding. */
  readonly code: number;
  readonly channels: number;
  readonly rate: number;
  readonly bytesPerSecond: number;
  /** Bytes of a frame, or of a compressed block of frames. */
  readonly blockBytes: number;
  readonly bits: number;
}

/** Chunks of a WAV. */
export interface WavChunks {
  format?: WavFormat;
  data?: Uint8Array;
  /** Number of frames according to chunk `fact`. */
  frames?: number;
  loop: number | null;
}

/** Reads the chunks of a WAV, which may be truncated. */
export function readWavChunks(reader: Reader): WavChunks {
  const chunks: WavChunks = { loop: null };
  for (let offset = 12; offset + 8 <= reader.length;) {
    // A last chunk that is truncated, or has an invalid length, is read to the end of the file.
    const length = Math.min(reader.u32(offset + 4), reader.length - offset - 8);
    const start = offset + 8;
    if (reader.startsWith("fmt ", offset) && length >= 16) {
      const code = reader.u16(start);
      chunks.format = {
        code: code === 0xfffe && length >= 26 ? reader.u16(start + 24) : code,
        channels: reader.u16(start + 2),
        rate: reader.u32(start + 4),
        bytesPerSecond: reader.u32(start + 8),
        blockBytes: reader.u16(start + 12),
        bits: reader.u16(start + 14),
      };
    } else if (reader.startsWith("data", offset) && !chunks.data) {
      chunks.data = reader.slice(start, length, "the samples");
    } else if (reader.startsWith("fact", offset) && length >= 4) {
      chunks.frames = reader.u32(start);
    } else if (reader.startsWith("cue ", offset) && length >= 28 && reader.u32(start) > 0) {
      chunks.loop = reader.u32(start + 24);
    }
    offset = start + length + length % 2;
  }
  return chunks;
}

/** Reads one sample as an amplitude from -1 to 1; undefined for encodings other than plain numbers. */
function sampleReader(code: number, bits: number, data: Uint8Array): ((offset: number) => number) | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (code === 1 && bits === 8) return (offset) => (view.getUint8(offset) - 128) / 128;
  if (code === 1 && bits === 16) return (offset) => view.getInt16(offset, true) / 32768;
  if (code === 1 && bits === 24) {
    return (offset) => (view.getUint16(offset, true) + view.getInt8(offset + 2) * 65536) / 8388608;
  }
  if (code === 1 && bits === 32) return (offset) => view.getInt32(offset, true) / 2147483648;
  if (code === 3 && bits === 32) return (offset) => Math.max(-1, Math.min(1, view.getFloat32(offset, true) || 0));
  return undefined;
}

/** Returns the lowest and highest amplitude of `parts` equal parts of the frames. */
function measure(
  frames: number,
  frameBytes: number,
  size: number,
  parts: number,
  sampleAt: (offset: number) => number,
) {
  const count = Math.min(parts, frames);
  return Array.from({ length: count }, (_, part): [number, number] => {
    const end = Math.floor((part + 1) * frames / count) * frameBytes;
    let low = 1;
    let high = -1;
    for (let offset = Math.floor(part * frames / count) * frameBytes; offset + size <= end; offset += size) {
      const amplitude = sampleAt(offset);
      if (amplitude < low) low = amplitude;
      if (amplitude > high) high = amplitude;
    }
    return [low, high];
  });
}

/**
 * Reads a WAV.
 * @param parts Maximum number of parts of the waveform.
 * @throws {MediaError} if it is no WAV.
 */
export function readWav(bytes: Uint8Array, parts: number): Sound {
  const reader = new Reader(bytes);
  if (!isWav(reader)) throw new MediaError("it does not begin like a WAV", { offset: 0 });
  const { format, data, loop } = readWavChunks(reader);
  if (!format) throw new MediaError("its format is unknown: chunk fmt is missing");
  if (!data) throw new MediaError("it has no samples: chunk data is missing");
  const { code, channels, rate, bits, blockBytes: frameBytes, bytesPerSecond } = format;
  const size = bits / 8;
  const sampleAt = frameBytes > 0 && frameBytes === size * channels ? sampleReader(code, bits, data) : undefined;
  const frames = sampleAt ? Math.floor(data.length / frameBytes) : null;
  const waveform = sampleAt && frames !== null ? measure(frames, frameBytes, size, parts, sampleAt) : [];
  const peak = waveform.reduce((most, [low, high]) => Math.max(most, -low, high), 0);
  const seconds = frames !== null && rate > 0 ? frames / rate : bytesPerSecond > 0 ? data.length / bytesPerSecond : 0;
  return {
    encoding: encodings.get(code) ?? `encoding ${code}`,
    channels,
    rate,
    bits,
    length: seconds,
    frames,
    loop,
    peak: sampleAt ? peak : null,
    waveform,
  };
}

/** Returns whether a file begins like a WAV. */
export function isWav(reader: Reader): boolean {
  return reader.startsWith("RIFF") && reader.startsWith("WAVE", 8);
}
