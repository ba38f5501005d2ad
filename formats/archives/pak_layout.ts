/**
 * Distinguishes Quake's PAK from Daikatana's: both begin with `PACK`, and only their entries differ, 64 bytes against
 * 72.
 *
 * If only one layout divides the directory into valid entries, that layout is used. Otherwise both are tried on every
 * entry, and the layout with more valid entries wins; in a tie, the layout whose names have more extensions of game
 * files. An empty directory is Quake's. If no entry is valid, the archive belongs to another game.
 * @module
 */
import type { ByteReader } from "../core/byte_reader.ts";
import { UnknownFormatError } from "../core/errors.ts";
import { Cursor, latin1, nameField } from "../core/cursor.ts";
import { pakLocation, type PakShape } from "./pak_directory.ts";
import { isPrintableName } from "./records.ts";

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

/** Layout of a directory, named after its game. */
export type PakLayout = "quake" | "daikatana";

/** Types of Daikatana's entries: stored and compressed. */
const knownTypes = 2;
const shapes: Readonly<Record<PakLayout, PakShape>> = { quake: quakeShape, daikatana: daikatanaShape };

/** Number of entries that are checked if the length of the directory already determines the layout. */
const sampledEntries = 16;
/** Maximum bytes of a directory that detection reads, a multiple of both entry sizes. */
const maxVote = quakeShape.entrySize * daikatanaShape.entrySize * 256;

const gameExtension =
  /\.(?:ase|bik|bmp|bsp|cfg|cin|csv|dat|dcp|dkm|dm2|dll|ent|gsm|lmp|lit|loc|map|md2|md3|mdl|mid|mp3|ogg|pal|pcx|png|qc|rc|scr|smk|sp2|spr|swl|tga|txt|vis|wad|wal|wav|wim)$/i;

/** Returns the share of valid entries in a layout, from 0 to 1. */
function fitOf(directory: Uint8Array, layout: PakLayout, archiveSize: number): number {
  const { entrySize } = shapes[layout];
  const record = new Cursor(directory);
  let plausible = 0;
  for (let start = 0; start + entrySize <= directory.length; start += entrySize) {
    record.offset = start;
    if (isPlausible(record, layout, archiveSize)) plausible++;
  }
  return plausible / Math.max(Math.floor(directory.length / entrySize), 1);
}

function isPlausible(record: Cursor, layout: PakLayout, archiveSize: number): boolean {
  const name = record.name(quakeShape.nameSize);
  const offset = record.uint32();
  if (layout === "daikatana") record.skip(4);
  if (offset < quakeShape.size || offset + record.uint32() > archiveSize) return false;
  return (layout === "quake" || record.uint32() < knownTypes) && isPrintableName(name);
}

/** Returns the share of names with extensions of game files. */
function gameFileShare(directory: Uint8Array, { entrySize, nameSize }: PakShape): number {
  let count = 0;
  for (let start = 0; start + entrySize <= directory.length; start += entrySize) {
    if (gameExtension.test(latin1(nameField(directory.subarray(start, start + nameSize))))) count++;
  }
  return count / Math.floor(directory.length / entrySize);
}

/** Returns the layout whose entries fill the directory, if only one does. */
function layoutOfLength(length: number): PakLayout | undefined {
  const isQuakeLength = length % quakeShape.entrySize === 0;
  if (isQuakeLength === (length % daikatanaShape.entrySize === 0)) return undefined;
  return isQuakeLength ? "quake" : "daikatana";
}

/** Returns whether most of the first entries are valid in the only layout that fits the length. */
function fitsSample(directory: Uint8Array, only: PakLayout, archiveSize: number): boolean {
  return fitOf(directory.subarray(0, sampledEntries * shapes[only].entrySize), only, archiveSize) > 0.5;
}

function vote(directory: Uint8Array, only: PakLayout | undefined, archiveSize: number): PakLayout | undefined {
  const fits = { quake: fitOf(directory, "quake", archiveSize), daikatana: fitOf(directory, "daikatana", archiveSize) };
  if (fits.quake === 0 && fits.daikatana === 0) return undefined;
  if (only && fits[only] > 0) return only;
  if (fits.quake !== fits.daikatana) return fits.quake > fits.daikatana ? "quake" : "daikatana";
  return gameFileShare(directory, daikatanaShape) > gameFileShare(directory, quakeShape) ? "daikatana" : "quake";
}

/** Returns the layout of a directory; `undefined` if no entry is valid in either. */
export function layoutOf(directory: Uint8Array, archiveSize: number): PakLayout | undefined {
  if (directory.length === 0) return "quake";
  const only = layoutOfLength(directory.length);
  if (only && fitsSample(directory, only, archiveSize)) return only;
  return vote(directory, only, archiveSize);
}

/** Returns the layout of an archive, or `undefined` if it is not a PAK of either kind. */
export function detectPakLayout(reader: ByteReader): PakLayout | undefined {
  const location = pakLocation(reader, quakeShape);
  if (!location || location.offset < quakeShape.size) return undefined;
  const { offset, length } = location;
  if (length === 0) return offset <= reader.size ? "quake" : undefined;
  if (offset + length > reader.size) {
    // A truncated download, if at least the length is plausible.
    if (length % quakeShape.entrySize === 0) return "quake";
    return length % daikatanaShape.entrySize === 0 ? "daikatana" : undefined;
  }
  const only = layoutOfLength(length);
  if (only) {
    const sample = reader.read(offset, Math.min(length, sampledEntries * shapes[only].entrySize));
    if (fitsSample(sample, only, reader.size)) return only;
  }
  return vote(reader.read(offset, Math.min(length, maxVote)), only, reader.size);
}

/**
 * Rejects a directory of the other layout.
 * @throws {UnknownFormatError} if it has that.
 */
export function requireLayout(reader: ByteReader, directory: Uint8Array, wanted: PakLayout): void {
  const layout = layoutOf(directory, reader.size) ?? wanted;
  if (layout === wanted || directory.length === 0) return;
  throw new UnknownFormatError(
    `its file table is ${directory.length} bytes and does not fit entries of ${shapes[wanted].entrySize}: it is not ` +
      `${shapes[wanted].title} but ${shapes[layout].title}`,
    { path: reader.path, expected: shapes[wanted].entrySize, actual: shapes[layout].entrySize },
  );
}
