/**
 * Reads Quake 2's models.
 *
 * MD2 (id-Software/Quake-2 `qfiles.h`): `IDP2`, i32 8; 8 i32 width and height of skins, 16 bytes of a frame, skins,
 * vertices, image points, 32 triangles, 40 frames, 44 offset of skins (names of 64), image points (i16 s, t), triangles
 * (three u16 vertices, three u16 image points), 56 frames (scale, origin, name of 16, vertices of 4).
 * @module
 */
import { clipsOf, Corners, type Geometry, requireNumbers, requireVertices } from "./geometry.ts";
import { quakeRate, readVertex, spreadFrame, vertexPositions } from "./mdl.ts";
import { animationsOf, Bounds, type Model, type ModelFile, requireVersion } from "./model.ts";
import { MediaError, type Reader } from "../core/reader.ts";

class Md2 implements ModelFile {
  readonly #reader: Reader;
  readonly #skins: readonly string[];
  readonly #vertices: number;
  readonly #triangles: number;
  readonly #frameNames: readonly string[];

  constructor(reader: Reader) {
    requireVersion(reader, "MD2", 8);
    this.#reader = reader;
    const skins = reader.count(20, 64, "skins");
    this.#vertices = reader.count(24, 4, "vertices");
    this.#triangles = reader.count(32, 12, "triangles");
    const frames = reader.count(40, 40 + this.#vertices * 4, "frames");
    const skinsAt = reader.u32(44);
    this.#skins = Array.from({ length: skins }, (_, skin) => reader.text(skinsAt + skin * 64, 64));
    this.#frameNames = Array.from({ length: frames }, (_, frame) => reader.text(this.#frameAt(frame) + 24, 16));
  }

  #frameAt(frame: number): number {
    return this.#reader.u32(56) + frame * this.#reader.u32(16);
  }

  facts(): Model {
    const bounds = new Bounds();
    this.#frameNames.forEach((_, frame) => {
      const offset = this.#frameAt(frame);
      const [scale, origin] = [this.#reader.point(offset), this.#reader.point(offset + 12)];
      for (let vertex = 0; vertex < this.#vertices; vertex++) {
        bounds.add(readVertex(this.#reader, offset + 40 + vertex * 4, scale, origin));
      }
    });
    return {
      format: "MD2",
      version: 8,
      frames: this.#frameNames.length,
      animations: animationsOf(this.#frameNames),
      triangles: this.#triangles,
      vertices: this.#vertices,
      skins: this.#skins,
      surfaces: [],
      tags: [],
      bounds: bounds.box,
    };
  }

  geometry(): Geometry {
    requireNumbers((this.#frameNames.length * 6 + 1) * this.#triangles * 3);
    const reader = this.#reader;
    const [width, height, points] = [reader.u32(8), reader.u32(12), reader.count(28, 4, "image points")];
    const [pointsAt, trianglesAt] = [reader.u32(48), reader.u32(52)];
    const shared = new Uint32Array(this.#triangles * 3);
    const triangles = new Uint32Array(this.#triangles * 3);
    const corners = new Corners();
    for (let corner = 0; corner < shared.length; corner++) {
      const record = trianglesAt + Math.floor(corner / 3) * 12;
      // Engines draw the other side of triangles with this vertex order.
      const field = 4 - corner % 3 * 2;
      const [vertex, point] = [reader.u16(record + field), reader.u16(record + 6 + field)];
      if (point >= points) throw new MediaError(`a triangle has image point ${point}, but the last is ${points - 1}`);
      shared[corner] = vertex;
      const [s, t] = [reader.i16(pointsAt + point * 4), reader.i16(pointsAt + point * 4 + 2)];
      triangles[corner] = corners.add(vertex, point, (s + 0.5) / width, (t + 0.5) / height);
    }
    requireVertices(shared, this.#vertices);
    const frames = this.#frameNames.map((_, frame) => {
      const offset = this.#frameAt(frame);
      const [scale, origin] = [reader.point(offset), reader.point(offset + 12)];
      return spreadFrame(vertexPositions(reader, offset + 40, this.#vertices, scale, origin), shared, corners);
    });
    const imagePoints = Float32Array.from(corners.imagePoints);
    return {
      meshes: frames.length === 0 ? [] : [{ name: "", shaders: this.#skins, triangles, imagePoints, frames }],
      frameNames: this.#frameNames,
      clips: clipsOf(this.#frameNames, quakeRate),
    };
  }
}

/**
 * Opens an MD2.
 * @throws {MediaError} if it has another version, or is truncated.
 */
export function openMd2(reader: Reader): ModelFile {
  return new Md2(reader);
}
