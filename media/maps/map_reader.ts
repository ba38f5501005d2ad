/**
 * The parts of compiled maps, by their kind. `bsp.ts` names the sources of their layouts.
 * @module
 */
import { readMipHeader } from "../pictures/quake_picture.ts";
import { MediaError, Reader } from "../core/reader.ts";

/** Version number or letters at the beginning of a map. */
export type MapVersion = number | "BSP2" | "2PSB";

/** A texture in a map. */
export interface MapTexture {
  readonly name: string;
  /** Number of surfaces with this texture. */
  readonly surfaces: number;
  /** Offset of its header in the file; null if the texture is in a separate file. */
  readonly offset: number | null;
}

/** Layout of one kind of map. Sizes are bytes of one record. */
export interface Layout {
  readonly format: string;
  /** Offset of the table of lumps. */
  readonly lumps: number;
  readonly lumpCount: number;
  readonly textures: { readonly lump: number; readonly kind: "miptex" | "texinfo" | "shaders" };
  /** Lumps that only maps of faces and edges have; `light` is the lump of light, with its bytes per sample. */
  readonly edges?: {
    readonly planes: number;
    readonly information: { readonly lump: number; readonly size: number };
    readonly edges: { readonly lump: number; readonly size: 4 | 8 };
    readonly list: number;
    readonly light: { readonly lump: number; readonly samples: 1 | 3 };
  };
  /** Number of the lump of fogs, whose records have the layout of shaders. */
  readonly fogs?: number;
  /** Number of the lump of light, and the offset of a page's number in a surface, if light may be in pictures instead. */
  readonly pages?: { readonly lump: number; readonly number: number };
  readonly vertices: { readonly lump: number; readonly size: number };
  /** `surfaces`: offset in a record of the index of its first surface; their number follows. */
  readonly models: { readonly lump: number; readonly size: number; readonly surfaces: number };
  /** `texture`: offset in a record of the index of its texture information (Quake 3: its shader). */
  readonly surfaces: {
    readonly lump: number;
    readonly size: number;
    readonly texture: number;
    readonly width: 2 | 4;
  };
}

const quakeEdges: Layout["edges"] = {
  planes: 1,
  information: { lump: 6, size: 40 },
  edges: { lump: 12, size: 4 },
  list: 13,
  light: { lump: 8, samples: 1 },
};
const quake: Layout = {
  format: "Quake",
  lumps: 4,
  lumpCount: 15,
  textures: { lump: 2, kind: "miptex" },
  vertices: { lump: 3, size: 12 },
  models: { lump: 14, size: 64, surfaces: 56 },
  surfaces: { lump: 7, size: 20, texture: 10, width: 2 },
  edges: quakeEdges,
};
const quake2: Layout = {
  format: "Quake 2",
  lumps: 8,
  lumpCount: 19,
  textures: { lump: 5, kind: "texinfo" },
  vertices: { lump: 2, size: 12 },
  models: { lump: 13, size: 48, surfaces: 40 },
  surfaces: { lump: 6, size: 20, texture: 10, width: 2 },
  edges: {
    planes: 1,
    information: { lump: 5, size: 76 },
    edges: { lump: 11, size: 4 },
    list: 12,
    light: { lump: 7, samples: 3 },
  },
};
const quake3: Layout = {
  format: "Quake 3",
  lumps: 8,
  lumpCount: 17,
  textures: { lump: 1, kind: "shaders" },
  fogs: 12,
  pages: { lump: 14, number: 28 },
  vertices: { lump: 10, size: 44 },
  models: { lump: 7, size: 40, surfaces: 24 },
  surfaces: { lump: 13, size: 104, texture: 0, width: 4 },
};
const wide: Layout = {
  ...quake,
  format: "Quake BSP2",
  surfaces: { lump: 7, size: 28, texture: 16, width: 4 },
  edges: { ...quakeEdges, edges: { lump: 12, size: 8 } },
};

const layouts: ReadonlyMap<MapVersion, Layout> = new Map<MapVersion, Layout>([
  [29, quake],
  [30, { ...quake, format: "Half-Life", edges: { ...quakeEdges, light: { lump: 8, samples: 3 } } }],
  ["BSP2", wide],
  ["2PSB", wide],
  [38, quake2],
  [46, quake3],
  [47, { ...quake3, format: "RTCW or Quake Live" }],
]);

export function versionOf(reader: Reader): MapVersion {
  if (reader.startsWith("BSP2")) return "BSP2";
  if (reader.startsWith("2PSB")) return "2PSB";
  return reader.i32(reader.startsWith("IBSP") ? 4 : 0);
}

/** Maximum number of listed textures. */
const maxTextures = 65_536;
/** Maximum number of pictures of light: compilers number them with four digits. */
const maxLightPictures = 10_000;

/** The lumps of a map. */
export class MapReader {
  readonly reader: Reader;
  readonly layout: Layout;

  constructor(reader: Reader, layout: Layout) {
    this.reader = reader;
    this.layout = layout;
  }

  /** Returns the range of a lump. */
  lump(number: number): { offset: number; length: number } {
    const entry = this.layout.lumps + number * 8;
    const [offset, length] = [this.reader.i32(entry), this.reader.i32(entry + 4)];
    this.reader.require(offset, length, `part ${number} of the map`);
    return { offset, length };
  }

  /** Offset of the first byte after all lumps. */
  get end(): number {
    const { lumps, lumpCount } = this.layout;
    return Array.from({ length: lumpCount }, (_, number) => this.lump(number)).reduce(
      (end, { offset, length }) => Math.max(end, offset + length),
      lumps + lumpCount * 8,
    );
  }

  /** Returns the number of records of a lump. */
  count({ lump, size }: { readonly lump: number; readonly size: number }): number {
    return Math.floor(this.lump(lump).length / size);
  }

  /**
   * Yields the surface numbers of each model.
   * @throws {MediaError} if a model has surfaces that the map lacks, or all models have more than the map.
   */
  *modelSurfaces(): Generator<{ readonly model: number; readonly surface: number }> {
    const { models, surfaces } = this.layout;
    const { offset } = this.lump(models.lump);
    const count = this.count(surfaces);
    let total = 0;
    for (let model = 0; model < this.count(models); model++) {
      const record = offset + model * models.size + models.surfaces;
      const [first, own] = [this.reader.i32(record), this.reader.i32(record + 4)];
      total += own;
      if (first < 0 || own < 0 || first + own > count || total > count) {
        throw new MediaError(`model ${model} has surfaces ${first} to ${first + own} of ${count}`, { offset: record });
      }
      for (let surface = first; surface < first + own; surface++) yield { model, surface };
    }
  }

  /** Number of surfaces per number in their texture field. */
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

  /** Returns the textures of the surfaces. */
  textures(): MapTexture[] {
    const { kind } = this.layout.textures;
    if (kind === "miptex") return this.#embedded();
    return this.#named(kind === "texinfo" ? this.#informationNames() : this.#shaderNames(this.layout.textures.lump));
  }

  /** Quake: u32 count, that many i32 offsets (-1: omitted by the compiler), and the textures. */
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

  /** Returns the index in {@linkcode textures} for each number in the texture field of a surface. */
  textureIndices(): number[] {
    const { kind, lump } = this.layout.textures;
    if (kind === "miptex") {
      const { offset, length } = this.lump(6);
      return Array.from(
        { length: Math.floor(length / 40) },
        (_, information) => this.reader.u32(offset + information * 40 + 32),
      );
    }
    const names = kind === "texinfo" ? this.#informationNames() : this.#shaderNames(lump);
    const indices = new Map(this.textures().map(({ name }, index) => [name, index]));
    return names.map((name) => indices.get(name) ?? -1);
  }

  /** Quake: a surface refers to a record of 40 bytes, whose u32 at byte 32 is the texture. */
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
  #informationNames(): string[] {
    const { offset, length } = this.lump(this.layout.textures.lump);
    return Array.from(
      { length: Math.floor(length / 76) },
      (_, index) => this.reader.text(offset + index * 76 + 40, 32),
    );
  }

  /** Distinct names, with the surfaces that use them. */
  #named(all: readonly string[]): MapTexture[] {
    const surfaces = this.surfaceCounts();
    const names = new Map<string, number>();
    all.forEach((name, index) => names.set(name, (names.get(name) ?? 0) + (surfaces.get(index) ?? 0)));
    return Array.from(names, ([name, count]) => ({ name, surfaces: count, offset: null }));
  }

  /** Quake 3: records of 72 bytes that begin with the name of 64. */
  #shaderNames(lump: number): string[] {
    const { offset, length } = this.lump(lump);
    return Array.from({ length: Math.floor(length / 72) }, (_, index) => this.reader.text(offset + index * 72, 64));
  }

  /**
   * Returns the maximum number of pictures of light next to the map: none if it has light itself. A picture of
   * directions may follow the last one of light.
   */
  lightPictures(): number {
    const { lumps, pages, surfaces } = this.layout;
    // Light itself is not read, and may be cut short.
    if (!pages || this.reader.i32(lumps + pages.lump * 8 + 4) > 0) return 0;
    const { offset } = this.lump(surfaces.lump);
    let last = -1;
    for (let index = 0; index < this.count(surfaces); index++) {
      last = Math.max(last, this.reader.i32(offset + index * surfaces.size + pages.number));
    }
    return last < 0 ? 0 : Math.min(last + 2, maxLightPictures);
  }

  /** Returns the names of the shaders of fogs. */
  fogs(): string[] {
    return this.layout.fogs === undefined ? [] : this.#shaderNames(this.layout.fogs);
  }
}

/**
 * Opens a map.
 * @throws {MediaError} if its version is unknown.
 */
export function openMap(bytes: Uint8Array): { readonly map: MapReader; readonly version: MapVersion } {
  const reader = new Reader(bytes);
  const version = versionOf(reader);
  const layout = layouts.get(version);
  if (layout) return { map: new MapReader(reader, layout), version };
  throw new MediaError(`maps of version ${version} are not known; those of ${[...layouts.keys()].join(", ")} are`);
}
