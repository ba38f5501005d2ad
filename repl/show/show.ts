/**
 * `show`: from a file to what is shown of it.
 * @module
 */
import type { Context, Input } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { fileKindOf, isPicture } from "../../preview/file_kind.ts";
import { PreviewError } from "../../preview/reader.ts";
import { resolveQpath } from "../command/session.ts";
import { type ShownFile, wholeFile } from "./file.ts";
import { showEntities, showMap } from "./map.ts";
import { showModel } from "./model.ts";
import { pictureOf, present } from "./picture.ts";
import { showSound } from "./sound.ts";
import { showSprite, showSpriteList } from "./sprite.ts";
import { showWad } from "./wad.ts";

async function showFile(context: Context, input: Input, file: ShownFile): Promise<void> {
  const kind = fileKindOf(file.qpath, file.bytes);
  if (kind === undefined) {
    throw new CommandError(
      `${file.qpath} is no picture, sound, map or model that show knows; cat and hexdump show any file`,
    );
  }
  if (isPicture(kind)) return await present(context, input, file, await pictureOf(context, kind, file.bytes));
  if (kind === "wav") return showSound(context, input, file);
  if (kind === "map") return await showMap(context, input, file);
  if (kind === "model") return await showModel(context, input, file);
  if (kind === "wad") return await showWad(context, input, file);
  if (kind === "sprite") return await showSprite(context, input, file);
  if (kind === "sprite list") return await showSpriteList(context, input, file);
  showEntities(context, input, file);
}

/**
 * Runs the command.
 * @throws {CommandError} if the file is damaged or of a kind that is not shown.
 */
export async function show(context: Context, input: Input): Promise<void> {
  const file = await wholeFile(context, resolveQpath(context.directory, input.words[0] ?? ""));
  try {
    await showFile(context, input, file);
  } catch (error) {
    if (!(error instanceof PreviewError)) throw error;
    throw new CommandError(`${file.qpath}: ${error.message}`, { cause: error });
  }
}
