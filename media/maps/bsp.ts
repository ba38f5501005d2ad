/**
 * Reads compiled maps: their entities, and the textures that they use.
 *
 * Version 29 (Quake) and 30 (Half-Life): i32 version, then 15 lumps of i32 offset and i32 length. `BSP2` and `2PSB`: the
 * same with wider numbers. `IBSP` with i32 38 (Quake 2): 19 lumps from byte 8; 46 (Quake 3) and 47 (Return to Castle
 * Wolfenstein, Quake Live): 17. (id-Software: Quake `bspfile.h`, Quake-2 `qfiles.h`, Quake-III-Arena `qfiles.h`; `BSP2`:
 * sezero/quakespasm `bspfile.h`.)
 * @module
 */
import { type Entity, parseEntities } from "./entities.ts";
import { readFaces } from "./face_geometry.ts";
import type { MapGeometry } from "./map_geometry.ts";
import { readPatches } from "./patch_geometry.ts";
import { type MapTexture, type MapVersion, openMap } from "./map_reader.ts";
import { MediaError, type Reader } from "../core/reader.ts";

/** Facts of a map. */
export interface GameMap {
  /** `Quake`, `Half-Life`, `Quake BSP2`, `Quake 2`, `Quake 3`, `RTCW or Quake Live`. */
  readonly format: string;
  readonly version: MapVersion;
  readonly entities: readonly Entity[];
  readonly textures: readonly MapTexture[];
  /** Names of the shaders of its fogs, only in Quake 3. */
  readonly fogs: readonly string[];
  /** Maximum number of pictures of light next to the map; 0 if it has light itself. */
  readonly lightPictures: number;
  readonly vertices: number;
  readonly surfaces: number;
  /** The world, and each moving part. */
  readonly models: number;
}

/** Returns whether a file begins like a map that {@linkcode readBsp} knows. */
export function isBsp(reader: Reader): boolean {
  if (["IBSP", "BSP2", "2PSB"].some((magic) => reader.startsWith(magic))) return true;
  return reader.length >= 124 && (reader.i32(0) === 29 || reader.i32(0) === 30);
}

/** Maximum bytes of entities: a hundred times a large map's. */
const maxEntityText = 32 * 1024 * 1024;
/**
 * Reads a map.
 * @throws {MediaError} if its version is unknown, or a lump exceeds the file.
 */
export function readBsp(bytes: Uint8Array): GameMap {
  const { map, version } = openMap(bytes);
  const { layout, reader } = map;
  const entities = map.lump(0);
  if (entities.length > maxEntityText) {
    throw new MediaError(`its entities are ${entities.length} bytes of text; up to ${maxEntityText} are read`);
  }
  return {
    format: layout.format,
    version,
    entities: parseEntities(reader.text(entities.offset, entities.length)),
    textures: map.textures(),
    fogs: map.fogs(),
    lightPictures: map.lightPictures(),
    vertices: map.count(layout.vertices),
    surfaces: map.count(layout.surfaces),
    models: map.count(layout.models),
  };
}

/**
 * Returns an additional lump that tools append after the standard lumps; undefined if it is missing. `BSPX` begins at
 * the first byte divisible by four after the others: i32 count, records of 32 bytes (name of 24, i32 offset, i32
 * length). (ericwa/ericw-tools bspfile `bspx_header_t`; FTE `Q1BSPX_Setup`.)
 */
export function addedLump(bytes: Uint8Array, name: string): Uint8Array | undefined {
  const { map } = openMap(bytes);
  const { reader } = map;
  const start = (map.end + 3) & ~3;
  if (start + 8 > reader.length || !reader.startsWith("BSPX", start)) return undefined;
  const count = reader.i32(start + 4);
  if (count < 0 || start + 8 + count * 32 > reader.length) return undefined;
  for (let record = start + 8; record < start + 8 + count * 32; record += 32) {
    const [offset, length] = [reader.i32(record + 24), reader.i32(record + 28)];
    if (reader.text(record, 24) !== name) continue;
    return offset < 0 || length < 0 || offset + length > reader.length
      ? undefined
      : bytes.subarray(offset, offset + length);
  }
  return undefined;
}

/**
 * Reads the shape of a map.
 * @param coloured Samples of red, green and blue from a file next to a map of Quake.
 * @throws {MediaError} if it is damaged or too large.
 */
export function readMapGeometry(bytes: Uint8Array, coloured?: Uint8Array): MapGeometry {
  const { map } = openMap(bytes);
  const { edges } = map.layout;
  return edges ? readFaces(map, edges, coloured) : readPatches(map);
}
