/**
 * Shapes of maps of Quake 3 and related games: polygons, curved patches and triangles.
 *
 * A surface has 104 bytes: i32 shader, fog, kind (1 polygon, 2 patch, 3 triangles, 4 flare), first vertex, vertices,
 * first corner, corners, page of light (negative: none), 96 columns and rows of a patch. A vertex has 44 bytes:
 * position, image point, light point, normal, colour. A page of light has 128 x 128 samples of three bytes. A shader
 * has 72 bytes, its flags at 64. (id-Software/Quake-III-Arena `qfiles.h`, `surfaceflags.h`, code/renderer/tr_bsp.c,
 * tr_curve.c.)
 * @module
 */
import { MediaError, type Reader } from "../core/reader.ts";
import { byteAt } from "../../formats/parts.ts";
import { emptyPicture, type Picture } from "../pictures/picture.ts";
import { type Light, type MapGeometry, putBright, SurfaceBuilder, type Vertex } from "./map_geometry.ts";
import type { MapReader } from "./map_reader.ts";

const lumps = { vertices: { lump: 10, size: 44 }, corners: { lump: 11, size: 4 }, light: 14 } as const;
const kinds = { polygon: 1, patch: 2, triangles: 3 } as const;
/** Flags of shaders that are not drawn: sky, no drawing, hints. */
const hiddenFlags = 0x4 | 0x80 | 0x100 | 0x200;
/** Samples of a side of a page of light. */
const side = 128;
/** Pages on a side of a picture of light. */
const pagesAcross = 8;
/** Light is stored at a quarter of its brightness (code/renderer/tr_init.c, `r_mapOverBrightBits`). */
const brightness = 4;
/** Maximum units by which a curve may differ from its segments, and maximum segments of half a curve. */
const tolerance = 1;
const maxSegments = 16;

class SurfaceReader {
  readonly #map: MapReader;
  readonly #reader: Reader;
  readonly #vertices: number;
  readonly #textures: readonly number[];
  readonly #pages: number;

  constructor(map: MapReader, pages: number) {
    this.#map = map;
    this.#reader = map.reader;
    this.#vertices = map.lump(lumps.vertices.lump).offset;
    this.#textures = map.textureIndices();
    this.#pages = pages;
  }

  /** Reads vertex `index`. */
  #vertex(index: number, page: number): Vertex {
    const offset = this.#vertices + index * lumps.vertices.size;
    const reader = this.#reader;
    const light = [0, 4].map((axis) => clamped(reader.f32(offset + 20 + axis)));
    const [x, y] = [page % pagesAcross, Math.floor(page / pagesAcross)];
    const [width, height] = [Math.min(pagesAcross, Math.max(1, this.#pages)), pageRows(this.#pages)];
    const colour = new Uint8Array(4);
    putBright(colour, 0, reader.u8(offset + 40), reader.u8(offset + 41), reader.u8(offset + 42), brightness);
    return {
      position: reader.point(offset),
      image: [reader.f32(offset + 12), reader.f32(offset + 16)],
      light: [(x + (light[0] ?? 0)) / width, (y + (light[1] ?? 0)) / height],
      normal: reader.point(offset + 28),
      colour: [colour[0] ?? 0, colour[1] ?? 0, colour[2] ?? 0, reader.u8(offset + 43)],
    };
  }

  /** Adds a surface, if it is drawn. */
  add(model: number, index: number, builder: SurfaceBuilder): void {
    const reader = this.#reader;
    const { surfaces, textures } = this.#map.layout;
    const record = this.#map.lump(surfaces.lump).offset + index * surfaces.size;
    const shader = reader.i32(record);
    const texture = this.#textures[shader] ?? -1;
    if (texture < 0) return;
    const flags = reader.u32(this.#map.lump(textures.lump).offset + shader * 72 + 64);
    if ((flags & hiddenFlags) !== 0) return;
    const [kind, first, count, firstCorner, corners, page] = [8, 12, 16, 20, 24, 28].map((field) =>
      reader.i32(record + field)
    ) as [number, number, number, number, number, number];
    this.#requireRange(lumps.vertices, first, count);
    const light: Light = page >= 0 && page < this.#pages ? { page: 0 } : "vertices";
    const look = { model, texture, light, opacity: 1 };
    const vertices = () =>
      Array.from({ length: count }, (_, vertex) => this.#vertex(first + vertex, Math.max(0, page)));
    if (kind === kinds.patch) {
      const [columns, rows] = [reader.i32(record + 96), reader.i32(record + 100)];
      if (columns < 3 || rows < 3 || columns % 2 === 0 || rows % 2 === 0 || columns * rows > count) {
        throw new MediaError(`surface ${index} is a patch of ${columns} x ${rows} points`, { offset: record });
      }
      builder.require(count, 0);
      addPatch(builder, look, vertices(), columns, rows);
    } else if (kind === kinds.polygon || kind === kinds.triangles) {
      this.#requireRange(lumps.corners, firstCorner, corners);
      builder.require(count, corners);
      const cornersAt = this.#map.lump(lumps.corners.lump).offset + firstCorner * 4;
      // Engines draw the other side of triangles with this vertex order.
      const list = Array.from(
        { length: corners - corners % 3 },
        (_, corner) => reader.u32(cornersAt + (corner + (1 - corner % 3) * 2) * 4),
      );
      builder.add(look, vertices(), list);
    }
  }

  #requireRange(part: { readonly lump: number; readonly size: number }, first: number, count: number): void {
    if (first >= 0 && count >= 0 && first + count <= this.#map.count(part)) return;
    throw new MediaError(`a surface has records ${first} to ${first + count} of part ${part.lump} of the map`);
  }
}

/** Keeps lightmap coordinates off the edge of their page, where the next page begins. */
function clamped(value: number): number {
  const least = 0.5 / side;
  return value >= least ? Math.min(value, 1 - least) : least;
}

function mixed(a: Vertex, b: Vertex, c: Vertex, t: number): Vertex {
  const [wa, wb, wc] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
  const mix = (read: (vertex: Vertex) => number) => read(a) * wa + read(b) * wb + read(c) * wc;
  return {
    position: [mix(({ position: [x] }) => x), mix(({ position: [, y] }) => y), mix(({ position: [, , z] }) => z)],
    normal: [mix(({ normal: [x] }) => x), mix(({ normal: [, y] }) => y), mix(({ normal: [, , z] }) => z)],
    image: [mix(({ image: [u] }) => u), mix(({ image: [, v] }) => v)],
    light: [mix(({ light: [u] }) => u), mix(({ light: [, v] }) => v)],
    colour: [
      mix(({ colour: [red] }) => red),
      mix(({ colour: [, green] }) => green),
      mix(({ colour: [, , blue] }) => blue),
      mix(({ colour: [, , , alpha] }) => alpha),
    ],
  };
}

/** Three neighbouring points of a row or column. */
type Curve = readonly [Vertex, Vertex, Vertex];

/**
 * Returns the number of segments that all curves of a patch need: the middle moves by a quarter of the second
 * difference.
 */
function segmentsOf(curves: readonly Curve[]): number {
  let most = 0;
  for (const [{ position: a }, { position: b }, { position: c }] of curves) {
    most = Math.max(most, Math.hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1], a[2] - 2 * b[2] + c[2]));
  }
  const needed = Math.sqrt(most / (4 * tolerance));
  // Powers of two, so that neighbours with other curves share points.
  let segments = 1;
  while (segments < needed && segments < maxSegments) segments *= 2;
  return segments;
}

/** Returns the curves of each row of points. */
function curvesOf(points: readonly Vertex[], columns: number): Curve[][] {
  return Array.from(
    { length: points.length / columns },
    (_, row) =>
      Array.from({ length: (columns - 1) / 2 }, (_, curve): Curve => {
        const first = row * columns + curve * 2;
        const [a, b, c] = points.slice(first, first + 3);
        if (!a || !b || !c) throw new RangeError(`a patch has no point ${first + 2}`);
        return [a, b, c];
      }),
  );
}

/** Returns the points of curves along rows, each divided into the same number of segments. */
function divided(curves: readonly (readonly Curve[])[], segments: number): Vertex[] {
  const inner = Array.from({ length: segments - 1 }, (_, step) => (step + 1) / segments);
  return curves.flatMap((row) => [
    ...row.slice(0, 1).map(([first]) => first),
    ...row.flatMap(([a, b, c]) => [...inner.map((t) => mixed(a, b, c, t)), c]),
  ]);
}

/** Returns the transposed grid of points. */
function transposed(points: readonly Vertex[], columns: number): Vertex[] {
  const rows = points.length / columns;
  return Array.from({ length: points.length }, (_, index) => {
    const point = points[index % rows * columns + Math.floor(index / rows)];
    if (!point) throw new RangeError(`a patch has no point ${index}`);
    return point;
  });
}

function addPatch(
  builder: SurfaceBuilder,
  look: Parameters<SurfaceBuilder["add"]>[0],
  control: readonly Vertex[],
  columns: number,
  rows: number,
): void {
  const points = control.slice(0, columns * rows);
  const across = curvesOf(points, columns);
  const down = segmentsOf(curvesOf(transposed(points, columns), rows).flat());
  const segments = segmentsOf(across.flat());
  const [width, height] = [(columns - 1) / 2 * segments + 1, (rows - 1) / 2 * down + 1];
  builder.require(width * Math.max(rows, height), (width - 1) * (height - 1) * 6);
  // A row of the result is a column of the patch.
  const list = divided(curvesOf(transposed(divided(across, segments), width), rows), down);
  const triangles: number[] = [];
  for (let column = 0; column + 1 < width; column++) {
    for (let row = 0; row + 1 < height; row++) {
      const corner = column * height + row;
      triangles.push(corner, corner + height, corner + 1, corner + 1, corner + height, corner + height + 1);
    }
  }
  builder.add(look, list, triangles);
}

function pageRows(pages: number): number {
  return Math.max(1, Math.ceil(pages / pagesAcross));
}

/** Draws all pages of light into one picture. */
function lightPicture(reader: Reader, offset: number, pages: number): Picture {
  const picture = emptyPicture(side * Math.min(pagesAcross, pages), side * pageRows(pages));
  for (let page = 0; page < pages; page++) {
    const [left, top] = [page % pagesAcross * side, Math.floor(page / pagesAcross) * side];
    const samples = reader.slice(offset + page * side * side * 3, side * side * 3, "light");
    for (let sample = 0; sample < side * side; sample++) {
      const target = (top + Math.floor(sample / side)) * picture.width + left + sample % side;
      const [red, green, blue] = [
        byteAt(samples, sample * 3),
        byteAt(samples, sample * 3 + 1),
        byteAt(samples, sample * 3 + 2),
      ];
      putBright(picture.rgba, target * 4, red, green, blue, brightness);
    }
  }
  // Unused rows after the last page are opaque too.
  for (let index = 3; index < picture.rgba.length; index += 4) picture.rgba[index] = 255;
  return picture;
}

/** Maximum pages of light: 64 million samples. */
const maxPages = 4096;

/**
 * Reads the shape of a map of Quake 3.
 * @throws {MediaError} if it is damaged or too large.
 */
export function readPatches(map: MapReader): MapGeometry {
  const light = map.lump(lumps.light);
  const pages = Math.floor(light.length / (side * side * 3));
  if (pages > maxPages) throw new MediaError(`it has ${pages} pages of light; up to ${maxPages} are read`);
  const builder = new SurfaceBuilder();
  const reader = new SurfaceReader(map, pages);
  for (const { model, surface } of map.modelSurfaces()) reader.add(model, surface, builder);
  const lightPages = pages === 0 ? [] : [lightPicture(map.reader, light.offset, pages)];
  return { surfaces: builder.finish(), lightPages, isInPixels: false };
}
