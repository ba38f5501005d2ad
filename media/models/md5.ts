/**
 * Reads Doom 3's skeletal models, a text format that the Quake remaster and FTE also read.
 *
 * Mesh (id-Software/DOOM-3 neo/renderer/Model_md5.cpp): `MD5Version 10`, `joints { "name" parent ( position ) (
 * rotation ) ... }` in the model's space, `mesh { shader "name" vert i ( u v ) first count, tri i a b c, weight i joint
 * bias ( position ) }`. Animation (neo/anim/Anim.cpp): `frameRate`, `hierarchy { "name" parent flags first ... }`,
 * `baseframe { ( position ) ( rotation ) ... }`, `frame i { numbers }`: the numbers selected by the flags, from `first`
 * on. Rotations are x, y, z of a unit quaternion whose w is negative in the mathematical convention.
 * @module
 */
import {
  type Clip,
  type Geometry,
  type Joint,
  type Mesh,
  num,
  type Pose,
  poseSize,
  requireNumbers,
  requireVertices,
  type Skeleton,
  smoothNormals,
} from "./geometry.ts";
import { multiply, putPose, type Quaternion, rotate, rotationOf, translationOf } from "./pose.ts";
import { MediaError } from "../core/reader.ts";

const latin = new TextDecoder("windows-1252");
const token = /\/\/[^\n]*|\/\*[^]*?\*\/|"([^"\n]*)"|[(){}]|[^\s"(){}]+/g;

/** Words of a text, read in order. */
class Words {
  readonly #matches: IterableIterator<RegExpExecArray>;
  #next: string | undefined;

  constructor(bytes: Uint8Array) {
    this.#matches = latin.decode(bytes).matchAll(token);
    this.#next = this.#read();
  }

  #read(): string | undefined {
    for (let match = this.#matches.next(); !match.done; match = this.#matches.next()) {
      const [whole, quoted] = match.value;
      if (!whole.startsWith("//") && !whole.startsWith("/*")) return quoted ?? whole;
    }
    return undefined;
  }

  get isAtEnd(): boolean {
    return this.#next === undefined;
  }

  /** Returns whether the next word is this one, and skips it if so. */
  skips(word: string): boolean {
    if (this.#next !== word) return false;
    this.#next = this.#read();
    return true;
  }

  word(): string {
    const word = this.#next;
    if (word === undefined) throw new MediaError("its text ends too early; it may be cut short");
    this.#next = this.#read();
    return word;
  }

  expect(word: string): void {
    const found = this.word();
    if (found !== word) throw new MediaError(`"${found.slice(0, 40)}" is where ${word} should be`);
  }

  number(): number {
    const word = this.word();
    const value = Number(word);
    if (Number.isFinite(value)) return value;
    throw new MediaError(`"${word.slice(0, 40)}" is where a number should be`);
  }

  /** Reads an index or a count. */
  index(): number {
    const value = this.number();
    if (Number.isInteger(value) && value >= 0 && value <= 0xffffffff) return value;
    throw new MediaError(`${value} is where an index should be`);
  }

  point(): [number, number, number] {
    this.expect("(");
    const point: [number, number, number] = [this.number(), this.number(), this.number()];
    this.expect(")");
    return point;
  }

  /** Skips a block in braces. */
  skipBlock(): void {
    this.expect("{");
    while (!this.skips("}")) this.word();
  }
}

/** Returns the unit quaternion with these first three numbers. */
function rotationBy([x, y, z]: readonly [number, number, number]): Quaternion {
  return [x, y, z, -Math.sqrt(Math.max(0, 1 - x * x - y * y - z * z))];
}

interface Weight {
  readonly joint: number;
  readonly bias: number;
  readonly point: readonly [number, number, number];
}

/** Joints in the model's space. */
interface Joints {
  readonly joints: readonly Joint[];
  readonly world: Pose;
}

function requireVersion10(words: Words): void {
  words.expect("MD5Version");
  const version = words.number();
  if (version !== 10) throw new MediaError(`unknown version ${version} of MD5; 10 can be read`);
}

function readJoints(words: Words): Joints {
  const joints: Joint[] = [];
  const numbers: { at: readonly [number, number, number]; turn: Quaternion }[] = [];
  words.expect("{");
  while (!words.skips("}")) {
    const [name, parent] = [words.word(), words.number()];
    if (!Number.isInteger(parent) || parent >= joints.length) {
      throw new MediaError(`joint ${joints.length} comes before its parent`);
    }
    joints.push({ name, parent: Math.max(-1, parent) });
    numbers.push({ at: words.point(), turn: rotationBy(words.point()) });
  }
  const world: Pose = new Float64Array(joints.length * poseSize);
  numbers.forEach(({ at, turn }, joint) => putPose(world, joint, at, turn));
  return { joints, world };
}

/** Maximum joints that move one vertex; joints with the smallest weights are omitted. */
const maxWeights = 4;

function readMesh(words: Words, { joints, world }: Joints, number: number): Mesh {
  let shader = "";
  const vertices: { readonly point: readonly [number, number]; readonly first: number; readonly count: number }[] = [];
  const corners: number[] = [];
  const weights: Weight[] = [];
  words.expect("{");
  while (!words.skips("}")) {
    const kind = words.word();
    if (kind === "shader") shader = words.word();
    else if (kind === "vert") {
      requireOrder(words, vertices.length, "vertex");
      words.expect("(");
      const point = [words.number(), words.number()] as const;
      words.expect(")");
      vertices.push({ point, first: words.index(), count: words.index() });
    } else if (kind === "tri") {
      requireOrder(words, corners.length / 3, "triangle");
      const [a, b, c] = [words.index(), words.index(), words.index()];
      // Engines draw the other side of triangles with this vertex order.
      corners.push(c, b, a);
    } else if (kind === "weight") {
      requireOrder(words, weights.length, "weight");
      const [joint, bias] = [words.index(), words.number()];
      if (joint >= joints.length) throw new MediaError(`weight ${weights.length} is of joint ${joint}`);
      weights.push({ joint, bias, point: words.point() });
    } else if (/^num(verts|tris|weights)$/.test(kind)) words.index();
    else throw new MediaError(`"${kind.slice(0, 40)}" is unknown in a mesh`);
  }
  requireNumbers(vertices.length * 16 + corners.length);
  const triangles = Uint32Array.from(corners);
  requireVertices(triangles, vertices.length);
  const positions = new Float32Array(vertices.length * 3);
  const binding = {
    joints: new Uint16Array(vertices.length * maxWeights),
    weights: new Float32Array(vertices.length * maxWeights),
  };
  let used = 0;
  vertices.forEach(({ first, count }, vertex) => {
    used += count;
    // Vertices may share weights, which would turn a small file into much work.
    if (first + count > weights.length || used > weights.length + vertices.length * maxWeights) {
      throw new MediaError(`vertex ${vertex} has more weights than the mesh`);
    }
    const own = weights.slice(first, first + count);
    for (const { joint, bias, point } of own) {
      const [x, y, z] = rotate(rotationOf(world, joint), point);
      const [atX, atY, atZ] = translationOf(world, joint);
      [x + atX, y + atY, z + atZ].forEach((value, axis) => {
        positions[vertex * 3 + axis] = num(positions, vertex * 3 + axis) + value * bias;
      });
    }
    own.sort((a, b) => b.bias - a.bias).slice(0, maxWeights).forEach(({ joint, bias }, index) => {
      binding.joints[vertex * maxWeights + index] = joint;
      binding.weights[vertex * maxWeights + index] = bias;
    });
  });
  return {
    name: `mesh ${number}`,
    shaders: shader === "" ? [] : [shader],
    triangles,
    imagePoints: Float32Array.from(vertices.flatMap(({ point }) => point)),
    frames: [{ positions, normals: smoothNormals(positions, triangles) }],
    binding,
  };
}

function requireOrder(words: Words, expected: number, what: string): void {
  const index = words.index();
  if (index !== expected) throw new MediaError(`${what} ${index} is where ${expected} should be`);
}

/** Converts joints from the model's space to poses relative to their parents. */
function relativePose({ joints, world }: Joints): Pose {
  const pose: Pose = world.slice();
  joints.forEach(({ parent }, joint) => {
    if (parent < 0) return;
    const [px, py, pz, pw] = rotationOf(world, parent);
    const back: Quaternion = [-px, -py, -pz, pw];
    const [x, y, z] = translationOf(world, joint);
    const [ox, oy, oz] = translationOf(world, parent);
    putPose(pose, joint, rotate(back, [x - ox, y - oy, z - oz]), multiply(back, rotationOf(world, joint)));
  });
  return pose;
}

/** An animation, and its name. */
export interface Md5Animation {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface Channel {
  readonly flags: number;
  readonly first: number;
}

function readAnimation(bytes: Uint8Array, joints: readonly Joint[]): { rate: number; frames: Pose[] } {
  const words = new Words(bytes);
  requireVersion10(words);
  const channels: Channel[] = [];
  const base: number[] = [];
  const frames: Pose[] = [];
  let rate = 24;
  while (!words.isAtEnd) {
    const key = words.word();
    if (key === "hierarchy") {
      words.expect("{");
      while (!words.skips("}")) {
        const [name, parent] = [words.word(), words.number()];
        const joint = joints[channels.length];
        if (joint?.name.toLowerCase() !== name.toLowerCase() || joint.parent !== Math.max(-1, parent)) {
          throw new MediaError(`its joint ${channels.length}, ${name}, is not that of the mesh`);
        }
        channels.push({ flags: words.index(), first: words.index() });
      }
      if (channels.length !== joints.length) throw new MediaError(`it has ${channels.length} joints`);
    } else if (key === "baseframe") {
      words.expect("{");
      while (!words.skips("}")) base.push(...words.point());
      if (base.length !== joints.length * 6) throw new MediaError("its first frame has not all joints");
    } else if (key === "frame") {
      requireOrder(words, frames.length, "frame");
      requireNumbers((frames.length + 1) * joints.length * poseSize * 2);
      frames.push(readFrame(words, channels, base));
    } else if (key === "frameRate") rate = words.number();
    else if (key === "bounds") words.skipBlock();
    else if (key === "commandline" || /^num[A-Z]\w*$/.test(key)) words.word();
    else throw new MediaError(`"${key.slice(0, 40)}" is unknown in an animation`);
  }
  return { rate, frames };
}

function readFrame(words: Words, channels: readonly Channel[], base: readonly number[]): Pose {
  const values: number[] = [];
  words.expect("{");
  while (!words.skips("}")) values.push(words.number());
  if (base.length !== channels.length * 6) throw new MediaError("a frame comes before the first one");
  const pose: Pose = new Float64Array(channels.length * poseSize);
  channels.forEach(({ flags, first }, joint) => {
    let next = first;
    const value = (index: number) => {
      if ((flags >> index & 1) === 0) return num(base, joint * 6 + index);
      const stored = values[next++];
      if (stored === undefined) throw new MediaError("a frame has fewer numbers than its joints need");
      return stored;
    };
    const at = [value(0), value(1), value(2)] as const;
    putPose(pose, joint, at, rotationBy([value(3), value(4), value(5)]));
  });
  return pose;
}

/**
 * Reads a mesh with its animations.
 * @throws {MediaError} if one is damaged.
 */
export function readMd5(bytes: Uint8Array, animations: readonly Md5Animation[]): Geometry {
  const words = new Words(bytes);
  requireVersion10(words);
  let found: Joints | undefined;
  const meshes: Mesh[] = [];
  while (!words.isAtEnd) {
    const key = words.word();
    if (key === "joints") found = readJoints(words);
    else if (key === "mesh") {
      if (!found) throw new MediaError("a mesh comes before the joints");
      meshes.push(readMesh(words, found, meshes.length));
    } else if (key === "commandline" || /^num[A-Z]\w*$/.test(key)) words.word();
    else throw new MediaError(`"${key.slice(0, 40)}" is unknown in a model`);
  }
  if (!found) throw new MediaError("it has no joints");
  const frames: Pose[] = [];
  const clips = animations.map(({ name, bytes }): Clip => {
    const animation = readAnimation(bytes, found.joints);
    const first = frames.length;
    for (const frame of animation.frames) frames.push(frame);
    return { name, first, count: animation.frames.length, rate: animation.rate };
  });
  const skeleton: Skeleton = { joints: found.joints, rest: relativePose(found), frames };
  return { meshes, frameNames: [], clips, skeleton };
}
