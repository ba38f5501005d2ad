/**
 * Small pictures of files, for lists.
 * @module
 */
import type { NamedFile, Surroundings, Target } from "../convert/converter.ts";
import { convertStill } from "../convert/models.ts";
import { accepting, convertersOf } from "../convert/table.ts";
import { MediaError, Reader } from "../core/reader.ts";
import { fileKindOf } from "../file_kind.ts";
import { decodeJpeg, isJpeg } from "../pictures/jpeg.ts";
import { emptyPicture, type Picture } from "../pictures/picture.ts";
import { decodePng, isPng } from "../pictures/png.ts";
import { encodePng } from "../pictures/png_writer.ts";
import { decodeTga } from "../pictures/tga.ts";
import { fittingSize, scaled } from "../preview/scale.ts";
import { isRareWav } from "../sounds/samples.ts";
import { isWav, readWav } from "../sounds/wav.ts";
import { modelPicture } from "./model_picture.ts";

/** Maximum pixels of a side. */
const side = 192;

/** Maximum pixels of a picture that is scaled down: 64 MiB of memory. Larger ones are only shown when opened. */
const maxPixels = 16 * 1024 * 1024;
/** Maximum bytes of a PNG that is only created to be scaled down: these pixels, and filter bytes of the rows. */
const maxPngBytes = maxPixels * 4 + 1024 * 1024;

/** Colour of waveforms, on light and on dark pages. */
const waveColour = [0x9a, 0x5f, 0xb4, 255] as const;

/** Draws the waveform of a sound, half as high as wide. */
function waveformPicture(wav: Uint8Array): Picture {
  const { waveform } = readWav(wav, side);
  if (waveform.length === 0) throw new MediaError("its samples cannot be read");
  const picture = emptyPicture(side, side / 2);
  for (let x = 0; x < side; x++) {
    const [low, high] = waveform[Math.floor(x * waveform.length / side)] ?? [0, 0];
    const row = (amplitude: number) => Math.round((1 - amplitude) / 2 * (picture.height - 1));
    for (let y = row(high); y <= row(low); y++) picture.rgba.set(waveColour, (y * side + x) * 4);
  }
  return picture;
}

/** Returns the picture of a file, the waveform of a sound, or a drawing of a model. @throws {MediaError} if it is damaged. */
async function pictureOf(file: NamedFile, surroundings: Surroundings): Promise<Picture> {
  const { bytes, qpath } = file;
  if (isPng(bytes)) return decodePng(bytes, maxPixels);
  if (isJpeg(bytes)) return await decodeJpeg(bytes, maxPixels);
  // Decoded directly: a converter would write this most common texture format as a PNG that is then read again.
  if (/\.tga$/i.test(qpath)) return decodeTga(bytes, maxPixels);
  const converted = async (to: Target) => {
    const converter = accepting(convertersOf(qpath, to), bytes, bytes.length);
    const size = to === "png" ? converter?.size?.(bytes, bytes.length) ?? 0 : 0;
    if (size > maxPngBytes) throw new MediaError(`its ${size} bytes of pixels are too many for a thumbnail`);
    return await converter?.convert(file, surroundings);
  };
  const png = await converted("png");
  if (png) return decodePng(png, maxPixels);
  if (isWav(new Reader(bytes)) && !isRareWav(bytes)) return waveformPicture(bytes);
  const wav = await converted("wav");
  if (wav) return waveformPicture(wav);
  // Drawn larger, so that scaling smooths its edges. Maps are too large for lists.
  const isModel = fileKindOf(qpath, bytes) === "model";
  const still = accepting(convertersOf(qpath, "glb"), bytes, bytes.length)?.still ??
    (isModel ? convertStill : undefined);
  if (still) return await modelPicture(await still(file, surroundings), side * 2);
  throw new MediaError("it is no picture, sound or model");
}

/**
 * Returns a PNG with at most {@linkcode side} pixels per side.
 * @throws {MediaError} if the file is damaged, or no picture, sound or model.
 */
export async function thumbnail(file: NamedFile, surroundings: Surroundings): Promise<Uint8Array> {
  const picture = await pictureOf(file, surroundings);
  const { width, height } = fittingSize(picture, { width: side, height: side });
  return encodePng(scaled(picture, width, height));
}
