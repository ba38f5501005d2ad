/**
 * Names in the lumps of maps of Doom's engines, in all three formats.
 *
 * `SIDEDEFS`: records of 30 bytes, names of eight bytes at 4 (upper), 12 (lower), 20 (middle). `SECTORS`: of 26 bytes,
 * names at 4 (floor) and 12 (ceiling). `THINGS`: of 10 bytes with the number at 6, or in maps with `BEHAVIOR`, which are
 * in Hexen's format, of 20 bytes with the number at 10. (`maptypes` of id-Software/DOOM doomdata.h; `mapthing_t` of
 * Hexen's xddefs.h.) `TEXTMAP`: blocks of the UDMF specification 1.1. A map in a pk3 is a WAD of these lumps.
 * @module
 */
import { MediaError, Reader } from "../../media/mod.ts";
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
const surfaces: Readonly<Record<string, (name: string) => Reference[]>> = {
  texturetop: (name) => texture(name, "upper texture"),
  texturebottom: (name) => texture(name, "lower texture"),
  texturemiddle: (name) => texture(name, "middle texture"),
  texturefloor: (name) => flat(name, "floor"),
  textureceiling: (name) => flat(name, "ceiling"),
};

// One byte per letter: maps may have tens of megabytes.
const latin = new TextDecoder("latin1");
const skipped = /(?:[\0-\x20;]|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))+/y;
const key = /[^\0-\x20;{}="/]+/y;
const value = /"((?:[^"\\]+|\\[\s\S])*)"?|[^;{}]*/y;

/**
 * Reads `TEXTMAP`.
 * @throws {MediaError} if it ends inside a block.
 */
function readTextMap(bytes: Uint8Array): Reference[] {
  const text = latin.decode(bytes);
  const found = new Map<string, Reference>();
  const known = new Set<string>();
  let block: string | undefined;
  let last = "";
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const result = pattern.exec(text);
    at += result?.[0].length ?? 0;
    return result;
  };
  while (at < text.length) {
    match(skipped);
    const name = match(key)?.[0];
    if (name !== undefined) {
      last = name.toLowerCase();
      continue;
    }
    const symbol = text[at++];
    if (symbol === "{") block = last;
    else if (symbol === "}") block = undefined;
    if (symbol !== "=" || block === undefined) continue;
    match(skipped);
    const [all = "", string] = match(value) ?? [];
    const said = string ?? all.trim();
    const seen = `${block} ${last} ${said}`;
    if ((last !== "type" && !Object.hasOwn(surfaces, last)) || known.has(seen)) continue;
    known.add(seen);
    const isType = last === "type" && block === "thing" && Number(said) > 0;
    for (const reference of isType ? [thing(Number(said))] : surfaces[last]?.(said) ?? []) {
      found.set(`${reference.kind} ${reference.names[0]}`, reference);
    }
  }
  if (block !== undefined) throw new MediaError(`a block "${block}" does not end; it may be cut short`);
  return [...found.values()];
}

/** Lumps with references, and their readers. */
const lumps: Readonly<Record<string, (bytes: Uint8Array, isHexen: boolean) => Reference[]>> = {
  SIDEDEFS: readSideDefs,
  SECTORS: readSectors,
  THINGS: readThings,
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
  const reader = new Reader(bytes);
  if (!reader.startsWith("PWAD") && !reader.startsWith("IWAD")) throw new MediaError("it is no WAD", { offset: 0 });
  const count = reader.count(4, 16, "lumps");
  const directory = reader.u32(8);
  const found = Array.from({ length: count }, (_, index) => {
    const at = directory + index * 16;
    return { name: reader.text(at + 8, 8).toUpperCase(), at };
  });
  const names = new Set(found.map(({ name }) => name));
  if (!names.has("TEXTMAP") && !names.has("THINGS")) throw new MediaError("it has no map");
  // The first lump of a name: engines read the lumps after the map's name.
  return [...new Map(found.toReversed().map((lump) => [lump.name, lump])).values()].flatMap(({ name, at }) => {
    const size = reader.u32(at + 4);
    return mapLumpReader(name)?.(reader.slice(reader.u32(at), size, name), names.has("BEHAVIOR")) ?? [];
  });
}
