/**
 * Names in the lumps of maps of Doom's engines, in all three formats.
 *
 * `SIDEDEFS`: records of 30 bytes, names of eight bytes at 4 (upper), 12 (lower), 20 (middle). `SECTORS`: of 26 bytes,
 * names at 4 (floor) and 12 (ceiling). `THINGS`: of 10 bytes with the number at 6, or in maps with `BEHAVIOR`, which are
 * in Hexen's format, of 20 bytes with the number at 10. (`maptypes` of id-Software/DOOM doomdata.h; `mapthing_t` of
 * Hexen's xddefs.h.) `TEXTMAP`: blocks of the UDMF specification 1.1. A map in a pk3 is a WAD of these lumps.
 * @module
 */
import { lumpsOfMapWad, MediaError, Reader, textMapBlocks } from "../../media/mod.ts";
import { needed, type Reference } from "./reference.ts";

/** Folder for the names of floors and ceilings. */
export const flatFolder = "flats/";
/** Type of the declarations for things of maps, identified by their numbers. */
export const thingType = "thing";

/** Name of a surface without a texture. */
const noTexture = "-";

function texture(name: string, why: string): Reference[] {
  return name === noTexture || name === "" ? [] : [needed("texture", name.toUpperCase(), why)];
}

function flat(name: string, why: string): Reference[] {
  if (name === noTexture || name === "") return [];
  // UDMF may give a file's full path.
  return [needed("texture", name.includes("/") ? name : flatFolder + name.toUpperCase(), why)];
}

function thing(number: number): Reference {
  return needed("definition", `${thingType} ${number}`, "thing of the map");
}

/** Returns the references of each record; equal records count once. */
function records(
  bytes: Uint8Array,
  size: number,
  [start, end]: readonly [number, number],
  read: (reader: Reader, offset: number) => readonly Reference[],
): Reference[] {
  const reader = new Reader(bytes);
  const known = new Set<string>();
  const found: Reference[] = [];
  // Engines ignore an incomplete record at the end.
  for (let offset = 0; offset + size <= bytes.length; offset += size) {
    const key = String.fromCharCode(...bytes.subarray(offset + start, offset + end));
    if (known.has(key)) continue;
    known.add(key);
    found.push(...read(reader, offset));
  }
  return found;
}

/** Reads `SIDEDEFS`. */
function readSideDefs(bytes: Uint8Array): Reference[] {
  return records(bytes, 30, [4, 28], (reader, offset) => [
    ...texture(reader.text(offset + 4, 8), "upper texture"),
    ...texture(reader.text(offset + 12, 8), "lower texture"),
    ...texture(reader.text(offset + 20, 8), "middle texture"),
  ]);
}

/** Reads `SECTORS`. */
function readSectors(bytes: Uint8Array): Reference[] {
  return records(bytes, 26, [4, 20], (reader, offset) => [
    ...flat(reader.text(offset + 4, 8), "floor"),
    ...flat(reader.text(offset + 12, 8), "ceiling"),
  ]);
}

/** Reads `THINGS`. */
export function readThings(bytes: Uint8Array, isHexen: boolean): Reference[] {
  const [size, at] = isHexen ? [20, 10] : [10, 6];
  return records(bytes, size, [at, at + 2], (reader, offset) => {
    const number = reader.i16(offset + at);
    return number > 0 ? [thing(number)] : [];
  });
}

/** Names of surfaces in `TEXTMAP`. */
const surfaces: ReadonlyMap<string, (name: string) => Reference[]> = new Map([
  ["texturetop", (name: string) => texture(name, "upper texture")],
  ["texturebottom", (name) => texture(name, "lower texture")],
  ["texturemiddle", (name) => texture(name, "middle texture")],
  ["texturefloor", (name) => flat(name, "floor")],
  ["textureceiling", (name) => flat(name, "ceiling")],
]);

/** Reads `TEXTMAP`. */
function readTextMap(bytes: Uint8Array): Reference[] {
  const found = new Map<string, Reference>();
  for (const [block, values] of textMapBlocks(bytes)) {
    for (const [key, value] of values) {
      const isType = key === "type" && block === "thing" && Number(value) > 0;
      for (const reference of isType ? [thing(Number(value))] : surfaces.get(key)?.(value) ?? []) {
        found.set(`${reference.kind} ${reference.names[0]}`, reference);
      }
    }
  }
  return [...found.values()];
}

/** Lumps with references, and their readers. */
const lumps: Readonly<Record<string, (bytes: Uint8Array, isHexen: boolean) => Reference[]>> = {
  THINGS: readThings,
  SIDEDEFS: readSideDefs,
  SECTORS: readSectors,
  TEXTMAP: readTextMap,
};

/** Returns the reader of a lump of a map; undefined if such lumps have no references. */
export function mapLumpReader(name: string): ((bytes: Uint8Array, isHexen: boolean) => Reference[]) | undefined {
  const key = name.toUpperCase();
  return Object.hasOwn(lumps, key) ? lumps[key] : undefined;
}

/** Lumps that engines require in a map. */
export const mapLumps: readonly string[] = ["THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SECTORS"];

/**
 * Reads the references in a WAD that is one map: `maps/MAP01.wad`.
 * @throws {MediaError} if it is no WAD, is truncated, or has no map.
 */
export function readMapWad(bytes: Uint8Array): Reference[] {
  const lump = lumpsOfMapWad(bytes);
  if (!lump("TEXTMAP") && !lump("THINGS")) throw new MediaError("it has no map");
  const isHexen = lump("BEHAVIOR") !== undefined;
  return Object.entries(lumps).flatMap(([name, read]) => {
    const content = lump(name);
    return content ? read(content, isHexen) : [];
  });
}
