/**
 * Models, maps and sounds with several of everything and arbitrary numbers: one triangle would not reveal a reader that
 * looks for the second at a wrong offset.
 * @module
 */
import { join, text, u16, u32 } from "../formats/bytes.ts";
import { numbersFrom, type Random } from "../support/chance.ts";
import { f32, i32, mip, name } from "./handmade.ts";
import { type faceKinds, withLumps } from "./handmade_maps.ts";

function list<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}

const bytes = (count: number, below: Random, limit = 256) => Uint8Array.from(list(count, () => below(limit)));
const floats = (count: number, below: Random) => f32(...list(count, () => (below(4096) - 2048) / 64));

/** An MDL of two skins, one of them a group, three triangles and frames `run1`, `run2` and a group of two. */
export function richMdl(): Uint8Array {
  const below = numbersFrom(11);
  const [width, height, vertices] = [8, 4, 5];
  const corner = () => Uint8Array.of(below(256), below(256), below(256), below(162));
  const frame = (title: string) => join(corner(), corner(), name(title, 16), ...list(vertices, corner));
  const skin = () => bytes(width * height, below);
  return join(
    ...[text("IDPO"), u32(6), f32(0.5, 1.25, 2), f32(-5, -10, 3), f32(9, 0, 0, 20)],
    ...[
      u32(2, width, height, vertices, 3, 3, 0, 0),
      f32(1.5),
      u32(0),
      skin(),
      u32(1, 2),
      f32(0.1, 0.25),
      skin(),
      skin(),
    ],
    ...list(vertices, (vertex) => i32(vertex % 2 * 32, below(4), below(height))),
    ...list(3, (triangle) => i32(triangle % 2, triangle, triangle + 1, triangle + 2)),
    ...[u32(0), frame("run1"), u32(0), frame("run2")],
    ...[u32(1, 2), corner(), corner(), f32(0.2, 0.5), frame("jump1"), frame("jump2")],
  );
}

/** An MD2 of two skins, five vertices, four triangles and frames `stand1`, `stand2`, `run1`. */
export function richMd2(): Uint8Array {
  const below = numbersFrom(12);
  const [vertices, points, triangles] = [5, 6, 4];
  const skins = join(name("players/a.pcx", 64), name("players/b.pcx", 64));
  const images = u16(...list(points * 2, () => below(64)));
  const faces = join(
    ...list(triangles, (at) => u16(at % 5, (at + 1) % 5, (at + 2) % 5, at, (at + 1) % 6, (at + 3) % 6)),
  );
  const frames = ["stand1", "stand2", "run1"].map((title) =>
    join(floats(6, below), name(title, 16), ...list(vertices, () => join(bytes(3, below), bytes(1, below, 162))))
  );
  const imagesAt = 68 + skins.length;
  const facesAt = imagesAt + images.length;
  const framesAt = facesAt + faces.length;
  const end = framesAt + join(...frames).length;
  const counts = u32(8, 64, 32, frames[0]?.length ?? 0, 2, vertices, points, triangles, 0, frames.length);
  return join(text("IDP2"), counts, u32(68, imagesAt, facesAt, framesAt, end, end), skins, images, faces, ...frames);
}

/** An MD3 of three frames, two tags and two surfaces of two shaders. */
export function richMd3(): Uint8Array {
  const below = numbersFrom(13);
  const [frames, vertices, triangles] = [3, 4, 3];
  const surface = (title: string) => {
    const shaders = join(...["a", "b"].map((shader, index) => join(name(`${title}/${shader}.tga`, 64), u32(index))));
    const faces = u32(...list(triangles, (at) => [at % 4, (at + 1) % 4, (at + 2) % 4]).flat());
    const images = floats(vertices * 2, below);
    const points = u16(...list(frames * vertices * 4, () => below(65536)));
    const facesAt = 108 + shaders.length;
    const imagesAt = facesAt + faces.length;
    const pointsAt = imagesAt + images.length;
    const offsets = u32(facesAt, 108, imagesAt, pointsAt, pointsAt + points.length);
    const counts = u32(0, frames, 2, vertices, triangles);
    return join(text("IDP3"), name(title, 64), counts, offsets, shaders, faces, images, points);
  };
  const named = list(frames, (frame) => join(floats(10, below), name(`frame${frame}`, 16)));
  const tags = list(frames, () => ["tag_head", "tag_weapon"].map((tag) => join(name(tag, 64), floats(12, below))));
  const surfaces = join(surface("u_torso"), surface("u_arms"));
  const tagsAt = 108 + frames * 56;
  const surfacesAt = tagsAt + frames * 2 * 112;
  const head = u32(0, frames, 2, 2, 0, 108, tagsAt, surfacesAt, surfacesAt + surfaces.length);
  return join(text("IDP3"), u32(15), name("a.md3", 64), head, ...named, ...tags.flat(), surfaces);
}

/** A map whose four faces have their own points, planes, sides, textures and light. */
export function richMap(kind: typeof faceKinds[number]): Uint8Array {
  const below = numbersFrom(14);
  const [isWide, isQuake2] = [kind === "bsp2", kind === "quake2"];
  const samples = isQuake2 || kind === "half-life" ? 3 : 1;
  const numbers = isWide ? u32 : u16;
  const faces = list(4, (face) => {
    const [x, y, z] = [face * 64, below(3) * 16, below(5) * 8];
    return [[x, y, z], [x, y + 64, z + face], [x + 64, y + 64, z + face], [x + 64, y, z]];
  });
  const edges = faces.flatMap((_, face) =>
    [[0, 1], [1, 2], [3, 2], [3, 0]].map((pair) => pair.map((at) => face * 4 + at))
  );
  const records = faces.map((_, face) => {
    const styles = Uint8Array.of(0, face === 1 ? 3 : 255, 255, 255);
    const start = join(numbers(face % 3, face % 2), u32(face * 4), numbers(4, face % 3));
    return join(start, styles, u32(face * 25 * samples));
  });
  const axes = list(3, (axis) => f32(1, 0.25 * axis, 0, 3 * axis, 0, -1, 0.5 * axis, axis));
  const lumps = {
    entities: text('{"classname" "worldspawn"}{"classname" "light" "origin" "32 64 96"}\0'),
    planes: join(...list(3, (plane) => join(f32(plane === 1 ? 1 : 0, 0, plane === 1 ? 0 : 1, plane * 8), u32(plane)))),
    points: f32(...faces.flat(2)),
    information: join(
      ...axes.map((axis, texture) =>
        isQuake2
          ? join(axis, u32(texture === 1 ? 0x10 : 0, 0), name(`wall${texture}`, 32), i32(-1))
          : join(axis, u32(texture, texture === 2 ? 1 : 0))
      ),
    ),
    faces: join(...records),
    light: bytes(faces.length * 25 * samples * 2, below),
    edges: join(numbers(0, 0), ...edges.map((pair) => numbers(...pair))),
    list: i32(...edges.map((_, edge) => edge % 4 === 2 ? -(edge + 1) : edge + 1)),
    model: join(new Uint8Array(isQuake2 ? 40 : 56), u32(0, faces.length)),
  };
  const textures = list(3, (texture) => mip(texture === 2 ? "{fence" : `wall${texture}`, 40 + texture));
  const starts = textures.map((_, index) => 16 + textures.slice(0, index).reduce((sum, { length }) => sum + length, 0));
  const numbered: Record<number, Uint8Array> = isQuake2
    ? { 0: lumps.entities, 1: lumps.planes, 2: lumps.points, 5: lumps.information, 6: lumps.faces, 7: lumps.light }
    : { 0: lumps.entities, 1: lumps.planes, 2: join(u32(3, ...starts), ...textures), 3: lumps.points };
  Object.assign(numbered, isQuake2 ? {} : { 6: lumps.information, 7: lumps.faces, 8: lumps.light });
  Object.assign(numbered, isQuake2 ? { 11: lumps.edges, 12: lumps.list, 13: lumps.model } : {});
  Object.assign(numbered, isQuake2 ? {} : { 12: lumps.edges, 13: lumps.list, 14: lumps.model });
  const before = isQuake2 ? join(text("IBSP"), u32(38)) : isWide ? text("BSP2") : u32(kind === "quake" ? 29 : 30);
  return withLumps(before, isQuake2 ? 19 : 15, numbered);
}

/** Blocks of Microsoft's ADPCM in two channels, each with its own predictors and steps. */
export function richBlocks(): Uint8Array {
  const below = numbersFrom(15);
  return join(...list(3, (block) => join(Uint8Array.of(1 + block, 6 - block), bytes(30, below))));
}
