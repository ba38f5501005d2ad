/**
 * Handwritten maps with geometry.
 * @module
 */
import { join, text, u16, u32 } from "../formats/bytes.ts";
import { f32, i32, mip, name } from "./handmade.ts";

/** Puts lumps after a header of `before` and a table. */
export function withLumps(before: Uint8Array, count: number, lumps: Readonly<Record<number, Uint8Array>>): Uint8Array {
  const all = Array.from({ length: count }, (_, lump) => lumps[lump] ?? new Uint8Array(0));
  let offset = before.length + count * 8;
  const table = all.map((lump) => {
    const record = u32(offset, lump.length);
    offset += lump.length;
    return record;
  });
  return join(before, ...table, ...all);
}

/** Kinds of maps whose surfaces are polygons of edges. */
export const faceKinds = ["quake", "bsp2", "half-life", "quake2"] as const;

const entities = '{"classname" "worldspawn"}{"classname" "light" "origin" "32 64 96"}';

/**
 * A floor of 64 x 64 units that faces up, its points clockwise seen from above, with the texture `floor` of 16 x 16 pixels
 * and 5 x 5 samples of light, the first 40 and the others 10; and the same once more with the texture `second`.
 */
export function floorMap(kind: typeof faceKinds[number], second = "clip", entityText = entities): Uint8Array {
  const isWide = kind === "bsp2";
  const isQuake2 = kind === "quake2";
  const coloured = isQuake2 || kind === "half-life";
  const points = f32(0, 0, 0, 0, 64, 0, 64, 64, 0, 64, 0, 0);
  const numbers = isWide ? u32 : u16;
  // Edge 0 is not used: its negative would be itself.
  const edges = join(...[[0, 0], [0, 1], [1, 2], [3, 2], [3, 0]].map((pair) => numbers(...pair)));
  const axes = f32(1, 0, 0, 0, 0, -1, 0, 0);
  const information = [0, 1].map((texture) =>
    isQuake2 ? join(axes, u32(0, 0), name(texture === 0 ? "floor" : second, 32), i32(-1)) : join(axes, u32(texture, 0))
  );
  const face = (texture: number) =>
    isWide
      ? join(u32(0, 0, 0, 4, texture), Uint8Array.of(0, 255, 255, 255), u32(0))
      : join(u16(0, 0), u32(0), u16(4, texture), Uint8Array.of(0, 255, 255, 255), u32(0));
  const samples = new Uint8Array(25 * (coloured ? 3 : 1)).fill(10);
  samples.fill(40, 0, coloured ? 3 : 1);
  const textures = [mip("floor", 7), mip(second, 9)];
  const model = isQuake2 ? join(new Uint8Array(40), u32(0, 2)) : join(new Uint8Array(56), u32(0, 2));
  const shared = { plane: join(f32(0, 0, 1, 0), u32(2)), list: i32(1, 2, -3, 4), faces: join(face(0), face(1)) };
  const first = text(`${entityText}\0`);
  if (isQuake2) {
    return withLumps(join(text("IBSP"), u32(38)), 19, {
      ...{ 0: first, 1: shared.plane, 2: points, 5: join(...information), 6: shared.faces, 7: samples },
      ...{ 11: edges, 12: shared.list, 13: model },
    });
  }
  const version = isWide ? text("BSP2") : u32(kind === "quake" ? 29 : 30);
  return withLumps(version, 15, {
    ...{ 0: first, 1: shared.plane, 3: points, 6: join(...information), 7: shared.faces, 8: samples },
    2: join(u32(2, 12, 12 + (textures[0]?.length ?? 0)), ...textures),
    ...{ 12: edges, 13: shared.list, 14: model },
  });
}

/** A vertex of Quake 3: position, image and light points; its normal is up, its colour (10, 20, 30). */
function vertex(position: readonly number[], image: readonly number[], light: readonly number[]): Uint8Array {
  return join(f32(...position, ...image, ...light, 0, 0, 1), Uint8Array.of(10, 20, 30, 255));
}

/** A map of Quake 3 of one curved patch without light, by its control points row by row. */
export function patchMap(columns: number, points: readonly (readonly [number, number, number])[]): Uint8Array {
  const surface = join(
    i32(0, -1, 2, 0, points.length, 0, 0, -1),
    new Uint8Array(64),
    u32(columns, points.length / columns),
  );
  return withLumps(join(text("IBSP"), u32(46)), 17, {
    0: text('{"classname" "worldspawn"}\0'),
    1: join(name("textures/a", 64), u32(0, 1)),
    7: join(new Uint8Array(24), u32(0, 1, 0, 0)),
    10: join(...points.map((point) => vertex(point, [0, 0], [0, 0]))),
    13: surface,
  });
}

/**
 * A map of Quake 3: a square with light, an arch of 3 x 3 points over 64 x 64 units, 32 high in the middle (its control
 * points are 64 high), a triangle lit by its vertices, and one that is not drawn.
 */
export function archMap(entityText: string = entities): Uint8Array {
  const square = [[0, 0], [0, 64], [64, 64], [64, 0]].map(([x = 0, y = 0]) =>
    vertex([x, y, 0], [x / 64, y / 64], [x / 64, y / 64])
  );
  const arch = [0, 1, 2].flatMap((row) =>
    [0, 1, 2].map((column) => vertex([column * 32, row * 32, column === 1 ? 64 : 0], [column / 2, row / 2], [0, 0]))
  );
  const vertices = [...square, ...arch];
  const surface = (
    [shader, kind, first, count, corner, corners, page]: readonly [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ],
    size = 0,
  ) =>
    join(
      i32(shader, -1, kind, first, count, corner, corners, page),
      new Uint8Array(64),
      u32(size, size),
    );
  const surfaces = [
    surface([0, 1, 0, 4, 0, 6, 0]),
    surface([0, 2, 4, 9, 0, 0, -3], 3),
    surface([0, 3, 0, 3, 0, 3, -3]),
    surface([1, 1, 0, 4, 0, 6, 0]),
  ];
  const samples = new Uint8Array(128 * 128 * 3).fill(20);
  return withLumps(join(text("IBSP"), u32(46)), 17, {
    0: text(`${entityText}\0`),
    1: join(name("textures/a", 64), u32(0, 1), name("textures/common/caulk", 64), u32(0x80, 1)),
    7: join(new Uint8Array(24), u32(0, surfaces.length, 0, 0)),
    10: join(...vertices),
    11: u32(0, 1, 2, 0, 2, 3),
    13: join(...surfaces),
    14: samples,
  });
}
