/**
 * Reads Quake's models.
 *
 * MDL (id-Software/Quake `modelgen.h`): `IDPO`, i32 6; 8 scale, 20 origin (points), 48 i32 skins, width, height,
 * vertices, triangles, frames; from byte 84 skins (i32 0 and pixels, or i32 1, count, times, pixels), texture vertices
 * of 12 bytes (on seam, s, t), triangles of 16 (front-facing, three vertices), frames (i32 0 and a frame, or i32 1,
 * count, bounds, times, frames; a frame is two corners of 4 bytes, a name of 16, vertices of 4: three bytes and the
 * number of a normal). Triangles that face backwards show the right half of the skin: their vertices on the seam are
 * shifted by half a skin (`r_alias.c`, `gl_mesh.c`).
 * @module
 */
import {
  clipsOf,
  Corners,
  type Geometry,
  type MeshFrame,
  requireNumbers,
  requireVertices,
  smoothNormals,
} from "./geometry.ts";
import { animationsOf, Bounds, type Model, type ModelFile, type Point, requireVersion } from "./model.ts";
import type { Palette } from "../pictures/palette.ts";
import type { Picture } from "../pictures/picture.ts";
import { decodeIndices } from "../pictures/quake_picture.ts";
import { MediaError, Reader } from "../core/reader.ts";

/** Frames per second of models without a given rate (id-Software/QuakeWorld: each frame is shown for 0.1 s). */
export const quakeRate = 10;

/** Reads a compressed vertex: three bytes, scaled and translated. */
export function readVertex(reader: Reader, offset: number, scale: Point, origin: Point): Point {
  const axis = (index: 0 | 1 | 2) => reader.u8(offset + index) * scale[index] + origin[index];
  return [axis(0), axis(1), axis(2)];
}

interface MdlSkins {
  /** Offsets of the pixels of each skin; for a group, of its first skin. */
  readonly offsets: readonly number[];
  readonly width: number;
  readonly height: number;
  /** Offset after the skins. */
  readonly end: number;
}

function mdlSkins(reader: Reader): MdlSkins {
  const count = reader.count(48, 4, "skins");
  const width = reader.u32(52);
  const height = reader.u32(56);
  const offsets: number[] = [];
  let offset = 84;
  for (let skin = 0; skin < count; skin++) {
    const pictures = reader.i32(offset) === 0 ? 1 : reader.count(offset + 4, 4, "pictures of a skin");
    const start = reader.i32(offset) === 0 ? offset + 4 : offset + 8 + pictures * 4;
    reader.require(start, width * height * pictures, `skin ${skin}`);
    offsets.push(start);
    offset = start + width * height * pictures;
  }
  return { offsets, width, height, end: offset };
}

/** An MDL. */
class Mdl implements ModelFile {
  readonly #reader: Reader;
  readonly #skins: MdlSkins;
  readonly #scale: Point;
  readonly #origin: Point;
  readonly #vertices: number;
  readonly #triangles: number;
  /** Frames and groups of frames. */
  readonly #steps: number;
  /** All frames, including frames in groups. */
  readonly #frames: { readonly name: string; readonly offset: number }[] = [];

  constructor(reader: Reader) {
    requireVersion(reader, "MDL", 6);
    this.#reader = reader;
    this.#scale = reader.point(8);
    this.#origin = reader.point(20);
    this.#skins = mdlSkins(reader);
    this.#vertices = reader.count(60, 12, "vertices");
    this.#triangles = reader.count(64, 16, "triangles");
    this.#steps = reader.count(68, 4, "frames");
    let offset = this.#skins.end + this.#vertices * 12 + this.#triangles * 16;
    for (let step = 0; step < this.#steps; step++) {
      const isGroup = reader.i32(offset) !== 0;
      const count = isGroup ? reader.count(offset + 4, 28, "frames of a group") : 1;
      offset += isGroup ? 16 + count * 4 : 4;
      for (let frame = 0; frame < count; frame++) {
        reader.require(offset, 24 + this.#vertices * 4, `frame ${this.#frames.length}`);
        this.#frames.push({ name: reader.text(offset + 8, 16), offset: offset + 24 });
        offset += 24 + this.#vertices * 4;
      }
    }
  }

  facts(): Model {
    const bounds = new Bounds();
    for (const { offset } of this.#frames) {
      for (let vertex = 0; vertex < this.#vertices; vertex++) {
        bounds.add(readVertex(this.#reader, offset + vertex * 4, this.#scale, this.#origin));
      }
    }
    return {
      format: "MDL",
      version: 6,
      frames: this.#steps,
      animations: animationsOf(this.#frames.map(({ name }) => name)),
      triangles: this.#triangles,
      vertices: this.#vertices,
      skins: this.#skins.offsets.map((_, index) => String(index)),
      surfaces: [],
      tags: [],
      bounds: bounds.box,
    };
  }

  geometry(): Geometry {
    requireNumbers(this.#triangles * 3 + this.#frames.length * Math.min(this.#triangles * 3, this.#vertices * 2) * 6);
    const reader = this.#reader;
    const { width, height, end } = this.#skins;
    const shared = new Uint32Array(this.#triangles * 3);
    const triangles = new Uint32Array(this.#triangles * 3);
    const corners = new Corners();
    for (let corner = 0; corner < shared.length; corner++) {
      const record = end + this.#vertices * 12 + Math.floor(corner / 3) * 16;
      // Engines draw the other side of triangles with this vertex order.
      const vertex = reader.u32(record + 12 - corner % 3 * 4);
      shared[corner] = vertex;
      requireVertices(shared.subarray(corner, corner + 1), this.#vertices);
      const point = end + vertex * 12;
      const isRight = reader.i32(record) === 0 && reader.i32(point) !== 0;
      const [s, t] = [reader.i32(point + 4) + (isRight ? width / 2 : 0), reader.i32(point + 8)];
      triangles[corner] = corners.add(vertex, isRight ? 1 : 0, (s + 0.5) / width, (t + 0.5) / height);
    }
    const frames = this.#frames.map(({ offset }) => {
      const positions = vertexPositions(reader, offset, this.#vertices, this.#scale, this.#origin);
      return spreadFrame(positions, shared, corners);
    });
    const frameNames = this.#frames.map(({ name }) => name);
    const imagePoints = Float32Array.from(corners.imagePoints);
    return {
      meshes: frames.length === 0 ? [] : [{ name: "", shaders: [], triangles, imagePoints, frames }],
      frameNames,
      clips: clipsOf(frameNames, quakeRate),
    };
  }
}

/** Returns the positions of compressed vertices, in records of four bytes. */
export function vertexPositions(
  reader: Reader,
  offset: number,
  count: number,
  scale: Point,
  origin: Point,
): Float32Array {
  const positions = new Float32Array(count * 3);
  for (let vertex = 0; vertex < count; vertex++) {
    positions.set(readVertex(reader, offset + vertex * 4, scale, origin), vertex * 3);
  }
  return positions;
}

/** Returns a frame of the vertices of a mesh from their shared positions. */
export function spreadFrame(positions: Float32Array, shared: Uint32Array, corners: Corners): MeshFrame {
  return { positions: corners.spread(positions), normals: corners.spread(smoothNormals(positions, shared)) };
}

/**
 * Opens an MDL.
 * @throws {MediaError} if it has another version, or is truncated.
 */
export function openMdl(reader: Reader): ModelFile {
  return new Mdl(reader);
}

/**
 * Decodes a skin of an MDL.
 * @throws {MediaError} if the file has no such skin.
 */
export function decodeMdlSkin(bytes: Uint8Array, number: number, palette: Palette): Picture {
  const reader = new Reader(bytes);
  requireVersion(reader, "MDL", 6);
  const { offsets, width, height } = mdlSkins(reader);
  const offset = offsets[number];
  if (offset === undefined) throw new MediaError(`it has no skin ${number}, only ${offsets.length}`);
  return decodeIndices(bytes.subarray(offset), width, height, palette);
}
