/**
 * Fills areas that lines enclose with triangles: the floors of Doom's maps, which have only lines.
 *
 * Edges are joined to outlines; outlines inside others are holes, which a bridge of two edges joins to the outline around
 * them; then ears are cut off, triangles at three neighbours that no other corner is in (Eberly, "Triangulation by Ear
 * Clipping").
 * @module
 */
import { MediaError } from "../core/reader.ts";
import { num } from "../models/geometry.ts";

type Point = readonly [x: number, y: number];
/** Numbers of points; the area is left of the edge. */
export type Edge = readonly [from: number, to: number];

/** An area in triangles. */
export interface FilledArea {
  /** Numbers of points, three per triangle, counterclockwise. */
  readonly triangles: readonly number[];
  /** Whether edges were missing: straight ones close its outlines instead. */
  readonly isOpen: boolean;
  /** Part of the area that is not as its outlines enclose it, between 0 and 1. */
  readonly error: number;
}

/** Counts the work on all areas of a map. */
export class FillingWork {
  #left = 100_000_000;

  /** @throws {MediaError} if the lines of the map need too much. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new MediaError("its sectors have too many lines to fill their floors");
  }
}

/** Fills areas between points. */
export class AreaFiller {
  readonly #points: readonly Point[];
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  readonly #work: FillingWork;

  constructor(points: readonly Point[], work: FillingWork) {
    this.#points = points;
    this.#x = Float64Array.from(points, ([x]) => x);
    this.#y = Float64Array.from(points, ([, y]) => y);
    this.#work = work;
  }

  /** Returns the triangles of an area. */
  fill(edges: readonly Edge[]): FilledArea {
    const { outlines, isOpen } = this.#outlines(edges);
    const outer = outlines.filter((outline) => this.#areaOf(outline) > 0);
    const holes = new Map(outer.map((outline): [number[], number[][]] => [outline, []]));
    let isHoleAlone = false;
    for (const hole of outlines.filter((outline) => this.#areaOf(outline) < 0)) {
      const around = outer.filter((outline) => this.#isAround(outline, hole))
        .sort((a, b) => this.#areaOf(a) - this.#areaOf(b))[0];
      if (around) holes.get(around)?.push(hole);
      else isHoleAlone = true;
    }
    const triangles: number[] = [];
    let expected = 0;
    for (const [outline, inside] of holes) {
      expected += [outline, ...inside].reduce((sum, one) => sum + this.#areaOf(one), 0);
      this.#cutEars(this.#bridged(outline, inside), triangles);
    }
    let filled = 0;
    for (let corner = 0; corner < triangles.length; corner += 3) {
      filled += this.#areaOf(triangles.slice(corner, corner + 3));
    }
    const error = expected > 0 ? Math.abs(filled - expected) / expected : 0;
    return { triangles, isOpen: isOpen || isHoleAlone || holes.size === 0, error };
  }

  #point(number: number): Point {
    const point = this.#points[number];
    if (!point) throw new RangeError(`point ${number} is outside of ${this.#points.length}`);
    return point;
  }

  /** Returns twice the area of a triangle; negative if it is clockwise. */
  #turn(a: number, b: number, c: number): number {
    const [ax, ay] = [num(this.#x, a), num(this.#y, a)];
    return (num(this.#x, b) - ax) * (num(this.#y, c) - ay) - (num(this.#y, b) - ay) * (num(this.#x, c) - ax);
  }

  #areaOf(outline: readonly number[]): number {
    let sum = 0;
    const [ox, oy] = this.#point(outline[0] ?? 0);
    for (const [index, from] of outline.entries()) {
      const [ax, ay] = this.#point(from);
      const [bx, by] = this.#point(outline[(index + 1) % outline.length] ?? 0);
      sum += (ax - ox) * (by - oy) - (bx - ox) * (ay - oy);
    }
    return sum / 2;
  }

  /** Joins edges to outlines, and in what is left to chains. */
  #outlines(edges: readonly Edge[]): { outlines: number[][]; isOpen: boolean } {
    const next = new Map<number, number[]>();
    for (const [from, to] of edges) {
      const known = next.get(from);
      if (known) known.push(to);
      else next.set(from, [to]);
    }
    const outlines: number[][] = [];
    const chains: number[][] = [];
    for (const [start, targets] of next) {
      for (let first = targets.pop(); first !== undefined; first = targets.pop()) {
        const { path, isClosed } = this.#follow(start, first, next);
        (isClosed ? outlines : chains).push(path);
      }
    }
    const all = [...outlines, ...this.#joined(chains)];
    return { outlines: all.filter(({ length }) => length >= 3), isOpen: chains.length > 0 };
  }

  /** Follows edges from the first one until it would be the next, or until none is left. */
  #follow(start: number, first: number, next: ReadonlyMap<number, number[]>): { path: number[]; isClosed: boolean } {
    const path = [start];
    for (let here = first;;) {
      const targets = next.get(here) ?? [];
      if (here === start) targets.push(first);
      const to = this.#take(path.at(-1) ?? start, here, targets);
      if (here === start) {
        if (to === first) return { path, isClosed: true };
        targets.splice(targets.lastIndexOf(first), 1);
      }
      path.push(here);
      if (to === undefined) return { path, isClosed: false };
      here = to;
    }
  }

  /** Takes the edge that turns left most out of a list: the area is left of all. */
  #take(before: number, here: number, targets: number[]): number | undefined {
    if (targets.length < 2) return targets.pop();
    this.#work.spend(targets.length * 20);
    const [x, y] = this.#point(here);
    const [bx, by] = this.#point(before);
    const turn = (to: number) => {
      const [tx, ty] = this.#point(to);
      // From the way back, clockwise.
      const angle = Math.atan2(by - y, bx - x) - Math.atan2(ty - y, tx - x);
      return angle <= 0 ? angle + 2 * Math.PI : angle;
    };
    const best = targets.reduce((one, other) => turn(other) < turn(one) ? other : one);
    targets.splice(targets.indexOf(best), 1);
    return best;
  }

  /** Joins chains that do not close with straight edges, each to the nearest. */
  #joined(chains: readonly number[][]): number[][] {
    const left = [...chains];
    const found: number[][] = [];
    const distance = (from: readonly number[], to: readonly number[]) => {
      const [[ax, ay], [bx, by]] = [this.#point(from.at(-1) ?? 0), this.#point(to[0] ?? 0)];
      return Math.hypot(bx - ax, by - ay);
    };
    for (let chain = left.pop(); chain; chain = left.pop()) {
      const whole = [...chain];
      for (;;) {
        this.#work.spend(left.length * 8);
        const nearest = left.reduce<readonly number[]>(
          (one, other) => distance(whole, other) < distance(whole, one) ? other : one,
          whole,
        );
        if (nearest === whole) break;
        left.splice(left.indexOf(nearest as number[]), 1);
        for (const point of nearest) whole.push(point);
      }
      found.push(whole);
    }
    return found;
  }

  /** Returns whether an outline is around another that does not cross it. */
  #isAround(outline: readonly number[], inner: readonly number[]): boolean {
    const corners = new Set(outline);
    const inside = inner.find((point) => !corners.has(point));
    if (inside !== undefined) return this.#contains(outline, this.#point(inside));
    const [[ax, ay], [bx, by]] = [this.#point(inner[0] ?? 0), this.#point(inner[1] ?? 0)];
    return this.#contains(outline, [(ax + bx) / 2, (ay + by) / 2]);
  }

  #contains(outline: readonly number[], [x, y]: Point): boolean {
    this.#work.spend(outline.length);
    let isInside = false;
    for (const [index, from] of outline.entries()) {
      const [ax, ay] = this.#point(from);
      const [bx, by] = this.#point(outline[(index + 1) % outline.length] ?? 0);
      if (ay > y !== by > y && x < ax + (y - ay) / (by - ay) * (bx - ax)) isInside = !isInside;
    }
    return isInside;
  }

  /** Joins holes to the outline around them. */
  #bridged(outline: readonly number[], holes: readonly (readonly number[])[]): number[] {
    let joined = [...outline];
    const right = (hole: readonly number[]) =>
      hole.reduce((most, point) => Math.max(most, num(this.#x, point)), -Infinity);
    const left = holes.map((hole) => ({ hole, right: right(hole) })).sort((a, b) => b.right - a.right)
      .map(({ hole }) => hole);
    while (left.length > 0) {
      const hole = left.shift() ?? [];
      joined = this.#withHole(joined, hole, left);
    }
    return joined;
  }

  #withHole(outline: number[], hole: readonly number[], others: readonly (readonly number[])[]): number[] {
    const first = hole.reduce(
      (best, point, index) => this.#point(point)[0] > this.#point(hole[best] ?? 0)[0] ? index : best,
      0,
    );
    // Where the hole touches the outline, it is joined without a bridge.
    const corners = new Set(outline);
    const touching = hole.findIndex((point) => corners.has(point));
    const at = touching < 0 ? first : touching;
    const turned = [...hole.slice(at), ...hole.slice(0, at)];
    const [start = 0] = turned;
    const [x, y] = this.#point(start);
    const nearest = Array.from(outline.keys(), (index) => {
      const [ox, oy] = this.#point(outline[index] ?? 0);
      return { index, distance: Math.hypot(ox - x, oy - y) };
    }).sort((a, b) => a.distance - b.distance);
    this.#work.spend(nearest.length);
    const best = nearest.find(({ index, distance }) => {
      const end = outline[index] ?? 0;
      const isInside = this.#isInCorner(outline, index, distance > 0 ? start : turned[1] ?? start);
      return isInside &&
        (distance === 0 || [outline, turned, ...others].every((one) => !this.#crosses(one, start, end)));
    });
    const index = best?.index ?? nearest[0]?.index ?? 0;
    return [...outline.slice(0, index + 1), ...turned, start, ...outline.slice(index)];
  }

  /** Returns whether a point is on the inner side of a corner of an outline. */
  #isInCorner(outline: readonly number[], index: number, point: number): boolean {
    const [before = 0, here = 0, after = 0] = [
      outline.at(index - 1),
      outline[index],
      outline[(index + 1) % outline.length],
    ];
    const [isLeftOfFirst, isLeftOfSecond] = [this.#turn(before, here, point) > 0, this.#turn(here, after, point) > 0];
    return this.#turn(before, here, after) > 0 ? isLeftOfFirst && isLeftOfSecond : isLeftOfFirst || isLeftOfSecond;
  }

  /** Returns whether a line between two points crosses or touches an outline that does not end there. */
  #crosses(outline: readonly number[], a: number, b: number): boolean {
    this.#work.spend(outline.length);
    return outline.some((from, index) => {
      const to = outline[(index + 1) % outline.length] ?? 0;
      if (from === a || from === b || to === a || to === b) {
        // Only a corner on the line itself is in the way.
        const other = from === a || from === b ? to : from;
        return other !== a && other !== b && this.#turn(a, b, other) === 0 && this.#isBetween(a, b, other);
      }
      const [one, two] = [this.#turn(a, b, from), this.#turn(a, b, to)];
      const [three, four] = [this.#turn(from, to, a), this.#turn(from, to, b)];
      return one * two <= 0 && three * four <= 0 && !(one === 0 && two === 0 && !this.#isBetween(a, b, from));
    });
  }

  #isBetween(a: number, b: number, point: number): boolean {
    const [[ax, ay], [bx, by], [x, y]] = [this.#point(a), this.#point(b), this.#point(point)];
    return (x - ax) * (x - bx) + (y - ay) * (y - by) <= 0;
  }

  /** Adds the triangles of an outline. */
  #cutEars(outline: readonly number[], triangles: number[]): void {
    const left = [...outline];
    let index = 0;
    let tried = 0;
    while (left.length > 2) {
      this.#work.spend(1);
      const before = left.at(index - 1) ?? 0;
      const here = left[index] ?? 0;
      const after = left[(index + 1) % left.length] ?? 0;
      const turn = this.#turn(before, here, after);
      const isWhole = tried > left.length * 2;
      // Corners on a straight line are cut off last, as their neighbours end there. Without any ear, all are taken.
      const isEar = tried > left.length && turn === 0 ||
        turn > 0 && (isWhole || this.#isFree(left, before, here, after));
      if (!isEar && !(isWhole && turn <= 0 && tried > left.length * 3)) {
        tried++;
        index = (index + 1) % left.length;
        continue;
      }
      if (turn > 0) triangles.push(before, here, after);
      left.splice(index, 1);
      tried = 0;
      // The next ear is not at the same corner, which would make a fan of thin triangles.
      index = (index + 1) % left.length;
    }
  }

  /** Returns whether no other corner is in a triangle. */
  #isFree(outline: readonly number[], a: number, b: number, c: number): boolean {
    this.#work.spend(outline.length);
    const [xs, ys] = [this.#x, this.#y];
    const [ax, ay, bx, by, cx, cy] = [num(xs, a), num(ys, a), num(xs, b), num(ys, b), num(xs, c), num(ys, c)];
    const [west, east] = [Math.min(ax, bx, cx), Math.max(ax, bx, cx)];
    const [south, north] = [Math.min(ay, by, cy), Math.max(ay, by, cy)];
    for (const point of outline) {
      const [x, y] = [num(xs, point), num(ys, point)];
      // Most corners are not near.
      if (x < west || x > east || y < south || y > north || point === a || point === b || point === c) continue;
      const isInside = (bx - ax) * (y - ay) >= (by - ay) * (x - ax) && (cx - bx) * (y - by) >= (cy - by) * (x - bx) &&
        (ax - cx) * (y - cy) >= (ay - cy) * (x - cx);
      if (isInside) return false;
    }
    return true;
  }
}
