/**
 * Reads objects of LightWave 6 and later, which Doom 3 loads as models without motion. All numbers are big-endian; y is up.
 *
 * `FORM`, u32 length, `LWO2`, then chunks: name of 4, u32 length, content, padded to even lengths. TAGS: names that end in
 * NUL, padded to even lengths. PNTS: positions of a layer. VMAP: `TXUV`, u16 2, name, then index of a point, u, v; VMAD: also
 * the index of a polygon before u. POLS: `FACE`, then u16 count in the lower 10 bits, indices of points, clockwise seen from
 * outside. PTAG: `SURF`, then index of a polygon, u16 tag. SURF: name, name of its source, parts of a name of 4 and u16
 * length; SMAN: f32 angle of smoothing. An index has two bytes, or four if the first is 0xff. (NewTek, LWO2; DOOM-3
 * neo/renderer/Model_lwo.cpp, Model.cpp.)
 * @module
 */
import { MediaError } from "../core/reader.ts";
import { FaceMesh, requireRecords } from "./face_mesh.ts";
import type { Geometry } from "./geometry.ts";

const latin = new TextDecoder("windows-1252");

/** Reads fields of a chunk one after another. */
class Fields {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, offset: number, length: number) {
    if (offset + length > bytes.length) throw new MediaError("a part of it ends after the file", { offset });
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#offset = offset;
    this.#end = offset + length;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#end;
  }

  #take(length: number): number {
    const offset = this.#offset;
    if (offset + length > this.#end) throw new MediaError("a part of it is cut short", { offset });
    this.#offset += length;
    return offset;
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2));
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4));
  }

  f32(): number {
    return this.#view.getFloat32(this.#take(4));
  }

  index(): number {
    return this.#bytes[this.#offset] === 0xff ? this.u32() & 0xffffff : this.u16();
  }

  letters(): string {
    const offset = this.#take(4);
    return latin.decode(this.#bytes.subarray(offset, offset + 4));
  }

  name(): string {
    const nul = this.#bytes.indexOf(0, this.#offset);
    const start = this.#offset;
    const length = (nul < 0 ? this.#end : nul) - start + 1;
    this.#take(length);
    if (length % 2 === 1 && !this.isAtEnd) this.#take(1);
    return latin.decode(this.#bytes.subarray(start, start + length - 1));
  }

  /** Returns the fields of a part that begins here, and continues after it. */
  part(length: number): Fields {
    const offset = this.#take(length);
    if (length % 2 === 1 && !this.isAtEnd) this.#take(1);
    return new Fields(this.#bytes, offset, length);
  }
}

/** A polygon: indices of positions, and its surface. */
interface Polygon {
  readonly positions: readonly number[];
  tag: number;
  /** Texture coordinates of its own at some positions. */
  readonly points: Map<number, readonly [number, number]>;
}

/** Reads the chunks of an object. */
class LightWave {
  readonly tags: string[] = [];
  readonly positions: number[] = [];
  readonly polygons: Polygon[] = [];
  readonly points = new Map<number, readonly [number, number]>();
  /** Surfaces whose faces share normals. */
  readonly smooth = new Set<string>();
  /** First position and polygon of the layer. */
  #firstPosition = 0;
  #firstPolygon = 0;
  #points = 0;

  chunk(name: string, fields: Fields): void {
    if (name === "TAGS") this.#readTags(fields);
    else if (name === "PNTS") this.#readPositions(fields);
    else if (name === "POLS") this.#readPolygons(fields);
    else if (name === "PTAG" && fields.letters() === "SURF") {
      while (!fields.isAtEnd) this.#polygon(fields.index()).tag = fields.u16();
    } else if (name === "VMAP" || name === "VMAD") this.#readPoints(name, fields);
    else if (name === "SURF") this.#readSurface(fields);
  }

  #readTags(fields: Fields): void {
    while (!fields.isAtEnd) requireRecords(this.tags.push(fields.name()));
  }

  #readPositions(fields: Fields): void {
    this.#firstPosition = this.positions.length / 3;
    while (!fields.isAtEnd) {
      const [x, y, z] = [fields.f32(), fields.f32(), fields.f32()];
      requireRecords(this.positions.push(x, z, y) / 3);
    }
  }

  /** Reads polygons of any kind: Doom 3 draws patches as faces too. */
  #readPolygons(fields: Fields): void {
    fields.letters();
    this.#firstPolygon = this.polygons.length;
    while (!fields.isAtEnd) {
      const positions = Array.from({ length: fields.u16() & 0x3ff }, () => this.#firstPosition + fields.index());
      requireRecords(this.polygons.push({ positions: positions.reverse(), tag: -1, points: new Map() }));
    }
  }

  #polygon(index: number): Polygon {
    const polygon = this.polygons[this.#firstPolygon + index];
    if (!polygon) throw new MediaError(`it has no polygon ${index}`);
    return polygon;
  }

  #readPoints(name: string, fields: Fields): void {
    if (fields.letters() !== "TXUV" || fields.u16() !== 2) return;
    fields.name();
    while (!fields.isAtEnd) {
      const position = this.#firstPosition + fields.index();
      const points = name === "VMAD" ? this.#polygon(fields.index()).points : this.points;
      requireRecords(++this.#points);
      points.set(position, [fields.f32(), 1 - fields.f32()]);
    }
  }

  #readSurface(fields: Fields): void {
    const surface = fields.name();
    fields.name();
    while (!fields.isAtEnd) {
      const name = fields.letters();
      const part = fields.part(fields.u16());
      if (name === "SMAN" && part.f32() > 0) this.smooth.add(surface);
    }
  }
}

/**
 * Reads an object as a model.
 * @throws {MediaError} if it does not begin like one, or is damaged.
 */
export function readLwo(bytes: Uint8Array): Geometry {
  const file = new Fields(bytes, 0, bytes.length);
  const form = file.letters() === "FORM" ? file.part(file.u32()) : undefined;
  if (form?.letters() !== "LWO2") {
    throw new MediaError("it does not begin like an object of LightWave 6 or later", { offset: 0 });
  }
  const object = new LightWave();
  while (!form.isAtEnd) object.chunk(form.letters(), form.part(form.u32()));
  const { tags, positions, polygons, points, smooth } = object;
  const meshes = new Map<number, FaceMesh>();
  for (const [index, polygon] of polygons.entries()) {
    const surface = tags[polygon.tag] ?? "";
    const mesh = meshes.get(polygon.tag) ?? new FaceMesh(surface, surface);
    meshes.set(polygon.tag, mesh);
    const corners = polygon.positions.map((position) => ({
      position,
      point: polygon.points.get(position) ?? points.get(position) ?? [0, 0] as const,
    }));
    mesh.add(corners, smooth.has(surface) ? "" : `face ${index}`);
  }
  const drawn = Array.from(meshes.values(), (mesh) => mesh.mesh(positions));
  return { meshes: drawn.filter(({ triangles }) => triangles.length > 0), frameNames: [], clips: [] };
}
