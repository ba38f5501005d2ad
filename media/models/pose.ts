/**
 * Arithmetic of poses: quaternions with w last, and axes.
 * @module
 */
import { num, type Pose, poseSize } from "./geometry.ts";

/** A rotation: x, y, z, w. */
export type Quaternion = readonly [number, number, number, number];
type Vector = readonly [number, number, number];

/** Returns the normalized rotation; the identity if its length is zero. */
export function unit([x, y, z, w]: Quaternion): Quaternion {
  const length = Math.hypot(x, y, z, w);
  return length > 0 && Number.isFinite(length) ? [x / length, y / length, z / length, w / length] : [0, 0, 0, 1];
}

/** Returns the rotation `b`, then `a`. */
export function multiply([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion): Quaternion {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

/** Rotates a vector. */
export function rotate([x, y, z, w]: Quaternion, [vx, vy, vz]: Vector): Vector {
  const [tx, ty, tz] = [2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)];
  return [
    vx + w * tx + y * tz - z * ty,
    vy + w * ty + z * tx - x * tz,
    vz + w * tz + x * ty - y * tx,
  ];
}

/** Returns the rotation from the standard axes to these three. */
export function fromAxes(x: Vector, y: Vector, z: Vector): Quaternion {
  const trace = x[0] + y[1] + z[2];
  if (trace > 0) return unit([y[2] - z[1], z[0] - x[2], x[1] - y[0], trace + 1]);
  if (x[0] >= y[1] && x[0] >= z[2]) return unit([1 + x[0] - y[1] - z[2], y[0] + x[1], z[0] + x[2], y[2] - z[1]]);
  if (y[1] >= z[2]) return unit([y[0] + x[1], 1 + y[1] - x[0] - z[2], z[1] + y[2], z[0] - x[2]]);
  return unit([z[0] + x[2], z[1] + y[2], 1 + z[2] - x[0] - y[1], x[1] - y[0]]);
}

/** Returns the rotation by angles about the x, then the y, then the z axis, in radians. */
export function fromAngles(x: number, y: number, z: number): Quaternion {
  const [sx, cx, sy, cy, sz, cz] = [x, y, z].flatMap((angle) => [Math.sin(angle / 2), Math.cos(angle / 2)]);
  const about = (axis: 0 | 1 | 2, sine = 0, cosine = 1): Quaternion => [
    axis === 0 ? sine : 0,
    axis === 1 ? sine : 0,
    axis === 2 ? sine : 0,
    cosine,
  ];
  return multiply(about(2, sz, cz), multiply(about(1, sy, cy), about(0, sx, cx)));
}

/** Writes a joint's translation, rotation and scale. */
export function putPose(pose: Pose, joint: number, at: Vector, turn: Quaternion, scale: Vector = [1, 1, 1]): void {
  pose.set(at, joint * poseSize);
  pose.set(unit(turn), joint * poseSize + 3);
  pose.set(scale, joint * poseSize + 7);
}

/** Returns the translation of a joint. */
export function translationOf(pose: Pose, joint: number): Vector {
  return [num(pose, joint * poseSize), num(pose, joint * poseSize + 1), num(pose, joint * poseSize + 2)];
}

/** Returns the rotation of a joint. */
export function rotationOf(pose: Pose, joint: number): Quaternion {
  const at = joint * poseSize + 3;
  return [num(pose, at), num(pose, at + 1), num(pose, at + 2), num(pose, at + 3)];
}

/** Returns the scale of a joint. */
export function scaleOf(pose: Pose, joint: number): Vector {
  const at = joint * poseSize + 7;
  return [num(pose, at), num(pose, at + 1), num(pose, at + 2)];
}
