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
import { readMipHeader } from "../pictures/quake_picture.ts";
import { MediaError, Reader } from "../core/reader.ts";

/** A texture that a map uses. */
export interface MapTexture {
  readonly name: string;
  /** Number of surfaces that show it. */
  readonly surfaces: number;
  /** Offset of its header in the file; null if the texture is in a file of its own. */
  readonly offset: number | null;
}

/** Facts of a map. */
export interface GameMap {
  /** `Quake`, `Half-Life`, `Quake BSP2`, `Quake 2`, `Quake 3`, `RTCW or Quake Live`. */
  readonly format: string;
  readonly version: number | "BSP2" | "2PSB";
  readonly entities: readonly Entity[];
  readonly textures: readonly MapTexture[];
  /** Names of the shaders of its fogs; only Quake 3 has them. */
  readonly fogs: readonly string[];
  readonly vertices: number;
  readonly surfaces: number;
  /** The world, and each part that moves. */
  readonly models: number;
}

/** Layout of one kind of map. Sizes are bytes of one record. */
interface Layout {
  readonly format: string;
  /** Byte at which the table of lumps begins. */
  readonly lumps: number;
  readonly textures: { readonly lump: number; readonly kind: "miptex" | "texinfo" | "shaders" };
  /** Number of the lump of fogs, records as those of shaders. */
  readonly fogs?: number;
  readonly vertices: { readonly lump: number; readonly size: number };
  readonly models: { readonly lump: number; readonly size: number };
  /** `texture`: offset in a record of the number of its texture information (Quake 3: its shader). */
  readonly surfaces: {
    readonly lump: number;
    readonly size: number;
    readonly texture: number;
    readonly width: 2 | 4;
  };
}

const quake: Layout = {
  format: "Quake",
  lumps: 4,
  textures: { lump: 2, kind: "miptex" },
  vertices: { lump: 3, size: 12 },
  models: { lump: 14, size: 64 },
  surfaces: { lump: 7, size: 20, texture: 10, width: 2 },
};
const quake2: Layout = {
  format: "Quake 2",
  lumps: 8,
  textures: { lump: 5, kind: "texinfo" },
  vertices: { lump: 2, size: 12 },
  models: { lump: 13, size: 48 },
  surfaces: { lump: 6, size: 20, texture: 10, width: 2 },
};
const quake3: Layout = {
  format: "Quake 3",
  lumps: 8,
  textures: { lump: 1, kind: "shaders" },
  fogs: 12,
  vertices: { lump: 10, size: 44 },
  models: { lump: 7, size: 40 },
  surfaces: { lump: 13, size: 104, texture: 0, width: 4 },
};
const wide: Layout = {
  ...quake,
  format: "Quake BSP2",
  surfaces: { lump: 7, size: 28, texture: 16, width: 4 },
};

const layouts: ReadonlyMap<GameMap["version"], Layout> = new Map<GameMap["version"], Layout>([
  [29, quake],
  [30, { ...quake, format: "Half-Life" }],
  ["BSP2", wide],
  ["2PSB", wide],
  [38, quake2],
  [46, quake3],
  [47, { ...quake3, format: "RTCW or Quake Live" }],
]);

function versionOf(reader: Reader): GameMap["version"] {
  if (reader.startsWith("BSP2")) return "BSP2";
  if (reader.startsWith("2PSB")) return "2PSB";
  return reader.i32(reader.startsWith("IBSP") ? 4 : 0);
}

/** Returns whether a file begins like a map that {@linkcode readBsp} knows. */
export function isBsp(reader: Reader): boolean {
  if (["IBSP", "BSP2", "2PSB"].some((magic) => reader.startsWith(magic))) return true;
  return reader.length >= 124 && (reader.i32(0) === 29 || reader.i32(0) === 30);
}

/** Maximum bytes of entities that are read: a hundred times those of a large map. */
const maxEntityText = 32 * 1024 * 1024;
/** Maximum number of textures that are listed. */
const maxTextures = 65_536;

class MapReader {
  readonly reader: Reader;
  readonly layout: Layout;

  constructor(reader: Reader, layout: Layout) {
    this.reader = reader;
    this.layout = layout;
  }

  lump(number: number): { offset: number; length: number } {
    const entry = this.layout.lumps + number * 8;
    const [offset, length] = [this.reader.i32(entry), this.reader.i32(entry + 4)];
    this.reader.require(offset, length, `part ${number} of the map`);
    return { offset, length };
  }

  count({ lump, size }: { readonly lump: number; readonly size: number }): number {
    return Math.floor(this.lump(lump).length / size);
  }

  /** Number of surfaces with each number in their texture field. */
  surfaceCounts(): Map<number, number> {
    const { surfaces } = this.layout;
    const { offset } = this.lump(surfaces.lump);
    const counts = new Map<number, number>();
    for (let index = 0; index < this.count(surfaces); index++) {
      const field = offset + index * surfaces.size + surfaces.texture;
      const number = surfaces.width === 2 ? this.reader.u16(field) : this.reader.i32(field);
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    return counts;
  }

  textures(): MapTexture[] {
    const { kind } = this.layout.textures;
    if (kind === "miptex") return this.#embedded();
    return kind === "texinfo" ? this.#information() : this.#shaders();
  }

  /** Quake: u32 count, that many i32 offsets (-1: left out by the compiler), and the textures. */
  #embedded(): MapTexture[] {
    const { offset, length } = this.lump(this.layout.textures.lump);
    if (length === 0) return [];
    const count = this.reader.u32(offset);
    if (count > maxTextures) throw new MediaError(`it cannot have ${count} textures`, { offset });
    this.reader.require(offset, 4 + count * 4, "the list of textures");
    const surfaces = this.#surfacesOfMips();
    return Array.from({ length: count }, (_, index) => {
      const start = this.reader.i32(offset + 4 + index * 4);
      const used = surfaces.get(index) ?? 0;
      if (start < 0) return { name: "", surfaces: used, offset: null };
      const { name, data } = readMipHeader(this.reader, offset + start);
      return { name, surfaces: used, offset: data === 0 ? null : offset + start };
    });
  }

  /** Quake: a surface names a record of 40 bytes, whose u32 at byte 32 is the texture. */
  #surfacesOfMips(): Map<number, number> {
    const { offset, length } = this.lump(6);
    const counts = new Map<number, number>();
    for (const [information, count] of this.surfaceCounts()) {
      if ((information + 1) * 40 > length) continue;
      const texture = this.reader.u32(offset + information * 40 + 32);
      counts.set(texture, (counts.get(texture) ?? 0) + count);
    }
    return counts;
  }

  /** Quake 2: records of 76 bytes, with the name of 32 bytes at byte 40. */
  #information(): MapTexture[] {
    const { offset, length } = this.lump(this.layout.textures.lump);
    const surfaces = this.surfaceCounts();
    const names = new Map<string, number>();
    for (let index = 0; (index + 1) * 76 <= length; index++) {
      const name = this.reader.text(offset + index * 76 + 40, 32);
      names.set(name, (names.get(name) ?? 0) + (surfaces.get(index) ?? 0));
    }
    return Array.from(names, ([name, count]) => ({ name, surfaces: count, offset: null }));
  }

  /** Quake 3: records of 72 bytes that begin with the name of 64. */
  #shaders(): MapTexture[] {
    const surfaces = this.surfaceCounts();
    const names = new Map<string, number>();
    for (const [index, name] of this.#shaderNames(this.layout.textures.lump).entries()) {
      names.set(name, (names.get(name) ?? 0) + (surfaces.get(index) ?? 0));
    }
    return Array.from(names, ([name, count]) => ({ name, surfaces: count, offset: null }));
  }

  #shaderNames(lump: number): string[] {
    const { offset, length } = this.lump(lump);
    return Array.from({ length: Math.floor(length / 72) }, (_, index) => this.reader.text(offset + index * 72, 64));
  }

  fogs(): string[] {
    return this.layout.fogs === undefined ? [] : this.#shaderNames(this.layout.fogs);
  }
}

/**
 * Reads a map.
 * @throws {MediaError} if it is of an unknown version, or a part lies outside the file.
 */
export function readBsp(bytes: Uint8Array): GameMap {
  const reader = new Reader(bytes);
  const version = versionOf(reader);
  const layout = layouts.get(version);
  if (!layout) {
    throw new MediaError(`maps of version ${version} are not known; those of ${[...layouts.keys()].join(", ")} are`);
  }
  const map = new MapReader(reader, layout);
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
    vertices: map.count(layout.vertices),
    surfaces: map.count(layout.surfaces),
    models: map.count(layout.models),
  };
}
