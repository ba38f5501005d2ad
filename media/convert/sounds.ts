/**
 * Converters of sounds to WAV with plain samples.
 * @module
 */
import { decodeDmx, decodeRareWav, dmxLength, encodeWav, isRareWav, wavSize } from "../sounds/samples.ts";
import type { Converter } from "./converter.ts";

/** Converters of sounds. */
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
    paths: /^(?!(.*\/)?(flats|maps|sprites|patches|colormaps)\/)(?!(.*\/)?(playpal|colormap)(~\d+)?$)/,
    to: "wav",
    accepts: (start, fileSize) => dmxLength(start, fileSize) !== undefined,
    convert: ({ bytes }) => Promise.resolve().then(() => encodeWav(decodeDmx(bytes))),
    size: (start, fileSize) => {
      const length = dmxLength(start, fileSize);
      return length === undefined ? undefined : wavSize(length);
    },
  },
];
