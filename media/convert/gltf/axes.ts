/**
 * Converts coordinates from the engines' space to glTF's. Engines: x forward, y left, z up, units. glTF: x left, y up,
 * z forward, metres. The scale is a power of two, so that no digit is lost; with it a player of Quake is 1.75 m tall.
 * @module
 */
import { num } from "../../models/geometry.ts";
import { MediaError } from "../../core/reader.ts";

/** Metres per unit. */
export const metresPerUnit = 1 / 32;

type Vector = readonly [number, number, number];

/** Returns a vector with the axes of glTF. */
export function turned([x, y, z]: Vector): [number, number, number] {
  return [y, z, x];
}

/** Returns a point in metres. */
export function placed([x, y, z]: Vector): [number, number, number] {
  return [y * metresPerUnit, z * metresPerUnit, x * metresPerUnit];
}

/** Returns a rotation about the axes of glTF. */
export function turnedRotation([x, y, z, w]: readonly [number, number, number, number]): [
  number,
  number,
  number,
  number,
] {
  return [y, z, x, w];
}

/**
 * Returns points in metres, three numbers each.
 * @throws {MediaError} if one is not finite.
 */
export function placedAll(points: Float32Array): Float32Array {
  const result = new Float32Array(points.length);
  for (let index = 0; index < points.length; index += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const value = num(points, index + (axis + 1) % 3) * metresPerUnit;
      if (!Number.isFinite(value)) throw new MediaError(`vertex ${index / 3} has no position: ${value}`);
      result[index + axis] = value;
    }
  }
  return result;
}

/** Returns directions of unit length, three numbers each; up if a direction is zero. */
export function turnedAll(directions: Float32Array): Float32Array {
  const result = new Float32Array(directions.length);
  for (let index = 0; index < directions.length; index += 3) {
    const [x, y, z] = [num(directions, index), num(directions, index + 1), num(directions, index + 2)];
    const length = Math.hypot(x, y, z);
    if (length > 0 && Number.isFinite(length)) {
      result[index] = y / length;
      result[index + 1] = z / length;
      result[index + 2] = x / length;
    } else result[index + 1] = 1;
  }
  return result;
}
