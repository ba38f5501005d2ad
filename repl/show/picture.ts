/**
 * Shows a picture: in the terminal, as a line, as a PNG.
 * @module
 */
import type { Context, Input, Results } from "../command/command.ts";
import { CommandError, failureOf } from "../output/failure.ts";
import type { Screen } from "../output/page.ts";
import { oneRow } from "../output/results.ts";
import type { PictureRow } from "../rows/show_rows.ts";
import { UsageError } from "../../system/mod.ts";
import {
  builtInPalette,
  type DecodedPicture,
  detectedGraphics,
  encodePng,
  fittingSize,
  flattened,
  type Graphics,
  graphicsChoices,
  halfBlocks,
  hasTransparency,
  kittyPicture,
  MediaError,
  type Palette,
  type PaletteGame,
  type Picture,
  type PictureKind,
  pictureOf,
  type Room,
  scaled,
  showsAnyColour,
  sixelPicture,
  viewPalette,
} from "../../media/mod.ts";
import { type ShownContext, type ShownFile, wholeFile } from "./file.ts";
import { writeProblem } from "../../formats/parts.ts";
import { errorCodes, RpcError } from "../../protocol/mod.ts";

/** A picture and its description. */
export interface ShownPicture extends DecodedPicture {
  /** One word for programs: `tga`, `mip`, ... */
  readonly format: string;
  /** Name of the texture, if it is part of a file. */
  readonly texture?: string;
}

/** Reads a file of the current view; undefined if it is missing. */
export async function fileIfPresent(context: Context, qpath: string): Promise<ShownFile | undefined> {
  try {
    return await wholeFile(context, qpath);
  } catch (error) {
    if (error instanceof RpcError && error.code === errorCodes.notFound) return undefined;
    throw error;
  }
}

/**
 * Returns the palette of the view's indexed pictures, or a guessed one.
 * @param game Game of the picture, whose palette is tried first.
 */
export async function paletteOf(context: ShownContext, game: PaletteGame): Promise<Palette> {
  const palette = await viewPalette(
    { file: (qpath) => fileIfPresent(context, qpath), palette: context.palette },
    game,
    (qpath, error) => {
      if (!(error instanceof MediaError) && failureOf(error).kind !== "unreadable") throw error;
      context.output.warning(`${qpath} not used: ${failureOf(error).message}`);
    },
  );
  return palette ?? builtInPalette();
}

/** Typical size of a terminal's character in pixels; the terminal is not queried. */
const cell = { width: 10, height: 20 } as const;
/** Minimum pixels to which small pictures are enlarged on terminals with small pixels. */
const comfortable = 192;

function roomFor(screen: Screen, input: Input): { columns: number; lines: number } {
  const wanted = input.options.count("width");
  if (wanted === 0) throw new UsageError("--width takes a number from 1 up");
  if (wanted !== undefined) return { columns: Math.min(wanted, 1000), lines: 1000 };
  // One line is reserved for the description, another for the prompt.
  return { columns: screen.columns, lines: Math.max(4, screen.rows - 2) };
}

function chosenGraphics({ terminal, colour, environment }: Screen, input: Input): Graphics {
  const named = input.options.value("graphics");
  const chosen = graphicsChoices.find((choice) => choice === named);
  if (chosen) return chosen;
  return terminal && colour ? detectedGraphics(environment) : "none";
}

function fitted(picture: Picture, room: Room, enlarge: number): Picture {
  const { width, height } = fittingSize(picture, room);
  if (width < picture.width || height < picture.height) return flattened(scaled(picture, width, height));
  const most = Math.min(enlarge / Math.max(width, height), room.width / width, room.height / height);
  const factor = Math.max(1, Math.floor(most));
  return flattened(scaled(picture, width * factor, height * factor));
}

/** Returns the characters that make a terminal show a picture. */
function drawn(screen: Screen, input: Input, picture: Picture, graphics: Graphics): string {
  const { columns, lines } = roomFor(screen, input);
  if (graphics === "blocks") {
    return halfBlocks(
      fitted(picture, { width: columns, height: lines * 2 }, 0),
      showsAnyColour(screen.environment),
    );
  }
  const room = { width: columns * cell.width, height: lines * cell.height };
  const shown = fitted(picture, room, comfortable);
  return graphics === "kitty" ? kittyPicture(encodePng(shown)) : sixelPicture(shown);
}

async function writePng(path: string, picture: Picture): Promise<void> {
  try {
    await Deno.writeFile(path, encodePng(picture));
  } catch (error) {
    // Some of Deno's errors lack the file name.
    const problem = writeProblem(error, path);
    throw problem === undefined ? error : new CommandError(`${path} ${problem}`, { cause: error });
  }
}

/** Shows a picture in the form given on the command line: a file, a row, or a line and the picture itself. */
export async function* present(
  input: Input,
  file: ShownFile,
  shown: ShownPicture,
): Results<PictureRow> {
  const { picture, title, format, palette, texture } = shown;
  const { width, height } = picture;
  const png = input.options.value("png");
  if (png === "") throw new UsageError("--png needs the name of a file");
  if (png !== undefined) await writePng(png, picture);
  const transparent = hasTransparency(picture);
  const row: PictureRow = {
    qpath: file.qpath,
    view: file.view,
    type: "picture",
    format,
    ...(texture === undefined ? {} : { texture }),
    width,
    height,
    transparent,
    palette,
    ...(png === undefined ? {} : { png }),
  };
  yield oneRow(row, (page) => {
    const colours = palette === null ? "" : `, ${palette === builtInPalette().origin ? "" : "colours of "}${palette}`;
    const written = png === undefined ? "" : `, written to ${png}`;
    page.line(
      { text: file.qpath, style: "heading" },
      `  ${title}, ${width} x ${height} pixels${colours}${transparent ? ", not all opaque" : ""}${written}`,
    );
    if (png !== undefined && input.options.value("graphics") === undefined) return;
    const graphics = chosenGraphics(page.screen, input);
    if (graphics !== "none") page.bytes(new TextEncoder().encode(drawn(page.screen, input, picture, graphics)));
  });
}

/** Shows a file that is a single picture. */
export async function* showPicture(
  context: ShownContext,
  input: Input,
  file: ShownFile,
  kind: PictureKind,
): Results<PictureRow> {
  const decoded = await pictureOf(kind, file.bytes, (game) => paletteOf(context, game));
  yield* present(input, file, { ...decoded, format: kind });
}

/** @throws {CommandError} if options for pictures are given for another kind of file. */
export function refusePictureOptions(input: Input, file: ShownFile, title: string, hasTextures: boolean): void {
  const given = ["png", "texture"].find((name) => input.options.value(name) !== undefined);
  if (given === undefined) return;
  const hint = hasTextures ? "; --texture NAME says which of its textures is meant" : "";
  throw new CommandError(`${file.qpath}: ${title}; --${given} is for pictures${hint}`);
}
