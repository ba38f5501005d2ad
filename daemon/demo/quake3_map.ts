/**
 * Compiles maps of Quake III: version 46 (id-Software/Quake-III-Arena `qfiles.h`).
 *
 * The room is one leaf, which holds all blocks, and outside each wall is a solid leaf. Vertices light the surfaces.
 * @module
 */
import { concatenate, float32, int32, name, withLumps } from "./bytes.ts";
import {
  add,
  bounds,
  dot,
  entityLines,
  lightAt,
  type MapSource,
  type Plane,
  polygons,
  type Side,
  type Vector,
} from "./solids.ts";

/** Flags of brushes that players cannot pass. */
const solidContents = 1;
const wallThickness = 16;
/** Units of a wall that a picture covers. */
const pictureSize = 64;
const flatSurface = 1;
const curvedSurface = 2;
/** Light page of surfaces that are lit by their vertices. */
const litByVertices = -3;
/** Factor of the stored light: engines show it four times as bright. */
const storedLight = 1 / 4;

/** A surface of 3 x 3 points. */
export interface Curve {
  readonly texture: string;
  /** Points, row by row. */
  readonly points: readonly Vector[];
  readonly normal: Vector;
}

class Compiler {
  readonly shaders: string[] = [];
  readonly planes: Uint8Array[] = [];
  readonly nodes: Uint8Array[] = [];
  readonly leafs: Uint8Array[] = [];
  readonly leafBrushes: number[] = [];
  readonly brushes: Uint8Array[] = [];
  readonly brushSides: Uint8Array[] = [];
  readonly vertices: Uint8Array[] = [];
  readonly corners: number[] = [];
  readonly surfaces: Uint8Array[] = [];
  readonly #source: MapSource;
  readonly #low: Vector;
  readonly #high: Vector;

  constructor(source: MapSource) {
    this.#source = source;
    const { low, high } = bounds(polygons(source.room, true).flat());
    this.#low = add(low, [wallThickness, wallThickness, wallThickness], -1);
    this.#high = add(high, [wallThickness, wallThickness, wallThickness]);
  }

  /** The box around the map. */
  get box(): readonly number[] {
    return [...this.#low, ...this.#high];
  }

  #shader(texture: string): number {
    const known = this.shaders.indexOf(texture);
    return known >= 0 ? known : this.shaders.push(texture) - 1;
  }

  /** Adds a plane, followed by its inverse, as engines expect. */
  #plane({ normal: [x, y, z], distance }: Plane): number {
    this.planes.push(float32(x, y, z, distance), float32(0 - x, 0 - y, 0 - z, 0 - distance));
    return this.planes.length - 2;
  }

  /** Adds a solid brush: the part of the box between `low` and `high` on the inner side of the planes. */
  #addBrush(low: Vector, high: Vector, planes: readonly Plane[], texture: string): number {
    const first = this.brushSides.length;
    const shader = this.#shader(texture);
    // Engines read the box of a brush from its first six sides.
    const box = ([0, 1, 2] as const).flatMap((axis): Plane[] => {
      const normal = (sign: number): Vector => [axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0];
      return [{ normal: normal(-1), distance: 0 - low[axis] }, { normal: normal(1), distance: high[axis] }];
    });
    for (const plane of [...box, ...planes]) this.brushSides.push(int32(this.#plane(plane), shader));
    return this.brushes.push(int32(first, this.brushSides.length - first, shader)) - 1;
  }

  #addLeaf(cluster: number, brushes: readonly number[], surfaces: number): number {
    const box = int32(...this.box.map(Math.round));
    const leaf = [int32(cluster, cluster), box, int32(0, surfaces, this.leafBrushes.length, brushes.length)];
    this.leafBrushes.push(...brushes);
    return this.leafs.push(concatenate(leaf)) - 1;
  }

  #addVertex(point: Vector, normal: Vector, image: readonly [number, number]): void {
    const light = lightAt(this.#source.entities, point, normal) * storedLight;
    const colour = Uint8Array.of(light, light, light * 0.8, 255);
    this.vertices.push(concatenate([float32(...point, ...image, 0, 0, ...normal), colour]));
  }

  #addSurface(texture: string, kind: number, vertices: number, corners: number, normal: Vector, size: number): void {
    const numbers = int32(this.#shader(texture), -1, kind, this.vertices.length - vertices, vertices);
    const light = int32(this.corners.length - corners, corners, litByVertices, 0, 0, 0, 0);
    const vectors = float32(0, 0, 0, 0, 0, 0, 0, 0, 0, ...normal);
    this.surfaces.push(concatenate([numbers, light, vectors, int32(size, size)]));
  }

  /** Adds a polygon: a fan of triangles, clockwise seen from where it faces. */
  #addPolygon({ normal, texture }: Side, points: readonly Vector[]): void {
    const [x, y] = normal;
    // Pictures are upright on walls; the larger component of the normal decides along which axis they lie.
    const [s, t]: [Vector, Vector] = Math.abs(normal[2]) > 0.7
      ? [[1, 0, 0], [0, -1, 0]]
      : [Math.abs(x) >= Math.abs(y) ? [0, 1, 0] : [1, 0, 0], [0, 0, -1]];
    for (const point of points) {
      this.#addVertex(point, normal, [dot(point, s) / pictureSize, dot(point, t) / pictureSize]);
    }
    const fan = points.slice(2).flatMap((_, corner) => [0, corner + 1, corner + 2]);
    this.corners.push(...fan);
    this.#addSurface(texture, flatSurface, points.length, fan.length, normal, 0);
  }

  addCurve({ texture, points, normal }: Curve): void {
    for (const [index, point] of points.entries()) {
      this.#addVertex(point, normal, [index % 3 / 2, Math.floor(index / 3) / 2]);
    }
    this.#addSurface(texture, curvedSurface, points.length, 0, normal, 3);
  }

  /** Adds the room with its blocks: surfaces and brushes. */
  addRoom(): void {
    const { room, blocks } = this.#source;
    for (const [sides, isRoom] of [[room, true] as const, ...blocks.map((sides) => [sides, false] as const)]) {
      const shapes = polygons(sides, isRoom);
      for (const [index, side] of sides.entries()) this.#addPolygon(side, shapes[index] ?? []);
    }
    const inside = blocks.map((sides) => {
      const { low, high } = bounds(polygons(sides, false).flat());
      return this.#addBrush(low, high, [], sides[0]?.texture ?? "");
    });
    for (const [index, wall] of room.entries()) {
      const { normal: [x, y, z], distance, texture } = wall;
      const back: Plane = { normal: [0 - x, 0 - y, 0 - z], distance: wallThickness - distance };
      const brush = this.#addBrush(this.#low, this.#high, [wall, back], texture);
      const solid = this.#addLeaf(-1, [brush], 0);
      // The next node is before this wall; the last wall has the room there.
      const front = index === room.length - 1 ? -1 - (solid + 1) : index + 1;
      this.nodes.push(int32(this.#plane(wall), front, -1 - solid, ...this.box.map(Math.round)));
    }
    this.#addLeaf(0, inside, this.surfaces.length);
  }
}

/** Compiles a map. */
export function quake3Map(source: MapSource, curves: readonly Curve[]): Uint8Array {
  const compiler = new Compiler(source);
  for (const curve of curves) compiler.addCurve(curve);
  compiler.addRoom();
  const nothing = new Uint8Array(0);
  const { surfaces, brushes, shaders } = compiler;
  return withLumps(concatenate([name("IBSP", 4), int32(46)]), [
    new TextEncoder().encode(entityLines(source.entities)),
    concatenate(shaders.map((shader) => concatenate([name(shader, 64), int32(0, solidContents)]))),
    concatenate(compiler.planes),
    concatenate(compiler.nodes),
    concatenate(compiler.leafs),
    int32(...surfaces.keys()),
    int32(...compiler.leafBrushes),
    concatenate([float32(...compiler.box), int32(0, surfaces.length, 0, brushes.length)]),
    concatenate(brushes),
    concatenate(compiler.brushSides),
    concatenate(compiler.vertices),
    int32(...compiler.corners),
    nothing, // fogs
    concatenate(surfaces),
    nothing, // pages of light
    nothing, // light of models
    nothing, // visibility between clusters
  ]);
}
