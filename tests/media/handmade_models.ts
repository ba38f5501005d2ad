/**
 * Handwritten models with geometry and animations.
 * @module
 */
import { join, padded, text, u16, u32 } from "../formats/bytes.ts";
import { f32, i32, mdl, name, testPalette } from "./handmade.ts";

/** Signed numbers of 16 bits. */
function i16(...values: number[]): Uint8Array {
  return u16(...values.map((value) => value & 0xffff));
}

/** Concatenates parts of a file; returns them with the offset of each if the first is at `start`. */
function placed<T extends Record<string, Uint8Array>>(
  start: number,
  parts: T,
): { bytes: Uint8Array; at: Record<keyof T, number> } {
  let next = start;
  const offsets = Object.entries(parts).map(([key, part]) => {
    const offset = next;
    next += part.length;
    return [key, offset];
  });
  return { bytes: join(...Object.values(parts)), at: Object.fromEntries(offsets) };
}

/** The MDL of {@linkcode mdl} with one more triangle, whose first vertex is on the seam. */
export function seamMdl(): Uint8Array {
  const file = mdl();
  file.set(join(i32(32, 0, 0, 0, 1, 0, 0, 1, 1), i32(0, 0, 1, 2)), 96);
  return file;
}

/**
 * An IQM of a triangle, its corners at 0, 16 and 32 units up, moved by joints `root` and `tip` that rest 8 and 24 units up:
 * the last corner by `tip`. In the animation `wave`, ten frames a second, `tip` is 6 units forward in the second frame.
 */
export function waveIqm(clip = "wave", first = 0): Uint8Array {
  const texts = text(`\0body\0root\0tip\0${clip}\0`);
  const room = Math.ceil(texts.length / 4) * 4;
  const [body, root, tip, wave] = [1, 6, 11, 15];
  const joint = (label: number, parent: number, z: number) =>
    join(i32(label, parent), f32(0, 0, z, 0, 0, 0, 1, 1, 1, 1));
  const pose = (parent: number, mask: number, z: number) =>
    join(i32(parent, mask), f32(0, 0, z, 0, 0, 0, 1, 1, 1, 1), f32(2, ...new Array<number>(9).fill(0)));
  const parts = placed(124 + 60, {
    texts: padded(texts, room),
    mesh: u32(body, 0, 0, 3, 0, 1),
    positions: f32(0, 0, 0, 0, 8, 16, 0, 0, 32),
    joints: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0),
    weights: Uint8Array.of(255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0),
    triangles: u32(0, 1, 2),
    skeleton: join(joint(root, -1, 8), joint(tip, 0, 16)),
    poses: join(pose(-1, 0, 8), pose(0, 1, 16)),
    animation: join(u32(wave, first, 2 - first), f32(10), u32(0)),
    frames: u16(0, 3),
  });
  const { at, bytes } = parts;
  const arrays = u32(...[0, 0, 7, 3, at.positions], ...[4, 0, 1, 4, at.joints], ...[5, 0, 1, 4, at.weights]);
  const head = u32(
    ...[2, 184 + bytes.length, 0, room, at.texts, 1, at.mesh, 3, 3, 124, 1, at.triangles, 0],
    ...[2, at.skeleton, 2, at.poses, 1, at.animation, 2, 1, at.frames, 0, 0, 0, 0, 0],
  );
  return join(text("INTERQUAKEMODEL\0"), head, arrays, bytes);
}

/** A mesh of Doom 3 with two joints, the second turned by -90 degrees about z and 16 units up, and its animation. */
export const md5 = {
  mesh: text(`MD5Version 10
commandline "made by hand" // a comment
numJoints 2
numMeshes 1
joints {
  "root" -1 ( 0 0 0 ) ( 0 0 0 )
  "arm" 0 ( 0 0 16 ) ( 0 0 0.70710678118 )
}
mesh {
  shader "models/hand"
  numverts 3
  vert 0 ( 0 0 ) 0 1
  vert 1 ( 1 0 ) 1 1
  vert 2 ( 1 1 ) 2 2
  numtris 1
  tri 0 0 1 2
  numweights 4
  weight 0 0 1 ( 0 0 0 )
  weight 1 1 1 ( 8 0 0 )
  weight 2 0 0.5 ( 0 8 16 )
  weight 3 1 0.5 ( 0 8 0 )
}
`),
  animation: text(`MD5Version 10
commandline ""
numFrames 2
numJoints 2
frameRate 24
numAnimatedComponents 1
hierarchy {
  "root" -1 1 0
  "arm" 0 0 0
}
bounds {
  ( -1 -1 -1 ) ( 1 1 1 )
  ( -1 -1 -1 ) ( 1 1 1 )
}
baseframe {
  ( 0 0 0 ) ( 0 0 0 )
  ( 0 0 16 ) ( 0 0 0.70710678118 )
}
frame 0 {
  0
}
frame 1 {
  32
}
`),
};

/** An MDC of one triangle and a tag; its second frame is the first moved by 1 unit along x, and the tag by 2 up. */
export function mdc(): Uint8Array {
  const frame = (title: string) => join(f32(0, 0, 0, 64, 64, 0), new Uint8Array(16), name(title, 16));
  const body = placed(124, {
    triangles: u32(0, 1, 2),
    shader: join(name("models/a", 64), u32(0)),
    points: f32(0, 0, 1, 0, 1, 1),
    whole: join(i16(0, 0, 0, 0), i16(64 * 32, 0, 0, 0), i16(0, 64 * 32, 0, 0)),
    differences: join(...[0, 1, 2].map(() => Uint8Array.of(147, 127, 127, 0))),
    wholeFrames: i16(0, 0),
    differenceFrames: i16(-1, 0),
  });
  const { at } = body;
  const surface = join(
    join(u32(7), name("body", 64), u32(0, 1, 1, 1, 3, 1)),
    u32(at.triangles, at.shader, at.points, at.whole, at.differences, at.wholeFrames, at.differenceFrames),
    u32(124 + body.bytes.length),
    body.bytes,
  );
  const parts = placed(112, {
    frames: join(frame("walk1"), frame("walk2")),
    tagNames: name("tag_head", 64),
    tags: join(i16(0, 0, 64 * 8, 0, 8175, 0), i16(0, 0, 64 * 10, 0, 8175, 0)),
    surfaces: surface,
  });
  return join(
    ...[text("IDPC"), u32(2), name("a.mdc", 64), u32(0, 2, 1, 1, 0)],
    u32(parts.at.frames, parts.at.tagNames, parts.at.tags, parts.at.surfaces, 112 + parts.bytes.length),
    parts.bytes,
  );
}

/** Textures of a model of Half-Life, each of 2 x 2 pixels, and the ones that its mesh shows. */
export interface HalfLifeTextures {
  readonly textures: readonly { readonly name: string; readonly pixels: readonly number[]; readonly flags?: number }[];
  /** Texture indexes by mesh number, for the first skin family. */
  readonly family: readonly number[];
  /** Number stored in the mesh. */
  readonly shown: number;
}

const oneTexture: HalfLifeTextures = {
  textures: [{ name: "skin.bmp", pixels: [1, 2, 3, 4] }],
  family: [0],
  shown: 0,
};

/** An animation of a model of Half-Life: runs of values, in steps of 2 units along x; the last value holds to the end of its run. */
export interface HalfLifeAnimation {
  readonly frames: number;
  readonly runs: readonly { readonly values: readonly number[]; readonly frames: number }[];
}

const twoFrames: HalfLifeAnimation = { frames: 2, runs: [{ values: [0, 4], frames: 2 }] };

/**
 * A model of Half-Life: a strip of two triangles on a bone 32 units up, which by default moves by 8 units along x in the
 * second of two frames.
 */
export function halfLifeModel(
  { textures, family, shown }: HalfLifeTextures = oneTexture,
  { frames, runs }: HalfLifeAnimation = twoFrames,
): Uint8Array {
  const corner = (vertex: number, s: number, t: number) => i16(vertex, 0, s, t);
  const bone = join(
    name("root", 32),
    i32(-1, 0, -1, -1, -1, -1, -1, -1),
    f32(0, 0, 32, 0, 0, 0),
    f32(2, 1, 1, 1, 1, 1),
  );
  const sequence = (animation: number) =>
    join(
      name("idle", 32),
      f32(12),
      new Uint8Array(20),
      u32(frames),
      new Uint8Array(60),
      u32(1, animation),
      new Uint8Array(48),
    );
  const parts = placed(244, {
    bone,
    sequence: sequence(0),
    texture: new Uint8Array(textures.length * 80),
    family: join(i16(...family), i16(0).subarray(0, family.length % 2 * 2)),
    part: join(name("body", 64), u32(1, 1, 0)),
    model: new Uint8Array(112),
    mesh: new Uint8Array(20),
    bones: Uint8Array.of(0, 0, 0, 0),
    positions: f32(0, 0, 0, 16, 0, 0, 0, 16, 0, 16, 16, 0),
    normalBones: Uint8Array.of(0, 0, 0, 0),
    normals: f32(0, 0, 1),
    triangles: join(i16(4), corner(0, 0, 0), corner(1, 2, 0), corner(2, 0, 2), corner(3, 2, 2), i16(0)),
    animation: join(
      u16(12, 0, 0, 0, 0, 0),
      ...runs.flatMap(({ values, frames }) => [Uint8Array.of(values.length, frames), i16(...values)]),
    ),
    pixels: join(...textures.map(({ pixels }) => join(Uint8Array.from(pixels), testPalette()))),
  });
  const { at, bytes } = parts;
  const model = join(
    name("body", 64),
    u32(0),
    f32(0),
    u32(1, at.mesh, 4, at.bones, at.positions, 1, at.normalBones, at.normals, 0, 0),
  );
  bytes.set(model, at.model - 244);
  bytes.set(u32(2, at.triangles, shown, 1, at.normals), at.mesh - 244);
  bytes.set(u32(at.model), at.part - 244 + 72);
  bytes.set(u32(at.animation), at.sequence - 244 + 124);
  textures.forEach(({ name: title, flags = 0 }, index) => {
    bytes.set(join(name(title, 64), u32(flags, 2, 2, at.pixels + index * (4 + 768))), at.texture - 244 + index * 80);
  });
  const head = new Uint8Array(244);
  head.set(join(text("IDST"), u32(10)));
  const set = (offset: number, ...values: number[]) => head.set(u32(...values), offset);
  set(140, 1, at.bone);
  set(164, 1, at.sequence);
  set(180, textures.length, at.texture);
  set(192, family.length, family.length === 0 ? 0 : 1, at.family, 1, at.part);
  return join(head, bytes);
}

/** A scene of 3ds Max: a square of two materials with image points, and a triangle without. */
export const ase = text(`*3DSMAX_ASCIIEXPORT\t200
*MATERIAL_LIST {
\t*MATERIAL 0 {
\t\t*MATERIAL_NAME "parts"
\t\t*SUBMATERIAL 0 {
\t\t\t*MAP_DIFFUSE {
\t\t\t\t*BITMAP "\\\\disk\\doom\\base\\models\\one.tga"
\t\t\t}
\t\t\t*MAP_OPACITY {
\t\t\t\t*BITMAP "never.tga"
\t\t\t}
\t\t}
\t\t*SUBMATERIAL 1 {
\t\t\t*MAP_DIFFUSE {
\t\t\t\t*BITMAP "..\\textures\\two.tga"
\t\t\t\t*UVW_U_OFFSET 0.5
\t\t\t\t*UVW_V_OFFSET 0.25
\t\t\t\t*UVW_U_TILING 2.0
\t\t\t\t*UVW_V_TILING 4.0
\t\t\t\t*UVW_ANGLE 1.5707963267948966
\t\t\t}
\t\t}
\t}
}
*GEOMOBJECT {
\t*NODE_NAME "square"
\t*MESH {
\t\t*MESH_VERTEX_LIST {
\t\t\t*MESH_VERTEX 0 0 0 8
\t\t\t*MESH_VERTEX 1 16 0 8
\t\t\t*MESH_VERTEX 2 16 16 8
\t\t\t*MESH_VERTEX 3 0 16 8
\t\t}
\t\t*MESH_FACE_LIST {
\t\t\t*MESH_FACE 0: A: 0 B: 1 C: 2 AB: 1 BC: 1 CA: 0 *MESH_SMOOTHING 1 *MESH_MTLID 0
\t\t\t*MESH_FACE 1: A: 0 B: 2 C: 3 AB: 1 BC: 1 CA: 0 *MESH_SMOOTHING 1 *MESH_MTLID 1
\t\t}
\t\t*MESH_TVERTLIST {
\t\t\t*MESH_TVERT 0 0.0 0.0 0.0
\t\t\t*MESH_TVERT 1 1.0 0.0 0.0
\t\t\t*MESH_TVERT 2 1.0 1.0 0.0
\t\t}
\t\t*MESH_TFACELIST {
\t\t\t*MESH_TFACE 0 0 1 2
\t\t\t*MESH_TFACE 1 0 2 1
\t\t}
\t}
\t*MATERIAL_REF 0
}
*GEOMOBJECT {
\t*NODE_NAME "edge"
\t*MESH {
\t\t*MESH_VERTEX 0 0 0 0
\t\t*MESH_VERTEX 1 1 0 0
\t\t*MESH_VERTEX 2 0 1 0
\t\t*MESH_VERTEX 3 0 0 1
\t\t*MESH_FACE 0: A: 0 B: 1 C: 2
\t\t*MESH_FACE 1: A: 0 B: 3 C: 1
\t}
}
`);

/** A chunk of LightWave. */
function lwoChunk(name: string, ...content: readonly Uint8Array[]): Uint8Array {
  const bytes = join(...content);
  return join(text(name), bigEndian32(bytes.length), bytes, new Uint8Array(bytes.length % 2));
}

function bigEndian16(...values: readonly number[]): Uint8Array {
  return Uint8Array.from(values.flatMap((value) => [value >> 8, value & 255]));
}

function bigEndian32(...values: readonly number[]): Uint8Array {
  return Uint8Array.from(values.flatMap((value) => [value >>> 24, value >> 16 & 255, value >> 8 & 255, value & 255]));
}

function bigEndianFloats(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  values.forEach((value, index) => view.setFloat32(index * 4, value));
  return new Uint8Array(view.buffer);
}

/** An object of LightWave of two layers: a smooth square, and two triangles, one with image points of its own. */
export function lwo(): Uint8Array {
  const points = (kind: string, ...records: readonly Uint8Array[]) =>
    lwoChunk(kind, text("TXUV"), bigEndian16(2), text("uv\0\0"), ...records);
  const surface = (name: string, angle: number) =>
    lwoChunk("SURF", text(name), text("\0\0"), text("SMAN"), bigEndian16(4), bigEndianFloats(angle));
  const chunks = [
    lwoChunk("TAGS", text("models/a\0\0textures/b\0\0")),
    lwoChunk("LAYR", new Uint8Array(18)),
    lwoChunk("PNTS", bigEndianFloats(0, 0, 0, 0, 0, 8, 8, 0, 8, 8, 0, 0)),
    points(
      "VMAP",
      ...[0, 1, 2, 3].map((point) => join(bigEndian16(point), bigEndianFloats(point >> 1, point & 1))),
    ),
    lwoChunk("POLS", text("FACE"), bigEndian16(0xfc00 | 4, 0, 1, 2, 3)),
    lwoChunk("PTAG", text("SURF"), bigEndian16(0, 0)),
    lwoChunk("LAYR", new Uint8Array(17)),
    lwoChunk("PNTS", bigEndianFloats(0, 4, 0, 0, 4, 1, 1, 5, 0, 1, 5, 1)),
    // An index of four bytes.
    lwoChunk("POLS", text("FACE"), bigEndian16(3, 0, 1, 2, 3), bigEndian32(0xff000002), bigEndian16(1, 3)),
    lwoChunk("PTAG", text("COLR"), bigEndian16(0, 0)),
    lwoChunk("PTAG", text("SURF"), bigEndian16(0, 1, 1, 1)),
    points("VMAD", bigEndian16(2, 0), bigEndianFloats(0.25, 0.75)),
    surface("models/a\0\0", 1),
    surface("textures/b\0\0", 0),
  ];
  const content = join(text("LWO2"), ...chunks);
  return join(text("FORM"), bigEndian32(content.length), content);
}
