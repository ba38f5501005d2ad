/**
 * Files of lumps as Doom's engines read them: names of eight bytes, in order, and the treatment of each lump.
 * @module
 */
import { lumpName } from "../../formats/parts.ts";
import type { LoadSwitch } from "../core/load_list.ts";

/** Lumps of one file, in order. */
export interface LumpFile {
  /** Switch that loads the file; null for the IWAD. */
  readonly how: LoadSwitch | null;
  /** Names in upper case, up to eight bytes. */
  readonly names: readonly string[];
  /** Bytes of each lump. */
  readonly sizes: ArrayLike<number>;
}

/** Directories by the number of a namespace; the first is for lumps without a namespace. */
export const namespaces = [
  "",
  "sprites",
  "flats",
  "colormaps",
  "acs",
  "textures",
  "voices",
  "hires",
  "voxels",
  "skins",
  "port",
  "actors",
] as const;

/** Namespace of a lump. */
export type Namespace = typeof namespaces[number];

/** Value instead of a namespace's number: the engine drops the lump. */
export const dropped = 255;

/** Returns the number of a namespace. */
export function namespaceCode(name: Namespace): number {
  return namespaces.indexOf(name);
}

/** Number of bytes of a name that engines compare. */
const nameBytes = 8;

/** Returns a name as engines compare it: in upper case, up to a NUL or eight bytes. */
export function comparedName(raw: Uint8Array): string {
  let name = "";
  for (let index = 0; index < raw.length && index < nameBytes; index++) {
    const byte = raw[index] ?? 0;
    if (byte === 0) break;
    name += String.fromCharCode(byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte);
  }
  return name;
}

/** Returns a name for a path: `\`, a frame of sprites, becomes `^`, as in zips. */
export function shownName(raw: Uint8Array): string {
  const name = lumpName(raw.subarray(0, nameBytes));
  return /[%^]/.test(name) ? name.replaceAll("^", "%5E").replaceAll(/%5c/gi, "^") : name;
}

/** Returns whether a lump begins or ends a section: `S_START`, or `SS_START` if the marker has one letter. */
export function isMarker(name: string, marker: string): boolean {
  if (name === marker) return true;
  return marker[1] === "_" && name[0] === marker[0] && name.slice(1) === marker.slice(0, nameBytes - 1);
}
