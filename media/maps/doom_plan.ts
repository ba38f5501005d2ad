/**
 * Draws maps of Doom's engines from above, as SVG.
 *
 * `VERTEXES`: i16 x, i16 y. `LINEDEFS`: u16 start, u16 end, u16 flags, u16 special, u16 tag, u16 right side, u16 left side
 * (65535 for none); in Hexen's format, of maps with `BEHAVIOR`, 16 bytes with the sides at 12 and 14. `SIDEDEFS`: 30
 * bytes with the u16 sector at 28. `SECTORS`: 26 bytes that begin with i16 floor, i16 ceiling. (id-Software/DOOM doomdata.h;
 * `maplinedef_t` of Hexen's xddefs.h.) `TEXTMAP`: blocks of the UDMF specification 1.1.
 * @module
 */
import { MediaError, Reader } from "../core/reader.ts";

/** A line of a map. */
interface Line {
  readonly start: number;
  readonly end: number;
  /** Sectors on both sides; undefined where there is none. */
  readonly sectors: readonly [number | undefined, number | undefined];
}

/** The parts of a map that a plan shows. */
interface Plan {
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly lines: readonly Line[];
  /** Floor and ceiling of each sector. */
  readonly heights: readonly (readonly [floor: number, ceiling: number])[];
}

/** Lumps of a map in the formats of Doom and Hexen. */
export interface DoomMapLumps {
  readonly lines: Uint8Array;
  readonly points: Uint8Array;
  readonly sides: Uint8Array;
  readonly sectors: Uint8Array;
  /** Whether lines are in Hexen's format. */
  readonly isHexen: boolean;
}

const noSide = 0xffff;
/** Maximum lines of a plan: no engine takes more in the format of Doom. */
const maxLines = 1_000_000;

function each<Part>(bytes: Uint8Array, size: number, read: (reader: Reader, offset: number) => Part): Part[] {
  const reader = new Reader(bytes);
  const count = Math.floor(bytes.length / size);
  if (count > maxLines) throw new MediaError(`${count} lines of a map are too many`);
  return Array.from({ length: count }, (_, index) => read(reader, index * size));
}

function binaryPlan({ lines, points, sides, sectors, isHexen }: DoomMapLumps): Plan {
  const sectorOf = each(sides, 30, (reader, offset) => reader.u16(offset + 28));
  const [size, at] = isHexen ? [16, 12] : [14, 10];
  return {
    points: each(points, 4, (reader, offset) => [reader.i16(offset), reader.i16(offset + 2)] as const),
    heights: each(sectors, 26, (reader, offset) => [reader.i16(offset), reader.i16(offset + 2)] as const),
    lines: each(lines, size, (reader, offset): Line => {
      const side = (number: number) => number === noSide ? undefined : sectorOf[number];
      const both = [side(reader.u16(offset + at)), side(reader.u16(offset + at + 2))] as const;
      return { start: reader.u16(offset), end: reader.u16(offset + 2), sectors: both };
    }),
  };
}

const latin = new TextDecoder("latin1");
/** Strings and comments, which say nothing of lines. */
const unread = /"(?:[^"\\]|\\[\s\S])*"?|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g;
const block = /\b(vertex|linedef|sidedef|sector)\s*\{([^{}]*)\}/gi;
const field = /(\w+)\s*=\s*([-+.\w]+)/g;

function textPlan(bytes: Uint8Array): Plan {
  const found: Record<string, Map<string, number>[]> = { vertex: [], linedef: [], sidedef: [], sector: [] };
  let count = 0;
  for (const [, kind = "", fields = ""] of latin.decode(bytes).replace(unread, " ").matchAll(block)) {
    if (++count > maxLines) throw new MediaError(`${count} parts of a map are too many`);
    const values = Array.from(fields.matchAll(field), ([, key = "", value = ""]): [string, number] => {
      return [key.toLowerCase(), Number(value)];
    });
    found[kind.toLowerCase()]?.push(new Map(values));
  }
  const number = (part: ReadonlyMap<string, number>, key: string, other = 0) => {
    const value = part.get(key) ?? other;
    return Number.isFinite(value) ? value : other;
  };
  const sectorOf = (found.sidedef ?? []).map((side) => number(side, "sector"));
  const side = (index: number) => index < 0 ? undefined : sectorOf[index];
  return {
    points: (found.vertex ?? []).map((point) => [number(point, "x"), number(point, "y")]),
    heights: (found.sector ?? []).map((sector) => [number(sector, "heightfloor"), number(sector, "heightceiling")]),
    lines: (found.linedef ?? []).map((line): Line => ({
      start: number(line, "v1"),
      end: number(line, "v2"),
      sectors: [side(number(line, "sidefront", -1)), side(number(line, "sideback", -1))],
    })),
  };
}

/** Styles of lines: walls, steps and changes of the ceiling, and what only divides two sectors. */
const styles = [["wall", "#c9302c", 3], ["step", "#a0764a", 2], ["other", "#8a8a8a", 1]] as const;

function styleOf({ sectors: [right, left] }: Line, heights: Plan["heights"]): typeof styles[number][0] {
  if (right === undefined || left === undefined) return "wall";
  const [one, two] = [heights[right], heights[left]];
  return one && two && (one[0] !== two[0] || one[1] !== two[1]) ? "step" : "other";
}

function svgOf({ points, lines, heights }: Plan): string {
  const paths = new Map(styles.map(([style]): [string, string[]] => [style, []]));
  const [low, high] = [[Infinity, Infinity], [-Infinity, -Infinity]] as [[number, number], [number, number]];
  for (const line of lines) {
    const [start, end] = [points[line.start], points[line.end]];
    if (!start || !end) continue;
    // Maps have y to the north, SVG to the south.
    const [from, to] = [[start[0], -start[1]], [end[0], -end[1]]] as const;
    for (const [x, y] of [from, to]) {
      low[0] = Math.min(low[0], x);
      low[1] = Math.min(low[1], y);
      high[0] = Math.max(high[0], x);
      high[1] = Math.max(high[1], y);
    }
    paths.get(styleOf(line, heights))?.push(`M${from.join(" ")}L${to.join(" ")}`);
  }
  if (low[0] > high[0]) throw new MediaError("it has no line between two points");
  const room = Math.max(32, (high[0] - low[0] + high[1] - low[1]) / 50);
  const box = [low[0] - room, low[1] - room, high[0] - low[0] + 2 * room, high[1] - low[1] + 2 * room];
  const drawn = styles.toReversed().flatMap(([style, colour, width]) => {
    const path = paths.get(style) ?? [];
    const stroke = `fill="none" stroke="${colour}" stroke-width="${width}" vector-effect="non-scaling-stroke"`;
    return path.length === 0 ? [] : [`<path class="${style}" ${stroke} d="${path.join("")}"/>\n`];
  });
  const size = `width="${Math.ceil((box[2] ?? 0) / 4)}" height="${Math.ceil((box[3] ?? 0) / 4)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="${box.join(" ")}">\n${drawn.join("")}</svg>\n`;
}

/**
 * Draws a map in the format of Doom or Hexen.
 * @throws {MediaError} if it has no line.
 */
export function doomMapPlan(lumps: DoomMapLumps): string {
  return svgOf(binaryPlan(lumps));
}

/**
 * Draws a map in UDMF.
 * @throws {MediaError} if it has no line.
 */
export function textMapPlan(bytes: Uint8Array): string {
  return svgOf(textPlan(bytes));
}
