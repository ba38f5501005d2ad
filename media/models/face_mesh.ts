/**
 * A mesh of faces whose corners have a position, texture coordinates and smoothing of their own.
 * @module
 */
import { MediaError } from "../core/reader.ts";
import { Corners, type Mesh, num, requireNumbers, smoothNormals } from "./geometry.ts";

/** Maximum positions, image points, faces, materials or names of a file. */
const maxRecords = 1_000_000;

/**
 * Checks that a file has no more records of a kind than are read.
 * @throws {MediaError} if it has.
 */
export function requireRecords(count: number): void {
  if (count > maxRecords) throw new MediaError(`it has more than ${maxRecords} points, faces or names`);
}

/** A corner of a face. */
export interface Corner {
  /** Index of its position. */
  readonly position: number;
  /** Position on the image, from the upper left corner. */
  readonly point: readonly [u: number, v: number];
}

/** A mesh that grows by faces. */
export class FaceMesh {
  readonly #name: string;
  readonly #shader: string;
  readonly #corners = new Corners();
  readonly #keys = new Map<string, number>();
  readonly #triangles: number[] = [];

  constructor(name: string, shader: string) {
    this.#name = name;
    this.#shader = shader;
  }

  /**
   * Adds a convex face, counterclockwise seen from outside.
   * @param smoothing Faces of the same smoothing share normals at their common corners.
   */
  add(face: readonly Corner[], smoothing: string): void {
    const vertices = face.map(({ position, point: [u, v] }) => {
      const name = `${u} ${v} ${smoothing}`;
      const key = this.#keys.get(name) ?? this.#keys.size;
      this.#keys.set(name, key);
      return this.#corners.add(position, key, u, v);
    });
    for (let corner = 2; corner < vertices.length; corner++) {
      this.#triangles.push(num(vertices, 0), num(vertices, corner - 1), num(vertices, corner));
    }
    requireNumbers(this.#triangles.length * 6);
  }

  /**
   * Returns the mesh.
   * @param positions Three numbers each.
   * @throws {MediaError} if a corner has none of them, or infinite coordinates.
   */
  mesh(positions: readonly number[]): Mesh {
    const { sources, imagePoints } = this.#corners;
    const missing = sources.find((source) => source * 3 + 2 >= positions.length);
    if (missing !== undefined) {
      throw new MediaError(`a face has vertex ${missing}, but the last is ${Math.floor(positions.length / 3) - 1}`);
    }
    const spread = this.#corners.spread(Float32Array.from(positions));
    const points = Float32Array.from(imagePoints);
    if (![spread, points].every((values) => values.every(Number.isFinite))) throw new MediaError("a corner is nowhere");
    const triangles = Uint32Array.from(this.#triangles);
    return {
      name: this.#name,
      shaders: [this.#shader],
      triangles,
      imagePoints: points,
      frames: [{ positions: spread, normals: smoothNormals(spread, triangles) }],
    };
  }
}
