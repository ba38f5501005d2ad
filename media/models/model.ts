/**
 * Facts of a model of any format, and its bounding box.
 * @module
 */
import { clipsOf, type Geometry } from "./geometry.ts";
import { MediaError, type Reader } from "../core/reader.ts";

/** A point of a model: x, y, z. */
export type Point = readonly [number, number, number];

/** Box between two opposite corners. */
export interface Box {
  readonly low: Point;
  readonly high: Point;
}

/** The smallest box around all added points. */
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

/** Rounds a coordinate to the precision of a 32-bit float; 0 if it is not finite. */
function plain(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(6)) : 0;
}

/** Consecutive frames with one name: `run1`, `run2`, ... */
export interface Animation {
  readonly name: string;
  readonly frames: number;
}

/** A part of an MD3, MDC or IQM with its own skin. */
export interface Surface {
  readonly name: string;
  readonly triangles: number;
  readonly vertices: number;
  /** Names of its shaders or images; empty if a skin file has the names. */
  readonly shaders: readonly string[];
}

/** Facts of a model. */
export interface Model {
  readonly format: "MDL" | "MD2" | "MD3" | "MDC" | "IQM" | "Half-Life MDL";
  readonly version: number;
  readonly frames: number;
  readonly animations: readonly Animation[];
  readonly triangles: number;
  readonly vertices: number;
  /** Names of its skins; skins of an MDL are in the file and have numbers. */
  readonly skins: readonly string[];
  /** Parts of an MD3, MDC or IQM. */
  readonly surfaces: readonly Surface[];
  /** Attachment points of an MD3 or MDC; the joints of an IQM. */
  readonly tags: readonly string[];
  /** The box around all frames. */
  readonly bounds: Box;
}

/** A model whose header was read. */
export interface ModelFile {
  /** Returns the facts that need no geometry. */
  facts(): Model;
  /**
   * Returns the geometry.
   * @throws {MediaError} if it is damaged or too large.
   */
  geometry(): Geometry;
}

/** Groups consecutive frames whose names differ only in the number at the end. */
export function animationsOf(names: readonly string[]): Animation[] {
  return clipsOf(names, 0).map(({ name, count }) => ({ name, frames: count }));
}

/**
 * Checks the version of a model, the second number of the file.
 * @throws {MediaError} if it differs.
 */
export function requireVersion(reader: Reader, format: Model["format"], version: number): void {
  const actual = reader.i32(4);
  if (actual === version) return;
  throw new MediaError(`unknown version ${actual} of ${format}; ${version} can be read`, { offset: 4 });
}
