/**
 * Draws maps of Doom's engines from above, as SVG.
 * @module
 */
import { MediaError } from "../core/reader.ts";
import { type DoomMap, sectorsOf } from "./doom_map.ts";

/** Styles of lines: walls, steps and changes of the ceiling, and what only divides two sectors. */
const styles = [["wall", "#c9302c", 3], ["step", "#a0764a", 2], ["other", "#8a8a8a", 1]] as const;

type Sectors = readonly [right: number | undefined, left: number | undefined];

function styleOf([right, left]: Sectors, { sectors }: DoomMap): typeof styles[number][0] {
  if (right === undefined || left === undefined) return "wall";
  const [one, two] = [sectors[right], sectors[left]];
  if (!one || !two) return "other";
  return one.floor.height !== two.floor.height || one.ceiling.height !== two.ceiling.height ? "step" : "other";
}

/**
 * Draws a map.
 * @throws {MediaError} if it has no line.
 */
export function doomMapPlan(map: DoomMap): string {
  const { points, lines } = map;
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
    paths.get(styleOf(sectorsOf(line, map), map))?.push(`M${from.join(" ")}L${to.join(" ")}`);
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
