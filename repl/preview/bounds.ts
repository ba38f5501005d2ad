/**
 * The box around a model.
 * @module
 */

/** A point of a model: x, y, z. */
export type Point = readonly [number, number, number];

/** Two opposite corners. */
export interface Box {
  readonly low: Point;
  readonly high: Point;
}

/** Grows around points. */
export class Bounds {
  #low: [number, number, number] = [Infinity, Infinity, Infinity];
  #high: [number, number, number] = [-Infinity, -Infinity, -Infinity];

  /** Makes sure that a point is inside. */
  add([x, y, z]: Point): void {
    this.#low = [Math.min(this.#low[0], x), Math.min(this.#low[1], y), Math.min(this.#low[2], z)];
    this.#high = [Math.max(this.#high[0], x), Math.max(this.#high[1], y), Math.max(this.#high[2], z)];
  }

  /** The box; a point at zero where there was none. */
  get box(): Box {
    const known = (point: Point): Point => [plain(point[0]), plain(point[1]), plain(point[2])];
    return { low: known(this.#low), high: known(this.#high) };
  }
}

/** A coordinate with as many digits as a float of four bytes has; 0 where there is no number. */
function plain(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(6)) : 0;
}
