/**
 * Reads Inter-Quake models (IQM), which DarkPlaces, ioquake3 and FTE read beside their own.
 *
 * Header of 124 bytes (`iqm.h` of the Inter-Quake Model tools): `INTERQUAKEMODEL` and NUL, then u32: 16 version 2, 20 size
 * of the file, 28 bytes of texts and 32 their offset, 36 meshes and 40 their offset, 44 vertex arrays, 48 vertices, 52
 * offset of the arrays, 56 triangles, 68 joints and 72 their offset, 84 animations and 88 their offset, 92 frames, 104
 * offset of a box for each frame. A mesh has 24 bytes (name, material, 4 first vertex, vertices, first triangle,
 * triangles), a joint 48 (name, parent, 10 floats), an animation 20 (name, first frame, frames, rate, flags), a box 32
 * (two corners and two radii), an array 20 (type 0: positions; flags; format 7: floats; size; offset). Names are offsets
 * into the texts, which end in NUL.
 * @module
 */
import { Bounds, type Box, type Model, type Surface } from "./model.ts";
import { MediaError, type Reader } from "../core/reader.ts";

const magic = "INTERQUAKEMODEL\0";
const knownVersion = 2;

/** Returns whether a file begins like an IQM. */
export function isIqm(reader: Reader): boolean {
  return reader.startsWith(magic);
}

/** Returns the text at offset `start` of the texts. */
function textAt(reader: Reader, start: number): string {
  const length = reader.count(28, 1, "bytes of texts");
  const texts = reader.u32(32);
  if (start >= length) return "";
  return reader.text(texts + start, length - start);
}

/** Returns the box around the boxes of all frames; without them, around the vertices as modelled. */
function boundsOf(reader: Reader, frames: number, vertices: number): Box {
  const bounds = new Bounds();
  const boxes = reader.u32(104);
  for (let frame = 0; boxes !== 0 && frame < frames; frame++) {
    bounds.add(reader.point(boxes + frame * 32));
    bounds.add(reader.point(boxes + frame * 32 + 12));
  }
  if (boxes !== 0 && frames > 0) return bounds.box;
  const arrays = reader.count(44, 20, "arrays");
  for (let array = 0; array < arrays; array++) {
    const record = reader.u32(52) + array * 20;
    const isPositions = reader.u32(record) === 0 && reader.u32(record + 8) === 7 && reader.u32(record + 12) === 3;
    if (!isPositions) continue;
    const points = reader.u32(record + 16);
    for (let vertex = 0; vertex < vertices; vertex++) bounds.add(reader.point(points + vertex * 12));
    break;
  }
  return bounds.box;
}

/**
 * Reads an IQM.
 * @throws {MediaError} if it is of another version, or cut short.
 */
export function readIqm(reader: Reader): Model {
  reader.require(0, 124, "the header of an IQM");
  const version = reader.u32(16);
  if (version !== knownVersion) {
    throw new MediaError(`unknown version ${version} of IQM; ${knownVersion} can be read`, { offset: 16 });
  }
  const meshes = reader.count(36, 24, "meshes");
  const vertices = reader.count(48, 1, "vertices");
  const triangles = reader.count(56, 12, "triangles");
  const joints = reader.count(68, 48, "joints");
  const animations = reader.count(84, 20, "animations");
  const frames = reader.count(92, 1, "frames");
  const surfaces = Array.from({ length: meshes }, (_, mesh): Surface => {
    const record = reader.u32(40) + mesh * 24;
    const material = textAt(reader, reader.u32(record + 4));
    return {
      name: textAt(reader, reader.u32(record)),
      vertices: reader.u32(record + 12),
      triangles: reader.u32(record + 20),
      shaders: material === "" ? [] : [material],
    };
  });
  return {
    format: "IQM",
    version,
    frames,
    animations: Array.from({ length: animations }, (_, animation) => {
      const record = reader.u32(88) + animation * 20;
      return { name: textAt(reader, reader.u32(record)), frames: reader.u32(record + 8) };
    }),
    triangles,
    vertices,
    skins: [...new Set(surfaces.flatMap(({ shaders }) => shaders))],
    surfaces,
    tags: Array.from({ length: joints }, (_, joint) => textAt(reader, reader.u32(reader.u32(72) + joint * 48))),
    bounds: boundsOf(reader, frames, vertices),
  };
}
