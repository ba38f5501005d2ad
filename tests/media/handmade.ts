/**
 * Files of games written by hand, byte by byte.
 * @module
 */
import { join, padded, text, u16, u32 } from "../formats/bytes.ts";

/** 32-bit floats, little-endian. */
export function f32(...values: number[]): Uint8Array {
  return new Uint8Array(new Float32Array(values).buffer);
}

/** Two's complement in 32 bits. */
export function i32(...values: number[]): Uint8Array {
  return u32(...values.map((value) => value >>> 0));
}

/** A name in a field of `length` bytes. */
export function name(value: string, length: number): Uint8Array {
  return padded(text(value), length);
}

/** A palette in which colour n is (n, 255 - n, n / 2). */
export function testPalette(): Uint8Array {
  return Uint8Array.from(Array.from({ length: 256 }, (_, index) => [index, 255 - index, index >> 1]).flat());
}

/** A MIP texture of 16 x 16 pixels, all of colour `colour` except the first, which is 0. */
export function mip(title: string, colour: number): Uint8Array {
  const pixels = (side: number) => new Uint8Array(side * side).fill(colour);
  const largest = pixels(16);
  largest[0] = 0;
  const offsets = u32(40, 40 + 256, 40 + 256 + 64, 40 + 256 + 64 + 16);
  return join(name(title, 16), u32(16, 16), offsets, largest, pixels(8), pixels(4), pixels(2));
}

/** Puts lumps after a header of `before` and a table. */
function withLumps(before: Uint8Array, lumps: readonly Uint8Array[]): Uint8Array {
  let offset = before.length + lumps.length * 8;
  const table = lumps.map((lump) => {
    const record = u32(offset, lump.length);
    offset += lump.length;
    return record;
  });
  return join(before, ...table, ...lumps);
}

const none = new Uint8Array(0);

/** A map of Quake with a texture, a gap where one is missing, and three surfaces: two of the texture, one of the gap. */
export function quakeMap(entities: string, version: Uint8Array = u32(29)): Uint8Array {
  const texture = mip("sky1", 7);
  const textures = join(u32(2, 12), i32(-1), texture);
  const information = join(
    f32(...new Array<number>(8).fill(0)),
    u32(0, 0),
    f32(...new Array<number>(8).fill(0)),
    u32(1, 0),
  );
  const isWide = version[0] !== 29;
  const face = (texinfo: number) =>
    isWide ? join(u32(0, 0, 0, 4, texinfo), u32(0, 0)) : join(u16(0, 0), u32(0), u16(4, texinfo), u32(0, 0));
  const lumps = new Array<Uint8Array>(15).fill(none);
  lumps[0] = text(`${entities}\0`);
  lumps[2] = textures;
  lumps[3] = f32(...new Array<number>(12).fill(1));
  lumps[6] = information;
  lumps[7] = join(face(0), face(0), face(1));
  lumps[14] = new Uint8Array(64);
  return withLumps(version, lumps);
}

/** A map of Quake 2 whose surfaces show the textures in their order, the first of them twice. */
export function quake2Map(entities: string, textures: readonly string[]): Uint8Array {
  const information = textures.map((title) => join(new Uint8Array(32), u32(0, 0), name(title, 32), i32(-1)));
  const faces = [0, ...textures.keys()].map((index) => join(u16(0, 0), u32(0), u16(4, index), u32(0, 0)));
  const lumps = new Array<Uint8Array>(19).fill(none);
  lumps[0] = text(`${entities}\0`);
  lumps[2] = new Uint8Array(24);
  lumps[5] = join(...information);
  lumps[6] = join(...faces);
  lumps[13] = new Uint8Array(96);
  return withLumps(join(text("IBSP"), u32(38)), lumps);
}

/** A map of Quake 3; the number with each shader is how many surfaces show it. */
export function quake3Map(
  entities: string,
  shaders: readonly (readonly [string, number])[],
  version = 46,
  fogs: readonly string[] = [],
): Uint8Array {
  const surfaces = shaders.flatMap(([, count], index) =>
    Array.from({ length: count }, () => join(u32(index), new Uint8Array(100)))
  );
  const lumps = new Array<Uint8Array>(17).fill(none);
  lumps[0] = text(`${entities}\0`);
  lumps[1] = join(...shaders.map(([title]) => join(name(title, 64), u32(0, 1))));
  lumps[7] = new Uint8Array(40);
  lumps[10] = new Uint8Array(44 * 3);
  lumps[12] = join(...fogs.map((title) => join(name(title, 64), u32(0, 1))));
  lumps[13] = join(...surfaces);
  return withLumps(join(text("IBSP"), u32(version)), lumps);
}

/** A WAD2 of lumps of the given types. */
export function textureWad(
  lumps: readonly (readonly [title: string, type: number, content: Uint8Array])[],
): Uint8Array {
  let offset = 12;
  const records = lumps.map(([title, type, content]) => {
    const record = join(u32(offset, content.length, content.length), Uint8Array.of(type, 0, 0, 0), name(title, 16));
    offset += content.length;
    return record;
  });
  return join(text("WAD2"), u32(lumps.length, offset), ...lumps.map(([, , content]) => content), ...records);
}

/** An MDL: one skin of 4 x 2, three vertices, one triangle, frames `stand1`, `stand2` and a group of `run1`, `run2`. */
export function mdl(): Uint8Array {
  const frame = (title: string, z: number) =>
    join(new Uint8Array(8), name(title, 16), Uint8Array.of(0, 0, 0, 0, 10, 0, 0, 0, 0, 20, z, 0));
  return join(
    text("IDPO"),
    u32(6),
    f32(0.5, 1, 2),
    f32(-5, -10, 0),
    f32(0, 0, 0, 0),
    u32(1, 4, 2, 3, 1, 3, 0, 0),
    f32(0),
    u32(0),
    Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
    new Uint8Array(3 * 12 + 16),
    u32(0),
    frame("stand1", 1),
    u32(0),
    frame("stand2", 2),
    u32(1, 2),
    new Uint8Array(8),
    f32(0.1, 0.2),
    frame("run1", 3),
    frame("run2", 4),
  );
}

/** An MD2 with these skins, two vertices, two image points, one triangle and frames `a1`, `a2`. */
export function md2(skins: readonly string[]): Uint8Array {
  const frame = (title: string, x: number) =>
    join(f32(1, 1, 1), f32(x, 0, 0), name(title, 16), Uint8Array.of(0, 0, 0, 0, 4, 5, 6, 0));
  const skinsAt = 68;
  const framesAt = skinsAt + skins.length * 64 + 12 + 8;
  return join(
    text("IDP2"),
    u32(8, 64, 64, 48, skins.length, 2, 2, 1, 0, 2, skinsAt, framesAt - 8, framesAt - 20, framesAt, 0, framesAt + 96),
    ...skins.map((skin) => name(skin, 64)),
    u16(0, 0, 1, 0, 1, 1),
    u16(31, 15, 63, 31),
    frame("a1", -3),
    frame("a2", 7),
  );
}

/** An MD3 of one frame, a tag and one surface with this shader. */
export function md3(shader: string): Uint8Array {
  const frame = join(f32(-1, -2, -3), f32(4, 5, 6), f32(0, 0, 0, 9), name("only", 16));
  const tag = join(name("tag_head", 64), f32(...new Array<number>(12).fill(0)));
  const head = (end: number) => join(text("IDP3"), name("u_torso", 64), u32(0, 1, 1, 3, 1, 176, 108, 188, 212, end));
  const body = join(name(shader, 64), u32(0), u32(0, 1, 2), f32(0, 0, 1, 0, 1, 1), new Uint8Array(24));
  const surface = join(head(108 + body.length), body);
  const tagsAt = 108 + frame.length;
  const surfacesAt = tagsAt + tag.length;
  return join(
    text("IDP3"),
    u32(15),
    name("models/test.md3", 64),
    u32(0, 1, 1, 1, 0, 108, tagsAt, surfacesAt, surfacesAt + surface.length),
    frame,
    tag,
    surface,
  );
}

/** One picture of a sprite: edges, size and pixels. */
function spriteFrame(width: number, pixels: readonly number[]): Uint8Array {
  return join(i32(-1, 1), u32(width, pixels.length / width), Uint8Array.from(pixels));
}

/** A sprite of Quake: a frame of 2 x 1, and a group of one of 1 x 2 and one of 1 x 1. */
export function sprite(): Uint8Array {
  return join(
    ...[text("IDSP"), u32(1, 2), f32(3), u32(2, 2, 2), f32(0), u32(1)],
    ...[u32(0), spriteFrame(2, [1, 255])],
    ...[u32(1, 2), f32(0.1, 0.2), spriteFrame(1, [2, 3]), spriteFrame(1, [4])],
  );
}

/** A sprite of Half-Life with its own colours and drawing mode `how`: one frame of 2 x 1. */
export function halfLifeSprite(how: number): Uint8Array {
  const head = join(text("IDSP"), u32(2, 0, how), f32(1), u32(2, 1, 1), f32(0), u32(0));
  return join(head, u16(256), testPalette(), u32(0), spriteFrame(2, [9, 255]));
}

/** A sprite of Quake 2 with these files as frames, each of 32 x 16. */
export function spriteList(files: readonly string[]): Uint8Array {
  const frames = files.map((file) => join(u32(32, 16, 8, 4), name(file, 64)));
  return join(text("IDS2"), u32(2, files.length), ...frames);
}

/** An IQM: meshes `body` of 3 vertices and `head` of 4 with these materials, a joint, an animation of two frames. */
export function iqm(materials: readonly [string, string], hasBoxes = true): Uint8Array {
  const texts = ["", "body", materials[0], "head", materials[1], "root", "walk"];
  const starts = texts.map((_, index) => texts.slice(0, index).reduce((sum, one) => sum + one.length + 1, 0));
  const at = (index: number) => starts[index] ?? 0;
  const parts = {
    texts: text(texts.map((one) => `${one}\0`).join("")),
    meshes: u32(...[at(1), at(2), 0, 3, 0, 1], ...[at(3), at(4), 3, 4, 1, 2]),
    arrays: u32(0, 0, 7, 3, 0),
    positions: f32(...[-1, -2, -3], ...new Array<number>(15).fill(0), ...[4, 5, 6]),
    triangles: u32(...[0, 1, 2], ...[3, 4, 5], ...[3, 5, 6]),
    joints: join(u32(at(5)), i32(-1), f32(1, 2, 3, 0, 0, 0, 2, 1, 1, 1)),
    animations: join(u32(at(6), 0, 2), f32(10), u32(1)),
    boxes: hasBoxes ? f32(...[-9, -8, -7, 9, 8, 7, 0, 0], ...[-1, -1, -1, 1, 1, 10, 0, 0]) : none,
  };
  let next = 124;
  const offsets = Object.values(parts).map((part) => {
    const offset = next;
    next += part.length;
    return offset;
  });
  const [textsAt, meshesAt, arraysAt, positionsAt, trianglesAt, jointsAt, animationsAt, boxesAt] = offsets;
  new DataView(parts.arrays.buffer).setUint32(16, positionsAt ?? 0, true);
  const head = u32(
    ...[2, next, 0, parts.texts.length, textsAt ?? 0, 2, meshesAt ?? 0],
    ...[1, 7, arraysAt ?? 0, 3, trianglesAt ?? 0, 0],
    ...[1, jointsAt ?? 0, 0, 0, 1, animationsAt ?? 0, 2, 0, 0, hasBoxes ? boxesAt ?? 0 : 0, 0, 0, 0, 0],
  );
  return join(text("INTERQUAKEMODEL\0"), head, ...Object.values(parts));
}

/** A WAV of PCM samples of 16 bits, with a loop where one is given. */
export function wav(samples: readonly number[], channels: number, rate: number, loop?: number): Uint8Array {
  const data = new Uint8Array(new Int16Array(samples).buffer);
  const format = join(text("fmt "), u32(16), u16(1, channels), u32(rate, rate * channels * 2), u16(channels * 2, 16));
  const cue = loop === undefined ? none : join(text("cue "), u32(28, 1, 1, 0), text("data"), u32(0, 0, loop));
  const body = join(text("WAVE"), format, cue, text("data"), u32(data.length), data);
  return join(text("RIFF"), u32(body.length), body);
}
