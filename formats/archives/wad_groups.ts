/**
 * Directories in which the lumps of a Doom WAD are shown, since a WAD has none: maps are recognized by the order of
 * their lumps, and sprites, flats and similar by the markers around them.
 *
 * - A lump that is followed by `THINGS` or `TEXTMAP` opens a map. `maps/MAP01/` gets the lumps that follow, as long as
 *   they belong to a map; after `TEXTMAP` all up to `ENDMAP`.
 * - Lumps between `S_START` and `S_END` go to `sprites/`, and so on, see {@linkcode sections}. A second letter or a
 *   digit (`SS_`, `P1_`) changes nothing, and a start without an end opens nothing.
 * - All others go to `lumps/`, and so do markers and the lumps that name maps.
 *
 * Sources: id-Software/DOOM linuxdoom-1.10/doomdata.h (order of a map's lumps), r_data.c (markers); ZDoom/gzdoom
 * src/common/filesystem/source/file_wad.cpp (further sections, doubled letters); the UDMF specification 1.1
 * (`TEXTMAP`).
 * @module
 */

import type { LumpNames } from "./lump_names.ts";

/** Displayed directory. */
export interface LumpGroup {
  /** `maps`, `sprites`, `lumps`, ... */
  readonly parent: string;
  /** Lump that opens a map in it; -1 for the directory itself. */
  readonly lump: number;
}

/** Directories of all lumps. */
export interface Grouping {
  /** Directories. Equal names of maps occur once per map, other directories once. */
  readonly groups: readonly LumpGroup[];
  /** Number of each lump's group. */
  readonly groupOf: Uint32Array;
}

/** Directory by the letters of its markers: `S` for `S_START` and `S_END`. */
const sections: Readonly<Record<string, string>> = {
  S: "sprites",
  P: "patches",
  F: "flats",
  TX: "textures",
  C: "colormaps",
  A: "acs",
  V: "voices",
  HI: "hires",
  VX: "voxels",
};

/** Markers of a mod's sections by their directory: `FF` for `flats`. Those of two letters are not doubled. */
export const sectionMarkers: ReadonlyMap<string, string> = new Map(
  Object.entries(sections).map((
    [letters, directory],
  ) => [directory, letters.length === 1 ? letters + letters : letters]),
);

/** Lumps of a map after the one that names it, of any port, in any order. */
const mapLumps: ReadonlySet<string> = new Set(
  "THINGS LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES SECTORS REJECT BLOCKMAP BEHAVIOR SCRIPTS LEAFS LIGHTS MACROS"
    .split(" "),
);
/** Lumps of a text map that lacks `ENDMAP`. */
const textMapLumps: ReadonlySet<string> = new Set(
  "TEXTMAP ZNODES REJECT BLOCKMAP DIALOGUE BEHAVIOR SCRIPTS".split(" "),
);

interface Marker {
  readonly directory: string;
  readonly isStart: boolean;
  /** Whether it is an inner marker like `P1_START`, which opens nothing between `P_START` and `P_END`. */
  readonly isInner: boolean;
}

function markerOf(name: string): Marker | undefined {
  if (!name.endsWith("_START") && !name.endsWith("_END")) return undefined;
  const match = /^(S|P|F|TX|C|A|V|HI|VX)(\1|\d)?_(START|END)$/.exec(name);
  const directory = sections[match?.[1] ?? ""];
  if (!match || directory === undefined) return undefined;
  return { directory, isStart: match[3] === "START", isInner: /\d/.test(match[2] ?? "") };
}

function isMapLump(name: string): boolean {
  return mapLumps.has(name) || name.startsWith("GL_");
}

/** Groups lumps by their names, given in the order of the archive, ignoring case as engines do. */
export function groupLumps(names: LumpNames): Grouping {
  const grouper = new Grouper(names);
  for (let index = 0; index < names.length;) index = grouper.add(index);
  return grouper;
}

class Grouper implements Grouping {
  readonly groups: LumpGroup[] = [];
  readonly groupOf: Uint32Array;
  readonly #names: LumpNames;
  readonly #directories = new Map<string, number>();
  /** Index of the last end marker of each directory, for outer and inner markers. */
  readonly #lastEnds = new Map<string, number>();
  readonly #lastEndOfMap: number;
  #section: Marker | undefined;

  constructor(names: LumpNames) {
    this.#names = names;
    this.groupOf = new Uint32Array(names.length);
    let lastEndOfMap = -1;
    for (let index = 0; index < names.length; index++) {
      // `_END` or `ENDMAP`: decoding every name would take most of the time.
      if (!/[dp]/i.test(String.fromCharCode(names.bytes(index).at(-1) ?? 0))) continue;
      const name = this.#nameOf(index);
      const marker = markerOf(name);
      if (marker && !marker.isStart) this.#lastEnds.set(endKey(marker), index);
      if (name === "ENDMAP") lastEndOfMap = index;
    }
    this.#lastEndOfMap = lastEndOfMap;
  }

  /** Groups the lump at `index` and all other lumps of its map; returns the index after them. */
  add(index: number): number {
    const marker = markerOf(this.#nameOf(index));
    if (marker) {
      this.groupOf[index] = this.#directory("lumps");
      this.#passMarker(marker, index);
      return index + 1;
    }
    if (this.#section) {
      this.groupOf[index] = this.#directory(this.#section.directory);
      return index + 1;
    }
    this.groupOf[index] = this.#directory("lumps");
    const end = this.#endOfMap(index);
    if (end === index + 1) return end;
    const map = this.groups.push({ parent: "maps", lump: index }) - 1;
    this.groupOf.fill(map, index + 1, end);
    return end;
  }

  #passMarker(marker: Marker, index: number): void {
    const section = this.#section;
    if (marker.isStart) {
      const hasEnd = (this.#lastEnds.get(endKey(marker)) ?? -1) > index;
      if (hasEnd && section?.directory !== marker.directory) this.#section = marker;
    } else if (section?.directory === marker.directory && section.isInner === marker.isInner) {
      this.#section = undefined;
    }
  }

  /** Returns the index after the map that the lump at `index` opens; the next index if it opens none. */
  #endOfMap(index: number): number {
    const next = this.#nameOf(index + 1);
    let end = index + 1;
    if (next === "TEXTMAP") {
      if (this.#lastEndOfMap > index) {
        for (end = index; this.#nameOf(end) !== "ENDMAP";) end++;
        return end + 1;
      }
      while (textMapLumps.has(this.#nameOf(end))) end++;
    } else if (next === "THINGS" && !isMapLump(this.#nameOf(index))) {
      while (isMapLump(this.#nameOf(end))) end++;
    }
    return end;
  }

  /** Returns the name of a lump in upper case; empty after the last. */
  #nameOf(index: number): string {
    return index < this.#names.length ? this.#names.text(index).toUpperCase() : "";
  }

  #directory(name: string): number {
    const known = this.#directories.get(name);
    if (known !== undefined) return known;
    const group = this.groups.push({ parent: name, lump: -1 }) - 1;
    this.#directories.set(name, group);
    return group;
  }
}

function endKey({ directory, isInner }: Marker): string {
  return `${directory} ${isInner}`;
}
