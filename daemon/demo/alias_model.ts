/**
 * Writes models of Quake: version 6 of MDL (id-Software/Quake `modelgen.h`).
 * @module
 */
import { concatenate, float32, int32, name } from "./bytes.ts";

/** A ring of a rotationally symmetric body. */
export interface Ring {
  readonly radius: number;
  readonly height: number;
}

/** A model that swings: turned around the vertical axis, seen from outside. */
export interface TurnedModel {
  /** Rings from the lowest to the highest. */
  readonly rings: readonly Ring[];
  /** Number of flat sides. */
  readonly segments: number;
  /** Width and height of the skins, in pixels. */
  readonly skinSide: number;
  /** Indices of the palette, a pixel each; the skin is wound around the body. */
  readonly skins: readonly Uint8Array[];
  /** Angle by which the model leans in each frame, around its highest point. */
  readonly swing: readonly number[];
}

type Point = readonly [x: number, y: number, z: number];

/** Serializes a model. */
export function encodeMdl({ rings, segments, skinSide, skins, swing }: TurnedModel): Uint8Array {
  const columns = segments + 1;
  const top = Math.max(...rings.map(({ height }) => height));
  const reach = Math.max(...rings.map(({ radius, height }) => Math.hypot(radius, top - height)));
  const low: Point = [-reach, -reach, top - reach];
  // Coordinates are bytes.
  const scale = 2 * reach / 255;
  const frames = swing.map((angle, frame) => {
    const vertices = rings.flatMap(({ radius, height }) =>
      Array.from({ length: columns }, (_, column) => {
        // The last column has the position of the first one, with the other end of the skin.
        const turn = 2 * Math.PI * (column % segments) / segments;
        const [x, y, z] = [radius * Math.cos(turn), radius * Math.sin(turn), height - top];
        const point: Point = [
          x * Math.cos(angle) - z * Math.sin(angle),
          y,
          top + x * Math.sin(angle) + z * Math.cos(angle),
        ];
        // The last byte is the number of a normal, which matters for light only.
        return Uint8Array.of(...point.map((part, axis) => Math.round((part - (low[axis] ?? 0)) / scale)), 0);
      })
    );
    const all = concatenate(vertices);
    const box = [Math.min, Math.max].map((best) =>
      Uint8Array.of(...[0, 1, 2].map((axis) => best(...vertices.map((vertex) => vertex[axis] ?? 0))), 0)
    );
    return concatenate([int32(0), ...box, name(`swing${frame + 1}`, 16), all]);
  });
  const imagePoints = rings.flatMap((_, ring) =>
    Array.from({ length: columns }, (_, column) => {
      const [s, t] = [column / segments, 1 - ring / (rings.length - 1)];
      return int32(0, Math.round(s * (skinSide - 1)), Math.round(t * (skinSide - 1)));
    })
  );
  const triangles = rings.slice(1).flatMap((_, ring) =>
    Array.from({ length: segments }, (_, column) => {
      const [here, above] = [ring * columns + column, (ring + 1) * columns + column];
      // Clockwise seen from outside; the first number selects the left half of the skin.
      return int32(1, here, above, above + 1, 1, here, above + 1, here + 1);
    })
  );
  const header = concatenate([
    name("IDPO", 4),
    int32(6),
    float32(scale, scale, scale, ...low, reach, 0, 0, top),
    int32(skins.length, skinSide, skinSide, imagePoints.length, triangles.length * 2, frames.length, 0, 0),
    float32(skinSide * skinSide / imagePoints.length),
  ]);
  const pictures = skins.flatMap((skin) => [int32(0), skin]);
  return concatenate([header, ...pictures, ...imagePoints, ...triangles, ...frames]);
}
