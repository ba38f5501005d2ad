/**
 * Composes textures of Doom from their patches: each is drawn over earlier ones, at its position, and clipped at the
 * edges (`FMultiPatchTexture` of GZDoom; the original draws patches above the upper edge shifted).
 * @module
 */
import { MediaError } from "./core/reader.ts";
import type { PatchTexture } from "./doom_lumps.ts";
import { emptyPicture, type Picture, requireSize } from "./pictures/picture.ts";

/** Maximum pixels drawn by the patches of one texture. */
const maxDrawn = 256 * 1024 * 1024;

/**
 * Composes a texture; uncovered pixels are transparent.
 * @param patchOf Returns the picture of a patch by its number in `PNAMES`; undefined if it is missing.
 * @throws {MediaError} if the texture or its patches are too large.
 */
export function composeTexture(
  { width, height, patches }: PatchTexture,
  patchOf: (number: number) => Picture | undefined,
): Picture {
  requireSize(width, height);
  const composed = emptyPicture(width, height);
  let drawn = 0;
  for (const { number, left, top } of patches) {
    const patch = patchOf(number);
    if (!patch) continue;
    const [firstX, endX] = [Math.max(0, -left), Math.min(patch.width, width - left)];
    const [firstY, endY] = [Math.max(0, -top), Math.min(patch.height, height - top)];
    drawn += Math.max(0, endX - firstX) * Math.max(0, endY - firstY);
    if (drawn > maxDrawn) throw new MediaError(`its patches draw more than ${maxDrawn} pixels`);
    for (let y = firstY; y < endY; y++) {
      for (let x = firstX; x < endX; x++) {
        const from = (y * patch.width + x) * 4;
        if (patch.rgba[from + 3] === 0) continue;
        composed.rgba.set(patch.rgba.subarray(from, from + 4), ((top + y) * width + left + x) * 4);
      }
    }
  }
  return composed;
}
