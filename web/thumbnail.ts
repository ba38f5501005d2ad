/**
 * Small pictures of files, for lists.
 * @module
 */
import type { NamedFile, Surroundings } from "../convert/converter.ts";
import { accepting, convertersOf } from "../convert/table.ts";
import { MediaError } from "../media/core/reader.ts";
import { decodeJpeg, isJpeg } from "../media/pictures/jpeg.ts";
import type { Picture } from "../media/pictures/picture.ts";
import { decodePng, isPng } from "../media/pictures/png.ts";
import { encodePng } from "../media/pictures/png_writer.ts";
import { decodeTga } from "../media/pictures/tga.ts";
import { fittingSize, scaled } from "../preview/scale.ts";

/** Pixels of a side, at most. */
const side = 192;

/** Returns the picture of a file. @throws {MediaError} if it is damaged, or no picture. */
async function pictureOf(file: NamedFile, surroundings: Surroundings): Promise<Picture> {
  const { bytes, qpath } = file;
  if (isPng(bytes)) return decodePng(bytes);
  if (isJpeg(bytes)) return await decodeJpeg(bytes);
  // Decoded as it is: the most common format of textures that a converter would only write as a PNG to be read again.
  if (/\.tga$/i.test(qpath)) return decodeTga(bytes);
  const converter = accepting(convertersOf(qpath, "png"), bytes, bytes.length);
  if (!converter) throw new MediaError("it is no picture");
  return decodePng(await converter.convert(file, surroundings));
}

/**
 * Returns a PNG of at most {@linkcode side} pixels a side.
 * @throws {MediaError} if the file is damaged, or no picture.
 */
export async function thumbnail(file: NamedFile, surroundings: Surroundings): Promise<Uint8Array> {
  const picture = await pictureOf(file, surroundings);
  const { width, height } = fittingSize(picture, { width: side, height: side });
  return encodePng(scaled(picture, width, height));
}
