/**
 * Rooms and blocks: convex shapes, each a list of planes, from which maps are compiled.
 * @module
 */

/** A point or direction. */
export type Vector = readonly [x: number, y: number, z: number];

/** A plane: the points whose product with its normal is its distance. */
export interface Plane {
  readonly normal: Vector;
  readonly distance: number;
}

/** One side of a shape. Its normal points to the visible side: into a room, and out of a block. */
export interface Side extends Plane {
  readonly texture: string;
}

/** An entity: its keys and their values. */
export type Entity = Readonly<Record<string, string>>;

/** Shape and entities of a map. */
export interface MapSource {
  /** The first one is the world; those with `light` shine. */
  readonly entities: readonly Entity[];
  /** Sides of the only room. */
  readonly room: readonly Side[];
  /** Blocks in the room. */
  readonly blocks: readonly (readonly Side[])[];
}

/** Largest coordinate of a map. */
const farAway = 4096;
const diagonal = Math.SQRT1_2;

/** Returns the dot product of two vectors. */
export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Returns `a` + `factor` * `b`. */
export function add(a: Vector, b: Vector, factor = 1): Vector {
  return [a[0] + b[0] * factor, a[1] + b[1] * factor, a[2] + b[2] * factor];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Returns a hall of eight walls around the vertical axis. */
export function hall(
  radius: number,
  height: number,
  textures: { readonly wall: string; readonly floor: string; readonly ceiling: string },
): Side[] {
  const walls: Vector[] = [
    ...[[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]] as const,
    ...([[1, 1], [-1, 1], [-1, -1], [1, -1]] as const).map(([x, y]): Vector => [x * diagonal, y * diagonal, 0]),
  ];
  return [
    ...walls.map((normal): Side => ({ normal, distance: -radius, texture: textures.wall })),
    { normal: [0, 0, 1], distance: 0, texture: textures.floor },
    { normal: [0, 0, -1], distance: -height, texture: textures.ceiling },
  ];
}

/** Returns a block between two corners. */
export function block(low: Vector, high: Vector, texture: string, top = texture): Side[] {
  return [
    { normal: [-1, 0, 0], distance: -low[0], texture },
    { normal: [1, 0, 0], distance: high[0], texture },
    { normal: [0, -1, 0], distance: -low[1], texture },
    { normal: [0, 1, 0], distance: high[1], texture },
    { normal: [0, 0, -1], distance: -low[2], texture },
    { normal: [0, 0, 1], distance: high[2], texture: top },
  ];
}

/** Returns the part of a polygon that is before a plane. */
function clipped(polygon: readonly Vector[], { normal, distance }: Plane): Vector[] {
  const height = (point: Vector) => dot(point, normal) - distance;
  return polygon.flatMap((point, index) => {
    const next = polygon[(index + 1) % polygon.length] ?? point;
    const [here, there] = [height(point), height(next)];
    const crosses = (here < 0) !== (there < 0);
    const middle = crosses ? [add(point, add(next, point, -1), here / (here - there))] : [];
    return here < 0 ? middle : [point, ...middle];
  });
}

/** Returns the polygons of the sides of a shape, each clockwise seen from where its normal points. */
export function polygons(sides: readonly Side[], isRoom: boolean): Vector[][] {
  return sides.map((side) => {
    const { normal, distance } = side;
    const up: Vector = normal[2] === 0 ? [0, 0, 1] : [1, 0, 0];
    const right = cross(up, normal);
    const corner = (across: number, along: number) =>
      add(add([normal[0] * distance, normal[1] * distance, normal[2] * distance], right, across), up, along);
    const far = farAway;
    const start = [corner(-far, far), corner(far, far), corner(far, -far), corner(-far, -far)];
    return sides.filter((other) => other !== side).reduce((polygon, other) => {
      const { normal: [x, y, z], distance: from } = other;
      return clipped(polygon, isRoom ? other : { normal: [-x, -y, -z], distance: -from });
    }, start).map(([x, y, z]): Vector => [onGrid(x), onGrid(y), onGrid(z)]);
  });
}

/** Rounds a coordinate, so that sides meet in the same point. */
function onGrid(coordinate: number): number {
  return Math.round(coordinate * 64) / 64 + 0;
}

/** Returns the box around points. */
export function bounds(points: readonly Vector[]): { low: Vector; high: Vector } {
  const axis = (index: 0 | 1 | 2, best: (...values: number[]) => number) =>
    best(...points.map((point) => point[index]));
  return {
    low: [axis(0, Math.min), axis(1, Math.min), axis(2, Math.min)],
    high: [axis(0, Math.max), axis(1, Math.max), axis(2, Math.max)],
  };
}

/** Returns the light of a point of a side, 0 to 255: less with the distance and the angle, and never quite dark. */
export function lightAt(entities: readonly Entity[], point: Vector, normal: Vector): number {
  const sum = entities.reduce((light, { light: strength, origin = "" }) => {
    const [x = 0, y = 0, z = 0] = origin.split(" ").map(Number);
    const way = add([x, y, z], point, -1);
    const distance = Math.hypot(...way);
    const slant = distance === 0 ? 1 : dot(way, normal) / distance;
    return light + Math.max(0, Number(strength ?? 0) - distance) * (0.5 + 0.5 * Math.max(-1, slant));
  }, 24);
  return Math.min(255, Math.round(sum));
}

/** Returns the entities as maps hold them. */
export function entityLines(entities: readonly Entity[]): string {
  return entities.map((entity) =>
    ["{", ...Object.entries(entity).map(([key, value]) => `"${key}" "${value}"`), "}\n"].join("\n")
  ).join("") + "\0";
}
