/**
 * Shows a picture: in the terminal, as a line, as a PNG.
 * @module
 */
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import type { Context, Input, Results } from "../command/command.ts";
import { CommandError, failureOf } from "../output/failure.ts";
import type { Screen } from "../output/page.ts";
import { oneRow } from "../output/results.ts";
import type { PictureRow } from "../rows/show_rows.ts";
import { UsageError } from "../../command_line/usage.ts";
import { detectedGraphics, type Graphics, graphicsChoices, showsAnyColour } from "../../preview/graphics.ts";
import { halfBlocks } from "../../preview/half_blocks.ts";
import { decodeJpeg } from "../../media/pictures/jpeg.ts";
import { kittyPicture } from "../../preview/kitty.ts";
import { builtInPalette, type Palette, readPalette } from "../../media/pictures/palette.ts";
import { decodePcx, pcxPalette } from "../../media/pictures/pcx.ts";
import { hasTransparency, type Picture } from "../../media/pictures/picture.ts";
import { decodePng, encodePng } from "../../media/pictures/png.ts";
import { decodeLmp, decodeMip, decodeWal } from "../../media/pictures/quake_picture.ts";
import { MediaError } from "../../media/core/reader.ts";
import { fittingSize, flattened, type Room, scaled } from "../../preview/scale.ts";
import { sixelPicture } from "../../preview/sixel.ts";
import { decodeTga } from "../../media/pictures/tga.ts";
import type { PictureKind } from "../../media/file_kind.ts";
import { type ShownFile, wholeFile } from "./file.ts";

/** A picture and its description. */
export interface ShownPicture {
  readonly picture: Picture;
  /** `TGA`, `texture sky1 of a Quake map`, ... */
  readonly title: string;
  /** One word for programs: `tga`, `mip`, ... */
  readonly format: string;
  /** Origin of its colours; null if it has its own. */
  readonly palette: string | null;
  /** Name of the texture, where it is part of a file. */
  readonly texture?: string;
}

/** Paths of palettes by game. */
const palettePaths = { quake: "gfx/palette.lmp", quake2: "pics/colormap.pcx" } as const;

/**
 * Returns the palette of the view's indexed pictures.
 * @param game Game of the picture: its palette is looked up first.
 */
export async function paletteOf(context: Context, game: keyof typeof palettePaths): Promise<Palette> {
  const order = game === "quake" ? ["quake", "quake2"] as const : ["quake2", "quake"] as const;
  for (const which of order) {
    const qpath = palettePaths[which];
    try {
      // deno-lint-ignore no-await-in-loop -- the second is only read if the first is missing
      const { bytes } = await wholeFile(context, qpath);
      return which === "quake" ? readPalette(bytes, qpath) : pcxPalette(bytes, qpath);
    } catch (error) {
      const isMissing = error instanceof RpcError && error.code === errorCodes.notFound;
      if (isMissing) continue;
      if (!(error instanceof MediaError) && failureOf(error).kind !== "unreadable") throw error;
      context.output.warning(`${qpath} not used: ${failureOf(error).message}`);
    }
  }
  return builtInPalette();
}

/**
 * Decodes a file that is one picture.
 * @throws {MediaError} if it is damaged.
 */
async function pictureOf(context: Context, kind: PictureKind, bytes: Uint8Array): Promise<ShownPicture> {
  const plain = (picture: Picture, title: string): ShownPicture => ({ picture, title, format: kind, palette: null });
  if (kind === "png") return plain(decodePng(bytes), "PNG");
  if (kind === "jpeg") return plain(await decodeJpeg(bytes), "JPEG");
  if (kind === "tga") return plain(decodeTga(bytes), "TGA");
  if (kind === "pcx") return plain(decodePcx(bytes), "PCX");
  const palette = await paletteOf(context, kind === "wal" ? "quake2" : "quake");
  if (kind === "mip") {
    const texture = decodeMip(bytes, 0, palette, true);
    return { picture: texture.picture, title: "MIP texture", format: kind, palette: texture.palette.origin };
  }
  const picture = kind === "wal" ? decodeWal(bytes, palette) : decodeLmp(bytes, palette);
  const isPalette = kind === "lmp" && bytes.length === 768;
  return { ...plain(picture, kind.toUpperCase()), palette: isPalette ? null : palette.origin };
}

/** Typical pixels of a terminal's character; the terminal is not asked. */
const cell = { width: 10, height: 20 } as const;
/** Pixels to which small pictures are enlarged where pixels are small. */
const comfortable = 192;

function roomFor(screen: Screen, input: Input): { columns: number; lines: number } {
  const wanted = input.options.count("width");
  if (wanted === 0) throw new UsageError("--width takes a number from 1 up");
  if (wanted !== undefined) return { columns: Math.min(wanted, 1000), lines: 1000 };
  // One line is left for the description, another for the prompt.
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

/** Shows a picture as the command line asks for: a file, a row, or a line and the picture itself. */
export async function* present(
  input: Input,
  file: ShownFile,
  shown: ShownPicture,
): Results<PictureRow> {
  const { picture, title, format, palette, texture } = shown;
  const { width, height } = picture;
  const png = input.options.value("png");
  if (png === "") throw new UsageError("--png needs the name of a file");
  if (png !== undefined) await Deno.writeFile(png, encodePng(picture));
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

/** Shows a file that is one picture. */
export async function* showPicture(
  context: Context,
  input: Input,
  file: ShownFile,
  kind: PictureKind,
): Results<PictureRow> {
  yield* present(input, file, await pictureOf(context, kind, file.bytes));
}

/** @throws {CommandError} if options for pictures are given for another kind of file. */
export function refusePictureOptions(input: Input, file: ShownFile, title: string, hasTextures: boolean): void {
  const given = ["png", "texture"].find((name) => input.options.value(name) !== undefined);
  if (given === undefined) return;
  const hint = hasTextures ? "; --texture NAME says which of its textures is meant" : "";
  throw new CommandError(`${file.qpath}: ${title}; --${given} is for pictures${hint}`);
}
