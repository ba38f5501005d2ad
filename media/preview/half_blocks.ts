/**
 * Draws pictures as text: each character is two pixels, one above the other.
 * @module
 */
import type { Picture } from "../pictures/picture.ts";

/** Values of a channel in the 6 x 6 x 6 colours that terminals of 256 colours have from number 16 on. */
const levels = [0, 95, 135, 175, 215, 255] as const;
type Level = 0 | 1 | 2 | 3 | 4 | 5;

function nearestLevel(value: number): Level {
  if (value < 48) return 0;
  return value < 115 ? 1 : Math.min(5, Math.floor((value - 35) / 40)) as Level;
}

/** Returns the nearest of a terminal's 256 colours: one of the cube, or one of the 24 greys from number 232 on. */
export function nearestOf256(red: number, green: number, blue: number): number {
  const [r, g, b] = [nearestLevel(red), nearestLevel(green), nearestLevel(blue)];
  const grey = Math.max(0, Math.min(23, Math.round(((red + green + blue) / 3 - 8) / 10)));
  const shade = 8 + grey * 10;
  const distance = (x: number, y: number, z: number) => (red - x) ** 2 + (green - y) ** 2 + (blue - z) ** 2;
  const byCube = distance(levels[r], levels[g], levels[b]);
  return distance(shade, shade, shade) < byCube ? 232 + grey : 16 + 36 * r + 6 * g + b;
}

function colourAt({ width, height, rgba }: Picture, x: number, y: number, anyColour: boolean): string | undefined {
  if (y >= height) return undefined;
  const offset = (y * width + x) * 4;
  const [red = 0, green = 0, blue = 0] = rgba.subarray(offset, offset + 3);
  return anyColour ? `2;${red};${green};${blue}` : `5;${nearestOf256(red, green, blue)}`;
}

/**
 * Returns a picture as lines of `▀` in two colours, one character per pixel column. Opacity is ignored.
 * @param anyColour Whether the terminal shows all colours; else 256.
 */
export function halfBlocks(picture: Picture, anyColour: boolean): string {
  let text = "";
  for (let y = 0; y < picture.height; y += 2) {
    let front: string | undefined;
    let back: string | undefined;
    for (let x = 0; x < picture.width; x++) {
      const [upper, lower] = [colourAt(picture, x, y, anyColour), colourAt(picture, x, y + 1, anyColour)];
      const changes = [
        ...(upper === front ? [] : [`38;${upper}`]),
        ...(lower === back || lower === undefined ? [] : [`48;${lower}`]),
      ];
      text += changes.length === 0 ? "▀" : `\x1b[${changes.join(";")}m▀`;
      front = upper;
      back = lower;
    }
    text += "\x1b[0m\n";
  }
  return text;
}
