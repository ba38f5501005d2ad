/**
 * Shapes of models of all formats: meshes, frames of vertices, skeletons and tags. Coordinates are the engine's: x
 * forward, y left, z up.
 * @module
 */
import { MediaError } from "../core/reader.ts";

/** Vertices of a mesh in one frame: three numbers each. */
export interface MeshFrame {
  readonly positions: Float32Array;
  readonly normals: Float32Array;
}

/** A part of a model that is drawn with one skin. */
export interface Mesh {
  readonly name: string;
  /** Names of its shaders or images; empty if a skin file has the names. */
  readonly shaders: readonly string[];
  /** Three vertices per triangle, counterclockwise seen from outside. */
  readonly triangles: Uint32Array;
  /** Position of each vertex on its image, from the upper left corner, as fractions of its size. */
  readonly imagePoints: Float32Array;
  /** At least one frame; with a skeleton the rest pose of its joints. */
  readonly frames: readonly MeshFrame[];
  /** Joints that move each vertex: four indices and four weights each. */
  readonly binding?: { readonly joints: Uint16Array; readonly weights: Float32Array };
}

/** Length of a {@linkcode Pose}: translation, rotation as a quaternion with w last, and scale. */
export const poseSize = 10;
/** Poses of joints relative to their parents: {@linkcode poseSize} numbers each. */
export type Pose = Float64Array;

/** A node that moves with the frames of a model. */
export interface Joint {
  readonly name: string;
  /** Index of an earlier joint, the parent; -1 if it has none. */
  readonly parent: number;
}

/** Consecutive frames with a name. */
export interface Clip {
  readonly name: string;
  readonly first: number;
  readonly count: number;
  /** Frames per second. */
  readonly rate: number;
}

/** Joints, and their poses in each frame. */
export interface Skeleton {
  readonly joints: readonly Joint[];
  /** The pose in which the vertices are stored. */
  readonly rest: Pose;
  readonly frames: readonly Pose[];
}

/** The shape of a model. */
export interface Geometry {
  readonly meshes: readonly Mesh[];
  /** Names of the frames of vertices. */
  readonly frameNames: readonly string[];
  readonly clips: readonly Clip[];
  /** Frame that is shown without an animation; default: the first. */
  readonly still?: number;
  /** Skeleton that moves the vertices by their bindings. */
  readonly skeleton?: Skeleton;
  /** Points at which other models are attached; they have as many frames as the meshes. */
  readonly tags?: Skeleton;
}

/** Maximum numbers of all frames together: 256 MiB. */
const maxNumbers = 64 * 1024 * 1024;

/**
 * Checks that this many numbers may be allocated.
 * @throws {MediaError} if they are too many.
 */
export function requireNumbers(count: number): void {
  if (count <= maxNumbers) return;
  throw new MediaError(`its shape has ${count} numbers; up to ${maxNumbers} are read`);
}

/**
 * Checks that all vertices of triangles exist.
 * @throws {MediaError} with the first one that does not.
 */
export function requireVertices(triangles: Uint32Array, count: number): void {
  for (const vertex of triangles) {
    if (vertex >= count) throw new MediaError(`a triangle has vertex ${vertex}, but the last is ${count - 1}`);
  }
}

/** Returns a number of an array whose index is always valid. */
export function num(numbers: Readonly<ArrayLike<number>>, index: number): number {
  const value = numbers[index];
  if (value === undefined) throw new RangeError(`number ${index} is outside of ${numbers.length}`);
  return value;
}

/** Returns normals of vertices: the sum of their triangles' normals, weighted by area. */
export function smoothNormals(positions: Float32Array, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(positions.length);
  for (let corner = 0; corner < triangles.length; corner += 3) {
    const [a, b, c] = [num(triangles, corner) * 3, num(triangles, corner + 1) * 3, num(triangles, corner + 2) * 3];
    const [ax, ay, az] = [num(positions, a), num(positions, a + 1), num(positions, a + 2)];
    const [ux, uy, uz] = [num(positions, b) - ax, num(positions, b + 1) - ay, num(positions, b + 2) - az];
    const [vx, vy, vz] = [num(positions, c) - ax, num(positions, c + 1) - ay, num(positions, c + 2) - az];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (const vertex of [a, b, c]) {
      normals[vertex] = num(normals, vertex) + nx;
      normals[vertex + 1] = num(normals, vertex + 1) + ny;
      normals[vertex + 2] = num(normals, vertex + 2) + nz;
    }
  }
  return normals;
}

/** Vertices of a format that stores positions and texture coordinates separately: each combination becomes a vertex. */
export class Corners {
  readonly #numbers = new Map<number, number>();
  /** Position of each vertex. */
  readonly sources: number[] = [];
  /** Texture coordinates of each vertex, two numbers each. */
  readonly imagePoints: number[] = [];

  /** Returns the index of the vertex with this position and these texture coordinates, which `key` distinguishes. */
  add(position: number, key: number, u: number, v: number): number {
    const id = position * 2 ** 24 + key;
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.sources.length;
    this.#numbers.set(id, number);
    this.sources.push(position);
    this.imagePoints.push(u, v);
    return number;
  }

  /** Returns the three numbers of each vertex's position. */
  spread(values: Float32Array): Float32Array {
    const spread = new Float32Array(this.sources.length * 3);
    this.sources.forEach((source, vertex) => {
      for (let axis = 0; axis < 3; axis++) spread[vertex * 3 + axis] = num(values, source * 3 + axis);
    });
    return spread;
  }
}

/** Returns clips: consecutive frames whose names differ only in the number at the end. */
export function clipsOf(names: readonly string[], rate: number): Clip[] {
  const clips: { name: string; first: number; count: number; rate: number }[] = [];
  names.forEach((frame, first) => {
    const name = frame.replace(/[\d_.-]*\d$/, "") || frame;
    const last = clips.at(-1);
    if (last?.name === name) last.count++;
    else clips.push({ name, first, count: 1, rate });
  });
  return clips;
}
