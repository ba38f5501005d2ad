/**
 * Compiles maps of Quake: version 29 (id-Software/Quake `bspfile.h`).
 *
 * The room is one leaf of the tree, and each block is a separate model, like a door or a lift. Everything is visible
 * from everywhere.
 * @module
 */
import { concatenate, float32, int16, int32, name, withLumps } from "./bytes.ts";
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

/** A texture of a map: pictures of full, half, quarter and eighth size, as indices. */
export interface MipTexture {
  readonly name: string;
  readonly side: number;
  readonly mips: readonly Uint8Array[];
}

const emptyLeaf = -1;
const solidLeaf = -2;
/** Boxes of players and of large monsters: the planes that they cannot cross are moved by these. */
const hulls: readonly (readonly [low: Vector, high: Vector])[] = [
  [[-16, -16, -24], [16, 16, 32]],
  [[-32, -32, -24], [32, 32, 64]],
];

/** Pixels of a texture for a sample of light. */
const pixelsOfSample = 16;

/** Texture axes of a side (id-Software/Quake-Tools `map.c` `TextureAxisFromPlane`). */
function textureAxes([x, y, z]: Vector): readonly [Vector, Vector] {
  if (Math.abs(z) >= Math.abs(x) && Math.abs(z) >= Math.abs(y)) return [[1, 0, 0], [0, -1, 0]];
  return Math.abs(x) >= Math.abs(y) ? [[0, 1, 0], [0, 0, -1]] : [[1, 0, 0], [0, 0, -1]];
}

/** Collects the records of lumps. */
class Compiler {
  readonly planes: Uint8Array[] = [];
  readonly vertices: Uint8Array[] = [];
  readonly nodes: Uint8Array[] = [];
  readonly information: Uint8Array[] = [];
  readonly faces: Uint8Array[] = [];
  readonly light: number[] = [];
  readonly clipNodes: Uint8Array[] = [];
  readonly leafs: Uint8Array[] = [];
  /** The first edge is unused: its negative index would be the same. */
  readonly edges: Uint8Array[] = [int16(0, 0)];
  readonly edgeList: number[] = [];
  readonly models: Uint8Array[] = [];
  readonly #source: MapSource;
  readonly #textures: readonly MipTexture[];
  readonly #numbers = new Map<string, number>();

  constructor(source: MapSource, textures: readonly MipTexture[]) {
    this.#source = source;
    this.#textures = textures;
    // The leaf of everything solid.
    this.leafs.push(leaf(solidLeaf, [0, 0, 0], [0, 0, 0], 0));
  }

  /** Returns the index of a record, after adding it if it is new. */
  #numberOf(records: Uint8Array[], kind: string, record: Uint8Array): number {
    const key = `${kind} ${record.join()}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, records.length);
    return records.push(record) - 1;
  }

  /**
   * Returns the index of a plane, and whether it is stored inverted: the largest component of a stored normal is
   * positive.
   */
  #plane({ normal, distance }: Plane): { number: number; isTurned: boolean } {
    const sizes = normal.map(Math.abs);
    const axis = sizes.indexOf(Math.max(...sizes));
    const isTurned = (normal[axis] ?? 0) < 0;
    const sign = isTurned ? -1 : 1;
    // Adding zero makes a negative zero positive.
    const record = float32(...normal.map((part) => part * sign + 0), distance * sign + 0);
    const type = sizes[axis] === 1 ? axis : 3 + axis;
    return { number: this.#numberOf(this.planes, "plane", concatenate([record, int32(type)])), isTurned };
  }

  /** Adds the edge between two vertices, or uses an existing edge in the other direction. */
  #addEdge(from: number, to: number): void {
    const other = this.#numbers.get(`edge ${int16(to, from).join()}`);
    this.edgeList.push(
      other === undefined ? this.#numberOf(this.edges, "edge", int16(from, to)) : -other,
    );
  }

  #addFace(side: Side, points: readonly Vector[]): void {
    const { number, isTurned } = this.#plane(side);
    const texture = this.#textures.findIndex((known) => known.name === side.texture);
    const axes = textureAxes(side.normal);
    const record = concatenate([float32(...axes[0], 0, ...axes[1], 0), int32(texture, 0)]);
    const information = this.#numberOf(this.information, "information", record);
    const first = this.edgeList.length;
    const numbers = points.map((point) => this.#numberOf(this.vertices, "vertex", float32(...point)));
    for (const [index, from] of numbers.entries()) this.#addEdge(from, numbers[(index + 1) % numbers.length] ?? from);
    const head = concatenate([int16(number, isTurned ? 1 : 0), int32(first), int16(points.length, information)]);
    // A light that never flickers.
    this.faces.push(concatenate([head, Uint8Array.of(0, 255, 255, 255), int32(this.light.length)]));
    this.#addLight(side, axes, points);
  }

  /** Adds a sample of light for each 16 pixels of a face, row by row. */
  #addLight({ normal, distance }: Plane, [s, t]: readonly [Vector, Vector], points: readonly Vector[]): void {
    const range = (axis: Vector): readonly [number, number] => {
      const samples = points.map((point) => dot(point, axis) / pixelsOfSample);
      return [Math.floor(Math.min(...samples)), Math.ceil(Math.max(...samples))];
    };
    const [[left, right], [top, bottom]] = [range(s), range(t)];
    // The axis along which a point is moved onto the plane.
    const free: Vector = [1 - Math.abs(s[0] + t[0]), 1 - Math.abs(s[1] + t[1]), 1 - Math.abs(s[2] + t[2])];
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const flat = add(add([0, 0, 0], s, column * pixelsOfSample), t, row * pixelsOfSample);
        const point = add(flat, free, (distance - dot(flat, normal)) / dot(free, normal));
        this.light.push(lightAt(this.#source.entities, point, normal));
      }
    }
  }

  /** Adds a room or a block as a model. */
  addModel(sides: readonly Side[], isRoom: boolean): void {
    const [firstNode, firstFace] = [this.nodes.length, this.faces.length];
    const shapes = polygons(sides, isRoom);
    const { low, high } = bounds(shapes.flat());
    for (const [index, side] of sides.entries()) this.#addFace(side, shapes[index] ?? []);
    // Engines only draw faces of the room's leaf.
    const outside = leaf(emptyLeaf, low, high, isRoom ? sides.length : 0);
    const outsideNumber = this.leafs.push(outside) - 1;
    for (const [index, side] of sides.entries()) {
      const { number, isTurned } = this.#plane(side);
      const isLast = index === sides.length - 1;
      // The space outside a wall is solid, and so is the space inside all sides of a block.
      const next = isLast ? undefined : firstNode + index + 1;
      const front = isRoom ? next ?? -1 - outsideNumber : -1 - outsideNumber;
      const back = isRoom ? -1 : next ?? -1;
      const children = isTurned ? int16(back, front) : int16(front, back);
      this.nodes.push(
        concatenate([int32(number), children, int16(...corners(low, high), firstFace + index, 1)]),
      );
    }
    const clipping = hulls.map(([hullLow, hullHigh]) => this.#addClipNodes(sides, isRoom, hullLow, hullHigh));
    const box = float32(...add(low, [1, 1, 1], -1), ...add(high, [1, 1, 1]), 0, 0, 0);
    this.models.push(concatenate([box, int32(firstNode, ...clipping, 0, 1, firstFace, sides.length)]));
  }

  /** Adds the planes that the centre of a player cannot cross, and returns the index of the first node. */
  #addClipNodes(sides: readonly Side[], isRoom: boolean, low: Vector, high: Vector): number {
    const first = this.clipNodes.length;
    for (const [index, { normal, distance }] of sides.entries()) {
      const reach = normal.reduce((sum, part, axis) => sum + part * ((part > 0 ? low : high)[axis] ?? 0), 0);
      const { number, isTurned } = this.#plane({ normal, distance: distance - reach });
      const next = index === sides.length - 1 ? undefined : first + index + 1;
      const [front, back] = isRoom ? [next ?? emptyLeaf, solidLeaf] : [emptyLeaf, next ?? solidLeaf];
      this.clipNodes.push(concatenate([int32(number), isTurned ? int16(back, front) : int16(front, back)]));
    }
    return first;
  }
}

function corners(low: Vector, high: Vector): number[] {
  return [...low.map(Math.floor), ...high.map(Math.ceil)];
}

/** Returns a leaf that shows the first `faces` faces of the map; -1: it sees all leafs. */
function leaf(contents: number, low: Vector, high: Vector, faces: number): Uint8Array {
  return concatenate([int32(contents, -1), int16(...corners(low, high), 0, faces), new Uint8Array(4)]);
}

function textureLump(textures: readonly MipTexture[]): Uint8Array {
  let offset = 4 + textures.length * 4;
  const offsets: number[] = [];
  const records = textures.map(({ name: title, side, mips }) => {
    let start = 40;
    const starts = mips.map(({ length }) => (start += length) - length);
    const record = concatenate([name(title, 16), int32(side, side, ...starts), ...mips]);
    offsets.push(offset);
    offset += record.length;
    return record;
  });
  return concatenate([int32(textures.length, ...offsets), ...records]);
}

/** Compiles a map; its blocks are the models `*1`, `*2` and so on of its entities. */
export function quakeMap(source: MapSource, textures: readonly MipTexture[]): Uint8Array {
  const compiler = new Compiler(source, textures);
  compiler.addModel(source.room, true);
  for (const sides of source.blocks) compiler.addModel(sides, false);
  return withLumps(int32(29), [
    new TextEncoder().encode(entityLines(source.entities)),
    concatenate(compiler.planes),
    textureLump(textures),
    concatenate(compiler.vertices),
    new Uint8Array(0), // visibility between leafs
    concatenate(compiler.nodes),
    concatenate(compiler.information),
    concatenate(compiler.faces),
    Uint8Array.from(compiler.light),
    concatenate(compiler.clipNodes),
    concatenate(compiler.leafs),
    int16(...source.room.keys()),
    concatenate(compiler.edges),
    int32(...compiler.edgeList),
    concatenate(compiler.models),
  ]);
}
