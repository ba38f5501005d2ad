/**
 * Shapes of maps: surfaces with one texture and one lightmap, in the engine's space.
 * @module
 */
import { MediaError } from "../core/reader.ts";
import { num } from "../models/geometry.ts";
import type { Picture } from "../pictures/picture.ts";

/** How a surface is lit: by a lightmap, by vertex colours, fully, or undefined by the map. */
export type Light = { readonly page: number } | "vertices" | "full" | "unknown";

/** Surfaces of one part of a map that look the same. */
export interface MapSurface {
  /** Part of the map: 0 is the world, others move. */
  readonly model: number;
  /** Index of the texture in the map. */
  readonly texture: number;
  readonly light: Light;
  /** Opacity from 0 to 1. */
  readonly opacity: number;
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** Two numbers per vertex: pixels of its texture, or fractions of its size. */
  readonly imagePoints: Float32Array;
  /** Two numbers per vertex: fractions of the lightmap; empty without one. */
  readonly lightPoints: Float32Array;
  /** Red, green, blue and opacity per vertex; empty unless they light the surface. */
  readonly colours: Uint8Array;
  /** Three vertices per triangle, counterclockwise seen from outside. */
  readonly triangles: Uint32Array;
}

/** The shape of a map. */
export interface MapGeometry {
  readonly surfaces: readonly MapSurface[];
  readonly lightPages: readonly Picture[];
  /** Whether texture coordinates are pixels of the texture. */
  readonly isInPixels: boolean;
}

/** A vertex; opacity and colour only if used. */
export interface Vertex {
  readonly position: readonly [number, number, number];
  readonly normal: readonly [number, number, number];
  readonly image: readonly [number, number];
  readonly light: readonly [number, number];
  readonly colour: readonly [number, number, number, number];
}

/** Maximum vertices of a map, and corners of triangles. */
const maxVertices = 2 * 1024 * 1024;
const maxCorners = 4 * maxVertices;

/** Groups surfaces by their look. */
class Group {
  readonly positions: number[] = [];
  readonly normals: number[] = [];
  readonly imagePoints: number[] = [];
  readonly lightPoints: number[] = [];
  readonly colours: number[] = [];
  readonly triangles: number[] = [];
}

/** Look of a surface under construction. */
export type SurfaceLook = Pick<MapSurface, "model" | "texture" | "light" | "opacity">;

/** Collects surfaces, grouped by their look. */
export class SurfaceBuilder {
  readonly #groups = new Map<string, { readonly look: SurfaceLook; readonly group: Group }>();
  #vertices = 0;
  #corners = 0;

  /**
   * Checks that a surface may be added; called before its vertices are made.
   * @throws {MediaError} if the map has too many.
   */
  require(vertices: number, corners: number): void {
    this.#vertices += vertices;
    this.#corners += corners;
    if (this.#vertices > maxVertices || this.#corners > maxCorners) {
      throw new MediaError(`its surfaces have more than ${maxVertices} vertices`);
    }
  }

  /** Adds a surface: its vertices, and triangles of their indices. */
  add(look: SurfaceLook, vertices: readonly Vertex[], triangles: readonly number[]): void {
    const key = JSON.stringify(look);
    const known = this.#groups.get(key) ?? { look, group: new Group() };
    this.#groups.set(key, known);
    const { group } = known;
    const first = group.positions.length / 3;
    for (const { position, normal, image, light, colour } of vertices) {
      group.positions.push(...position);
      group.normals.push(...normal);
      group.imagePoints.push(...image);
      if (typeof look.light === "object") group.lightPoints.push(...light);
      if (look.light === "vertices") group.colours.push(...colour);
    }
    for (const vertex of triangles) {
      if (vertex >= vertices.length) throw new MediaError(`a surface has vertex ${vertex} of ${vertices.length}`);
      group.triangles.push(first + vertex);
    }
  }

  /** Returns the surfaces, in the order in which their looks first occurred. */
  finish(): MapSurface[] {
    return Array.from(this.#groups.values(), ({ look, group }) => ({
      ...look,
      positions: Float32Array.from(group.positions),
      normals: Float32Array.from(group.normals),
      imagePoints: Float32Array.from(group.imagePoints),
      lightPoints: Float32Array.from(group.lightPoints),
      colours: Uint8Array.from(group.colours),
      triangles: Uint32Array.from(group.triangles),
    })).filter(({ triangles }) => triangles.length > 0);
  }
}

/**
 * Writes a brightened colour; one that is too bright keeps its hue (code/renderer/tr_bsp.c,
 * `R_ColorShiftLightingBytes`).
 */
export function putBright(
  target: Uint8Array,
  offset: number,
  red: number,
  green: number,
  blue: number,
  factor: number,
): void {
  const most = Math.max(red, green, blue) * factor;
  const used = most > 255 ? factor * 255 / most : factor;
  target[offset] = red * used;
  target[offset + 1] = green * used;
  target[offset + 2] = blue * used;
  target[offset + 3] = 255;
}

/** A rectangle of light. */
export interface LightBlock {
  readonly width: number;
  readonly height: number;
}

/** Position of a block of light. */
export interface LightPlace {
  readonly page: number;
  readonly x: number;
  readonly y: number;
}

/** Width and maximum height of a page of light, in samples. */
export const lightPage = 1024;
/** Maximum number of pages: 64 million samples. */
const maxPages = 64;

/**
 * Places blocks of light on pages, the highest first, row by row.
 * @throws {MediaError} if a block is larger than a page, or they are too many.
 */
export function placeBlocks(blocks: readonly LightBlock[]): { places: LightPlace[]; heights: number[] } {
  const order = Array.from(blocks.keys()).sort((a, b) =>
    (blocks[b]?.height ?? 0) - (blocks[a]?.height ?? 0) || (blocks[b]?.width ?? 0) - (blocks[a]?.width ?? 0) || a - b
  );
  const places: LightPlace[] = [];
  const heights: number[] = [];
  let [x, y, row] = [0, 0, 0];
  for (const index of order) {
    const { width, height } = blocks[index] ?? { width: 0, height: 0 };
    if (width > lightPage || height > lightPage) {
      throw new MediaError(`a surface has ${width} x ${height} samples of light`);
    }
    if (x + width > lightPage) [x, y, row] = [0, y + row, 0];
    if (y + height > lightPage || heights.length === 0) {
      if (heights.length === maxPages) throw new MediaError(`its light needs more than ${maxPages} pages`);
      heights.push(0);
      [x, y, row] = [0, 0, 0];
    }
    places[index] = { page: heights.length - 1, x, y };
    row = Math.max(row, height);
    heights[heights.length - 1] = Math.max(num(heights, heights.length - 1), y + height);
    x += width;
  }
  return { places, heights };
}
