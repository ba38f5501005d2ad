/**
 * Shapes of maps of Doom's engines: floors, ceilings and walls.
 *
 * The texture of a wall begins at the start of its side. A middle wall and a lower one hang from the upper edge of what
 * they fill, an upper one stands on the lower edge; unpegged it is the other way, and a lower one hangs from the ceiling.
 * A middle texture between two sectors is drawn once, and has holes. Walls between two skies are not drawn, nor is sky.
 * Walls to the north and south are darker than others, those to the east and west brighter. Floors repeat from the
 * origin of the map. (id-Software/DOOM r_segs.c `R_StoreWallRange`, `R_RenderMaskedSegRange`, r_plane.c `R_MapPlane`.)
 * @module
 */
import type { DoomLine, DoomMap, DoomPlane, DoomSector, DoomSide, DoomSurface } from "./doom_map.ts";
import type { Entity } from "./entities.ts";
import { type MapSurface, SurfaceBuilder, type Vertex } from "./map_geometry.ts";
import { AreaFiller, type Edge, FillingWork } from "./sector_polygons.ts";

/** Use of a texture: they have names of their own, and only middle ones have holes. */
type DoomUse = "wall" | "middle" | "flat";

/** A texture that a map shows. */
export interface DoomTextureUse {
  readonly use: DoomUse;
  readonly name: string;
}

/** Size of a texture in units of the map. */
export interface TextureSize {
  readonly width: number;
  readonly height: number;
}

/** The shape of a map. */
export interface DoomGeometry {
  /** Surfaces, with indices of `textures`. */
  readonly surfaces: readonly MapSurface[];
  readonly textures: readonly DoomTextureUse[];
  /** Things of the map, as entities. */
  readonly things: readonly Entity[];
  /** Numbers of the sectors whose outlines do not close, or that could not be filled exactly. */
  readonly unclosed: readonly number[];
}

/** Part of an area that may be missing, by rounding. */
const maxError = 1e-6;
/** Light that is added to walls to the east and west, and subtracted from those to the north and south. */
const fakeContrast = 16;

/** Returns whether a floor or ceiling is sky. */
function isSky({ texture }: DoomSurface): boolean {
  return /^F_SKY(?:1|001)?$/.test(texture);
}

/** Returns whether a name stands for a texture. */
function isDrawn({ texture }: DoomSurface): boolean {
  return texture !== "-" && texture !== "";
}

/** Returns the textures that a map names, each once for every use. */
export function texturesOfDoomMap(map: DoomMap): DoomTextureUse[] {
  const found = new Map<string, DoomTextureUse>();
  const add = (use: DoomUse, surface: DoomSurface) => {
    if (isDrawn(surface)) found.set(`${use} ${surface.texture}`, { use, name: surface.texture });
  };
  for (const { right, left } of map.lines) {
    for (const number of [right, left]) {
      const side = number === undefined ? undefined : map.sides[number];
      if (!side) continue;
      add("wall", side.upper);
      add("wall", side.lower);
      add(right !== undefined && left !== undefined ? "middle" : "wall", side.middle);
    }
  }
  for (const { floor, ceiling } of map.sectors) {
    for (const plane of [floor, ceiling]) if (!isSky(plane)) add("flat", plane);
  }
  return [...found.values()];
}

/** A side of a line, with the sectors on both sides of it. */
interface Wall {
  readonly side: DoomSide;
  readonly line: DoomLine;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly front: DoomSector;
  readonly back: DoomSector | undefined;
}

class Builder {
  readonly #map: DoomMap;
  readonly #sizeOf: (use: DoomTextureUse) => TextureSize;
  readonly #builder = new SurfaceBuilder();
  readonly #numbers: ReadonlyMap<string, number>;
  readonly textures: readonly DoomTextureUse[];

  constructor(map: DoomMap, sizeOf: (use: DoomTextureUse) => TextureSize) {
    this.#map = map;
    this.#sizeOf = sizeOf;
    this.textures = texturesOfDoomMap(map);
    this.#numbers = new Map(this.textures.map(({ use, name }, index) => [`${use} ${name}`, index]));
  }

  finish(): MapSurface[] {
    return this.#builder.finish();
  }

  #add(
    use: DoomUse,
    name: string,
    light: number,
    corners: readonly Omit<Vertex, "light" | "colour">[],
    triangles: readonly number[] = [0, 1, 2, 0, 2, 3],
  ): void {
    const texture = this.#numbers.get(`${use} ${name}`);
    if (texture === undefined) return;
    const level = Math.max(0, Math.min(255, Math.round(light)));
    const lit = { light: [0, 0], colour: [level, level, level, 255] } as const;
    this.#builder.require(corners.length, triangles.length);
    const look = { model: 0, texture, light: "vertices", opacity: 1 } as const;
    this.#builder.add(look, corners.map((corner) => ({ ...corner, ...lit })), triangles);
  }

  /** Adds the floor or ceiling of a sector. */
  addPlane(plane: DoomPlane, { light }: DoomSector, area: readonly number[], isCeiling: boolean): void {
    if (!isDrawn(plane) || isSky(plane)) return;
    const { width, height } = this.#sizeOf({ use: "flat", name: plane.texture });
    const angle = plane.rotation * Math.PI / 180;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const numbers = [...new Set(area)];
    const corners = numbers.map((number) => {
      const [x, y] = this.#map.points[number] ?? [0, 0];
      const [u, v] = [x * cos - y * sin, -x * sin - y * cos];
      return {
        position: [x, y, plane.height] as const,
        normal: [0, 0, isCeiling ? -1 : 1] as const,
        image: [(u * plane.scaleX + plane.x) / width, (v * plane.scaleY + plane.y) / height] as const,
      };
    });
    const indices = new Map(numbers.map((number, index) => [number, index]));
    const triangles = area.map((number) => indices.get(number) ?? 0);
    this.#add("flat", plane.texture, light, corners, isCeiling ? triangles.toReversed() : triangles);
  }

  /** Adds the walls of a side. */
  addWalls(wall: Wall): void {
    const { side, line, front, back } = wall;
    if (!back) {
      const { floor, ceiling } = front;
      const size = this.#sizeOf({ use: "wall", name: side.middle.texture });
      const top = line.isLowerUnpegged ? floor.height + size.height / side.middle.scaleY : ceiling.height;
      return this.#addWall("wall", side.middle, wall, [floor.height, ceiling.height], top);
    }
    const [low, high] = [back.floor.height, back.ceiling.height];
    const isOpenSky = isSky(front.ceiling) && isSky(back.ceiling);
    const ceiling = isOpenSky ? high : front.ceiling.height;
    if (!isOpenSky && high < front.ceiling.height) {
      const { height } = this.#sizeOf({ use: "wall", name: side.upper.texture });
      const top = line.isUpperUnpegged ? front.ceiling.height : high + height / side.upper.scaleY;
      const bottom = Math.max(high, front.floor.height);
      this.#addWall("wall", side.upper, wall, [bottom, front.ceiling.height], top);
    }
    if (low > front.floor.height && !(isSky(front.floor) && isSky(back.floor))) {
      const top = line.isLowerUnpegged ? ceiling : low;
      this.#addWall("wall", side.lower, wall, [front.floor.height, Math.min(low, front.ceiling.height)], top);
    }
    this.#addMiddle(wall, back);
  }

  #addMiddle(wall: Wall, back: DoomSector): void {
    const { side: { middle }, line, front } = wall;
    if (!isDrawn(middle)) return;
    const bottom = Math.max(front.floor.height, back.floor.height);
    const top = Math.min(front.ceiling.height, back.ceiling.height);
    const { height } = this.#sizeOf({ use: "middle", name: middle.texture });
    const drawn = height / middle.scaleY;
    const upper = (line.isLowerUnpegged ? bottom + drawn : top) + middle.y / middle.scaleY;
    const range = line.isMiddleRepeated
      ? [bottom, top] as const
      : [Math.max(bottom, upper - drawn), Math.min(top, upper)] as const;
    this.#addWall("middle", { ...middle, y: 0 }, wall, range, upper);
  }

  /** Adds a wall; `upper` is the height of the upper edge of its texture. */
  #addWall(
    use: DoomUse,
    surface: DoomSurface,
    { side, from, to, front }: Wall,
    [bottom, top]: readonly [number, number],
    upper: number,
  ): void {
    if (top <= bottom || !isDrawn(surface)) return;
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(dx, dy);
    if (length === 0) return;
    const { width, height } = this.#sizeOf({ use, name: surface.texture });
    const contrast = dx === 0 ? fakeContrast : dy === 0 ? -fakeContrast : 0;
    const light = side.isLightAbsolute ? side.light : front.light + side.light + contrast;
    const normal = [dy / length, -dx / length, 0] as const;
    const corner = ([x, y]: readonly [number, number], along: number, z: number) => ({
      ...{ position: [x, y, z] as const, normal },
      image: [
        (along * surface.scaleX + surface.x) / width,
        ((upper - z) * surface.scaleY + surface.y) / height,
      ] as const,
    });
    const corners = [
      corner(from, 0, bottom),
      corner(to, length, bottom),
      corner(to, length, top),
      corner(from, 0, top),
    ];
    this.#add(use, surface.texture, light, corners);
  }
}

/** Returns a function that gives points at one position the same number: the number of the first. */
function samePoints(points: DoomMap["points"]): (number: number) => number {
  const first = new Map<string, number>();
  const same = points.map((point, index) => {
    const key = point.join(" ");
    const known = first.get(key) ?? index;
    first.set(key, known);
    return known;
  });
  return (number) => same[number] ?? number;
}

/** Returns the edges of each sector. */
function edgesOf({ points, lines, sides }: DoomMap): Map<number, Edge[]> {
  const same = samePoints(points);
  const found = new Map<number, Edge[]>();
  const add = (sector: number, edge: Edge) => {
    const known = found.get(sector);
    if (known) known.push(edge);
    else found.set(sector, [edge]);
  };
  for (const { start, end, right, left } of lines) {
    if (!points[start] || !points[end]) continue;
    const [from, to] = [same(start), same(end)];
    const [front, back] = [right, left].map((side) => side === undefined ? undefined : sides[side]?.sector);
    if (from === to || front === back) continue;
    if (front !== undefined) add(front, [to, from]);
    if (back !== undefined) add(back, [from, to]);
  }
  return found;
}

/** Maximum number of things with a place in the scene: each is looked up among the sectors. */
const maxThings = 20_000;

/** The triangles of a sector, to find what stands in it. */
interface Ground {
  readonly height: number;
  readonly triangles: readonly number[];
}

/** Number of strips from west to east; the floor below a thing is looked for in one of them. */
const strips = 64;

/** Returns the things of a map on their floors. */
function thingsOf({ things, points }: DoomMap, grounds: readonly Ground[], work: FillingWork): Entity[] {
  const boxes = grounds.map(({ triangles }) => {
    return [0, 1].map((axis) => {
      let [low, high] = [Infinity, -Infinity];
      for (const number of triangles) {
        const value = points[number]?.[axis] ?? 0;
        [low, high] = [Math.min(low, value), Math.max(high, value)];
      }
      return [low, high] as const;
    });
  });
  let [left, right] = [Infinity, -Infinity];
  for (const [[west = left, east = right] = []] of boxes) [left, right] = [Math.min(left, west), Math.max(right, east)];
  const stripOf = (x: number) => Math.max(0, Math.min(strips - 1, Math.floor((x - left) / (right - left) * strips)));
  const inStrips = Array.from({ length: strips }, (): number[] => []);
  for (const [index, [[west = 0, east = 0] = []]] of boxes.entries()) {
    for (let strip = stripOf(west); strip <= stripOf(east); strip++) inStrips[strip]?.push(index);
  }
  const heightAt = (x: number, y: number) => {
    const near = inStrips[stripOf(x)] ?? [];
    work.spend(near.length);
    const found = near.find((index) => {
      const [[west = 0, east = 0] = [], [south = 0, north = 0] = []] = boxes[index] ?? [];
      if (x < west || x > east || y < south || y > north) return false;
      const triangles = grounds[index]?.triangles ?? [];
      work.spend(triangles.length);
      return isInTriangles(points, triangles, x, y);
    });
    return grounds[found ?? -1]?.height ?? 0;
  };
  return things.slice(0, maxThings).map(({ x, y, z, angle, type }) =>
    new Map([
      ["classname", `thing ${type}`],
      ["origin", `${x} ${y} ${heightAt(x, y) + z}`],
      ["angle", String(angle)],
    ])
  );
}

function isInTriangles(points: DoomMap["points"], triangles: readonly number[], x: number, y: number): boolean {
  const isLeft = (from: number | undefined, to: number | undefined) => {
    const [[ax, ay], [bx, by]] = [points[from ?? 0] ?? [0, 0], points[to ?? 0] ?? [0, 0]];
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0;
  };
  for (let corner = 0; corner < triangles.length; corner += 3) {
    const [a, b, c] = triangles.slice(corner, corner + 3);
    if (isLeft(a, b) && isLeft(b, c) && isLeft(c, a)) return true;
  }
  return false;
}

/**
 * Returns the shape of a map.
 * @param sizeOf Returns the size of a texture.
 * @throws {MediaError} if it is too large.
 */
export function doomGeometry(map: DoomMap, sizeOf: (use: DoomTextureUse) => TextureSize): DoomGeometry {
  const builder = new Builder(map, sizeOf);
  const work = new FillingWork();
  const filler = new AreaFiller(map.points, work);
  const grounds: Ground[] = [];
  const edges = edgesOf(map);
  const unclosed: number[] = [];
  for (const [number, sector] of map.sectors.entries()) {
    const own = edges.get(number);
    // A sector without a side is in no place.
    if (!own) continue;
    const { triangles, isOpen, error } = filler.fill(own);
    if (isOpen || error > maxError) unclosed.push(number);
    grounds.push({ height: sector.floor.height, triangles });
    builder.addPlane(sector.floor, sector, triangles, false);
    builder.addPlane(sector.ceiling, sector, triangles, true);
  }
  for (const line of map.lines) {
    const [start, end] = [map.points[line.start], map.points[line.end]];
    const [right, left] = [line.right, line.left].map((side) => side === undefined ? undefined : map.sides[side]);
    if (!start || !end) continue;
    const [front, back] = [right, left].map((side) => side && map.sectors[side.sector]);
    if (right && front) builder.addWalls({ side: right, line, from: start, to: end, front, back });
    if (left && back) builder.addWalls({ side: left, line, from: end, to: start, front: back, back: front });
  }
  const things = thingsOf(map, grounds, work);
  return { surfaces: builder.finish(), textures: builder.textures, things, unclosed };
}
