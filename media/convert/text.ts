/**
 * Converters of entities and tables to JSON, and of lumps that are text.
 * @module
 */
import { Reader } from "../core/reader.ts";
import { isInstruments, readInstruments, readPatchNames, readPatchTextures, readTextScreen } from "../doom_lumps.ts";
import { readBsp } from "../maps/bsp.ts";
import { type Entity, parseEntities } from "../maps/entities.ts";
import { isTextureWad, readWad } from "../pictures/wad.ts";
import type { Converter, NamedFile, Surroundings } from "./converter.ts";

const encoder = new TextEncoder();
const latin = new TextDecoder("windows-1252");

function json(value: unknown): Uint8Array {
  return encoder.encode(`${JSON.stringify(value, undefined, 2)}\n`);
}

function entitiesJson(entities: readonly Entity[]): Uint8Array {
  return json(entities.map((entity) => Object.fromEntries(entity)));
}

/** Returns a row whose function reads only the file. */
function row(converter: Omit<Converter, "convert"> & { read: (file: NamedFile) => Uint8Array }): Converter {
  const { read, ...rest } = converter;
  return { ...rest, convert: (file) => Promise.resolve().then(() => read(file)) };
}

/** Textures with the names of their patches. */
async function texturesJson({ qpath, bytes }: NamedFile, surroundings: Surroundings): Promise<Uint8Array> {
  const textures = readPatchTextures(bytes);
  const names = await surroundings.file(qpath.replace(/[^/]*$/, "PNAMES"));
  const known = names ? readPatchNames(names.bytes) : [];
  return json(textures.map(({ patches, ...texture }) => ({
    ...texture,
    patches: patches.map(({ number, left, top }) => ({ patch: known[number] ?? number, left, top })),
  })));
}

/** Returns whether a file begins like text: no NUL, and few control characters. */
export function isText(start: Uint8Array): boolean {
  let controls = 0;
  for (const byte of start) {
    if (byte === 0) return false;
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) controls++;
  }
  return start.length > 0 && controls * 10 <= start.length;
}

/** Converters of text. */
export const textConverters: readonly Converter[] = [
  row({
    name: "bsp-json",
    title: "entities of maps",
    extensions: ["bsp"],
    to: "json",
    read: ({ bytes }) => entitiesJson(readBsp(bytes).entities),
  }),
  row({
    name: "ent-json",
    title: "entities next to maps",
    extensions: ["ent"],
    to: "json",
    read: ({ bytes }) => entitiesJson(parseEntities(latin.decode(bytes))),
  }),
  row({
    name: "wad-json",
    title: "lists of texture WADs",
    extensions: ["wad"],
    to: "json",
    accepts: (start) => isTextureWad(new Reader(start)),
    read: ({ bytes }) => json(readWad(bytes)),
  }),
  row({
    name: "pnames-json",
    title: "names of Doom's patches",
    extensions: [""],
    paths: /(^|\/)pnames(~\d+)?$/,
    to: "json",
    read: ({ bytes }) => json(readPatchNames(bytes)),
  }),
  {
    name: "texture1-json",
    title: "textures of Doom and their patches",
    extensions: [""],
    paths: /(^|\/)texture[12](~\d+)?$/,
    to: "json",
    convert: texturesJson,
  },
  row({
    name: "endoom-txt",
    title: "text screens of Doom, Heretic, Hexen and Strife",
    extensions: [""],
    paths: /(^|\/)(endoom|endtext|endstrf|endboom|loading)(~\d+)?$/,
    to: "txt",
    accepts: (_, fileSize) => fileSize === 4000,
    read: ({ bytes }) => encoder.encode(readTextScreen(bytes).map((line) => `${line}\n`).join("")),
  }),
  row({
    name: "genmidi-txt",
    title: "instruments of Doom's music",
    extensions: [""],
    paths: /(^|\/)genmidi(~\d+)?$/,
    to: "txt",
    accepts: (start) => isInstruments(start),
    read: ({ bytes }) => encoder.encode(readInstruments(bytes).map((line) => `${line}\n`).join("")),
  }),
  row({
    name: "lump-txt",
    title: "lumps that are text, as they are",
    extensions: [""],
    paths: /^(?!(.*\/)?(flats|sprites|patches|colormaps)\/)(?!(.*\/)?(playpal|colormap)(~\d+)?$)/,
    to: "txt",
    isCopy: true,
    accepts: isText,
    read: ({ bytes }) => bytes,
    size: (start, fileSize) => isText(start) ? fileSize : undefined,
  }),
];
