/**
 * Converts the shape of a model to a glTF scene: a node for each mesh, frames of vertices as morph targets, skeletons
 * as skins, tags as nodes, and an animation for each clip.
 * @module
 */
import { append } from "../../../formats/parts.ts";
import {
  type Clip,
  type Geometry,
  type Mesh,
  type MeshFrame,
  num,
  type Pose,
  requireNumbers,
  type Skeleton,
} from "../../models/geometry.ts";
import { type Quaternion, rotate, rotationOf, scaleOf, translationOf } from "../../models/pose.ts";
import { MediaError } from "../../core/reader.ts";
import { placed, placedAll, turned, turnedAll, turnedRotation } from "./axes.ts";
import type { Channel, GltfDocument, Primitive } from "./document.ts";

/** Materials of the meshes of a model. */
export interface MeshMaterials {
  /** The default material of a mesh. */
  of(mesh: number): number;
  /** Other skins: their names, and the material of each mesh. */
  readonly variants: readonly { readonly name: string; readonly materials: readonly number[] }[];
}

/** Parts of a model that are already written. */
export interface Assembly {
  /** Nodes of other models by the name of the tag that they are attached to. */
  readonly attached: ReadonlyMap<string, readonly number[]>;
  /** Channels of the animations of all parts, which are added to; the caller writes them. */
  readonly animations: Map<string, Channel[]>;
}

/** Frame rate of clips whose file has no valid one. */
const fallbackRate = 10;

/**
 * Writes the shape of a model, with its animations unless it is a part of an assembly; returns the nodes of the scene.
 * @throws {MediaError} if it has no triangles, or lacks a tag.
 */
export function addModel(
  document: GltfDocument,
  geometry: Geometry,
  materials: MeshMaterials,
  title: string,
  assembly?: Assembly,
): number[] {
  const { meshes, frameNames, clips, still = 0, skeleton } = geometry;
  const tags = geometry.tags && { ...geometry.tags, rest: geometry.tags.frames[still] ?? geometry.tags.rest };
  const times = new Times(document);
  const channels = clips.map((): Channel[] => []);
  const bones = skeleton && skeleton.joints.length > 0 ? addJoints(document, skeleton) : undefined;
  const skin = bones && document.skin(bones.nodes, document.numbers(inverseBindings(bones.skeleton), "MAT4"));
  if (bones) movePoses(document, bones, clips, times, channels);
  const attached = tags && tags.joints.length > 0 ? addJoints(document, tags, assembly?.attached) : undefined;
  for (const tag of assembly?.attached.keys() ?? []) {
    if (!tags?.joints.some(({ name }) => name === tag)) throw new MediaError(`${title} has no ${tag}`);
  }
  if (attached) movePoses(document, attached, clips, times, channels);
  const frames = Math.max(0, ...meshes.map(({ frames }) => frames.length));
  const weights = frames < 2 ? undefined : clips.map((clip) => addWeights(document, clip, frames));
  const nodes = meshes.flatMap((mesh, index) => {
    if (mesh.triangles.length === 0 || mesh.frames.length === 0) return [];
    const primitive = meshPrimitive(document, mesh, index, materials, bones?.nodes.length);
    const targetNames = mesh.frames.slice(1).map((_, frame) => frameNames[frame + 1] ?? `frame ${frame + 1}`);
    const name = mesh.name || title;
    const node = document.node({
      name,
      mesh: document.mesh(name, [primitive], targetNames, still - 1),
      ...skin !== undefined && mesh.binding && { skin },
    });
    clips.forEach((clip, number) => {
      const values = weights?.[number];
      if (values !== undefined && mesh.frames.length > 1) {
        channels[number]?.push({ node, path: "weights", times: times.of(clip), values });
      }
    });
    return [node];
  });
  // Some models of weapons' hands have only tags, and some files only animations.
  if (nodes.length === 0 && !attached && !bones) throw new MediaError("it has no triangles");
  clips.forEach(({ name }, number) => {
    const own = channels[number] ?? [];
    if (assembly) append(assembly.animations.getOrInsert(name, []), own);
    else document.animation(name, own);
  });
  document.setVariants(materials.variants.map(({ name }) => name));
  return [...bones?.roots ?? [], ...attached?.roots ?? [], ...nodes];
}

/** Times of the frames of clips, shared by equal clips. */
class Times {
  readonly #document: GltfDocument;
  readonly #known = new Map<string, number>();

  constructor(document: GltfDocument) {
    this.#document = document;
  }

  of({ count, rate }: Clip): number {
    const used = rate > 0.01 && rate < 1000 ? rate : fallbackRate;
    const key = `${count} ${used}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const values = Float32Array.from({ length: count }, (_, frame) => frame / used);
    const added = this.#document.numbers(values, "SCALAR", { hasBounds: true });
    this.#known.set(key, added);
    return added;
  }
}

/** Adds the weights of a clip: in each frame, the target of that frame alone; none for the first frame of the model. */
function addWeights(document: GltfDocument, { first, count }: Clip, frames: number): number {
  const targets = frames - 1;
  requireNumbers(count * targets);
  const weights = new Float32Array(count * targets);
  for (let frame = 0; frame < count; frame++) {
    const target = first + frame - 1;
    if (target >= targets) throw new MediaError(`an animation has frame ${first + frame}, but the last is ${targets}`);
    if (target >= 0) weights[frame * targets + target] = 1;
  }
  return document.numbers(weights, "SCALAR");
}

function meshPrimitive(
  document: GltfDocument,
  mesh: Mesh,
  index: number,
  materials: MeshMaterials,
  joints: number | undefined,
): Primitive {
  const { triangles, imagePoints, binding } = mesh;
  const [base] = mesh.frames;
  if (!base) throw new MediaError(`mesh ${mesh.name || index} has no frame`);
  const vertices = { use: "vertices" } as const;
  const positions = placedAll(base.positions);
  const normals = turnedAll(base.normals);
  const count = positions.length / 3;
  const indices = count > 0xffff ? triangles : Uint16Array.from(triangles);
  const bound = joints !== undefined && binding ? boundWeights(binding, joints) : undefined;
  return {
    attributes: {
      POSITION: document.numbers(positions, "VEC3", { ...vertices, hasBounds: true }),
      NORMAL: document.numbers(normals, "VEC3", vertices),
      TEXCOORD_0: document.numbers(finite(imagePoints), "VEC2", vertices),
      ...bound && {
        JOINTS_0: document.numbers(bound.joints, "VEC4", vertices),
        WEIGHTS_0: document.numbers(bound.weights, "VEC4", vertices),
      },
    },
    indices: document.numbers(indices, "SCALAR", { use: "indices" }),
    material: materials.of(index),
    targets: mesh.frames.slice(1).map((frame) => addTarget(document, frame, positions, normals)),
    variants: materials.variants.map(({ materials }, variant) => ({
      material: materials[index] ?? 0,
      variants: [variant],
    })),
  };
}

function addTarget(document: GltfDocument, frame: MeshFrame, positions: Float32Array, normals: Float32Array) {
  const moved = placedAll(frame.positions);
  const bent = turnedAll(frame.normals);
  for (let index = 0; index < moved.length; index++) {
    moved[index] = num(moved, index) - num(positions, index);
    bent[index] = num(bent, index) - num(normals, index);
    if (!Number.isFinite(moved[index])) throw new MediaError("a vertex moves too far");
  }
  return {
    POSITION: document.numbers(moved, "VEC3", { use: "vertices", hasBounds: true }),
    NORMAL: document.numbers(bent, "VEC3", { use: "vertices" }),
  };
}

/** Returns texture coordinates; numbers that are not finite become 0. */
export function finite(points: Float32Array): Float32Array {
  return points.every(Number.isFinite) ? points : points.map((value) => Number.isFinite(value) ? value : 0);
}

/**
 * Returns weights whose sum is 1, and joint 0 for vertices without weight.
 * @throws {MediaError} if a joint with weight is missing.
 */
function boundWeights({ joints, weights }: NonNullable<Mesh["binding"]>, count: number): NonNullable<Mesh["binding"]> {
  const result = { joints: joints.slice(), weights: weights.slice() };
  for (let vertex = 0; vertex < weights.length; vertex += 4) {
    const own = [0, 1, 2, 3].map((index) => Math.max(0, num(weights, vertex + index)) || 0);
    // A joint may be listed twice: its weights are added.
    own.forEach((value, index) => {
      const same = own.findIndex((_, other) => num(joints, vertex + other) === num(joints, vertex + index));
      if (same === index || value === 0) return;
      own[same] = (own[same] ?? 0) + value;
      own[index] = 0;
    });
    const sum = own.reduce((total, value) => total + value, 0);
    const isUsable = sum > 0 && Number.isFinite(sum);
    own.forEach((value, index) => {
      const weight = isUsable ? value / sum : index === 0 ? 1 : 0;
      result.weights[vertex + index] = weight;
      if (weight === 0) result.joints[vertex + index] = 0;
      const joint = num(result.joints, vertex + index);
      if (joint >= count) throw new MediaError(`vertex ${vertex / 4} is bound to joint ${joint} of ${count}`);
    });
  }
  return result;
}

/** Joints as nodes. */
interface JointNodes {
  readonly skeleton: Skeleton;
  /** Node of each joint. */
  readonly nodes: readonly number[];
  /** The root node of all joints. */
  readonly roots: readonly number[];
}

function addJoints(document: GltfDocument, skeleton: Skeleton, attached?: Assembly["attached"]): JointNodes {
  const { joints, rest } = skeleton;
  const children = joints.map((): number[] => []);
  const nodes = new Array<number>(joints.length).fill(0);
  const roots: number[] = [];
  // Joints are listed parents first, but nodes are added children first.
  for (let joint = joints.length - 1; joint >= 0; joint--) {
    const { name, parent } = joints[joint] ?? { name: "", parent: -1 };
    const own = [...children[joint] ?? [], ...attached?.get(name) ?? []];
    const node = document.node({ name, children: own, ...transformOf(rest, joint) });
    nodes[joint] = node;
    (children[parent] ?? roots).unshift(node);
  }
  // The joints of a skin need a common root.
  const root = roots.length > 1 ? [document.node({ name: "joints", children: roots })] : roots;
  return { skeleton, nodes, roots: root };
}

function requireFinite<T extends readonly number[]>(values: T): T {
  if (values.every((value) => Number.isFinite(Math.fround(value)))) return values;
  throw new MediaError(`a joint has no position: ${values.join(", ")}`);
}

/** Returns the properties of a node from the pose of its joint. */
function transformOf(pose: Pose, joint: number) {
  return {
    translation: requireFinite(placed(translationOf(pose, joint))),
    rotation: turnedRotation(rotationOf(pose, joint)),
    scale: requireFinite(turned(scaleOf(pose, joint))),
  };
}

/** Adds the channels of joints that move in a clip. */
function movePoses(
  document: GltfDocument,
  { skeleton: { rest, frames }, nodes }: JointNodes,
  clips: readonly Clip[],
  times: Times,
  channels: Channel[][],
): void {
  clips.forEach((clip, number) => {
    const poses = frames.slice(clip.first, clip.first + clip.count);
    if (poses.length === 0 || poses.length < clip.count) return;
    nodes.forEach((node, joint) => {
      const still = transformOf(rest, joint);
      const moves = poses.map((pose) => transformOf(pose, joint));
      for (const path of ["translation", "rotation", "scale"] as const) {
        const isStill = moves.every((move) => move[path].every((value, axis) => value === still[path][axis]));
        if (isStill) continue;
        const values = Float32Array.from(moves.flatMap((move): readonly number[] => move[path]));
        const type = path === "rotation" ? "VEC4" : "VEC3";
        channels[number]?.push({ node, path, times: times.of(clip), values: document.numbers(values, type) });
      }
    });
  });
}

/** Returns for each joint the inverse matrix of its rest pose, column by column. */
function inverseBindings({ joints, rest }: Skeleton): Float32Array {
  const result = new Float32Array(joints.length * 16);
  const worlds: { linear: number[]; at: readonly [number, number, number] }[] = [];
  joints.forEach(({ parent }, joint) => {
    const own = linearOf(rotationOf(rest, joint), scaleOf(rest, joint));
    const at = translationOf(rest, joint);
    const above = worlds[parent];
    const linear = above ? product(above.linear, own) : own;
    const moved = above ? applied(above.linear, at) : at;
    const world = above ? [0, 1, 2].map((axis) => num(moved, axis) + num(above.at, axis)) : [...moved];
    const place = [num(world, 0), num(world, 1), num(world, 2)] as const;
    worlds.push({ linear, at: place });
    const inverse = inverted(linear, joint);
    const back = applied(inverse, place);
    // glTF has another order of axes, so rows and columns are permuted.
    const order = [1, 2, 0] as const;
    const translation = placed([-back[0], -back[1], -back[2]]);
    for (let column = 0; column < 3; column++) {
      for (let row = 0; row < 3; row++) {
        result[joint * 16 + column * 4 + row] = num(inverse, (order[row] ?? 0) * 3 + (order[column] ?? 0));
      }
      result[joint * 16 + 12 + column] = num(translation, column);
    }
    result[joint * 16 + 15] = 1;
  });
  if (!result.every(Number.isFinite)) throw new MediaError("its joints cannot be undone");
  return result;
}

/** Returns rotation and scale as nine numbers, row by row. */
function linearOf(turn: Quaternion, scale: readonly [number, number, number]): number[] {
  const columns = [rotate(turn, [1, 0, 0]), rotate(turn, [0, 1, 0]), rotate(turn, [0, 0, 1])] as const;
  return [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => num(columns[column] ?? [], row) * num(scale, column)));
}

function product(a: readonly number[], b: readonly number[]): number[] {
  return [0, 1, 2].flatMap((row) =>
    [0, 1, 2].map((column) =>
      num(a, row * 3) * num(b, column) + num(a, row * 3 + 1) * num(b, 3 + column) +
      num(a, row * 3 + 2) * num(b, 6 + column)
    )
  );
}

function applied(matrix: readonly number[], [x, y, z]: readonly [number, number, number]): [number, number, number] {
  const row = (index: number) =>
    num(matrix, index * 3) * x + num(matrix, index * 3 + 1) * y + num(matrix, index * 3 + 2) * z;
  return [row(0), row(1), row(2)];
}

function inverted(matrix: readonly number[], joint: number): number[] {
  const [a, b, c, d, e, f, g, h, i] = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((index) => num(matrix, index)) as [
    ...[number, number, number],
    ...[number, number, number],
    ...[number, number, number],
  ];
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  if (determinant === 0 || !Number.isFinite(determinant)) throw new MediaError(`joint ${joint} is flat`);
  return [
    ...[e * i - f * h, c * h - b * i, b * f - c * e],
    ...[f * g - d * i, a * i - c * g, c * d - a * f],
    ...[d * h - e * g, b * g - a * h, a * e - b * d],
  ].map((value) => value / determinant);
}
