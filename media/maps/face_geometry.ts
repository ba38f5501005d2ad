/**
 * Shapes of maps whose surfaces are polygons of edges: Quake, Half-Life and Quake 2.
 *
 * A face has 20 bytes: u16 plane, u16 whether it faces backwards, i32 first of its edges, u16 their number, u16 texture
 * information, four styles of light, i32 offset of light (`BSP2`: 28 bytes, all numbers i32). Texture information
 * begins with two vectors of four floats, which map points to pixels. Light has one sample per 16 pixels, for each
 * style other than 255. (id-Software: Quake `bspfile.h`, `gl_rsurf.c`, `model.c` `CalcSurfaceExtents`; Quake-2
 * `qfiles.h`, `gl_light.c`; Half-Life SDK `bspfile.h`.)
 * @module
 */
import { MediaError, type Reader } from "../core/reader.ts";
import { byteAt } from "../../formats/parts.ts";
import type { Picture } from "../pictures/picture.ts";
import {
  type Light,
  type LightBlock,
  lightPage,
  type LightPlace,
  type MapGeometry,
  placeBlocks,
  putBright,
  SurfaceBuilder,
} from "./map_geometry.ts";
import type { MapReader } from "./map_reader.ts";

type Vector = readonly [number, number, number];

/** Light of 128 shows a texture unchanged (GLQuake; Quake 2 doubles its textures, `gl_image.c` `intensity`). */
const brightness = 2;
/** Pixels of a texture per sample of light. */
const pixelsOfSample = 16;

/** Flags of Quake 2's texture information. */
const quake2Flags = { sky: 4, warp: 8, thinner: 0x10, thin: 0x20, hidden: 0x80 } as const;

/** Textures of surfaces that are not drawn: sky, and textures for compilers and game code. */
const hiddenNames =
  /^(?:sky|(?:.*\/)?(?:clip|trigger|aaatrigger|skip|hint|hintskip|null|nodraw|origin|areaportal|waterskip)$)/i;

/** A face that is drawn. */
interface Face {
  readonly model: number;
  readonly texture: number;
  readonly opacity: number;
  readonly isFullyLit: boolean;
  readonly points: readonly Vector[];
  readonly normal: Vector;
  readonly image: readonly (readonly [number, number])[];
  /** Offset of its light; -1 if it is dark. */
  readonly lightOffset: number;
  readonly styles: number;
  /** The first sample on each axis, in samples. */
  readonly corner: readonly [number, number];
  readonly block: LightBlock;
}

/** Samples of light, from the map or a file next to it. */
interface Samples {
  readonly bytes: Uint8Array;
  /** Bytes of a sample: 1 or 3. */
  readonly size: number;
  /** Factor from offsets in the map to offsets in `bytes`. */
  readonly factor: number;
}

class FaceReader {
  readonly #map: MapReader;
  readonly #reader: Reader;
  readonly #parts: NonNullable<MapReader["layout"]["edges"]>;
  readonly #isWide: boolean;
  readonly #isQuake2: boolean;
  readonly #textures: readonly number[];
  readonly #hidden: readonly boolean[];

  constructor(map: MapReader, parts: NonNullable<MapReader["layout"]["edges"]>) {
    this.#map = map;
    this.#reader = map.reader;
    this.#parts = parts;
    this.#isWide = map.layout.surfaces.size === 28;
    this.#isQuake2 = map.layout.textures.kind === "texinfo";
    this.#textures = map.textureIndices();
    this.#hidden = map.textures().map(({ name }) => hiddenNames.test(name));
  }

  /** Returns the point of an edge at which the next side of the polygon begins. */
  #point(index: number): Vector {
    const { edges, list } = this.#parts;
    const entry = this.#at({ lump: list, size: 4 }, index);
    const edge = this.#reader.i32(entry);
    const record = this.#at(edges, Math.abs(edge));
    const end = edge < 0 ? 1 : 0;
    const vertex = edges.size === 8 ? this.#reader.u32(record + end * 4) : this.#reader.u16(record + end * 2);
    return this.#reader.point(this.#at(this.#map.layout.vertices, vertex));
  }

  /** Returns the offset of a record of a part. */
  #at(part: { readonly lump: number; readonly size: number }, index: number): number {
    const { offset, length } = this.#map.lump(part.lump);
    if (index >= 0 && (index + 1) * part.size <= length) return offset + index * part.size;
    throw new MediaError(`part ${part.lump} of the map has no record ${index}`, { offset });
  }

  /** Reads a face; undefined if it is not drawn. */
  face(model: number, index: number, builder: SurfaceBuilder): Face | undefined {
    const reader = this.#reader;
    const record = this.#at(this.#map.layout.surfaces, index);
    const isWide = this.#isWide;
    const small = (field: number) => isWide ? reader.i32(record + field * 2) : reader.u16(record + field);
    const count = isWide ? reader.i32(record + 12) : reader.u16(record + 8);
    const information = isWide ? reader.i32(record + 16) : reader.u16(record + 10);
    const rest = record + (isWide ? 20 : 12);
    const texture = this.#textures[information] ?? -1;
    const info = this.#at(this.#parts.information, information);
    const flags = reader.u32(info + (this.#isQuake2 ? 32 : 36));
    const { sky, warp, thinner, thin, hidden } = quake2Flags;
    if (count < 3 || texture < 0 || this.#hidden[texture]) return undefined;
    if (this.#isQuake2 && (flags & (sky | hidden)) !== 0) return undefined;
    builder.require(count, (count - 2) * 3);
    const first = reader.i32(record + (isWide ? 8 : 4));
    const points = Array.from({ length: count }, (_, corner) => this.#point(first + corner));
    const plane = reader.point(this.#at({ lump: this.#parts.planes, size: 20 }, small(0)));
    const normal: Vector = small(2) === 0 ? plane : [-plane[0], -plane[1], -plane[2]];
    const image = points.map((point) => [along(reader, info, point), along(reader, info + 16, point)] as const);
    const isFullyLit = this.#isQuake2 ? (flags & warp) !== 0 : (flags & 1) !== 0;
    const styles = [0, 1, 2, 3].findIndex((style) => reader.u8(rest + style) === 255);
    return {
      model,
      texture,
      opacity: !this.#isQuake2 ? 1 : (flags & thinner) !== 0 ? 0.33 : (flags & thin) !== 0 ? 0.66 : 1,
      isFullyLit,
      points,
      normal,
      image,
      lightOffset: styles === 0 ? -1 : reader.i32(rest + 4),
      styles: styles < 0 ? 4 : styles,
      ...samplesOf(image),
    };
  }

  /** Returns the samples of light; undefined if the map has none. */
  light(coloured: Uint8Array | undefined): Samples | undefined {
    const { lump, samples } = this.#parts.light;
    const { offset, length } = this.#map.lump(lump);
    if (length === 0) return undefined;
    if (samples === 1 && coloured?.length === length * 3) return { bytes: coloured, size: 3, factor: 3 };
    return { bytes: this.#reader.slice(offset, length, "light"), size: samples, factor: 1 };
  }
}

/** Returns the pixel of a texture at a point, along one of its axes. */
function along(reader: Reader, axis: number, [x, y, z]: Vector): number {
  const [a, b, c] = reader.point(axis);
  return x * a + y * b + z * c + reader.f32(axis + 12);
}

/**
 * Returns the samples of light around texture coordinates. Compilers and engines round these to floats before they
 * count samples (sezero/quakespasm Quake/gl_model.c, `CalcSurfaceExtents`): higher precision would give one sample more
 * for some faces.
 */
function samplesOf(image: readonly (readonly [number, number])[]): Pick<Face, "corner" | "block"> {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const point of image) {
    const [s, t] = [Math.fround(point[0]), Math.fround(point[1])];
    [left, right] = [Math.min(left, s), Math.max(right, s)];
    [top, bottom] = [Math.min(top, t), Math.max(bottom, t)];
  }
  const [x, y] = [Math.floor(left / pixelsOfSample), Math.floor(top / pixelsOfSample)];
  const width = Math.ceil(right / pixelsOfSample) - x + 1;
  return { corner: [x, y], block: { width, height: Math.ceil(bottom / pixelsOfSample) - y + 1 } };
}

/** Black, for faces without light in a map that has some. */
const darkness: LightBlock = { width: 1, height: 1 };

/** Returns the lightmap of a face: one dark sample if it has none or an invalid one. */
function blockOf({ block, lightOffset, styles }: Face, { bytes, size, factor }: Samples): LightBlock {
  const { width, height } = block;
  const isUsable = lightOffset >= 0 && width >= 1 && height >= 1 && width <= lightPage && height <= lightPage &&
    lightOffset * factor + width * height * size * styles <= bytes.length;
  return isUsable ? block : darkness;
}

/** Draws the sum of all styles of a face, as if all its lamps were on. */
function draw(
  page: Picture,
  { lightOffset, styles }: Face,
  { width, height }: LightBlock,
  { x, y }: LightPlace,
  { bytes, size, factor }: Samples,
): void {
  for (let sample = 0; sample < width * height; sample++) {
    let [red, green, blue] = [0, 0, 0];
    for (let style = 0; style < styles; style++) {
      const offset = lightOffset * factor + (style * width * height + sample) * size;
      red += byteAt(bytes, offset);
      green += byteAt(bytes, size === 3 ? offset + 1 : offset);
      blue += byteAt(bytes, size === 3 ? offset + 2 : offset);
    }
    const target = ((y + Math.floor(sample / width)) * page.width + x + sample % width) * 4;
    putBright(page.rgba, target, red, green, blue, brightness);
  }
}

/**
 * Reads the shape of a map of Quake, Half-Life or Quake 2.
 * @param coloured Samples of red, green and blue from a file next to it, as many as the map has.
 * @throws {MediaError} if it is damaged or too large.
 */
export function readFaces(
  map: MapReader,
  parts: NonNullable<MapReader["layout"]["edges"]>,
  coloured: Uint8Array | undefined,
): MapGeometry {
  const builder = new SurfaceBuilder();
  const reader = new FaceReader(map, parts);
  const faces: Face[] = [];
  for (const { model, surface } of map.modelSurfaces()) {
    const face = reader.face(model, surface, builder);
    if (face) faces.push(face);
  }
  const light = reader.light(coloured);
  const lit = light ? faces.filter(({ isFullyLit }) => !isFullyLit) : [];
  const blocks = light ? lit.map((face) => blockOf(face, light)) : [];
  const { places, heights } = placeBlocks(blocks);
  const pages = heights.map((height) => ({
    width: lightPage,
    height,
    rgba: new Uint8Array(lightPage * height * 4).fill(255),
  }));
  const placeOf = new Map(lit.map((face, index) => [face, index]));
  for (const face of faces) {
    const index = placeOf.get(face);
    const [place, block] = index === undefined ? [] : [places[index], blocks[index]];
    const page = place && pages[place.page];
    if (place && block && light && page && block !== darkness) draw(page, face, block, place, light);
    else if (place && page) putBright(page.rgba, (place.y * page.width + place.x) * 4, 0, 0, 0, 1);
    const shade: Light = place ? { page: place.page } : face.isFullyLit ? "full" : "unknown";
    builder.add(
      { model: face.model, texture: face.texture, light: shade, opacity: face.opacity },
      face.points.map((position, corner) => ({
        position,
        normal: face.normal,
        image: face.image[corner] ?? [0, 0],
        light: place && page && block ? lightPoint(face, corner, block, place, page) : [0, 0],
        colour: [255, 255, 255, 255],
      })),
      // Engines draw the other side of polygons with this vertex order.
      face.points.slice(2).flatMap((_, corner) => [0, corner + 2, corner + 1]),
    );
  }
  return { surfaces: builder.finish(), lightPages: pages, isInPixels: true };
}

/** Returns the position of a corner's light on its page: the middle of a sample. */
function lightPoint(
  { image, corner: first }: Face,
  corner: number,
  block: LightBlock,
  place: LightPlace,
  page: Picture,
): [number, number] {
  const [s, t] = block === darkness ? [first[0] * 16, first[1] * 16] : image[corner] ?? [0, 0];
  const x = place.x + 0.5 + s / pixelsOfSample - first[0];
  const y = place.y + 0.5 + t / pixelsOfSample - first[1];
  return [x / page.width, y / page.height];
}
