/**
 * Reads models: Quake's MDL, Quake 2's MD2, Quake 3's MD3 here, IQM in `iqm.ts`.
 *
 * MDL (id-Software/Quake `modelgen.h`): `IDPO`, i32 6; 8 scale, 20 origin (points), 48 i32 skins, width, height,
 * vertices, triangles, frames; from byte 84 skins (i32 0 and pixels, or i32 1, count, times, pixels), texture vertices of
 * 12 bytes, triangles of 16, frames (i32 0 and a frame, or i32 1, count, bounds, times, frames; a frame is two corners of
 * 4 bytes, a name of 16, vertices of 4).
 * MD2 (id-Software/Quake-2 `qfiles.h`): `IDP2`, i32 8; 16 i32 bytes of a frame, skins, vertices; 32 triangles, 40 frames,
 * 44 offset of skins (names of 64), 56 offset of frames (scale, origin, name of 16, vertices of 4).
 * MD3 (id-Software/Quake-III-Arena `qfiles.h`): `IDP3`, i32 15; 76 i32 frames, tags, surfaces; 92 offsets of frames (56
 * bytes: two corners, ..., name of 16 at 40), tags (112, name of 64), surfaces (chained by their length at 104; 4 name of
 * 64, 76 shaders, vertices, triangles, 92 offset of shaders: names of 64 in records of 68).
 * @module
 */
import { isIqm, readIqm } from "./iqm.ts";
import { type Animation, Bounds, type Model, type Point, type Surface } from "./model.ts";
import type { Palette } from "../pictures/palette.ts";
import type { Picture } from "../pictures/picture.ts";
import { decodeIndices } from "../pictures/quake_picture.ts";
import { MediaError, Reader } from "../core/reader.ts";

/** Returns whether a file begins like a model. */
export function isModel(reader: Reader): boolean {
  return isIqm(reader) || ["IDPO", "IDP2", "IDP3"].some((magic) => reader.startsWith(magic));
}

/** Reads a compressed vertex: three bytes, scaled and moved. */
function readVertex(reader: Reader, offset: number, scale: Point, origin: Point): Point {
  const axis = (index: 0 | 1 | 2) => reader.u8(offset + index) * scale[index] + origin[index];
  return [axis(0), axis(1), axis(2)];
}

/** Groups consecutive frames whose names differ only in the number at the end. */
export function animationsOf(names: readonly string[]): Animation[] {
  const animations: { name: string; frames: number }[] = [];
  for (const frame of names) {
    const name = frame.replace(/[\d_.-]*\d$/, "") || frame;
    const last = animations.at(-1);
    if (last?.name === name) last.frames++;
    else animations.push({ name, frames: 1 });
  }
  return animations;
}

function requireVersion(reader: Reader, format: Model["format"], version: number): void {
  const actual = reader.i32(4);
  if (actual === version) return;
  throw new MediaError(`unknown version ${actual} of ${format}; ${version} can be read`, { offset: 4 });
}

interface MdlSkins {
  /** Offsets of the pixels of each skin; of a group, of its first. */
  readonly offsets: readonly number[];
  readonly width: number;
  readonly height: number;
  /** Offset behind the skins. */
  readonly end: number;
}

function mdlSkins(reader: Reader): MdlSkins {
  const count = reader.count(48, 4, "skins");
  const width = reader.u32(52);
  const height = reader.u32(56);
  const offsets: number[] = [];
  let offset = 84;
  for (let skin = 0; skin < count; skin++) {
    const pictures = reader.i32(offset) === 0 ? 1 : reader.count(offset + 4, 4, "pictures of a skin");
    const start = reader.i32(offset) === 0 ? offset + 4 : offset + 8 + pictures * 4;
    reader.require(start, width * height * pictures, `skin ${skin}`);
    offsets.push(start);
    offset = start + width * height * pictures;
  }
  return { offsets, width, height, end: offset };
}

function readMdl(reader: Reader): Model {
  requireVersion(reader, "MDL", 6);
  const scale = reader.point(8);
  const origin = reader.point(20);
  const skins = mdlSkins(reader);
  const vertices = reader.count(60, 12, "vertices");
  const triangles = reader.count(64, 16, "triangles");
  const frames = reader.count(68, 4, "frames");
  const names: string[] = [];
  const bounds = new Bounds();
  let offset = skins.end + vertices * 12 + triangles * 16;
  const readFrame = () => {
    names.push(reader.text(offset + 8, 16));
    for (let vertex = 0; vertex < vertices; vertex++) {
      bounds.add(readVertex(reader, offset + 24 + vertex * 4, scale, origin));
    }
    offset += 24 + vertices * 4;
  };
  for (let frame = 0; frame < frames; frame++) {
    const isGroup = reader.i32(offset) !== 0;
    const count = isGroup ? reader.count(offset + 4, 28, "frames of a group") : 1;
    offset += isGroup ? 16 + count * 4 : 4;
    for (let step = 0; step < count; step++) readFrame();
  }
  return {
    format: "MDL",
    version: 6,
    frames,
    animations: animationsOf(names),
    triangles,
    vertices,
    skins: skins.offsets.map((_, index) => String(index)),
    surfaces: [],
    tags: [],
    bounds: bounds.box,
  };
}

/**
 * Decodes a skin of an MDL.
 * @throws {MediaError} if the file has no such skin.
 */
export function decodeMdlSkin(bytes: Uint8Array, number: number, palette: Palette): Picture {
  const reader = new Reader(bytes);
  requireVersion(reader, "MDL", 6);
  const { offsets, width, height } = mdlSkins(reader);
  const offset = offsets[number];
  if (offset === undefined) throw new MediaError(`it has no skin ${number}, only ${offsets.length}`);
  return decodeIndices(bytes.subarray(offset), width, height, palette);
}

function readMd2(reader: Reader): Model {
  requireVersion(reader, "MD2", 8);
  const frameSize = reader.u32(16);
  const skins = reader.count(20, 64, "skins");
  const vertices = reader.count(24, 4, "vertices");
  const triangles = reader.count(32, 12, "triangles");
  const frames = reader.count(40, 40 + vertices * 4, "frames");
  const skinsAt = reader.u32(44);
  const framesAt = reader.u32(56);
  const bounds = new Bounds();
  const names = Array.from({ length: frames }, (_, frame) => {
    const offset = framesAt + frame * frameSize;
    const [scale, origin] = [reader.point(offset), reader.point(offset + 12)];
    for (let vertex = 0; vertex < vertices; vertex++) {
      bounds.add(readVertex(reader, offset + 40 + vertex * 4, scale, origin));
    }
    return reader.text(offset + 24, 16);
  });
  return {
    format: "MD2",
    version: 8,
    frames,
    animations: animationsOf(names),
    triangles,
    vertices,
    skins: Array.from({ length: skins }, (_, skin) => reader.text(skinsAt + skin * 64, 64)),
    surfaces: [],
    tags: [],
    bounds: bounds.box,
  };
}

function md3Surfaces(reader: Reader): Surface[] {
  const count = reader.count(84, 108, "surfaces");
  const surfaces: Surface[] = [];
  let offset = reader.u32(100);
  let named = 0;
  for (let number = 0; number < count; number++) {
    if (!reader.startsWith("IDP3", offset)) {
      throw new MediaError(`surface ${number} does not begin where it should, at byte ${offset}`, { offset });
    }
    const shaders = reader.count(offset + 76, 68, "shaders");
    const shadersAt = offset + reader.u32(offset + 92);
    // Surfaces may share names, which would make a small file a long list.
    named += shaders;
    if (named * 68 > reader.length) throw new MediaError(`its surfaces name more shaders than it has room for`);
    surfaces.push({
      name: reader.text(offset + 4, 64),
      vertices: reader.u32(offset + 80),
      triangles: reader.u32(offset + 84),
      shaders: Array.from({ length: shaders }, (_, shader) => reader.text(shadersAt + shader * 68, 64)),
    });
    const length = reader.u32(offset + 104);
    if (length < 108) throw new MediaError(`surface ${number} is ${length} bytes long`, { offset: offset + 104 });
    offset += length;
  }
  return surfaces;
}

function readMd3(reader: Reader): Model {
  requireVersion(reader, "MD3", 15);
  const frames = reader.count(76, 56, "frames");
  const tags = reader.count(80, 112, "tags");
  const framesAt = reader.u32(92);
  const tagsAt = reader.u32(96);
  const bounds = new Bounds();
  const names = Array.from({ length: frames }, (_, frame) => {
    bounds.add(reader.point(framesAt + frame * 56));
    bounds.add(reader.point(framesAt + frame * 56 + 12));
    return reader.text(framesAt + frame * 56 + 40, 16);
  });
  const surfaces = md3Surfaces(reader);
  return {
    format: "MD3",
    version: 15,
    frames,
    animations: animationsOf(names),
    triangles: surfaces.reduce((sum, surface) => sum + surface.triangles, 0),
    vertices: surfaces.reduce((sum, surface) => sum + surface.vertices, 0),
    skins: [...new Set(surfaces.flatMap(({ shaders }) => shaders).filter((name) => name !== ""))],
    surfaces,
    tags: Array.from({ length: tags }, (_, tag) => reader.text(tagsAt + tag * 112, 64)),
    bounds: bounds.box,
  };
}

/**
 * Reads a model.
 * @throws {MediaError} if it is not a model, of an unknown version, or truncated.
 */
export function readModel(bytes: Uint8Array): Model {
  const reader = new Reader(bytes);
  if (reader.startsWith("IDPO")) return readMdl(reader);
  if (reader.startsWith("IDP2")) return readMd2(reader);
  if (reader.startsWith("IDP3")) return readMd3(reader);
  if (isIqm(reader)) return readIqm(reader);
  throw new MediaError("it does not begin like a model", { offset: 0 });
}
