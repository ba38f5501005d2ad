/**
 * Reads Quake 3's models, and the compressed ones of Return to Castle Wolfenstein.
 *
 * MD3 (id-Software/Quake-III-Arena `qfiles.h`): `IDP3`, i32 15; 76 i32 frames, tags, surfaces; 92 offsets of frames (56
 * bytes: two corners, ..., name of 16 at 40), tags (112: name of 64, origin, three axes), surfaces (chained by their
 * length; 4 name of 64). Surface of an MD3: 76 shaders, vertices, triangles, 88 offsets from the surface of triangles,
 * shaders (names of 64 in records of 68), image points, vertices (three i16 in 64ths, two bytes of angles of the normal),
 * 104 length.
 * MDC (id-Software/RTCW-MP `qfiles.h`): `IDPC`, i32 2; 76 i32 frames, tags, surfaces, skins, 92 offsets of frames, names of
 * tags (64), tags (i16 origin in 64ths and angles), surfaces. A surface's frames are stored whole or as differences: 72
 * numbers of differences and of whole frames, 80 shaders, vertices, triangles, 92 offsets of triangles, shaders, image
 * points, whole frames, differences (u32 a vertex: three bytes and the number of a normal), 112 two lists of an i16 a
 * frame: its whole frame, and its differences or -1; 120 length.
 * @module
 */
import {
  clipsOf,
  type Geometry,
  type Mesh,
  type MeshFrame,
  num,
  type Pose,
  poseSize,
  requireNumbers,
  requireVertices,
  type Skeleton,
} from "./geometry.ts";
import { animationsOf, Bounds, type Model, type ModelFile, requireVersion, type Surface } from "./model.ts";
import { fromAngles, fromAxes, putPose } from "./pose.ts";
import { MediaError, type Reader } from "../core/reader.ts";

/** Offsets of the fields in which the two formats differ. */
interface Layout {
  readonly format: "MD3" | "MDC";
  readonly version: number;
  readonly framesAt: number;
  readonly tagsAt: number;
  readonly tagSize: number;
  readonly surfacesAt: number;
  /** Offset in a surface: number of shaders; vertices and triangles follow. */
  readonly counts: number;
  /** Offset in a surface: offset of its triangles; of shaders, image points and vertices follow. */
  readonly offsets: number;
  /** Offset in a surface: its length. */
  readonly length: number;
}

const md3: Layout = {
  format: "MD3",
  version: 15,
  framesAt: 92,
  tagsAt: 96,
  tagSize: 112,
  surfacesAt: 100,
  counts: 76,
  offsets: 88,
  length: 104,
};
const mdc: Layout = {
  format: "MDC",
  version: 2,
  framesAt: 92,
  tagsAt: 100,
  tagSize: 12,
  surfacesAt: 104,
  counts: 80,
  offsets: 92,
  length: 120,
};

/** Frames per second of models without a given rate (code/game/bg_misc.c animates items with it). */
const defaultRate = 15;
/** Coordinates are stored in 64ths. */
const fraction = 1 / 64;

/** A surface, and its offset. */
interface PlacedSurface extends Surface {
  readonly offset: number;
}

/** Normals of the differences of an MDC: rings of ever fewer directions, first the equator, then southwards. */
const ringNormals: readonly (readonly [number, number, number])[] = [0, -1, -2, -3, -4, -5, -6, -7, 1, 2, 3, 4, 5, 6, 7]
  .flatMap((ring) => {
    const count = 32 - 4 * Math.abs(ring);
    const [radius, z] = [Math.cos(ring * Math.PI / 16), Math.sin(ring * Math.PI / 16)];
    return Array.from({ length: count }, (_, index) => {
      const angle = index * 2 * Math.PI / count;
      return [radius * Math.cos(angle), radius * Math.sin(angle), z] as const;
    });
  });

class Md3 implements ModelFile {
  readonly #reader: Reader;
  readonly #layout: Layout;
  readonly #frameNames: readonly string[];
  readonly #tags: readonly string[];
  readonly #surfaces: readonly PlacedSurface[];

  constructor(reader: Reader, layout: Layout) {
    requireVersion(reader, layout.format, layout.version);
    this.#reader = reader;
    this.#layout = layout;
    const frames = reader.count(76, 56, "frames");
    const tags = reader.count(80, layout.tagSize, "tags");
    const framesAt = reader.u32(layout.framesAt);
    this.#frameNames = Array.from({ length: frames }, (_, frame) => reader.text(framesAt + frame * 56 + 40, 16));
    const [namesAt, nameSize] = layout === mdc ? [reader.u32(96), 64] : [reader.u32(layout.tagsAt), 112];
    this.#tags = Array.from({ length: tags }, (_, tag) => reader.text(namesAt + tag * nameSize, 64));
    this.#surfaces = this.#readSurfaces();
  }

  #readSurfaces(): PlacedSurface[] {
    const { counts, offsets, length, surfacesAt } = this.#layout;
    const reader = this.#reader;
    const count = reader.count(84, length + 4, "surfaces");
    const surfaces: PlacedSurface[] = [];
    let offset = reader.u32(surfacesAt);
    let named = 0;
    for (let number = 0; number < count; number++) {
      const shaders = reader.count(offset + counts, 68, "shaders");
      const shadersAt = offset + reader.u32(offset + offsets + 4);
      // Surfaces may share names, which would turn a small file into a long list.
      named += shaders;
      if (named * 68 > reader.length) throw new MediaError(`its surfaces name more shaders than it has room for`);
      surfaces.push({
        offset,
        name: reader.text(offset + 4, 64),
        vertices: reader.u32(offset + counts + 4),
        triangles: reader.u32(offset + counts + 8),
        shaders: Array.from({ length: shaders }, (_, shader) => reader.text(shadersAt + shader * 68, 64)),
      });
      const size = reader.u32(offset + length);
      if (size < length + 4) {
        throw new MediaError(`surface ${number} is ${size} bytes long`, { offset: offset + length });
      }
      offset += size;
    }
    return surfaces;
  }

  facts(): Model {
    const { format, version } = this.#layout;
    const framesAt = this.#reader.u32(this.#layout.framesAt);
    const bounds = new Bounds();
    this.#frameNames.forEach((_, frame) => {
      bounds.add(this.#reader.point(framesAt + frame * 56));
      bounds.add(this.#reader.point(framesAt + frame * 56 + 12));
    });
    const surfaces = this.#surfaces.map(({ offset: _, ...surface }) => surface);
    return {
      format,
      version,
      frames: this.#frameNames.length,
      animations: animationsOf(this.#frameNames),
      triangles: surfaces.reduce((sum, surface) => sum + surface.triangles, 0),
      vertices: surfaces.reduce((sum, surface) => sum + surface.vertices, 0),
      skins: [...new Set(surfaces.flatMap(({ shaders }) => shaders).filter((name) => name !== ""))],
      surfaces,
      tags: this.#tags,
      bounds: bounds.box,
    };
  }

  geometry(): Geometry {
    const frames = this.#frameNames.length;
    requireNumbers(
      this.#surfaces.reduce((sum, { vertices, triangles }) => sum + (frames * 6 + 2) * vertices + triangles * 3, 0) +
        frames * this.#tags.length * poseSize * 2,
    );
    const tags = this.#readTags();
    return {
      meshes: frames === 0 ? [] : this.#surfaces.map((surface) => this.#mesh(surface)),
      frameNames: this.#frameNames,
      clips: clipsOf(this.#frameNames, defaultRate),
      ...tags && { tags },
    };
  }

  #mesh(surface: PlacedSurface): Mesh {
    const reader = this.#reader;
    const { offset, vertices, name, shaders } = surface;
    const at = (field: number) => offset + reader.u32(offset + this.#layout.offsets + field);
    const trianglesAt = at(0);
    const pointsAt = at(8);
    reader.require(trianglesAt, surface.triangles * 12, "the triangles of a surface");
    reader.require(pointsAt, vertices * 8, "the image points of a surface");
    // Engines draw the other side of triangles with this vertex order.
    const triangles = Uint32Array.from(
      { length: surface.triangles * 3 },
      (_, corner) => reader.u32(trianglesAt + corner * 4 + (1 - corner % 3) * 8),
    );
    requireVertices(triangles, vertices);
    const imagePoints = Float32Array.from({ length: vertices * 2 }, (_, index) => reader.f32(pointsAt + index * 4));
    const frames = this.#frameNames.map((_, frame) => this.#frame(surface, at(12), frame));
    return { name, shaders, triangles, imagePoints, frames };
  }

  #frame({ offset, vertices }: PlacedSurface, wholeAt: number, frame: number): MeshFrame {
    const reader = this.#reader;
    if (this.#layout === md3) return wholeFrame(reader, wholeAt + frame * vertices * 8, vertices);
    const listed = (field: number) => reader.i16(offset + reader.u32(offset + field) + frame * 2);
    const whole = wholeFrame(reader, wholeAt + listed(112) * vertices * 8, vertices);
    const differences = listed(116);
    if (differences < 0) return whole;
    const differencesAt = offset + reader.u32(offset + 108) + differences * vertices * 4;
    for (let vertex = 0; vertex < vertices; vertex++) {
      for (let axis = 0; axis < 3; axis++) {
        const index = vertex * 3 + axis;
        whole.positions[index] = num(whole.positions, index) +
          (reader.u8(differencesAt + vertex * 4 + axis) - 127) * 0.05;
      }
      whole.normals.set(ringNormals[reader.u8(differencesAt + vertex * 4 + 3)] ?? [0, 0, 1], vertex * 3);
    }
    return whole;
  }

  #readTags(): Skeleton | undefined {
    const frames = this.#frameNames.length;
    if (this.#tags.length === 0 || frames === 0) return undefined;
    const { tagsAt, tagSize } = this.#layout;
    const reader = this.#reader;
    const start = reader.u32(tagsAt);
    const poses = Array.from({ length: frames }, (_, frame): Pose => {
      const pose: Pose = new Float64Array(this.#tags.length * poseSize);
      this.#tags.forEach((_, tag) => {
        const offset = start + (frame * this.#tags.length + tag) * tagSize;
        if (this.#layout === md3) {
          const [x, y, z] = [reader.point(offset + 76), reader.point(offset + 88), reader.point(offset + 100)];
          putPose(pose, tag, reader.point(offset + 64), fromAxes(x, y, z));
          return;
        }
        const value = (index: number) => reader.i16(offset + index * 2);
        const angle = (index: number) => value(3 + index) * (360 / 32700) * Math.PI / 180;
        const origin = [value(0) * fraction, value(1) * fraction, value(2) * fraction] as const;
        // Pitch, yaw and roll.
        putPose(pose, tag, origin, fromAngles(angle(2), angle(0), angle(1)));
      });
      return pose;
    });
    const [rest] = poses;
    if (!rest) return undefined;
    return { joints: this.#tags.map((name) => ({ name, parent: -1 })), rest, frames: poses };
  }
}

/** Reads a frame: three i16 and two angles per vertex. */
function wholeFrame(reader: Reader, start: number, vertices: number): MeshFrame {
  reader.require(start, vertices * 8, "a frame of a surface");
  const positions = new Float32Array(vertices * 3);
  const normals = new Float32Array(vertices * 3);
  for (let vertex = 0; vertex < vertices; vertex++) {
    const offset = start + vertex * 8;
    for (let axis = 0; axis < 3; axis++) positions[vertex * 3 + axis] = reader.i16(offset + axis * 2) * fraction;
    const [polar, around] = [reader.u8(offset + 6) * Math.PI / 128, reader.u8(offset + 7) * Math.PI / 128];
    normals[vertex * 3] = Math.cos(around) * Math.sin(polar);
    normals[vertex * 3 + 1] = Math.sin(around) * Math.sin(polar);
    normals[vertex * 3 + 2] = Math.cos(polar);
  }
  return { positions, normals };
}

/**
 * Opens an MD3.
 * @throws {MediaError} if it has another version, or is truncated.
 */
export function openMd3(reader: Reader): ModelFile {
  return new Md3(reader, md3);
}

/**
 * Opens an MDC.
 * @throws {MediaError} if it has another version, or is truncated.
 */
export function openMdc(reader: Reader): ModelFile {
  return new Md3(reader, mdc);
}
