/**
 * Reads JPEG, baseline and progressive, with `jpeg-js`, which is loaded when the first JPEG is read.
 * @module
 */
import { maxPixels, type Picture } from "./picture.ts";
import { MediaError } from "../core/reader.ts";

/** Maximum memory for decoding one picture, in MiB. */
const maxMemory = 1024;
/** Maximum pixels of all scans together: a file may contain any number of passes over the picture. */
const maxWork = 10 * maxPixels;

/** Returns whether a file begins like a JPEG. */
export function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
}

/** Rejects pictures that would take too long: the number of scans multiplied by the largest size in any frame. */
function requireBounded(bytes: Uint8Array): void {
  let scans = 0;
  let pixels = 0;
  for (let offset = bytes.indexOf(0xff); offset >= 0; offset = bytes.indexOf(0xff, offset + 1)) {
    const marker = bytes[offset + 1] ?? 0;
    if (marker === 0xda) scans++;
    if (marker < 0xc0 || marker > 0xc2) continue;
    const [height, width] = [5, 7].map((field) =>
      (bytes[offset + field] ?? 0) * 256 + (bytes[offset + field + 1] ?? 0)
    );
    pixels = Math.max(pixels, (width ?? 0) * (height ?? 0));
  }
  if (scans * pixels > maxWork) throw new MediaError(`${scans} passes over ${pixels} pixels are too many`);
}

/**
 * Reads a JPEG of up to `max` pixels.
 * @throws {MediaError} if it is damaged or too large.
 */
export async function decodeJpeg(bytes: Uint8Array, max = maxPixels): Promise<Picture> {
  requireBounded(bytes);
  const { decode } = await import("jpeg-js");
  try {
    const { width, height, data } = decode(bytes, {
      useTArray: true,
      maxResolutionInMP: max / 1e6,
      maxMemoryUsageInMB: maxMemory,
    });
    return { width, height, rgba: data };
  } catch (error) {
    throw new MediaError(`it cannot be decoded: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
