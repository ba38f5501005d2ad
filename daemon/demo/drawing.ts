/**
 * Makes the files of the demo games.
 * @module
 */
import type { FormatName } from "../../formats/parts.ts";
import { encodePng } from "../../media/mod.ts";
import { draw, encodeLmp, encodePcx, encodeTga, type Pattern, toIndices } from "./image.ts";
import { demoPalette } from "./palette.ts";
import { badge, bricks, grate, lamp, liquid, planks, plates, sky, stone, tiles, type Tint } from "./patterns.ts";
import { encodeWav, type Wave } from "./sound.ts";

/** A file: of the installation, or inside one of its packs. */
export interface DemoFile {
  /** Path below the installation's directory or inside the pack, `/`-separated. */
  readonly path: string;
  /** All of its bytes. */
  readonly content: Uint8Array;
}

/** An archive of the installation. */
export interface DemoPack {
  /** Path below the installation's directory, `/`-separated. */
  readonly path: string;
  /** Format of the archive. */
  readonly format: FormatName;
  /** Files of the archive, in this order. */
  readonly members: readonly DemoFile[];
}

const palette = demoPalette();

/** Makes a text file. */
export function text(path: string, lines: readonly string[]): DemoFile {
  return { path, content: new TextEncoder().encode(lines.join("\n") + "\n") };
}

/** Makes a square TGA texture. */
export function texture(path: string, pattern: Pattern, size = 64): DemoFile {
  return { path: `${path}.tga`, content: encodeTga(draw(size, size, pattern)) };
}

/** Makes a PNG picture. */
export function png(path: string, pattern: Pattern, width = 64, height = width): DemoFile {
  return { path: `${path}.png`, content: encodePng(draw(width, height, pattern)) };
}

/** Makes a PCX picture in the demo's palette. */
export function pcx(path: string, pattern: Pattern, width = 64, height = width): DemoFile {
  return { path: `${path}.pcx`, content: encodePcx(draw(width, height, pattern), palette) };
}

/** Makes a Quake picture in the demo's palette. */
export function lmp(path: string, pattern: Pattern, width: number, height: number): DemoFile {
  return { path: `${path}.lmp`, content: encodeLmp(draw(width, height, pattern), palette) };
}

/** Makes a sound of `length` seconds; with `loop`, games repeat it from that second on. */
export function sound(path: string, wave: Wave, length: number, loop?: number): DemoFile {
  return { path: `${path}.wav`, content: encodeWav(wave, length, loop) };
}

/** Makes the indices of a square picture in the demo's palette. */
export function indices(pattern: Pattern, size: number): Uint8Array {
  return toIndices(draw(size, size, pattern), palette);
}

/** Tints by name. */
export const tints = {
  red: [190, 80, 60],
  brown: [150, 110, 75],
  grey: [165, 165, 170],
  green: [95, 140, 80],
  blue: [80, 110, 190],
  sand: [205, 180, 130],
  rust: [170, 95, 50],
  violet: [130, 95, 165],
} as const satisfies Record<string, Tint>;

type Surface = (tint: Tint, seed: number) => Pattern;

const surfaces: Record<string, Surface> = {
  brick: (tint, seed) => bricks(tint, seed),
  tile: (tint, seed) => tiles(tint, seed),
  stone,
  metal: (tint, seed) => plates(tint, seed),
  wood: (tint, seed) => planks(tint, seed),
};

/** Makes one texture of every surface in every tint: `textures/brick/red.tga`. */
export function everySurface(seed: number): DemoFile[] {
  return Object.entries(surfaces).flatMap(([name, surface], row) =>
    Object.entries(tints).map(([tint, colour], column) =>
      texture(`textures/${name}/${tint}`, surface(colour, seed + row * 16 + column))
    )
  );
}

/** Makes liquids, lamps, grates and the six sides of a sky. */
export function everySpecial(seed: number): DemoFile[] {
  return [
    texture("textures/liquid/water", liquid(tints.blue, seed, 160)),
    texture("textures/liquid/slime", liquid(tints.green, seed + 1, 200)),
    texture("textures/liquid/lava", liquid([255, 120, 40], seed + 2)),
    texture("textures/light/warm", lamp([255, 200, 120], seed + 3)),
    texture("textures/light/cold", lamp([150, 190, 255], seed + 4)),
    texture("textures/grate/iron", grate(tints.grey, seed + 5)),
    texture("textures/grate/rust", grate(tints.rust, seed + 6)),
    ...["ft", "bk", "lf", "rt", "up", "dn"].map((side, index) =>
      texture(`gfx/env/dusk_${side}`, sky([90, 110, 180], seed + 10 + index), 128)
    ),
  ];
}

/** Makes icons for `names`, as PNG. */
export function icons(directory: string, names: readonly string[], tint: Tint, seed: number): DemoFile[] {
  return names.map((name, index) => png(`${directory}/${name}`, badge(tint, seed + index), 48));
}
