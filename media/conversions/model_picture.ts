/**
 * Draws models that were converted to glTF, for lists: their first skin and pose, from the front and a little above.
 * @module
 */
import { MediaError } from "../core/reader.ts";
import { decodeJpeg, isJpeg } from "../pictures/jpeg.ts";
import { emptyPicture, type Picture } from "../pictures/picture.ts";
import { decodePng } from "../pictures/png.ts";

/**
 * The parts of a file that are drawn, in the form written by `media/convert/`: meshes of models are roots and are not
 * transformed.
 */
interface Gltf {
  readonly meshes?: readonly { readonly primitives: readonly Primitive[] }[];
  readonly materials?: readonly Material[];
  readonly textures?: readonly { readonly source: number }[];
  readonly images?: readonly { readonly bufferView: number }[];
  readonly accessors: readonly {
    readonly bufferView: number;
    readonly componentType: number;
    readonly count: number;
  }[];
  readonly bufferViews: readonly { readonly byteOffset: number; readonly byteLength: number }[];
}

interface Primitive {
  readonly attributes: { readonly POSITION: number; readonly TEXCOORD_0?: number };
  readonly indices: number;
  readonly material?: number;
}

interface Material {
  readonly pbrMetallicRoughness: {
    readonly baseColorTexture?: { readonly index: number };
    readonly baseColorFactor?: readonly [number, number, number, number];
  };
}

/** Maximum pixels that are visited for all triangles: about a hundred times a picture of the usual size. */
const maxPixels = 64 * 1024 * 1024;
/** Angles of rotation to the right and down, in radians. */
const [yaw, pitch] = [-0.6, 0.35] as const;
/** Fraction of the picture that the model fills. */
const filled = 0.94;
/** Direction of the light, from the surface, in view space. */
const [lightX, lightY, lightZ] = [-0.4, 0.6, 0.69] as const;
/** Minimum opacity of drawn pixels. */
const opaque = 128;

/** Reads numbers of the file. */
class GlbReader {
  readonly gltf: Gltf;
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const length = view.getUint32(12, true);
    this.gltf = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
    // Numbers in the buffer are aligned if the beginning of the buffer is.
    this.#bytes = bytes.slice(28 + length);
  }

  bytes(view: number): Uint8Array<ArrayBuffer> {
    const { byteOffset = 0, byteLength = 0 } = this.gltf.bufferViews[view] ?? {};
    return this.#bytes.subarray(byteOffset, byteOffset + byteLength);
  }

  numbers(accessor: number, width: number): Float32Array | Uint32Array | Uint16Array {
    const { bufferView = -1, componentType, count = 0 } = this.gltf.accessors[accessor] ?? {};
    const { buffer, byteOffset } = this.bytes(bufferView);
    const Numbers = componentType === 5126 ? Float32Array : componentType === 5125 ? Uint32Array : Uint16Array;
    return new Numbers(buffer, byteOffset, count * width);
  }

  async picture(texture: number): Promise<Picture | undefined> {
    const image = this.gltf.images?.[this.gltf.textures?.[texture]?.source ?? -1];
    const bytes = image && this.bytes(image.bufferView);
    return bytes && (isJpeg(bytes) ? await decodeJpeg(bytes) : decodePng(bytes));
  }
}

/** A part of the model in view space: x to the right, y up, z towards the viewer. */
interface Part {
  readonly points: Float32Array;
  readonly triangles: Float32Array | Uint32Array | Uint16Array;
  readonly imagePoints: Float32Array | Uint32Array | Uint16Array | undefined;
  readonly picture: Picture | undefined;
  readonly colour: readonly number[];
}

function turned(points: ArrayLike<number>): Float32Array {
  const [cosYaw, sinYaw, cosPitch, sinPitch] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  const result = new Float32Array(points.length);
  for (let at = 0; at < points.length; at += 3) {
    const [x = 0, y = 0, z = 0] = [points[at], points[at + 1], points[at + 2]];
    const back = z * cosYaw - x * sinYaw;
    result[at] = x * cosYaw + z * sinYaw;
    result[at + 1] = y * cosPitch - back * sinPitch;
    result[at + 2] = y * sinPitch + back * cosPitch;
  }
  return result;
}

/** The picture, with the depth of each pixel. */
class Canvas {
  readonly picture: Picture;
  readonly #near: Float32Array;
  readonly #side: number;
  #left = maxPixels;

  constructor(side: number) {
    this.#side = side;
    this.picture = emptyPicture(side, side);
    this.#near = new Float32Array(side * side).fill(-Infinity);
  }

  /** Draws the triangles of a part in pixel coordinates. */
  draw({ points, triangles, imagePoints, picture, colour }: Part): void {
    for (let corner = 0; corner + 2 < triangles.length; corner += 3) {
      const [a, b, c] = [num(triangles, corner), num(triangles, corner + 1), num(triangles, corner + 2)];
      const [ax, ay, bx, by, cx, cy] = [a, b, c].flatMap((at) => [num(points, at * 3), num(points, at * 3 + 1)]);
      if (ax === undefined || ay === undefined || bx === undefined || by === undefined) continue;
      if (cx === undefined || cy === undefined) continue;
      const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
      if (!(Math.abs(area) > 1e-6)) continue;
      const shade = shadeOf(points, a, b, c);
      const [left, right] = [Math.max(0, Math.floor(Math.min(ax, bx, cx))), Math.ceil(Math.max(ax, bx, cx))];
      const [top, bottom] = [Math.max(0, Math.floor(Math.min(ay, by, cy))), Math.ceil(Math.max(ay, by, cy))];
      const [width, height] = [Math.min(right, this.#side) - left, Math.min(bottom, this.#side) - top];
      this.#left -= Math.max(0, width) * Math.max(0, height);
      if (this.#left < 0) throw new MediaError("it has too many triangles for a small picture");
      for (let y = top; y < top + height; y++) {
        for (let x = left; x < left + width; x++) {
          const [px, py] = [x + 0.5, y + 0.5];
          const ofB = ((px - ax) * (cy - ay) - (cx - ax) * (py - ay)) / area;
          const ofC = ((bx - ax) * (py - ay) - (px - ax) * (by - ay)) / area;
          const ofA = 1 - ofB - ofC;
          if (ofA < 0 || ofB < 0 || ofC < 0) continue;
          const mix = (from: ArrayLike<number>, size: number, part: number) =>
            num(from, a * size + part) * ofA + num(from, b * size + part) * ofB + num(from, c * size + part) * ofC;
          const near = mix(points, 3, 2);
          if (near <= num(this.#near, y * this.#side + x)) continue;
          const pixel = picture && imagePoints
            ? sample(picture, mix(imagePoints, 2, 0), mix(imagePoints, 2, 1))
            : colour;
          if (num(pixel, 3) < opaque) continue;
          this.#near[y * this.#side + x] = near;
          const target = (y * this.#side + x) * 4;
          for (let part = 0; part < 3; part++) {
            this.picture.rgba[target + part] = Math.min(255, num(pixel, part) * shade);
          }
          this.picture.rgba[target + 3] = 255;
        }
      }
    }
  }
}

function num(from: ArrayLike<number>, index: number): number {
  return from[index] ?? 0;
}

/** Returns the pixel of a tiled picture at a fraction of its size. */
function sample({ width, height, rgba }: Picture, s: number, t: number): Uint8Array {
  const [x, y] = [Math.floor((s - Math.floor(s)) * width), Math.floor((t - Math.floor(t)) * height)];
  const offset = (Math.min(y, height - 1) * width + Math.min(x, width - 1)) * 4;
  return rgba.subarray(offset, offset + 4);
}

/** Returns the brightness of a triangle, lit on the visible side. */
function shadeOf(points: Float32Array, a: number, b: number, c: number): number {
  const along = (to: number, part: number) => num(points, to * 3 + part) - num(points, a * 3 + part);
  // Rows are numbered downwards.
  const [ux, uy, uz, vx, vy, vz] = [along(b, 0), -along(b, 1), along(b, 2), along(c, 0), -along(c, 1), along(c, 2)];
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(x, y, z) * (z < 0 ? -1 : 1);
  return 0.55 + 0.6 * Math.max(0, (x * lightX + y * lightY + z * lightZ) / length || 0);
}

/** Moves and scales points in place so that all of them fit a square. */
function fit(parts: readonly Part[], side: number): void {
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  for (const { points } of parts) {
    for (let at = 0; at < points.length; at++) {
      const axis = at % 3;
      if (axis === 2) continue;
      low[axis] = Math.min(num(low, axis), num(points, at));
      high[axis] = Math.max(num(high, axis), num(points, at));
    }
  }
  const extent = Math.max(num(high, 0) - num(low, 0), num(high, 1) - num(low, 1), 1e-6);
  const scale = side * filled / extent;
  const middle = [0, 1].map((axis) => (num(low, axis) + num(high, axis)) / 2);
  for (const { points } of parts) {
    for (let at = 0; at < points.length; at += 3) {
      points[at] = side / 2 + (num(points, at) - num(middle, 0)) * scale;
      points[at + 1] = side / 2 - (num(points, at + 1) - num(middle, 1)) * scale;
      points[at + 2] = num(points, at + 2) * scale;
    }
  }
}

/**
 * Draws a model.
 * @param glb The model in the form written by `media/convert/`.
 * @param side Pixels of each side of the picture.
 * @throws {MediaError} if it has no triangles, too many for a small picture, or a damaged skin.
 */
export async function modelPicture(glb: Uint8Array, side: number): Promise<Picture> {
  const reader = new GlbReader(glb);
  const { meshes = [], materials = [] } = reader.gltf;
  const parts = await Promise.all(
    meshes.flatMap(({ primitives }) => primitives).map(async ({ attributes, indices, material }): Promise<Part> => {
      const { baseColorTexture, baseColorFactor } = materials[material ?? -1]?.pbrMetallicRoughness ?? {};
      const { TEXCOORD_0 } = attributes;
      return {
        points: turned(reader.numbers(attributes.POSITION, 3)),
        triangles: reader.numbers(indices, 1),
        imagePoints: TEXCOORD_0 === undefined ? undefined : reader.numbers(TEXCOORD_0, 2),
        picture: baseColorTexture && await reader.picture(baseColorTexture.index),
        colour: (baseColorFactor ?? [0.6, 0.6, 0.6, 1]).map((value) => value * 255),
      };
    }),
  );
  if (parts.length === 0) throw new MediaError("it has no triangles");
  fit(parts, side);
  const canvas = new Canvas(side);
  for (const part of parts) canvas.draw(part);
  return canvas.picture;
}
