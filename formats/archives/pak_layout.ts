/**
 * Telling Quake's PAK from Daikatana's: both begin with `PACK`, and only their entries differ, 64 bytes against 72.
 *
 * A layout whose entries alone fill the directory is it, if they make sense. Otherwise both are tried on every entry,
 * and the one that more entries fit is it; of two that fit as well, the one whose names end more often as game files do.
 * An empty directory is Quake's. A directory of which not one entry makes sense is another game's.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { UnknownFormatError } from "../core/errors.ts";
import { nameField, viewOf } from "./fixed_records.ts";
import { type PakShape, pakTable } from "./pak_directory.ts";

/** Quake's header and entries. */
export const quakeShape: PakShape = {
  title: "a Quake PAK",
  magic: "PACK",
  size: 12,
  entrySize: 64,
  nameSize: 56,
};

/** Daikatana's header and entries. */
export const daikatanaShape: PakShape = { ...quakeShape, title: "a Daikatana PAK", entrySize: 72 };

/** Whose entries a directory holds. */
export type PakLayout = "quake" | "daikatana";

/** Types of Daikatana's entries: stored and compressed. */
const knownTypes = 2;
const shapes: Readonly<Record<PakLayout, PakShape>> = { quake: quakeShape, daikatana: daikatanaShape };

/** How many entries are looked at where the length of the directory already names the layout. */
const sampledEntries = 16;
/** Bytes of a directory that are looked at to detect its layout, a multiple of both kinds of entries. */
const maxVote = quakeShape.entrySize * daikatanaShape.entrySize * 256;

const gameExtension =
  /\.(?:ase|bik|bmp|bsp|cfg|cin|csv|dat|dcp|dkm|dm2|dll|ent|gsm|lmp|lit|loc|map|md2|md3|mdl|mid|mp3|ogg|pal|pcx|png|qc|rc|scr|smk|sp2|spr|swl|tga|txt|vis|wad|wal|wav|wim)$/i;

/** Which part of its entries fits a layout, from 0 to 1. */
function fitOf(directory: Uint8Array, layout: PakLayout, archiveSize: number): number {
  const { entrySize } = shapes[layout];
  const view = viewOf(directory);
  let plausible = 0;
  for (let start = 0; start + entrySize <= directory.length; start += entrySize) {
    if (isPlausible(directory, view, start, layout, archiveSize)) plausible++;
  }
  return plausible / Math.max(Math.floor(directory.length / entrySize), 1);
}

function isPlausible(
  directory: Uint8Array,
  view: DataView,
  start: number,
  layout: PakLayout,
  archiveSize: number,
): boolean {
  const offset = view.getUint32(start + 56, true);
  if (offset < quakeShape.size) return false;
  const packedSize = view.getUint32(start + (layout === "quake" ? 60 : 64), true);
  if (offset + packedSize > archiveSize) return false;
  if (layout === "daikatana" && view.getUint32(start + 68, true) >= knownTypes) return false;
  // A printable name; what stands behind its NUL does not count.
  for (let at = start; at < start + quakeShape.nameSize; at++) {
    const byte = directory[at] ?? 0;
    if (byte === 0) return at > start;
    if (byte < 0x20 || byte === 0x7f) return false;
  }
  return true;
}

/** Which part of the names ends as game files do. */
function partOfGameFiles(directory: Uint8Array, { entrySize, nameSize }: PakShape): number {
  let count = 0;
  for (let start = 0; start + entrySize <= directory.length; start += entrySize) {
    if (gameExtension.test(String.fromCharCode(...nameField(directory, start, nameSize)))) count++;
  }
  return count / Math.floor(directory.length / entrySize);
}

/** The only layout whose entries fill the directory, if only one does. */
function layoutOfLength(length: number): PakLayout | undefined {
  const isQuakeLength = length % quakeShape.entrySize === 0;
  if (isQuakeLength === (length % daikatanaShape.entrySize === 0)) return undefined;
  return isQuakeLength ? "quake" : "daikatana";
}

/** Whether most of the first entries make sense under the only layout whose length is right. */
function fitsSample(directory: Uint8Array, only: PakLayout, archiveSize: number): boolean {
  return fitOf(directory.subarray(0, sampledEntries * shapes[only].entrySize), only, archiveSize) > 0.5;
}

function vote(directory: Uint8Array, only: PakLayout | undefined, archiveSize: number): PakLayout | undefined {
  const fits = { quake: fitOf(directory, "quake", archiveSize), daikatana: fitOf(directory, "daikatana", archiveSize) };
  if (fits.quake === 0 && fits.daikatana === 0) return undefined;
  if (only && fits[only] > 0) return only;
  if (fits.quake !== fits.daikatana) return fits.quake > fits.daikatana ? "quake" : "daikatana";
  return partOfGameFiles(directory, daikatanaShape) > partOfGameFiles(directory, quakeShape) ? "daikatana" : "quake";
}

/** The layout of a directory; `undefined` if it fits neither in a single entry. */
export function layoutOf(directory: Uint8Array, archiveSize: number): PakLayout | undefined {
  if (directory.length === 0) return "quake";
  const only = layoutOfLength(directory.length);
  if (only && fitsSample(directory, only, archiveSize)) return only;
  return vote(directory, only, archiveSize);
}

/** The layout of `source`, or `undefined` if it is no PAK of either kind. */
export function detectPakLayout(source: ByteReader): PakLayout | undefined {
  const place = pakTable(source, quakeShape);
  if (!place || place.offset < quakeShape.size) return undefined;
  const { offset, length } = place;
  if (length === 0) return offset <= source.size ? "quake" : undefined;
  if (offset + length > source.size) {
    // A download that was cut short, if the length at least makes sense.
    if (length % quakeShape.entrySize === 0) return "quake";
    return length % daikatanaShape.entrySize === 0 ? "daikatana" : undefined;
  }
  const only = layoutOfLength(length);
  if (only) {
    const sample = source.read(offset, Math.min(length, sampledEntries * shapes[only].entrySize));
    if (fitsSample(sample, only, source.size)) return only;
  }
  return vote(source.read(offset, Math.min(length, maxVote)), only, source.size);
}

/**
 * Refuses a directory of the other layout.
 * @throws {UnknownFormatError} if it is.
 */
export function requireLayout(source: ByteReader, directory: Uint8Array, wanted: PakLayout): void {
  const layout = layoutOf(directory, source.size) ?? wanted;
  if (layout === wanted || directory.length === 0) return;
  throw new UnknownFormatError(
    `its file table is ${directory.length} bytes and does not fit entries of ${shapes[wanted].entrySize}: it is not ` +
      `${shapes[wanted].title} but ${shapes[layout].title}`,
    { path: source.path, expected: shapes[wanted].entrySize, actual: shapes[layout].entrySize },
  );
}
