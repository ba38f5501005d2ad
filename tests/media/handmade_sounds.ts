/**
 * Small compressed files without audio data.
 * @module
 */
import { hex, join, text, u16, u32 } from "../formats/bytes.ts";

/** Declared properties of a sound. */
export interface SaidOfSound {
  readonly frames: number;
  readonly rate?: number;
  readonly channels?: number;
  readonly tags?: readonly string[];
}

/** A page of an Ogg that holds whole packets. */
export function oggPage(stream: number, flags: number, frames: number, packets: readonly Uint8Array[]): Uint8Array {
  const lengths = packets.flatMap(({ length }) => [...Array<number>(Math.floor(length / 255)).fill(255), length % 255]);
  return join(
    ...[text("OggS"), Uint8Array.of(0, flags), u32(frames, 0, stream, 0, 0)],
    ...[Uint8Array.of(lengths.length, ...lengths), ...packets],
  );
}

function comments(tags: readonly string[] = ["TITLE=Gate", "LOOP_START=7"]): Uint8Array {
  return join(u32(2), text("me"), u32(tags.length), ...tags.flatMap((tag) => [u32(text(tag).length), text(tag)]));
}

function oggOf(head: Uint8Array, tags: Uint8Array, frames: number, stream = 1): Uint8Array {
  return join(
    ...[oggPage(stream, 2, 0, [head]), oggPage(stream, 0, 0, [tags])],
    ...[
      oggPage(stream, 0, Math.floor(frames / 2), [new Uint8Array(3)]),
      oggPage(stream, 4, frames, [new Uint8Array(9)]),
    ],
  );
}

/** An Ogg with Vorbis. */
export function vorbis({ frames, rate = 22_050, channels = 1, tags }: SaidOfSound, stream?: number): Uint8Array {
  const head = join(text("\x01vorbis"), u32(0), Uint8Array.of(channels), u32(rate, 0, 64_000, 0), hex("b801"));
  return oggOf(head, join(text("\x03vorbis"), comments(tags), hex("01")), frames, stream);
}

/** Number of an Opus's frames that are not played. */
export const opusDelay = 312;

/** An Ogg with Opus. */
export function opus({ frames, channels = 2, tags }: SaidOfSound): Uint8Array {
  const head = join(text("OpusHead"), Uint8Array.of(1, channels), u16(opusDelay), u32(44_100), hex("000000"));
  return oggOf(head, join(text("OpusTags"), comments(tags)), frames + opusDelay);
}

function flacInfo({ frames, rate = 22_050, channels = 1 }: SaidOfSound): Uint8Array {
  const properties = [rate >> 12, rate >> 4 & 255, (rate & 15) << 4 | channels - 1 << 1, 0xf0];
  const count = [24, 16, 8, 0].map((shift) => frames >> shift & 255);
  return join(hex("00000022 1000 1000 000000 000000"), Uint8Array.of(...properties, ...count), new Uint8Array(16));
}

/** A FLAC. */
export function flac(said: SaidOfSound): Uint8Array {
  const tags = comments(said.tags);
  return join(text("fLaC"), flacInfo(said), Uint8Array.of(0x84, 0, tags.length >> 8, tags.length & 255), tags);
}

/** An Ogg with FLAC. */
export function oggFlac(said: SaidOfSound): Uint8Array {
  const tags = comments(said.tags);
  const second = join(Uint8Array.of(0x84, 0, tags.length >> 8, tags.length & 255), tags);
  return oggOf(join(text("\x7fFLAC"), hex("0100 0001"), text("fLaC"), flacInfo(said)), second, said.frames);
}

/** An MP3 of `frames` frames of 1,152 samples, after a tag and a frame with the number of added samples. */
export function mp3({ frames, tags = ["Gate"] }: SaidOfSound, added = [576, 1000] as const): Uint8Array {
  const header = hex("fffb 90c4"); // MPEG 1, layer III, 128 kbit/s, 44,100 Hz, mono
  const size = 417;
  const title = join(hex("03"), text(tags.join("\0")));
  const frame = join(text("TIT2"), Uint8Array.of(0, 0, 0, title.length, 0, 0), title);
  const [before, after] = added;
  const delay = Uint8Array.of(before >> 4, (before & 15) << 4 | after >> 8, after & 255);
  const lame = join(header, new Uint8Array(17), text("Xing"), u32(0), text("LAME3.100"), new Uint8Array(12), delay);
  const padded = (bytes: Uint8Array) => join(bytes, new Uint8Array(size - bytes.length));
  return join(
    ...[text("ID3"), Uint8Array.of(4, 0, 0, 0, 0, 0, frame.length), frame, padded(lame)],
    ...Array.from({ length: frames }, () => padded(header)),
  );
}
