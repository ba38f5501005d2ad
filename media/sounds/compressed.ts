/**
 * Reads metadata of compressed sounds: Ogg with Vorbis, Opus or FLAC, FLAC, and MP3. No sample is decoded.
 *
 * Ogg (RFC 3533): pages of `OggS`, u8 0, u8 flags (2: begins a stream, 4: ends it), u64 frames at the end of the page
 * (all ones: no packet ends), u32 stream, u32 number, u32 CRC, u8 segments, a u8 length of each; a packet ends with a
 * segment of less than 255 bytes. The first packet of a stream names its codec, the second holds comments. Vorbis I:
 * `\x01vorbis`, u32 0, u8 channels, u32 rate; `\x03vorbis`. Opus (RFC 7845): `OpusHead`, u8 version, u8 channels, u16
 * frames that are not played, u32 rate of the input, always played at 48,000 Hz; `OpusTags`. Ogg FLAC: `\x7fFLAC`, u8
 * 1, u8 0, u16 packets, `fLaC`, a block. FLAC (RFC 9639): `fLaC`, then blocks of u8 kind (high bit: the last),
 * big-endian u24 length. Comments are little-endian: u32 length and maker, u32 count, each a u32 length and
 * `NAME=value`. MP3 (ISO 11172-3, 13818-3): frames of a big-endian header, 11 bits set; `Xing` or `Info` in the first
 * frame is no sound, and stores the added samples before and after it after `LAME`. ID3v2: `ID3`, version, flags,
 * length of 4 x 7 bits.
 * @module
 */
import { MediaError, Reader } from "../core/reader.ts";
import type { Sound } from "./wav.ts";

const decoder = new TextDecoder();
/** Names of shown tags, and maximum characters of a value: a tag may be a picture. */
const maxTags = 64;
const maxTag = 1000;
/** Maximum bytes of the first packets of a stream; a larger comment holds a picture. */
const maxPacket = 1024 * 1024;

/** Facts of a sound, without its samples. */
type Facts = Pick<Sound, "encoding" | "channels" | "rate" | "frames"> & { readonly tags: Map<string, string> };

function soundOf({ encoding, channels, rate, frames, tags }: Facts): Sound {
  if (rate < 1 || channels < 1) throw new MediaError(`it has ${channels} channels of ${rate} Hz`);
  const loop = Number(tags.get("LOOP_START") ?? tags.get("LOOPSTART") ?? Number.NaN);
  return {
    encoding,
    channels,
    rate,
    bits: null,
    length: (frames ?? 0) / rate,
    frames,
    loop: Number.isSafeInteger(loop) && loop >= 0 ? loop : null,
    peak: null,
    waveform: [],
    ...tags.size > 0 && { tags: Object.fromEntries(tags) },
  };
}

/** Adds a tag; several of one name are joined. */
function addTag(tags: Map<string, string>, name: string, value: string): void {
  const key = name.toUpperCase();
  if (tags.size >= maxTags || key === "" || value.length > maxTag) return;
  const before = tags.get(key);
  tags.set(key, before === undefined ? value : `${before}; ${value}`.slice(0, maxTag));
}

/** Reads comments as far as they are complete. */
function readComments(reader: Reader, start: number, tags: Map<string, string>): void {
  let offset = start + 4 + reader.u32(start);
  const count = Math.min(reader.u32(offset), 65_536);
  offset += 4;
  for (let index = 0; index < count && offset + 4 <= reader.length; index++) {
    const length = reader.u32(offset);
    if (offset + 4 + length > reader.length) return;
    const bytes = reader.slice(offset + 4, length, "a comment");
    const equals = bytes.indexOf(0x3d);
    if (equals > 0) addTag(tags, decoder.decode(bytes.subarray(0, equals)), decoder.decode(bytes.subarray(equals + 1)));
    offset += 4 + length;
  }
}

// --- Ogg ---

/** A stream in an Ogg. */
interface Stream {
  /** The first packets, if they are short. */
  readonly packets: Uint8Array[];
  /** Chunks of the unfinished packet, and their length. */
  pieces: Uint8Array[];
  size: number;
  /** Frames at the end of the last page. */
  frames: number;
}

/** Packets of a stream that hold its codec and its tags. */
const headPackets = 2;

function addSegments(stream: Stream, reader: Reader, page: number, segments: number): void {
  let offset = page + 27 + segments;
  for (let index = 0; index < segments && stream.packets.length < headPackets; index++) {
    const length = reader.u8(page + 27 + index);
    if (stream.size + length <= maxPacket) stream.pieces.push(reader.slice(offset, length, "a packet"));
    stream.size += length;
    offset += length;
    if (length === 255) continue;
    const packet = new Uint8Array(stream.pieces.reduce((sum, piece) => sum + piece.length, 0));
    let end = 0;
    for (const piece of stream.pieces) {
      packet.set(piece, end);
      end += piece.length;
    }
    stream.packets.push(packet);
    stream.pieces = [];
    stream.size = 0;
  }
}

/** Reads the pages of an Ogg, which may be truncated. */
function readStreams(reader: Reader): Stream[] {
  const streams: Stream[] = [];
  const open = new Map<number, Stream>();
  for (let page = 0; page + 27 <= reader.length;) {
    if (!reader.startsWith("OggS", page)) throw new MediaError("a page of the Ogg is missing", { offset: page });
    const serial = reader.u32(page + 14);
    const segments = reader.u8(page + 26);
    let stream = open.get(serial);
    if (!stream || reader.u8(page + 5) & 2) {
      stream = { packets: [], pieces: [], size: 0, frames: 0 };
      streams.push(stream);
      open.set(serial, stream);
    }
    let size = 27 + segments;
    for (let index = 0; index < segments; index++) size += reader.u8(page + 27 + index);
    reader.require(page, size, "a page of the Ogg");
    addSegments(stream, reader, page, segments);
    const frames = reader.u32(page + 6) + reader.u32(page + 10) * 2 ** 32;
    if (Number.isSafeInteger(frames)) stream.frames = frames;
    page += size;
  }
  return streams;
}

/** Returns the facts of a stream; undefined if it is no known sound. */
function factsOfStream({ packets: [head, comments], frames: end }: Stream): Facts | undefined {
  const reader = new Reader(head ?? new Uint8Array(0));
  const tags = new Map<string, string>();
  const tagsAfter = (mark: string) => {
    const second = new Reader(comments ?? new Uint8Array(0));
    if (second.startsWith(mark)) readComments(second, mark.length, tags);
  };
  if (reader.startsWith("\x01vorbis")) {
    tagsAfter("\x03vorbis");
    return { encoding: "Vorbis", channels: reader.u8(11), rate: reader.u32(12), frames: end, tags };
  }
  if (reader.startsWith("OpusHead")) {
    tagsAfter("OpusTags");
    const frames = Math.max(0, end - reader.u16(10));
    return { encoding: "Opus", channels: reader.u8(9), rate: 48_000, frames, tags };
  }
  if (!reader.startsWith("\x7fFLAC")) return undefined;
  const second = new Reader(comments ?? new Uint8Array(0));
  if (second.length > 4 && (second.u8(0) & 0x7f) === flacComments) readComments(second, 4, tags);
  const info = flacInfo(reader, 17);
  return { ...info, frames: info.frames ?? end, tags };
}

function readOgg(reader: Reader): Sound {
  const sounds = readStreams(reader).map(factsOfStream).filter((facts) => facts !== undefined);
  const [first] = sounds;
  if (!first) throw new MediaError("it is an Ogg without Vorbis, Opus or FLAC");
  // Consecutive sounds are played as one.
  const isAlike = ({ encoding, rate }: Facts) => encoding === first.encoding && rate === first.rate;
  const frames = sounds.filter(isAlike).reduce((sum, one) => sum + (one.frames ?? 0), 0);
  return soundOf({ ...first, frames });
}

// --- FLAC ---

const flacComments = 4;

/** Reads a block with the properties of the stream: RFC 9639, 8.2. */
function flacInfo(reader: Reader, offset: number): Omit<Facts, "tags"> {
  const [a, b, c, d] = [10, 11, 12, 13].map((at) => reader.u8(offset + at)) as [number, number, number, number];
  const low = [14, 15, 16, 17].reduce((sum, at) => sum * 256 + reader.u8(offset + at), 0);
  const frames = (d & 15) * 2 ** 32 + low;
  return {
    encoding: "FLAC",
    channels: (c >> 1 & 7) + 1,
    rate: a << 12 | b << 4 | c >> 4,
    frames: frames === 0 ? null : frames,
  };
}

function readFlac(reader: Reader): Sound {
  const tags = new Map<string, string>();
  let info: Omit<Facts, "tags"> | undefined;
  for (let offset = 4; offset + 4 <= reader.length;) {
    const kind = reader.u8(offset);
    const length = reader.u8(offset + 1) << 16 | reader.u8(offset + 2) << 8 | reader.u8(offset + 3);
    const block = new Reader(reader.slice(offset + 4, length, "a block of the FLAC"));
    if ((kind & 0x7f) === 0) info ??= flacInfo(block, 0);
    else if ((kind & 0x7f) === flacComments) readComments(block, 0, tags);
    if (kind >= 0x80) break;
    offset += 4 + length;
  }
  if (!info) throw new MediaError("the block with the properties of the FLAC is missing");
  return soundOf({ ...info, tags });
}

// --- MP3 ---

/** Tags of ID3v2 by the names of its frames. */
const id3Names: ReadonlyMap<string, string> = new Map([
  ["TIT2", "TITLE"],
  ["TPE1", "ARTIST"],
  ["TALB", "ALBUM"],
  ["TCON", "GENRE"],
  ["TRCK", "TRACKNUMBER"],
  ["TYER", "DATE"],
  ["TDRC", "DATE"],
]);
/** Text encodings of ID3v2. */
const id3Encodings = ["windows-1252", "utf-16", "utf-16be", "utf-8"] as const;

function sevenBits(reader: Reader, offset: number): number {
  return [0, 1, 2, 3].reduce((sum, at) => sum * 128 + (reader.u8(offset + at) & 0x7f), 0);
}

/** Reads the tags before an MP3; returns the offset of its frames. */
function readId3(reader: Reader, tags: Map<string, string>): number {
  if (!reader.startsWith("ID3") || reader.length < 10) return 0;
  const version = reader.u8(3);
  const end = 10 + sevenBits(reader, 6);
  for (let offset = 10; version >= 3 && offset + 10 <= Math.min(end, reader.length);) {
    const id = reader.text(offset, 4);
    const length = version === 4 ? sevenBits(reader, offset + 4) : bigEndian(reader, offset + 4);
    if (!/^[A-Z0-9]{4}$/.test(id) || offset + 10 + length > reader.length) break;
    const name = id3Names.get(id);
    if (name !== undefined && length > 1 && length <= maxTag) {
      const encoding = id3Encodings[reader.u8(offset + 10)];
      const bytes = reader.slice(offset + 11, length - 1, "a tag");
      if (encoding) {
        addTag(tags, name, new TextDecoder(encoding).decode(bytes).replace(/\0+$/, "").replaceAll("\0", "; "));
      }
    }
    offset += 10 + length;
  }
  return end;
}

function bigEndian(reader: Reader, offset: number): number {
  return [0, 1, 2, 3].reduce((sum, at) => sum * 256 + reader.u8(offset + at), 0);
}

/** Bit rates of layer III in kbit/s by the number in the header: MPEG 1, and 2 or 2.5. */
const bitRates = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const sampleRates = [44_100, 48_000, 32_000] as const;

/** Header of a frame of layer III. */
interface Mp3Frame {
  readonly size: number;
  readonly rate: number;
  readonly channels: number;
  /** Samples per channel. */
  readonly samples: number;
  /** Offset of `Xing` in the frame. */
  readonly side: number;
}

/** Reads the header of a frame; undefined if invalid. */
function mp3Frame(reader: Reader, offset: number): Mp3Frame | undefined {
  if (offset + 4 > reader.length || reader.u8(offset) !== 0xff) return undefined;
  const [second, third, fourth] = [reader.u8(offset + 1), reader.u8(offset + 2), reader.u8(offset + 3)];
  const version = second >> 3 & 3; // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
  const bitRate = bitRates[version === 3 ? 0 : 1][third >> 4] ?? 0;
  const base = sampleRates[third >> 2 & 3];
  if ((second & 0xe0) !== 0xe0 || version === 1 || (second >> 1 & 3) !== 1 || bitRate === 0 || !base) return undefined;
  const rate = version === 3 ? base : version === 2 ? base / 2 : base / 4;
  const samples = version === 3 ? 1152 : 576;
  const channels = fourth >> 6 === 3 ? 1 : 2;
  const side = 4 + (version === 3 ? channels === 1 ? 17 : 32 : channels === 1 ? 9 : 17);
  return { size: Math.floor(samples / 8 * bitRate * 1000 / rate) + (third >> 1 & 1), rate, channels, samples, side };
}

/** Maximum bytes between frames. */
const maxJunk = 65_536;

/** Returns the offset of the next frame that is followed by another one or the end; undefined if there is none. */
function nextFrame(reader: Reader, from: number): number | undefined {
  for (let offset = from; offset < Math.min(reader.length, from + maxJunk); offset++) {
    const frame = mp3Frame(reader, offset);
    const next = offset + (frame?.size ?? 0);
    if (frame && (next >= reader.length || reader.startsWith("TAG", next) || mp3Frame(reader, next))) return offset;
  }
  return undefined;
}

/** Returns the samples added by an encoder from an info frame; undefined for a frame with sound. */
function addedSamples(reader: Reader, offset: number, { side }: Mp3Frame): number | undefined {
  const start = offset + side;
  if (!reader.startsWith("Xing", start) && !reader.startsWith("Info", start)) return undefined;
  const flags = bigEndian(reader, start + 4);
  const maker = start + 8 + (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0) + (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0);
  if (!reader.startsWith("LAME", maker) && !reader.startsWith("Lav", maker)) return 0;
  const [a, b, c] = [21, 22, 23].map((at) => reader.u8(maker + at)) as [number, number, number];
  return (a << 4 | b >> 4) + ((b & 15) << 8 | c);
}

function readMp3(reader: Reader): Sound {
  const tags = new Map<string, string>();
  const begin = nextFrame(reader, readId3(reader, tags));
  const first = begin === undefined ? undefined : mp3Frame(reader, begin);
  if (begin === undefined || !first) throw new MediaError("it has no frame of an MP3");
  const added = addedSamples(reader, begin, first);
  let frames = 0;
  for (let offset: number | undefined = added === undefined ? begin : begin + first.size; offset !== undefined;) {
    const frame = mp3Frame(reader, offset);
    frames += frame?.samples ?? 0;
    offset = frame ? offset + frame.size : nextFrame(reader, offset);
    if (offset !== undefined && (offset >= reader.length || reader.startsWith("TAG", offset))) break;
  }
  return soundOf({ ...first, encoding: "MPEG layer III", frames: Math.max(0, frames - (added ?? 0)), tags });
}

/**
 * Reads a compressed sound.
 * @throws {MediaError} if it is damaged or of another format.
 */
export function readCompressedSound(bytes: Uint8Array): Sound {
  const reader = new Reader(bytes);
  if (reader.startsWith("OggS")) return readOgg(reader);
  return reader.startsWith("fLaC") ? readFlac(reader) : readMp3(reader);
}
