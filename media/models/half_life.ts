/**
 * Reads Half-Life's models.
 *
 * MDL of Half-Life (Half-Life SDK `studio.h`): `IDST`, i32 10; 140 i32 bones, 164 sequences, 180 textures, 192 i32 textures
 * of a family, families, offset of their table (i16), 204 body parts, each number followed by its offset. A bone has 112
 * bytes (name of 32, parent, 64 six values, 88 six scales: three of position, three of angles), a sequence 176 (name of
 * 32, 32 f32 rate, 56 frames, 124 offset of its animation, 156 group: others than 0 are in files of their own), a texture
 * 80 (name of 64, flags, width, height, offset of pixels and 256 colours), a body part 76 (name of 64, models, 72 their
 * offset), a model 112 (name of 64, 72 meshes, 80 vertices, offset of their bones, of their positions, 92 the same of
 * normals), a mesh 20 (triangles, offset, texture). Triangles are runs: i16 number of corners, negative for a fan, else a
 * strip, and corners of four i16 (vertex, normal, s, t). An animation has six u16 offsets a bone, 0 for none, from
 * themselves, of runs: a byte of values that follow, a byte of frames, the values; the last holds for further frames.
 * @module
 */
import {
  type Clip,
  Corners,
  type Geometry,
  type Joint,
  type Mesh,
  num,
  type Pose,
  poseSize,
  requireNumbers,
  requireVertices,
  type Skeleton,
} from "./geometry.ts";
import { Bounds, type Model, type ModelFile, requireVersion, type Surface } from "./model.ts";
import { fromAngles, multiply, putPose, type Quaternion, rotate, rotationOf, translationOf } from "./pose.ts";
import { IndexedPicture, type Picture, requireSize } from "../pictures/picture.ts";
import { MediaError, type Reader } from "../core/reader.ts";

/** A texture in a file. */
export interface ModelTexture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Whether its last colour is not drawn. */
  readonly isMasked: boolean;
  /** Offset of its pixels; its colours follow. */
  readonly offset: number;
}

/** A mesh of one body part, and the offsets of its model. */
interface PlacedMesh extends Surface {
  readonly record: number;
  readonly model: number;
}

/** Lists the textures of a file. */
export function halfLifeTextures(reader: Reader): ModelTexture[] {
  const start = reader.u32(184);
  return Array.from({ length: reader.count(180, 80, "textures") }, (_, index) => {
    const record = start + index * 80;
    const [width, height] = [reader.u32(record + 68), reader.u32(record + 72)];
    const isMasked = (reader.u32(record + 64) & 0x40) !== 0;
    return { name: reader.text(record, 64), width, height, isMasked, offset: reader.u32(record + 76) };
  });
}

/**
 * Decodes a texture.
 * @throws {MediaError} if it is truncated.
 */
export function decodeHalfLifeTexture(reader: Reader, texture: ModelTexture): Picture {
  const { width, height, offset } = texture;
  requireSize(width, height);
  const pixels = reader.slice(offset, width * height, `texture ${texture.name}`);
  const colours = reader.slice(offset + width * height, 768, `the colours of texture ${texture.name}`);
  return new IndexedPicture(width, height, pixels, { colours, origin: "" }, texture.isMasked ? 255 : undefined);
}

/** Returns the textures of the parts of the first family. */
function familyOf(reader: Reader, textures: number): number[] {
  const [size, families, start] = [reader.count(192, 2, "textures of a family"), reader.i32(196), reader.u32(200)];
  if (families < 1) return Array.from({ length: textures }, (_, index) => index);
  return Array.from({ length: size }, (_, index) => reader.u16(start + index * 2));
}

class HalfLife implements ModelFile {
  readonly #reader: Reader;
  readonly #textures: readonly ModelTexture[];
  readonly #family: readonly number[];
  readonly #bones: number;
  readonly #meshes: readonly PlacedMesh[];

  constructor(reader: Reader, textures: Reader) {
    requireVersion(reader, "Half-Life MDL", 10);
    this.#reader = reader;
    this.#textures = halfLifeTextures(textures);
    this.#family = familyOf(textures, this.#textures.length);
    this.#bones = reader.count(140, 112, "bones");
    this.#meshes = this.#readMeshes();
  }

  /** The meshes of the first model of each body part. */
  #readMeshes(): PlacedMesh[] {
    const reader = this.#reader;
    const parts = reader.count(204, 76, "body parts");
    const meshes: PlacedMesh[] = [];
    for (let part = 0; part < parts; part++) {
      const record = reader.u32(208) + part * 76;
      if (reader.i32(record + 64) < 1) continue;
      const model = reader.u32(record + 72);
      const count = reader.count(model + 72, 20, "meshes");
      if ((meshes.length + count) * 20 > reader.length) throw new MediaError(`its body parts share ${count} meshes`);
      for (let mesh = 0; mesh < count; mesh++) {
        const place = reader.u32(model + 76) + mesh * 20;
        const texture = this.#textures[this.#family[reader.u32(place + 8)] ?? -1];
        meshes.push({
          record: place,
          model,
          name: reader.text(record, 64),
          vertices: reader.count(model + 80, 12, "vertices"),
          triangles: reader.u32(place),
          shaders: texture ? [texture.name] : [],
        });
      }
    }
    return meshes;
  }

  /** All sequences that are in this file. */
  #sequences(): (Clip & { readonly animation: number })[] {
    const reader = this.#reader;
    let first = 0;
    return Array.from({ length: reader.count(164, 176, "sequences") }, (_, sequence) => {
      const record = reader.u32(168) + sequence * 176;
      const count = reader.u32(record + 156) === 0 ? reader.u32(record + 56) : 0;
      const clip = { name: reader.text(record, 32), first, count, rate: reader.f32(record + 32) };
      first += count;
      return { ...clip, animation: reader.u32(record + 124) };
    });
  }

  #boneNames(): string[] {
    return Array.from(
      { length: this.#bones },
      (_, bone) => this.#reader.text(this.#reader.u32(144) + bone * 112, 32),
    );
  }

  facts(): Model {
    const clips = this.#sequences();
    const bounds = new Bounds();
    for (let corner = 0; corner < 2; corner++) bounds.add(this.#reader.point(88 + corner * 12));
    return {
      format: "Half-Life MDL",
      version: 10,
      frames: clips.reduce((sum, { count }) => sum + count, 0),
      animations: clips.map(({ name, count }) => ({ name, frames: count })),
      triangles: this.#meshes.reduce((sum, { triangles }) => sum + triangles, 0),
      vertices: [...new Map(this.#meshes.map(({ model, vertices }) => [model, vertices])).values()]
        .reduce((sum, vertices) => sum + vertices, 0),
      skins: this.#textures.map(({ name }) => name),
      surfaces: this.#meshes.map(({ name, triangles, vertices, shaders }) => ({ name, triangles, vertices, shaders })),
      tags: this.#boneNames(),
      bounds: bounds.box,
    };
  }

  geometry(): Geometry {
    const sequences = this.#sequences().filter(({ count }) => count > 0);
    const frames = sequences.reduce((sum, { count }) => sum + count, 0);
    requireNumbers(frames * this.#bones * poseSize * 2);
    const skeleton = this.#skeleton(sequences);
    const world = worldOf(skeleton);
    let total = 0;
    const meshes = this.#meshes.map((mesh): Mesh => {
      total += mesh.vertices + mesh.triangles * 3;
      requireNumbers(total * 16);
      return this.#mesh(mesh, world);
    });
    const clips = sequences.map(({ name, first, count, rate }) => ({ name, first, count, rate }));
    return { meshes, frameNames: [], clips, skeleton };
  }

  #skeleton(sequences: readonly (Clip & { readonly animation: number })[]): Skeleton {
    const reader = this.#reader;
    const bonesAt = reader.u32(144);
    const rest: Pose = new Float64Array(this.#bones * poseSize);
    const put = (pose: Pose, bone: number, value: (index: number) => number) =>
      putPose(pose, bone, [value(0), value(1), value(2)], fromAngles(value(3), value(4), value(5)));
    const joints = this.#boneNames().map((name, bone): Joint => {
      const record = bonesAt + bone * 112;
      const parent = reader.i32(record + 32);
      if (parent >= bone) throw new MediaError(`bone ${bone} comes before its parent`, { offset: record });
      put(rest, bone, (index) => reader.f32(record + 64 + index * 4));
      return { name, parent: Math.max(-1, parent) };
    });
    const frames = sequences.flatMap(({ animation, count }) =>
      Array.from({ length: count }, (_, frame): Pose => {
        const pose: Pose = rest.slice();
        for (let bone = 0; bone < this.#bones; bone++) {
          const record = bonesAt + bone * 112;
          const values = animation + bone * 12;
          put(pose, bone, (index) => {
            const base = reader.f32(record + 64 + index * 4);
            const offset = reader.u16(values + index * 2);
            return offset === 0 ? base : base + runValue(reader, values + offset, frame) *
                reader.f32(record + 88 + index * 4);
          });
        }
        return pose;
      })
    );
    return { joints, rest, frames };
  }

  #mesh({ record, model, triangles: count, name, shaders }: PlacedMesh, world: World): Mesh {
    const reader = this.#reader;
    const texture = this.#textures.find((one) => one.name === shaders[0]);
    const [width, height] = [texture?.width ?? 1, texture?.height ?? 1];
    const [vertices, normals] = [reader.count(model + 80, 12, "vertices"), reader.count(model + 92, 12, "normals")];
    const corners = new Corners();
    const normalOf: number[] = [];
    const read = (offset: number) => {
      const [vertex, normal] = [reader.u16(offset), reader.u16(offset + 2)];
      const [s, t] = [reader.i16(offset + 4), reader.i16(offset + 6)];
      if (vertex >= vertices || normal >= normals) {
        throw new MediaError(`a triangle has vertex ${vertex} of ${vertices} and normal ${normal} of ${normals}`);
      }
      // Few vertices differ only in their normal; they share the first.
      const number = corners.add(vertex, ((s & 0xfff) << 12) | (t & 0xfff), s / width, t / height);
      normalOf[number] ??= normal;
      return number;
    };
    const list = runTriangles(reader, reader.u32(record + 4), count, read);
    requireVertices(list, corners.sources.length);
    const bones = (field: number, index: number) => reader.u8(reader.u32(model + field) + index);
    const positions = new Float32Array(corners.sources.length * 3);
    const turned = new Float32Array(corners.sources.length * 3);
    const joints = new Uint16Array(corners.sources.length * 4);
    const weights = new Float32Array(corners.sources.length * 4);
    corners.sources.forEach((source, vertex) => {
      const bone = bones(84, source);
      if (bone >= this.#bones) throw new MediaError(`a vertex moves with bone ${bone} of ${this.#bones}`);
      positions.set(world.place(bone, reader.point(reader.u32(model + 88) + source * 12)), vertex * 3);
      const normal = normalOf[vertex] ?? 0;
      const normalBone = Math.min(bones(96, normal), this.#bones - 1);
      turned.set(world.turn(normalBone, reader.point(reader.u32(model + 100) + normal * 12)), vertex * 3);
      joints[vertex * 4] = bone;
      weights[vertex * 4] = 1;
    });
    return {
      name,
      shaders,
      triangles: list,
      imagePoints: Float32Array.from(corners.imagePoints),
      frames: [{ positions, normals: turned }],
      binding: { joints, weights },
    };
  }
}

/** Returns the value of a run-length encoded channel in a frame. */
function runValue(reader: Reader, start: number, frame: number): number {
  let [offset, left] = [start, frame];
  let [valid, total] = [reader.u8(offset), reader.u8(offset + 1)];
  while (total <= left) {
    if (total === 0) throw new MediaError("an animation has a run of no frames", { offset });
    left -= total;
    offset += 2 + valid * 2;
    [valid, total] = [reader.u8(offset), reader.u8(offset + 1)];
  }
  return valid === 0 ? 0 : reader.i16(offset + 2 + Math.min(left, valid - 1) * 2);
}

/** Returns the triangles of strips and fans. */
function runTriangles(reader: Reader, start: number, count: number, read: (offset: number) => number): Uint32Array {
  const list: number[] = [];
  let offset = start;
  for (let corners = reader.i16(offset); corners !== 0; corners = reader.i16(offset)) {
    offset += 2;
    const run = Array.from({ length: Math.abs(corners) }, (_, corner) => read(offset + corner * 8));
    offset += run.length * 8;
    for (let last = 2; last < run.length; last++) {
      const [a, b, c] = corners < 0 ? [0, last - 1, last] : last % 2 === 0 ? [last - 2, last - 1, last] : [
        last - 1,
        last - 2,
        last,
      ];
      // Engines draw the other side of triangles with this vertex order.
      list.push(num(run, c), num(run, b), num(run, a));
    }
    if (list.length > count * 3) throw new MediaError(`a mesh has more triangles than ${count}`, { offset });
  }
  return Uint32Array.from(list);
}

/** Transforms points of joints to the space of the model. */
interface World {
  place(joint: number, point: readonly [number, number, number]): readonly [number, number, number];
  turn(joint: number, direction: readonly [number, number, number]): readonly [number, number, number];
}

/** Returns the joints in their rest pose, without scales. */
function worldOf({ joints, rest }: Skeleton): World {
  const turns: Quaternion[] = [];
  const origins: (readonly [number, number, number])[] = [];
  joints.forEach(({ parent }, joint) => {
    const [turn, origin] = [turns[parent], origins[parent]];
    const own = rotationOf(rest, joint);
    const at = translationOf(rest, joint);
    turns.push(turn ? multiply(turn, own) : own);
    const moved = turn ? rotate(turn, at) : at;
    origins.push(origin ? [moved[0] + origin[0], moved[1] + origin[1], moved[2] + origin[2]] : moved);
  });
  const turn: World["turn"] = (joint, direction) => rotate(turns[joint] ?? [0, 0, 0, 1], direction);
  return {
    turn,
    place(joint, point) {
      const [x, y, z] = turn(joint, point);
      const origin = origins[joint] ?? [0, 0, 0];
      return [x + origin[0], y + origin[1], z + origin[2]];
    },
  };
}

/**
 * Opens a model of Half-Life.
 * @param textures The file with its textures, if separate.
 * @throws {MediaError} if it has another version, or is truncated.
 */
export function openHalfLife(reader: Reader, textures: Reader = reader): ModelFile {
  return new HalfLife(reader, textures);
}
