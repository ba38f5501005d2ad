/**
 * Shows a file by its kind.
 * @module
 */
import type { Context, Input, Results } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { decodeDmx, encodeWav, fileKindOf, isPicture, MediaError, showingOf, startBytes } from "../../media/mod.ts";
import { shellWord } from "../../system/mod.ts";
import { resolveQpath } from "../command/session.ts";
import type {
  EntitiesRow,
  MapRow,
  ModelRow,
  PictureRow,
  SoundRow,
  SpriteRow,
  TexturesRow,
  TextureWadRow,
} from "../rows/show_rows.ts";
import { paletteGiven } from "../command/palette_option.ts";
import { type ShownContext, type ShownFile, wholeFile } from "./file.ts";
import { showDoomMap } from "./doom_map.ts";
import { showEntities, showMap } from "./map.ts";
import { showModel } from "./model.ts";
import { showPicture } from "./picture.ts";
import { showSound } from "./sound.ts";
import { showSprite, showSpriteList } from "./sprite.ts";
import { showTextures } from "./textures.ts";
import { showWad } from "./wad.ts";
import { firstWord } from "../command/command.ts";

/** Formats by kind of compressed sound. */
const compressedFormats = { ogg: "Ogg", flac: "FLAC", mp3: "MP3" } as const;

/** Types of the rows of `show`. */
type ShownRows = PictureRow | SoundRow | MapRow | EntitiesRow | ModelRow | SpriteRow | TextureWadRow | TexturesRow;

function showFile(context: ShownContext, input: Input, file: ShownFile): Results<ShownRows> {
  const kind = fileKindOf(file.qpath, file.bytes);
  const { kind: shown, to, targets } = showingOf(file.qpath, file.bytes.subarray(0, startBytes), file.bytes.length);
  // Only maps of Doom become plans.
  if (targets.includes("svg")) return showDoomMap(context, input, file);
  if (kind === undefined) {
    const way = to === null
      ? shown === "text" ? `use cat ${shellWord(file.qpath)}` : "use cat or hexdump"
      : `convert ${shellWord(file.qpath)} --to ${to} -o DIR writes it for other programs`;
    throw new CommandError(`${file.qpath}: not a picture, sound, map or model that show knows; ${way}`);
  }
  if (isPicture(kind)) return showPicture(context, input, file, kind);
  if (kind === "wav") return showSound(input, file, "WAV");
  if (kind === "ogg" || kind === "flac" || kind === "mp3") return showSound(input, file, compressedFormats[kind]);
  if (kind === "dmx") return showSound(input, { ...file, bytes: encodeWav(decodeDmx(file.bytes)) }, "DMX");
  if (kind === "map") return showMap(context, input, file);
  if (kind === "model") return showModel(context, input, file);
  if (kind === "wad") return showWad(context, input, file);
  if (kind === "textures") return showTextures(context, input, file);
  if (kind === "sprite") return showSprite(context, input, file);
  if (kind === "sprite list") return showSpriteList(context, input, file);
  return showEntities(input, file);
}

/**
 * Runs the command.
 * @throws {CommandError} if the file is damaged or of an unsupported kind.
 */
export async function* show(context: Context, input: Input): Results<ShownRows> {
  const file = await wholeFile(context, resolveQpath(context.directory, firstWord(input.words)));
  const palette = await paletteGiven(context, input);
  try {
    yield* showFile({ ...context, palette }, input, file);
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    throw new CommandError(`${file.qpath}: ${error.message}`, { cause: error });
  }
}
