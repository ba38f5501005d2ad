/**
 * Reads Inter-Quake models (IQM), which DarkPlaces, ioquake3 and FTE read in addition to their own.
 *
 * Header of 124 bytes (`iqm.h` of the Inter-Quake Model tools): `INTERQUAKEMODEL` and NUL, then u32: 16 version 2, 20 size
 * of the file, 28 bytes of texts and 32 their offset, 36 meshes and 40 their offset, 44 vertex arrays, 48 vertices, 52
 * offset of the arrays, 56 triangles and 60 their offset, 68 joints and 72 their offset, 76 poses and 80 their offset, 84
 * animations and 88 their offset, 92 frames, 96 numbers of a frame, 100 offset of frames (u16), 104 offset of a box for
 * each frame. A mesh has 24 bytes (name, material, 4 first vertex, vertices, first triangle, triangles), a joint 48 (name,
 * parent, 10 floats: translation, rotation, scale), a pose 88 (parent, u32 mask of the numbers that frames have, 10
 * offsets, 10 scales), an animation 20 (name, first frame, frames, rate, flags), a box 32 (two corners and two radii), an
 * array 20 (type; flags; format; size; offset). Names are offsets into the texts, which end in NUL.
 * @module
 */
import {
  type Clip,
  type Geometry,
  type Joint,
  type Mesh,
  type Pose,
  poseSize,
  requireNumbers,
  requireVertices,
  type Skeleton,
  smoothNormals,
} from "./geometry.ts";
import { Bounds, type Box, type Model, type ModelFile, type Surface } from "./model.ts";
import { putPose, rotationOf, scaleOf, translationOf } from "./pose.ts";
import { MediaError, type Reader } from "../core/reader.ts";

const magic = "INTERQUAKEMODEL\0";
const knownVersion = 2;

/** Returns whether a file begins like an IQM. */
export function isIqm(reader: Reader): boolean {
  return reader.startsWith(magic);
}

/** Types of vertex arrays. */
const arrayTypes = { positions: 0, imagePoints: 1, normals: 2, joints: 4, weights: 5 } as const;
/** Formats of vertex arrays: bytes of a number. */
const formatSizes: readonly number[] = [1, 1, 2, 2, 4, 4, 2, 4, 8];
const floats = 7;

class Iqm implements ModelFile {
  readonly #reader: Reader;
  readonly #meshes: number;
  readonly #vertices: number;
  readonly #triangles: number;
  readonly #joints: number;
  readonly #frames: number;

  constructor(reader: Reader) {
    reader.require(0, 124, "the header of an IQM");
    const version = reader.u32(16);
    if (version !== knownVersion) {
      throw new MediaError(`unknown version ${version} of IQM; ${knownVersion} can be read`, { offset: 16 });
    }
    this.#reader = reader;
    this.#meshes = reader.count(36, 24, "meshes");
    this.#vertices = reader.count(48, 1, "vertices");
    this.#triangles = reader.count(56, 12, "triangles");
    this.#joints = reader.count(68, 48, "joints");
    this.#frames = reader.count(92, 1, "frames");
  }

  /** Returns the string at offset `start` of the texts. */
  #text(start: number): string {
    const length = this.#reader.count(28, 1, "bytes of texts");
    if (start >= length) return "";
    return this.#reader.text(this.#reader.u32(32) + start, length - start);
  }

  #surfaces(): Surface[] {
    return Array.from({ length: this.#meshes }, (_, mesh) => {
      const record = this.#reader.u32(40) + mesh * 24;
      const material = this.#text(this.#reader.u32(record + 4));
      return {
        name: this.#text(this.#reader.u32(record)),
        vertices: this.#reader.u32(record + 12),
        triangles: this.#reader.u32(record + 20),
        shaders: material === "" ? [] : [material],
      };
    });
  }

  #clips(): Clip[] {
    return Array.from({ length: this.#reader.count(84, 20, "animations") }, (_, animation) => {
      const record = this.#reader.u32(88) + animation * 20;
      const [first, count] = [this.#reader.u32(record + 4), this.#reader.u32(record + 8)];
      return { name: this.#text(this.#reader.u32(record)), first, count, rate: this.#reader.f32(record + 12) };
    });
  }

  /** Returns the format, the numbers of a vertex and the offset of a vertex array. */
  #array(type: number): { format: number; size: number; offset: number } | undefined {
    const count = this.#reader.count(44, 20, "arrays");
    for (let array = 0; array < count; array++) {
      const record = this.#reader.u32(52) + array * 20;
      if (this.#reader.u32(record) !== type) continue;
      const [format, size, offset] = [8, 12, 16].map((field) => this.#reader.u32(record + field));
      return { format: format ?? 0, size: size ?? 0, offset: offset ?? 0 };
    }
    return undefined;
  }

  /** Returns the bounding box of all frames; without frames, the box around the vertices in the rest pose. */
  #bounds(): Box {
    const bounds = new Bounds();
    const boxes = this.#reader.u32(104);
    for (let frame = 0; boxes !== 0 && frame < this.#frames; frame++) {
      bounds.add(this.#reader.point(boxes + frame * 32));
      bounds.add(this.#reader.point(boxes + frame * 32 + 12));
    }
    if (boxes !== 0 && this.#frames > 0) return bounds.box;
    const points = this.#array(arrayTypes.positions);
    if (points?.format !== floats || points.size !== 3) return bounds.box;
    for (let vertex = 0; vertex < this.#vertices; vertex++) bounds.add(this.#reader.point(points.offset + vertex * 12));
    return bounds.box;
  }

  #jointNames(): string[] {
    const reader = this.#reader;
    return Array.from({ length: this.#joints }, (_, joint) => this.#text(reader.u32(reader.u32(72) + joint * 48)));
  }

  facts(): Model {
    const surfaces = this.#surfaces();
    return {
      format: "IQM",
      version: knownVersion,
      frames: this.#frames,
      animations: this.#clips().map(({ name, count }) => ({ name, frames: count })),
      triangles: this.#triangles,
      vertices: this.#vertices,
      skins: [...new Set(surfaces.flatMap(({ shaders }) => shaders))],
      surfaces,
      tags: this.#jointNames(),
      bounds: this.#bounds(),
    };
  }

  /** Reads all numbers of a vertex array; undefined if the model has none. */
  #numbers(type: number, size: number): Float32Array | undefined {
    const array = this.#array(type);
    if (!array) return undefined;
    const reader = this.#reader;
    const step = formatSizes[array.format];
    if (array.size !== size || step === undefined || array.format === 6 || array.format === 8) {
      throw new MediaError(`vertex array ${type} has ${array.size} numbers of format ${array.format} a vertex`);
    }
    reader.require(array.offset, this.#vertices * size * step, `vertex array ${type}`);
    const read = (offset: number) => {
      if (array.format === floats) return reader.f32(offset);
      if (step === 4) return array.format === 4 ? reader.i32(offset) : reader.u32(offset);
      if (step === 2) return array.format === 2 ? reader.i16(offset) : reader.u16(offset);
      return reader.u8(offset);
    };
    return Float32Array.from({ length: this.#vertices * size }, (_, index) => read(array.offset + index * step));
  }

  geometry(): Geometry {
    requireNumbers(this.#vertices * 16 + this.#triangles * 3 + this.#frames * this.#joints * poseSize * 2);
    const reader = this.#reader;
    const clips = this.#clips();
    for (const { first, count, name } of clips) {
      if (first + count > this.#frames) throw new MediaError(`animation ${name} has more frames than the file`);
    }
    const positions = this.#numbers(arrayTypes.positions, 3) ?? new Float32Array(this.#vertices * 3);
    const trianglesAt = reader.u32(60);
    reader.require(trianglesAt, this.#triangles * 12, "triangles");
    // Engines draw the other side of triangles with this vertex order.
    const triangles = Uint32Array.from(
      { length: this.#triangles * 3 },
      (_, corner) => reader.u32(trianglesAt + corner * 4 + (1 - corner % 3) * 8),
    );
    requireVertices(triangles, this.#vertices);
    const whole = {
      positions,
      normals: this.#numbers(arrayTypes.normals, 3) ?? smoothNormals(positions, triangles),
      imagePoints: this.#numbers(arrayTypes.imagePoints, 2) ?? new Float32Array(this.#vertices * 2),
      joints: this.#joints > 0 ? this.#numbers(arrayTypes.joints, 4) : undefined,
      weights: this.#joints > 0 ? this.#numbers(arrayTypes.weights, 4) : undefined,
    };
    let total = 0;
    const meshes = this.#surfaces().map((surface, mesh): Mesh => {
      const record = reader.u32(40) + mesh * 24;
      const [first, firstTriangle] = [reader.u32(record + 8), reader.u32(record + 16)];
      const end = first + surface.vertices;
      total += surface.vertices + surface.triangles;
      if (
        end > this.#vertices || firstTriangle + surface.triangles > this.#triangles ||
        total > this.#vertices + this.#triangles
      ) {
        throw new MediaError(`mesh ${mesh} has more vertices or triangles than the file`, { offset: record });
      }
      const own = triangles.slice(firstTriangle * 3, (firstTriangle + surface.triangles) * 3).map((vertex) =>
        vertex - first
      );
      requireVertices(own, surface.vertices);
      const { joints, weights } = whole;
      return {
        name: surface.name,
        shaders: surface.shaders,
        triangles: own,
        imagePoints: whole.imagePoints.slice(first * 2, end * 2),
        frames: [{
          positions: positions.slice(first * 3, end * 3),
          normals: whole.normals.slice(first * 3, end * 3),
        }],
        ...joints && weights && {
          binding: {
            joints: Uint16Array.from(joints.subarray(first * 4, end * 4)),
            weights: weights.slice(first * 4, end * 4),
          },
        },
      };
    });
    const skeleton = this.#skeleton();
    return { meshes, frameNames: [], clips, ...skeleton && { skeleton } };
  }

  #skeleton(): Skeleton | undefined {
    if (this.#joints === 0) return undefined;
    const reader = this.#reader;
    const jointsAt = reader.u32(72);
    const rest: Pose = new Float64Array(this.#joints * poseSize);
    const joints = this.#jointNames().map((name, joint): Joint => {
      const record = jointsAt + joint * 48;
      const parent = reader.i32(record + 4);
      if (parent >= joint) throw new MediaError(`joint ${joint} comes before its parent`, { offset: record });
      for (let field = 0; field < poseSize; field++) {
        rest[joint * poseSize + field] = reader.f32(record + 8 + field * 4);
      }
      putPose(rest, joint, translationOf(rest, joint), rotationOf(rest, joint), scaleOf(rest, joint));
      return { name, parent: Math.max(-1, parent) };
    });
    return { joints, rest, frames: this.#poses(rest) };
  }

  #poses(rest: Pose): Pose[] {
    const reader = this.#reader;
    const poses = reader.count(76, 88, "poses");
    if (poses === 0 || this.#frames === 0) return [];
    if (poses !== this.#joints) throw new MediaError(`it has ${poses} poses of ${this.#joints} joints`);
    const posesAt = reader.u32(80);
    const channels = reader.u32(96);
    const framesAt = reader.u32(100);
    return Array.from({ length: this.#frames }, (_, frame) => {
      const pose: Pose = rest.slice();
      let next = framesAt + frame * channels * 2;
      for (let joint = 0; joint < poses; joint++) {
        const record = posesAt + joint * 88;
        const mask = reader.u32(record + 4);
        for (let field = 0; field < poseSize; field++) {
          let value = reader.f32(record + 8 + field * 4);
          if ((mask >> field & 1) === 1) {
            value += reader.u16(next) * reader.f32(record + 48 + field * 4);
            next += 2;
          }
          pose[joint * poseSize + field] = value;
        }
        putPose(pose, joint, translationOf(pose, joint), rotationOf(pose, joint), scaleOf(pose, joint));
      }
      return pose;
    });
  }
}

/**
 * Opens an IQM.
 * @throws {MediaError} if it has another version, or is truncated.
 */
export function openIqm(reader: Reader): ModelFile {
  return new Iqm(reader);
}
