/**
 * Facts of a model, whatever its format, and the box around it.
 * @module
 */

/** A point of a model: x, y, z. */
export type Point = readonly [number, number, number];

/** Two opposite corners. */
export interface Box {
  readonly low: Point;
  readonly high: Point;
}

/** The smallest box around all points that were added. */
export class Bounds {
  #low: [number, number, number] = [Infinity, Infinity, Infinity];
  #high: [number, number, number] = [-Infinity, -Infinity, -Infinity];

  /** Extends the box to a point. */
  add([x, y, z]: Point): void {
    this.#low = [Math.min(this.#low[0], x), Math.min(this.#low[1], y), Math.min(this.#low[2], z)];
    this.#high = [Math.max(this.#high[0], x), Math.max(this.#high[1], y), Math.max(this.#high[2], z)];
  }

  /** The box; a point at zero if no point was added. */
  get box(): Box {
    const known = (point: Point): Point => [plain(point[0]), plain(point[1]), plain(point[2])];
    return { low: known(this.#low), high: known(this.#high) };
  }
}

/** Rounds a coordinate to the digits of a 32-bit float; 0 if it is not finite. */
function plain(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(6)) : 0;
}

/** Consecutive frames with one name: `run1`, `run2`, ... */
export interface Animation {
  readonly name: string;
  readonly frames: number;
}

/** A part of an MD3 or IQM with its own skin. */
export interface Surface {
  readonly name: string;
  readonly triangles: number;
  readonly vertices: number;
  /** Names of its shaders or images; empty if a skin file names them. */
  readonly shaders: readonly string[];
}

/** Facts of a model. */
export interface Model {
  readonly format: "MDL" | "MD2" | "MD3" | "IQM";
  readonly version: number;
  readonly frames: number;
  readonly animations: readonly Animation[];
  readonly triangles: number;
  readonly vertices: number;
  /** Names of its skins; those of an MDL are in the file and have numbers. */
  readonly skins: readonly string[];
  /** Parts of an MD3 or IQM. */
  readonly surfaces: readonly Surface[];
  /** Points at which an MD3 is attached to others; the joints of an IQM. */
  readonly tags: readonly string[];
  /** The box around all frames. */
  readonly bounds: Box;
}
