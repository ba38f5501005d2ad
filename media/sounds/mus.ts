/**
 * Converts Doom's music format MUS to MIDI, which has the same events in another encoding.
 *
 * A header: `MUS`, 0x1A, u16 bytes of the score, u16 offset of the score. An event: u8 with bits 0 to 3 for the
 * channel, 4 to 6 for the type, bit 7 if a time follows the event, in ticks of 1/140 s, seven bits a byte, the high
 * ones first. Types: 0 note off (u8 note), 1 note on (u8 note; with bit 7 a u8 volume, else the volume of the channel's
 * previous note), 2 pitch (u8, 128 is none), 3 command (u8 10 to 14), 4 controller (u8 0 to 9, u8 value; 0 selects the
 * instrument), 5 end of a measure, 6 end. Channel 15 is percussion, which MIDI has at 9. (`mus2mid` of Chocolate Doom's
 * src/mus2mid.c.)
 * @module
 */
import { MediaError, Reader } from "../core/reader.ts";

const signature = "MUS\x1a";
/** Maximum bytes of a file: the longest music of the games has less than 100,000. */
const maxBytes = 16 * 1024 * 1024;
/** Maximum delta time in MIDI. */
const maxTicks = 0x0fff_ffff;
/** Controllers 1 to 9 and commands 10 to 14 by their numbers in MIDI: bank, modulation, volume, panning ... */
const controllers = [0x20, 0x01, 0x07, 0x0a, 0x0b, 0x5b, 0x5d, 0x40, 0x43, 0x78, 0x7b, 0x7e, 0x7f, 0x79];
/** Controllers up to this one have a value. */
const lastValued = 9;
/** One track with 70 ticks per beat; the default tempo of MIDI is two beats per second. */
const header = [0x4d, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, 0, 70, 0x4d, 0x54, 0x72, 0x6b];
const endOfTrack = [0xff, 0x2f, 0];

/** Returns whether a file begins like MUS. */
export function isMus(start: Uint8Array): boolean {
  return new Reader(start).startsWith(signature);
}

/** Returns whether a file begins like MIDI. */
export function isMidi(start: Uint8Array): boolean {
  return new Reader(start).startsWith("MThd");
}

/** Position in a score. */
class Score {
  readonly #reader: Reader;
  #offset: number;

  constructor(reader: Reader) {
    this.#reader = reader;
    this.#offset = reader.u16(6);
  }

  get offset(): number {
    return this.#offset;
  }

  next(): number {
    return this.#reader.u8(this.#offset++);
  }

  /** Reads a time. */
  ticks(): number {
    let ticks = 0;
    for (;;) {
      const byte = this.next();
      ticks = ticks * 128 + byte % 128;
      if (ticks > maxTicks) throw new MediaError("a pause is too long for MIDI", { offset: this.#offset });
      if (byte < 128) return ticks;
    }
  }
}

/** Returns the encoding of a time in MIDI. */
function timeBytes(ticks: number): number[] {
  const bytes = [ticks & 127];
  for (let rest = ticks >> 7; rest > 0; rest >>= 7) bytes.unshift(rest & 127 | 128);
  return bytes;
}

/** Percussion is the last channel of MUS and the tenth of MIDI. */
function midiChannel(channel: number): number {
  if (channel === 15) return 9;
  return channel < 9 ? channel : channel + 1;
}

/** Reads the rest of an event after its first byte; returns its bytes in MIDI, none if MIDI has no such event. */
function eventBytes(score: Score, type: number, channel: number, volumes: Uint8Array): readonly number[] {
  if (type === 0) return [0x80 | channel, score.next() & 127, 0];
  if (type === 1) {
    const note = score.next();
    if (note >= 128) volumes[channel] = score.next() & 127;
    return [0x90 | channel, note & 127, volumes[channel] ?? 0];
  }
  if (type === 2) {
    const bend = score.next();
    return [0xe0 | channel, bend << 6 & 127, bend >> 1];
  }
  if (type === 5) return [];
  if (type !== 3 && type !== 4) throw new MediaError(`an event has the unknown type ${type}`, { offset: score.offset });
  const number = score.next();
  const value = type === 4 ? score.next() : 0;
  if (type === 4 && number === 0) return [0xc0 | channel, value & 127];
  const controller = number <= lastValued === (type === 4) ? controllers[number - 1] : undefined;
  if (controller === undefined) throw new MediaError(`unknown controller ${number}`, { offset: score.offset });
  return [0xb0 | channel, controller, Math.min(value, 127)];
}

/** Converts MUS to a MIDI file of one track. */
function musToMidi(bytes: Uint8Array): Uint8Array {
  if (bytes.length > maxBytes) throw new MediaError(`it has ${bytes.length} bytes; up to ${maxBytes} are converted`);
  if (!isMus(bytes)) throw new MediaError("it does not begin as MUS", { offset: 0 });
  const score = new Score(new Reader(bytes));
  const volumes = new Uint8Array(16).fill(127);
  const track: number[] = [];
  let ticks = 0;
  for (;;) {
    const event = score.next();
    const type = event >> 4 & 7;
    if (type === 6) break;
    const midi = eventBytes(score, type, midiChannel(event & 15), volumes);
    if (midi.length > 0) {
      track.push(...timeBytes(ticks), ...midi);
      ticks = 0;
    }
    if (event >= 128) ticks += score.ticks();
    if (ticks > maxTicks) throw new MediaError("a pause is too long for MIDI", { offset: score.offset });
  }
  track.push(...timeBytes(ticks), ...endOfTrack);
  const file = new Uint8Array(header.length + 4 + track.length);
  file.set(header);
  new DataView(file.buffer).setUint32(header.length, track.length);
  file.set(track, header.length + 4);
  return file;
}

/**
 * Converts music in MUS to MIDI; returns a MIDI file unchanged.
 * @throws {MediaError} if it is neither, is damaged, has no end, or is too large.
 */
export function midiOf(bytes: Uint8Array): Uint8Array {
  return isMidi(bytes) ? bytes : musToMidi(bytes);
}
