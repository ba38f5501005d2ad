/**
 * Surfaces: brick, stone, metal, water and the like, as functions from a position to a colour.
 * @module
 */
import type { Colour, Pattern } from "./image.ts";
import { cloud, hash } from "./noise.ts";

/** A tint: red, green and blue of [0, 255]. */
export type Tint = readonly [number, number, number];

function shaded(tint: Tint, brightness: number, opacity = 255): Colour {
  return [tint[0] * brightness, tint[1] * brightness, tint[2] * brightness, opacity];
}

/** Courses of bricks with mortar between them. */
export function bricks(tint: Tint, seed: number, rows = 8): Pattern {
  return (u, v) => {
    const row = Math.floor(v * rows);
    const along = u * rows / 2 + (row % 2) / 2;
    const column = Math.floor(along) % (rows / 2);
    const inMortar = along % 1 < 0.06 || (v * rows) % 1 < 0.12;
    const grain = cloud(u, v, 16, 3, seed);
    if (inMortar) return shaded([150, 145, 135], 0.55 + 0.3 * grain);
    return shaded(tint, 0.55 + 0.35 * hash(column, row, seed) + 0.3 * (grain - 0.5));
  };
}

/** Squares in two shades. */
export function tiles(tint: Tint, seed: number, count = 4): Pattern {
  return (u, v) => {
    const odd = (Math.floor(u * count) + Math.floor(v * count)) % 2 === 1;
    const atEdge = (u * count) % 1 < 0.04 || (v * count) % 1 < 0.04;
    return shaded(tint, (odd ? 0.85 : 0.5) * (0.85 + 0.3 * cloud(u, v, 8, 4, seed)) * (atEdge ? 0.6 : 1));
  };
}

/** Rough stone. */
export function stone(tint: Tint, seed: number): Pattern {
  return (u, v) => {
    const height = cloud(u, v, 4, 5, seed);
    const crack = Math.abs(cloud(u, v, 3, 3, seed + 50) - 0.5) < 0.015 ? 0.45 : 1;
    return shaded(tint, (0.3 + 0.8 * height) * crack);
  };
}

/** Metal plates with rivets in their corners. */
export function plates(tint: Tint, seed: number, count = 2): Pattern {
  return (u, v) => {
    const x = (u * count) % 1;
    const y = (v * count) % 1;
    const fromCorner = Math.hypot(Math.min(x, 1 - x) - 0.12, Math.min(y, 1 - y) - 0.12);
    const seam = Math.min(x, y, 1 - x, 1 - y) < 0.03;
    const brushed = cloud(u / 8, v, 64, 2, seed);
    if (fromCorner < 0.045) return shaded(tint, 1.2 - 8 * fromCorner);
    return shaded(tint, seam ? 0.25 : 0.55 + 0.3 * brushed - 0.15 * y);
  };
}

/** A liquid. */
export function liquid(tint: Tint, seed: number, opacity = 255): Pattern {
  return (u, v) => {
    const ripple = Math.abs(2 * cloud(u, v, 5, 4, seed) - 1);
    return shaded(tint, 0.45 + 0.9 * (1 - ripple) ** 3, opacity);
  };
}

/** Planks. */
export function planks(tint: Tint, seed: number, count = 4): Pattern {
  return (u, v) => {
    const plank = Math.floor(u * count);
    const gap = (u * count) % 1 < 0.05;
    const grain = cloud((u + plank * 0.37) % 1, v / 4, 32, 3, seed + plank);
    return shaded(tint, gap ? 0.2 : 0.5 + 0.25 * hash(plank, 0, seed) + 0.4 * (grain - 0.3));
  };
}

/** Bars on a transparent background. */
export function grate(tint: Tint, seed: number, count = 8): Pattern {
  return (u, v) => {
    const x = (u * count) % 1;
    const y = (v * count) % 1;
    if (x > 0.3 && y > 0.3) return [0, 0, 0, 0];
    return shaded(tint, 0.6 + 0.4 * cloud(u, v, 16, 2, seed) - 0.4 * Math.min(x, y));
  };
}

/** A lamp: bright in the middle, in a dark frame. */
export function lamp(tint: Tint, seed: number): Pattern {
  return (u, v) => {
    const distance = Math.hypot(u - 0.5, v - 0.5);
    if (distance > 0.42) return shaded([90, 85, 80], 0.5 + 0.4 * cloud(u, v, 8, 3, seed));
    const glow = 1.25 - 1.6 * distance;
    return [tint[0] * glow + 60 * glow, tint[1] * glow + 60 * glow, tint[2] * glow + 60 * glow, 255];
  };
}

/** Sky with clouds; `v` runs from the zenith to the horizon. */
export function sky(tint: Tint, seed: number): Pattern {
  return (u, v) => {
    const density = Math.max(0, cloud(u, v, 4, 5, seed) - 0.45) * 3;
    const light = 0.5 + 0.5 * v;
    return [tint[0] * light + 190 * density, tint[1] * light + 180 * density, tint[2] * light + 170 * density, 255];
  };
}

/** A round mark on a transparent background: an icon. */
export function badge(tint: Tint, seed: number): Pattern {
  const points = 3 + Math.floor(hash(1, 2, seed) * 5);
  return (u, v) => {
    const angle = Math.atan2(v - 0.5, u - 0.5);
    const distance = Math.hypot(u - 0.5, v - 0.5);
    const edge = 0.34 + 0.1 * Math.cos(angle * points);
    if (distance > edge) return [0, 0, 0, 0];
    return shaded(tint, 1.1 - distance);
  };
}
