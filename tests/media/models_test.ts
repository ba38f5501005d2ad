/**
 * Properties of arbitrary models: rotations equal the games', and misplaced parts are refused.
 * @module
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { MediaError, Reader } from "../../media/core/reader.ts";
import { poseSize } from "../../media/models/geometry.ts";
import { readAse } from "../../media/models/ase.ts";
import type { Mesh } from "../../media/models/geometry.ts";
import { readLwo } from "../../media/models/lwo.ts";
import { readMd5 } from "../../media/models/md5.ts";
import { openModel } from "../../media/models/model_file.ts";
import { fromAngles, fromAxes, multiply, rotate, rotationOf } from "../../media/models/pose.ts";
import { join, string, text } from "../formats/bytes.ts";
import fc from "../support/fast_check.ts";
import { ase, halfLifeModel, lwo, md5, mdc, waveIqm } from "./handmade_models.ts";
import { richMd3 } from "./rich_files.ts";

type Vector = readonly [number, number, number];

const units: readonly Vector[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const angle = fc.double({ min: -Math.PI, max: Math.PI, noNaN: true });
const angles = fc.tuple(angle, angle, angle);

/** Returns a vector turned about one axis. */
function turned(axis: 0 | 1 | 2, angle: number, vector: Vector): Vector {
  const [next, last] = [(axis + 1) % 3, (axis + 2) % 3] as [0 | 1 | 2, 0 | 1 | 2];
  const result: [number, number, number] = [...vector];
  result[next] = vector[next] * Math.cos(angle) - vector[last] * Math.sin(angle);
  result[last] = vector[next] * Math.sin(angle) + vector[last] * Math.cos(angle);
  return result;
}

function assertNear(actual: readonly number[], expected: readonly number[], tolerance = 1e-6): void {
  const isNear = actual.length === expected.length &&
    actual.every((value, index) => Math.abs(value - (expected[index] ?? NaN)) <= tolerance);
  assert(isNear, `${actual} is not ${expected}`);
}

Deno.test("a rotation by angles turns about x, then y, then z, and equals the rotation of its axes", () => {
  fc.assert(fc.property(angles, angles, ([x, y, z], others) => {
    const rotation = fromAngles(x, y, z);
    const other = fromAngles(...others);
    const axes = units.map((unit) => turned(2, z, turned(1, y, turned(0, x, unit)))) as [Vector, Vector, Vector];
    for (const [index, unit] of units.entries()) {
      assertNear(rotate(rotation, unit), axes[index] ?? []);
      assertNear(rotate(fromAxes(...axes), unit), axes[index] ?? []);
      assertNear(rotate(multiply(rotation, other), unit), rotate(rotation, rotate(other, unit)));
    }
  }));
});

Deno.test("tags of an MDC turn by pitch, yaw and roll as the engine turns them", () => {
  const stored = fc.integer({ min: -16350, max: 16350 });
  fc.assert(fc.property(stored, stored, stored, (pitch, yaw, roll) => {
    const bytes = mdc();
    const view = new DataView(bytes.buffer);
    const tags = view.getUint32(100, true);
    [pitch, yaw, roll].forEach((value, index) => view.setInt16(tags + 6 + index * 2, value, true));
    const { tags: attached } = openModel(bytes).geometry();
    assert(attached && attached.rest.length === poseSize);
    const [p, y, r] = [pitch, yaw, roll].map((value) => value * 360 / 32700 * Math.PI / 180);
    const [sp, sy, sr] = [p, y, r].map((value) => Math.sin(value ?? 0));
    const [cp, cy, cr] = [p, y, r].map((value) => Math.cos(value ?? 0));
    const n = (value: number | undefined) => value ?? NaN;
    // `AnglesToAxis`: forward, left and up.
    const axes = [
      [n(cp) * n(cy), n(cp) * n(sy), -n(sp)],
      [n(sr) * n(sp) * n(cy) - n(cr) * n(sy), n(sr) * n(sp) * n(sy) + n(cr) * n(cy), n(sr) * n(cp)],
      [n(cr) * n(sp) * n(cy) + n(sr) * n(sy), n(cr) * n(sp) * n(sy) - n(sr) * n(cy), n(cr) * n(cp)],
    ];
    units.forEach((unit, index) => assertNear(rotate(rotationOf(attached.rest, 0), unit), axes[index] ?? []));
  }));
});

/** Replaces 32-bit numbers of a file. */
function withNumber(bytes: Uint8Array, offset: number, value: number): Uint8Array {
  const changed = bytes.slice();
  new DataView(changed.buffer).setInt32(offset, value, true);
  return changed;
}

Deno.test("a joint that is its own parent, or comes before it, is refused", () => {
  const iqm = waveIqm();
  const head = new Reader(iqm);
  const bone = new Reader(halfLifeModel()).u32(144);
  for (const parent of [0, 1, 7]) {
    const refused = (bytes: Uint8Array) =>
      assertThrows(() => openModel(bytes).geometry(), MediaError, "before its parent", `${parent}`);
    refused(withNumber(iqm, head.u32(72) + 4, parent));
    refused(withNumber(halfLifeModel(), bone + 32, parent));
    const mesh = string(md5.mesh).replace('"root" -1', `"root" ${parent}`);
    assertThrows(() => readMd5(text(mesh), []), MediaError, "before its parent");
  }
  for (const parent of [1, 2]) {
    assertThrows(() => openModel(withNumber(iqm, head.u32(72) + 48 + 4, parent)).geometry(), MediaError, "parent");
  }
});

Deno.test("records of an MD5 are refused out of their order", () => {
  const mesh = string(md5.mesh);
  const animation = string(md5.animation);
  assertEquals(readMd5(md5.mesh, [{ name: "a", bytes: md5.animation }]).meshes.length, 1);
  for (const kind of ["vert", "tri", "weight"]) {
    for (const number of [1, 7]) {
      const other = mesh.replace(new RegExp(`^(  ${kind}) 0 `, "m"), `$1 ${number} `);
      assert(other !== mesh);
      assertThrows(() => readMd5(text(other), []), MediaError, "", `${kind} ${number}`);
    }
  }
  for (const number of [1, 2]) {
    const other = text(animation.replace("frame 0 {", `frame ${number} {`));
    assertThrows(() => readMd5(md5.mesh, [{ name: "a", bytes: other }]), MediaError);
  }
});

Deno.test("an animation of other joints than the mesh has is refused", () => {
  const animation = string(md5.animation);
  for (const [old, other] of [['"arm" 0', '"arm" -1'], ['"root" -1', '"root" 0'], ['"arm"', '"leg"']] as const) {
    const bytes = text(animation.replace(old, other));
    assertThrows(() => readMd5(md5.mesh, [{ name: "a", bytes }]), MediaError, "is not that of the mesh", other);
  }
  const capital = text(animation.replace('"arm"', '"ARM"'));
  assertEquals(readMd5(md5.mesh, [{ name: "a", bytes: capital }]).clips.length, 1);
});

Deno.test("the helpers of this test turn as angles do", () => {
  assertNear(turned(2, Math.PI / 2, [1, 0, 0]), [0, 1, 0]);
  assertNear(turned(0, Math.PI / 2, [0, 1, 0]), [0, 0, 1]);
});

Deno.test("surfaces that share their shaders' names name no more of them than the file has room for", () => {
  // Space for names after the surfaces.
  const file = join(richMd3(), new Uint8Array(20_000));
  const view = new DataView(file.buffer);
  const first = view.getUint32(100, true);
  const second = first + view.getUint32(first + 104, true);
  const room = Math.floor(file.length / 68);
  const withShaders = (...counts: number[]) => {
    [first, second].forEach((surface, index) => view.setUint32(surface + 76, counts[index] ?? 0, true));
    return file.slice();
  };
  const few = Math.floor(room / 2);
  assertEquals(openModel(withShaders(few, room - few)).facts().surfaces.map(({ shaders }) => shaders.length), [
    few,
    room - few,
  ]);
  assertThrows(
    () => openModel(withShaders(few + 1, room - few)),
    MediaError,
    "its surfaces name more shaders than it has room for",
  );
});

/** Returns the corners of a mesh's triangles: position, image point and normal of each. */
function cornersOf({ triangles, frames: [frame], imagePoints }: Mesh): number[][] {
  assert(frame);
  const normalOf = (vertex: number) => {
    const normal = Array.from(frame.normals.subarray(vertex * 3, vertex * 3 + 3));
    const length = Math.hypot(...normal);
    return normal.map((value) => Math.round(value / length * 100) / 100 + 0);
  };
  return Array.from(triangles, (vertex) => [
    ...frame.positions.subarray(vertex * 3, vertex * 3 + 3),
    ...Array.from(imagePoints.subarray(vertex * 2, vertex * 2 + 2), (value) => Math.round(value * 100) / 100 + 0),
    ...normalOf(vertex),
  ]);
}

Deno.test("a scene of 3ds Max has a mesh per material, and flat faces without groups", () => {
  const { meshes } = readAse(ase);
  assertEquals(meshes.map(({ name, shaders }) => [name, ...shaders]), [
    ["square", "models/one.tga"],
    ["square", "textures/two.tga"],
    ["edge", ""],
  ]);
  assertEquals(meshes.map(cornersOf), [
    [[0, 0, 8, 0, 1, 0, 0, 1], [16, 0, 8, 1, 1, 0, 0, 1], [16, 16, 8, 1, 0, 0, 0, 1]],
    // By 90 degrees: (u, v) becomes (v, -u), where u = 2s - 0.5 and v = 4 (1 - t) + 0.25.
    [[0, 0, 8, 4.25, 0.5, 0, 0, 1], [16, 16, 8, 0.25, -1.5, 0, 0, 1], [0, 16, 8, 4.25, -1.5, 0, 0, 1]],
    [
      [0, 0, 0, 0, 1, 0, 0, 1],
      [1, 0, 0, 0, 1, 0, 0, 1],
      [0, 1, 0, 0, 1, 0, 0, 1],
      [0, 0, 0, 0, 1, 0, 1, 0],
      [0, 0, 1, 0, 1, 0, 1, 0],
      [1, 0, 0, 0, 1, 0, 1, 0],
    ],
  ]);
});

Deno.test("an object of LightWave has a mesh per surface, and image points of polygons before those of points", () => {
  const { meshes } = readLwo(lwo());
  assertEquals(meshes.map(({ name, shaders }) => [name, ...shaders]), [
    ["models/a", "models/a"],
    ["textures/b", "textures/b"],
  ]);
  const square = [[8, 0, 0, 1, 0], [8, 8, 0, 1, 1], [0, 8, 0, 0, 0], [0, 0, 0, 0, 1]].map((
    corner,
  ) => [...corner, 0, 0, 1]);
  const [slope, other] = [-0.71, 0.71];
  assertEquals(meshes.map(cornersOf), [
    [square[0], square[1], square[2], square[0], square[2], square[3]],
    [
      [1, 0, 5, 0.25, 0.25, slope, 0, other],
      [0, 1, 4, 0, 0, slope, 0, other],
      [0, 0, 4, 0, 0, slope, 0, other],
      [1, 1, 5, 0, 0, slope, 0, other],
      [0, 1, 4, 0, 0, slope, 0, other],
      [1, 0, 5, 0, 0, slope, 0, other],
    ],
  ]);
});

Deno.test("faces of absent vertices, numbers out of order and other files are refused", () => {
  const changed = (from: string, to: string) => () => readAse(text(string(ase).replace(from, to)));
  for (
    const [from, to, message] of [
      ["C: 2 AB", "C: 4 AB", "vertex 4, but the last is 3"],
      ["MESH_VERTEX 1", "MESH_VERTEX 2", "vertex 1 is missing"],
      ["MESH_TFACE 0 0 1 2", "MESH_TFACE 0 0 1 9", "image point 9"],
      ["16 0 8", "1e300 0 8", "nowhere"],
      ["16 0 8", "x 0 8", "a number is missing"],
      ["*3DSMAX", "*3DS", "does not begin like an ASE"],
    ] as const
  ) {
    assertThrows(changed(from, to), MediaError, message);
  }
  const object = lwo();
  for (let length = 0; length < object.length; length++) {
    assertThrows(() => readLwo(object.subarray(0, length)), MediaError);
  }
});
