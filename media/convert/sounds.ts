/**
 * Converters of sounds to WAV with plain samples, and of music to MIDI.
 * @module
 */
import { decodeDmx, decodeRareWav, dmxLength, encodeWav, isRareWav, wavSize } from "../sounds/samples.ts";
import { Reader } from "../core/reader.ts";
import { isWav } from "../sounds/wav.ts";
import { isMidi, isMus, midiOf } from "../sounds/mus.ts";
import type { Converter } from "./converter.ts";

/** Paths except those of lumps that are pictures or parts of maps. */
const soundPaths = /^(?!(.*\/)?(flats|maps|sprites|patches|colormaps)\/)(?!(.*\/)?(playpal|colormap)(~\d+)?$)/;

/** Converters of sounds and music. */
export const soundConverters: readonly Converter[] = [
  {
    name: "wav-wav",
    title: "sounds in ADPCM, A-law and mu-law",
    extensions: ["wav"],
    to: "wav",
    accepts: isRareWav,
    convert: ({ bytes }) => Promise.resolve().then(() => encodeWav(decodeRareWav(bytes))),
  },
  {
    name: "dmx-wav",
    title: "sounds of Doom",
    extensions: [""],
    paths: soundPaths,
    to: "wav",
    accepts: (start, fileSize) => dmxLength(start, fileSize) !== undefined,
    convert: ({ bytes }) => Promise.resolve().then(() => encodeWav(decodeDmx(bytes))),
    size: (start, fileSize) => {
      const length = dmxLength(start, fileSize);
      return length === undefined ? undefined : wavSize(length);
    },
  },
  {
    name: "lump-wav",
    title: "lumps that are WAV",
    extensions: [""],
    paths: soundPaths,
    to: "wav",
    accepts: (start) => isWav(new Reader(start)),
    convert: ({ bytes }) => Promise.resolve().then(() => isRareWav(bytes) ? encodeWav(decodeRareWav(bytes)) : bytes),
    size: (start, fileSize) => isWav(new Reader(start)) && !isRareWav(start) ? fileSize : undefined,
  },
  {
    name: "mus-mid",
    title: "music of Doom, Heretic and Hexen",
    extensions: ["mus"],
    to: "mid",
    convert: ({ bytes }) => Promise.resolve().then(() => midiOf(bytes)),
  },
  {
    name: "lump-mid",
    title: "lumps that are such music, or MIDI as it is",
    extensions: [""],
    paths: soundPaths,
    to: "mid",
    accepts: (start) => isMus(start) || isMidi(start),
    convert: ({ bytes }) => Promise.resolve().then(() => midiOf(bytes)),
    size: (start, fileSize) => isMidi(start) ? fileSize : undefined,
  },
];
