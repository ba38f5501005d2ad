/**
 * Reads glTF binary files for tests, and checks them with Khronos's validator.
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { validateBytes } from "gltf-validator";
import type { NamedFile, Surroundings } from "../../../media/convert/converter.ts";
import { convertersOf } from "../../../media/convert/table.ts";
import { decodePng } from "../../../media/pictures/png.ts";

/** An object of the JSON of a file. */
// deno-lint-ignore no-explicit-any -- tests look at JSON of every shape
export type Plain = any;

/** A file: its JSON, and its numbers. */
export interface Glb {
  readonly json: Plain;
  /** Returns the numbers of an accessor. */
  numbers(accessor: number): number[];
  /** Returns the bytes of an image. */
  image(index: number): Uint8Array;
}

const widths: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

/** Reads a file. */
export function readGlb(bytes: Uint8Array): Glb {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  assertEquals([view.getUint32(0, true), view.getUint32(4, true), view.getUint32(8, true)], [
    0x46546c67,
    2,
    bytes.length,
  ]);
  const length = view.getUint32(12, true);
  const json: Plain = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  const buffer = 28 + length;
  return {
    json,
    numbers(accessor) {
      const { bufferView, componentType, count, type } = json.accessors[accessor];
      const start = buffer + json.bufferViews[bufferView].byteOffset;
      return Array.from({ length: count * (widths[type] ?? 0) }, (_, index) => {
        if (componentType === 5126) return view.getFloat32(start + index * 4, true);
        if (componentType === 5125) return view.getUint32(start + index * 4, true);
        return componentType === 5123 ? view.getUint16(start + index * 2, true) : view.getUint8(start + index);
      });
    },
    image(index) {
      const { byteOffset, byteLength } = json.bufferViews[json.images[index].bufferView];
      return bytes.subarray(buffer + byteOffset, buffer + byteOffset + byteLength);
    },
  };
}

/** Returns the first pixel of a material's picture in hexadecimal; undefined without a picture. */
export function firstPixel({ json, image }: Glb, material: string): string | undefined {
  const { pbrMetallicRoughness } = json.materials.find(({ name }: Plain) => name === material) ?? {};
  const texture = pbrMetallicRoughness?.baseColorTexture?.index;
  return texture === undefined
    ? undefined
    : decodePng(image(json.textures[texture].source)).rgba.subarray(0, 4).toHex();
}

/** Returns the validator's errors and warnings. */
export async function faultsOf(bytes: Uint8Array): Promise<string[]> {
  const { issues } = await validateBytes(bytes, { maxIssues: 20 });
  const messages: Plain[] = issues.messages;
  return messages.filter(({ severity }) => severity < 2).map(({ code, message, pointer }) =>
    `${code} ${pointer}: ${message}`
  );
}

/** Looks up a few files, and shaders by name. */
export function fromFiles(
  files: Readonly<Record<string, Uint8Array>>,
  shaders: Readonly<Record<string, string>> = {},
): Surroundings {
  const file = (qpath: string): Promise<NamedFile | undefined> => {
    const bytes = files[qpath];
    return Promise.resolve(bytes && { qpath, bytes });
  };
  return { file, image: file, shader: (name) => Promise.resolve(shaders[name]) };
}

/** Converts a file to glTF by the table. */
export async function toGltf(qpath: string, bytes: Uint8Array, surroundings = fromFiles({})): Promise<Uint8Array> {
  const converter = convertersOf(qpath, "glb")[0];
  assert(converter, `${qpath} has a converter`);
  return await converter.convert({ qpath, bytes }, surroundings);
}

type Matrix = readonly number[];

/** Returns the product of two matrices, column by column. */
function times(a: Matrix, b: Matrix): number[] {
  return Array.from({ length: 16 }, (_, index) => {
    const [column, row] = [Math.floor(index / 4), index % 4];
    return [0, 1, 2, 3].reduce((sum, k) => sum + (a[k * 4 + row] ?? 0) * (b[column * 4 + k] ?? 0), 0);
  });
}

/** Returns the matrix of a node by its translation, rotation and scale. */
function matrixOf({ translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] }: Plain): number[] {
  const [x, y, z, w] = rotation;
  const [a, b, c] = scale;
  return [
    ...[a * (1 - 2 * (y * y + z * z)), a * 2 * (x * y + z * w), a * 2 * (x * z - y * w), 0],
    ...[b * 2 * (x * y - z * w), b * (1 - 2 * (x * x + z * z)), b * 2 * (y * z + x * w), 0],
    ...[c * 2 * (x * z + y * w), c * 2 * (y * z - x * w), c * (1 - 2 * (x * x + y * y)), 0],
    ...[...translation, 1],
  ];
}

/**
 * Returns the points of a mesh's first primitive in a frame of an animation, moved by morph targets, then by joints, as
 * in a viewer; without an animation at rest.
 */
export function posed(glb: Glb, mesh = 0, animation?: number, frame = 0): number[][] {
  const { json } = glb;
  const nodes: Plain[] = structuredClone(json.nodes);
  const weights: number[] = [];
  const owner = nodes.findIndex((node) => node.mesh === mesh);
  const { channels = [], samplers = [] } = animation === undefined ? {} : json.animations[animation];
  for (const { sampler, target } of channels) {
    const values = glb.numbers(samplers[sampler].output);
    const size = values.length / json.accessors[samplers[sampler].input].count;
    const now = values.slice(frame * size, (frame + 1) * size);
    if (target.path !== "weights") nodes[target.node][target.path] = now;
    else if (target.node === owner) weights.push(...now);
  }
  if (weights.length === 0) weights.push(...json.meshes[mesh].weights ?? []);
  const worlds = new Map<number, number[]>();
  const visit = (index: number, above: Matrix): void => {
    const world = times(above, matrixOf(nodes[index]));
    worlds.set(index, world);
    for (const child of nodes[index].children ?? []) visit(child, world);
  };
  for (const root of json.scenes[0].nodes) visit(root, matrixOf({}));
  const { attributes, targets = [] } = json.meshes[mesh].primitives[0];
  const points = glb.numbers(attributes.POSITION);
  weights.forEach((weight, target) => {
    glb.numbers(targets[target].POSITION).forEach((value, index) =>
      points[index] = (points[index] ?? 0) + weight * value
    );
  });
  const skin = json.skins?.[nodes[owner].skin];
  const inverse = skin && glb.numbers(skin.inverseBindMatrices);
  const [joints, shares] = skin ? [glb.numbers(attributes.JOINTS_0), glb.numbers(attributes.WEIGHTS_0)] : [[], []];
  return Array.from({ length: points.length / 3 }, (_, vertex) => {
    const point = [...points.slice(vertex * 3, vertex * 3 + 3), 1];
    const through = (matrix: Matrix) =>
      [0, 1, 2].map((row) => [0, 1, 2, 3].reduce((sum, k) => sum + (matrix[k * 4 + row] ?? 0) * (point[k] ?? 0), 0));
    if (!skin) return through(worlds.get(owner) ?? []);
    const sum = [0, 0, 0];
    for (let index = vertex * 4; index < vertex * 4 + 4; index++) {
      const joint = joints[index] ?? 0;
      const matrix = times(worlds.get(skin.joints[joint]) ?? [], inverse.slice(joint * 16, joint * 16 + 16));
      through(matrix).forEach((value, axis) => sum[axis] = (sum[axis] ?? 0) + value * (shares[index] ?? 0));
    }
    return sum;
  }).map((point) => point.map((value) => Math.round(value * 1e5) / 1e5 + 0));
}
