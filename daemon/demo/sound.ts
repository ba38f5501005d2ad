/**
 * Sounds: tones and noises, as WAV files.
 * @module
 */
import { hash } from "./noise.ts";

/** Amplitude of [-1, 1] at a time in seconds. */
export type Wave = (time: number) => number;

/** Makes a tone that slides from one frequency (in hertz) to another and fades out within `length` seconds. */
export function sweep(from: number, to: number, length: number): Wave {
  return (time) => {
    const cycles = from * time + (to - from) * time * time / (2 * length);
    return Math.sin(2 * Math.PI * cycles) * (1 - time / length) * 0.8;
  };
}

/**
 * Makes noise that fades out within `length` seconds; each value is held for `smoothness` samples, so more is deeper.
 */
export function burst(seed: number, length: number, smoothness: number): Wave {
  return (time) => (2 * hash(Math.floor(time * sampleRate / smoothness), 0, seed) - 1) * (1 - time / length) ** 2 * 0.8;
}

/** Makes tones one after the other, `each` seconds long. */
export function melody(frequencies: readonly number[], each: number): Wave {
  return (time) => {
    const within = time % each;
    const frequency = frequencies[Math.floor(time / each)] ?? 0;
    return Math.sin(2 * Math.PI * frequency * within) * (1 - within / each) * 0.7;
  };
}

/** Makes two tones next to each other that can be repeated without a gap: whole cycles in `length` seconds. */
export function hum(cycles: number, length: number): Wave {
  return (time) =>
    0.4 * Math.sin(2 * Math.PI * cycles * time / length) +
    0.2 * Math.sin(2 * Math.PI * (2 * cycles + 1) * time / length);
}

/** Samples per second: Quake's own rate. */
const sampleRate = 11025;

/** Fades a tone in. */
export function fadedIn(wave: Wave, length: number): Wave {
  return (time) => wave(time) * Math.min(1, time / length);
}

/**
 * Writes a WAV file of `length` seconds: PCM, mono, 16 bits.
 * @param loop Second from which games repeat the sound, written as a cue point after the samples; default: no
 * repetition.
 */
export function encodeWav(wave: Wave, length: number, loop?: number): Uint8Array {
  const samples = Math.round(length * sampleRate);
  const cue = 44 + samples * 2;
  const file = new Uint8Array(cue + (loop === undefined ? 0 : 36));
  const view = new DataView(file.buffer);
  const text = (offset: number, characters: string): void => file.set(new TextEncoder().encode(characters), offset);
  text(0, "RIFF");
  view.setUint32(4, file.length - 8, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // channels
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true); // bytes of a sample
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, samples * 2, true);
  for (let index = 0; index < samples; index++) {
    const amplitude = Math.max(-1, Math.min(1, wave(index / sampleRate)));
    view.setInt16(44 + index * 2, Math.round(amplitude * 32767), true);
  }
  if (loop !== undefined) {
    text(cue, "cue ");
    view.setUint32(cue + 4, 28, true);
    view.setUint32(cue + 8, 1, true); // number of points
    text(cue + 20, "data");
    view.setUint32(cue + 32, Math.round(loop * sampleRate), true);
  }
  return file;
}
