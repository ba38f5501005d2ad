/**
 * Writes glTF 2.0 as one binary file (Khronos glTF 2.0 specification): JSON, and a buffer of numbers and images. Output
 * is deterministic.
 * @module
 */
import { MediaError } from "../../core/reader.ts";

/** Maximum bytes of a result. */
const maxBytes = 384 * 1024 * 1024;

type Numbers = Float32Array | Uint32Array | Uint16Array | Uint8Array;

const componentTypes = new Map<unknown, number>([
  [Uint8Array, 5121],
  [Uint16Array, 5123],
  [Uint32Array, 5125],
  [Float32Array, 5126],
]);
const widths = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 } as const;

/** Use of numbers: vertex attributes or triangle indices; none for animations and matrices. */
export type Use = "vertices" | "indices" | "other";
const targets: Readonly<Record<Use, number | undefined>> = { vertices: 34962, indices: 34963, other: undefined };

/** JSON values. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A texture of a material. */
export interface TextureUse {
  readonly index: number;
  readonly texCoord?: number;
}

/** A material. */
export interface Material {
  readonly name: string;
  readonly texture?: number;
  /** Red, green, blue and opacity. */
  readonly colour?: readonly [number, number, number, number];
  /** Light map, with the second set of texture coordinates. */
  readonly light?: number;
  /** Parts that emit light. */
  readonly glow?: number;
  /** Minimum opacity of drawn pixels; with `blend` they are mixed with the background. */
  readonly opacity?: "mask" | "blend";
  readonly isTwoSided?: boolean;
  /** Whether the viewer's lights are ignored. */
  readonly isUnlit?: boolean;
  readonly extras?: Readonly<Record<string, Json>>;
}

/** A node of the scene. */
export interface Node {
  readonly name?: string;
  readonly mesh?: number;
  readonly skin?: number;
  readonly children?: readonly number[];
  readonly translation?: readonly number[];
  readonly rotation?: readonly number[];
  readonly scale?: readonly number[];
  readonly extras?: Readonly<Record<string, Json>>;
}

/** A part of a mesh with one material. */
export interface Primitive {
  readonly attributes: Readonly<Record<string, number>>;
  readonly indices: number;
  readonly material: number;
  readonly targets?: readonly Readonly<Record<string, number>>[];
  /** Materials by variant number. */
  readonly variants?: readonly { readonly material: number; readonly variants: readonly number[] }[];
}

/** An animated property of a node. */
export interface Channel {
  readonly node: number;
  readonly path: "translation" | "rotation" | "scale" | "weights";
  readonly times: number;
  readonly values: number;
}

/** How a texture is enlarged: `pixels` shows squares; `light` is neither repeated nor reduced. */
export type Sampling = "pixels" | "smooth" | "light";
const samplers: Readonly<Record<Sampling, Json>> = {
  pixels: { magFilter: 9728, minFilter: 9986 },
  smooth: { magFilter: 9729, minFilter: 9987 },
  light: { magFilter: 9729, minFilter: 9729, wrapS: 33071, wrapT: 33071 },
};

/** A file under construction. */
export class GltfDocument {
  readonly #parts: Uint8Array[] = [];
  #length = 0;
  readonly #views: Json[] = [];
  readonly #accessors: Json[] = [];
  readonly #samplings: Sampling[] = [];
  readonly #images: Json[] = [];
  readonly #textures: Json[] = [];
  readonly #materials: Json[] = [];
  readonly #meshes: Json[] = [];
  readonly #nodes: Json[] = [];
  readonly #skins: Json[] = [];
  readonly #animations: Json[] = [];
  readonly #extensions = new Set<string>();
  #variants: readonly string[] = [];

  #addView(bytes: Uint8Array, use: Use): number {
    // Numbers of all types are aligned to four bytes.
    const padding = -this.#length & 3;
    if (this.#length + padding + bytes.length > maxBytes) {
      throw new MediaError(`it would be more than ${maxBytes} bytes of glTF`);
    }
    if (padding > 0) this.#parts.push(new Uint8Array(padding));
    const target = targets[use];
    this.#views.push({
      buffer: 0,
      byteOffset: this.#length + padding,
      byteLength: bytes.length,
      ...target !== undefined && { target },
    });
    this.#parts.push(bytes);
    this.#length += padding + bytes.length;
    return this.#views.length - 1;
  }

  /** Adds numbers; `hasBounds` records the minimum and maximum of each component, which positions and times need. */
  numbers(
    values: Numbers,
    type: keyof typeof widths,
    { use = "other", hasBounds = false, isNormalized = false }: {
      use?: Use;
      hasBounds?: boolean;
      isNormalized?: boolean;
    } = {},
  ): number {
    const bufferView = this.#addView(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), use);
    this.#accessors.push({
      bufferView,
      componentType: componentTypes.get(values.constructor) ?? 0,
      count: values.length / widths[type],
      type,
      ...isNormalized && { normalized: true },
      ...hasBounds && boundsOf(values, widths[type]),
    });
    return this.#accessors.length - 1;
  }

  /** Adds a PNG or JPEG as a texture. */
  texture(name: string, bytes: Uint8Array, sampling: Sampling): number {
    const mimeType = bytes[0] === 0x89 ? "image/png" : "image/jpeg";
    this.#images.push({ name, mimeType, bufferView: this.#addView(bytes, "other") });
    if (!this.#samplings.includes(sampling)) this.#samplings.push(sampling);
    this.#textures.push({ sampler: this.#samplings.indexOf(sampling), source: this.#images.length - 1 });
    return this.#textures.length - 1;
  }

  /** Adds a material, which emits no light by default. */
  material(material: Material): number {
    const { name, texture, colour, light, glow, opacity, isTwoSided, isUnlit, extras } = material;
    if (isUnlit) this.#extensions.add("KHR_materials_unlit");
    this.#materials.push({
      name,
      pbrMetallicRoughness: {
        ...texture !== undefined && { baseColorTexture: { index: texture } },
        ...colour && { baseColorFactor: colour },
        metallicFactor: 0,
        roughnessFactor: 1,
      },
      ...light !== undefined && { occlusionTexture: { index: light, texCoord: 1 } },
      ...glow !== undefined && { emissiveTexture: { index: glow }, emissiveFactor: [1, 1, 1] },
      ...opacity && { alphaMode: opacity.toUpperCase() },
      ...isTwoSided && { doubleSided: true },
      ...isUnlit && { extensions: { KHR_materials_unlit: {} } },
      ...extras && { extras },
    });
    return this.#materials.length - 1;
  }

  /**
   * Adds a mesh.
   * @param targetNames Names of the targets of its primitives.
   * @param still Target that is shown without an animation.
   */
  mesh(name: string, primitives: readonly Primitive[], targetNames: readonly string[] = [], still = -1): number {
    this.#meshes.push({
      name,
      primitives: primitives.map(({ variants, targets, ...primitive }) => ({
        ...primitive,
        ...targets && targets.length > 0 && { targets },
        ...variants && variants.length > 0 && { extensions: { KHR_materials_variants: { mappings: variants } } },
      })),
      ...targetNames.length > 0 &&
        { weights: targetNames.map((_, target) => Number(target === still)), extras: { targetNames } },
    });
    return this.#meshes.length - 1;
  }

  /** Names the variants that primitives refer to. */
  setVariants(names: readonly string[]): void {
    this.#variants = names;
    if (names.length > 0) this.#extensions.add("KHR_materials_variants");
  }

  /** Adds a node; parents are added after their children. */
  node(node: Node): number {
    const { children, ...others } = node;
    this.#nodes.push({ ...others, ...children && children.length > 0 && { children } } as Json);
    return this.#nodes.length - 1;
  }

  /** Adds a skin: joints, and the matrices that move vertices into their spaces. */
  skin(joints: readonly number[], inverseBindMatrices: number): number {
    this.#skins.push({ joints, inverseBindMatrices });
    return this.#skins.length - 1;
  }

  /** Adds an animation, if it has channels. */
  animation(name: string, channels: readonly Channel[]): void {
    if (channels.length === 0) return;
    const samplers: Json[] = [];
    const numbers = new Map<string, number>();
    const listed = channels.map(({ node, path, times, values }): Json => {
      const key = `${times} ${values}`;
      const known = numbers.get(key);
      const sampler = known ?? samplers.push({ input: times, output: values }) - 1;
      numbers.set(key, sampler);
      return { sampler, target: { node, path } };
    });
    this.#animations.push({ name, samplers, channels: listed });
  }

  /** Returns the file: a scene with these nodes. */
  finish(nodes: readonly number[], extras?: Readonly<Record<string, Json>>): Uint8Array {
    const some = (key: string, list: readonly Json[]) => list.length > 0 && { [key]: list };
    const json: Json = {
      asset: { version: "2.0", generator: "pakfs" },
      ...this.#extensions.size > 0 && { extensionsUsed: [...this.#extensions].sort() },
      ...this.#variants.length > 0 && {
        extensions: { KHR_materials_variants: { variants: this.#variants.map((name) => ({ name })) } },
      },
      scene: 0,
      scenes: [{ ...nodes.length > 0 && { nodes }, ...extras && { extras } }],
      ...some("nodes", this.#nodes),
      ...some("meshes", this.#meshes),
      ...some("materials", this.#materials),
      ...some("textures", this.#textures),
      ...some("images", this.#images),
      ...some("samplers", this.#samplings.map((sampling) => samplers[sampling])),
      ...some("skins", this.#skins),
      ...some("animations", this.#animations),
      ...some("accessors", this.#accessors),
      ...some("bufferViews", this.#views),
      ...this.#length > 0 && { buffers: [{ byteLength: this.#length }] },
    };
    return joined(new TextEncoder().encode(JSON.stringify(json)), this.#parts, this.#length);
  }
}

function boundsOf(values: Numbers, width: number): { min: number[]; max: number[] } {
  const min = new Array<number>(width).fill(Infinity);
  const max = new Array<number>(width).fill(-Infinity);
  for (let index = 0; index < values.length; index += width) {
    for (let axis = 0; axis < width; axis++) {
      const value = values[index + axis] ?? 0;
      if (value < (min[axis] ?? 0)) min[axis] = value;
      if (value > (max[axis] ?? 0)) max[axis] = value;
    }
  }
  return { min, max };
}

/** Header of 12 bytes, then two chunks of length, kind and content, padded to multiples of four. */
function joined(json: Uint8Array, parts: readonly Uint8Array[], length: number): Uint8Array {
  const jsonLength = json.length + (-json.length & 3);
  const bufferLength = length + (-length & 3);
  const hasBuffer = length > 0;
  const file = new Uint8Array(12 + 8 + jsonLength + (hasBuffer ? 8 + bufferLength : 0));
  const view = new DataView(file.buffer);
  view.setUint32(0, 0x46546c67, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, file.length, true);
  view.setUint32(12, jsonLength, true);
  view.setUint32(16, 0x4e4f534a, true);
  file.fill(0x20, 20, 20 + jsonLength);
  file.set(json, 20);
  if (!hasBuffer) return file;
  let offset = 20 + jsonLength;
  view.setUint32(offset, bufferLength, true);
  view.setUint32(offset + 4, 0x004e4942, true);
  offset += 8;
  for (const part of parts) {
    file.set(part, offset);
    offset += part.length;
  }
  return file;
}
