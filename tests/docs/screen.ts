/**
 * Draws the picture at the top of the README: a terminal that shows what `which` and `show` print for the demo game.
 * `deno task docs:write` writes it, and a test compares it with what they print now.
 * @module
 */
import { writeDemoInstallation } from "../../demo/installation.ts";
import { openLocalGames } from "../../service/local.ts";
import { runLine } from "../repl/harness.ts";
import { environment } from "../support/environment.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const commands = ["which textures/brick/red.tga", "show textures/brick/red.tga --width 32"];
const columns = 100;
const cell = { width: 8, height: 18 };
const margin = 16;
/** Foreground by ANSI code: bold, dim, and the colours that the two commands use. */
const styles = new Map([["1", "#ffffff"], ["2", "#8b949e"], ["31", "#ff7b72"], ["1;32", "#7ee787"]]);
const plain = "#c9d1d9";

/** Returns what a terminal shows for the commands, as lines with escape sequences. */
async function printed(): Promise<string[]> {
  await using directory = await temporaryDirectory();
  using _home = environment({ HOME: directory.path });
  await writeDemoInstallation(`${directory.path}/games`);
  const connection = await openLocalGames([
    { name: "quake", profile: "quakespasm", sources: [`${directory.path}/games/quake`] },
  ]);
  const variables = { TERM: "xterm-256color", COLORTERM: "truecolor" };
  try {
    const outputs: string[] = [];
    for (const command of commands) {
      const surroundings = { connection, terminal: true, columns, environment: variables };
      // deno-lint-ignore no-await-in-loop -- one after the other, as on a screen
      const { out } = await runLine(`${command} --view quake/lanterns`, surroundings);
      outputs.push(`\x1b[1m$ pakfs ${command}\x1b[0m\n${out}`);
    }
    return outputs.join("\n").trimEnd().split("\n");
  } finally {
    await connection.close();
  }
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Draws the lines: text as text, half blocks as two pixels. Pixels of one colour are one path. */
function draw(lines: readonly string[]): string {
  const texts: string[] = [];
  const pixels = new Map<string, string>();
  const addPixel = (colour: string, column: number, row: number) => {
    pixels.set(colour, `${pixels.get(colour) ?? ""}M${column} ${row}h1v1h-1z`);
  };
  for (const [row, line] of lines.entries()) {
    let [column, style, upper, lower] = [0, plain, "", ""];
    // deno-lint-ignore no-control-regex -- escape sequences begin with that character
    for (const [, codes, text = ""] of line.matchAll(/(?:\x1b\[([\d;]*)m)?([^\x1b]*)/g)) {
      const colours = Array.from((codes ?? "").matchAll(/([34])8;2;(\d+);(\d+);(\d+)/g));
      for (const [, layer, ...channels] of colours) {
        const colour = `#${channels.map((value) => Number(value).toString(16).padStart(2, "0")).join("")}`;
        if (layer === "3") upper = colour;
        else lower = colour;
      }
      if (colours.length === 0 && codes !== undefined) style = styles.get(codes) ?? plain;
      for (const _ of text.matchAll(/▀/g)) {
        addPixel(upper, column, row * 2);
        addPixel(lower, column++, row * 2 + 1);
      }
      const words = text.replaceAll("▀", "");
      if (words.trim() !== "") {
        const indent = words.length - words.trimStart().length;
        const shown = words.trim();
        const [x, y] = [(column + indent) * cell.width, row * cell.height + 13];
        texts.push(
          `<text x="${x}" y="${y}" fill="${style}" textLength="${shown.length * cell.width}">${escaped(shown)}</text>`,
        );
      }
      column += words.length;
    }
  }
  const [width, height] = [columns * cell.width + margin * 2, lines.length * cell.height + margin * 2];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>pakfs which and pakfs show, in a terminal</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#161b22"/>`,
    `<g transform="translate(${margin} ${margin})" font-family="ui-monospace, monospace" font-size="13" xml:space="preserve">`,
    ...texts,
    "</g>",
    `<g transform="translate(${margin} ${margin}) scale(${cell.width} ${
      cell.height / 2
    })" shape-rendering="crispEdges">`,
    ...Array.from(pixels, ([colour, path]) => `<path fill="${colour}" d="${path}"/>`),
    "</g>",
    "</svg>\n",
  ].join("\n");
}

/** Returns the picture as SVG. */
export async function drawScreen(): Promise<string> {
  return draw(await printed());
}
