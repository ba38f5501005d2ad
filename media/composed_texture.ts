/**
 * Composes textures of Doom from their patches: each is drawn over earlier ones, at its position, and clipped at the
 * edges (`FMultiPatchTexture` of GZDoom; the original draws patches above the upper edge shifted).
 * @module
 */
import { MediaError } from "./core/reader.ts";
import { readPatchNames, readPatchTextures } from "./doom_lumps.ts";
import { emptyPicture, type Picture, requireSize } from "./pictures/picture.ts";

/** A patch of a texture. */
export interface TextureLayer {
  readonly name: string;
  readonly left: number;
  readonly top: number;
  readonly isFlippedX?: boolean;
  readonly isFlippedY?: boolean;
  /** Quarter turns, clockwise. */
  readonly turns?: number;
  /** Opacity from 0 to 1, for other styles than `copy`. */
  readonly opacity?: number;
  /** How it is drawn over earlier ones; absent: `copy`. */
  readonly style?: "copy" | "mix" | "add";
}

/** A texture that is composed of patches with names. */
export interface ComposedTexture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Pixels per unit of the map; absent: 1. */
  readonly scaleX?: number;
  readonly scaleY?: number;
  readonly layers: readonly TextureLayer[];
  /** Properties of its layers that are not drawn. */
  readonly unfollowed?: readonly string[];
}

/** Maximum pixels drawn by the patches of all textures of one conversion. */
const maxDrawn = 512 * 1024 * 1024;

/** Counts the pixels that patches draw. */
export class DrawnPixels {
  #left = maxDrawn;

  /** @throws {MediaError} if they are too many. */
  spend(pixels: number): void {
    this.#left -= pixels;
    if (this.#left < 0) throw new MediaError(`its patches draw more than ${maxDrawn} pixels`);
  }
}

/**
 * Reads `TEXTURE1` or `TEXTURE2`.
 * @param patchNames `PNAMES`; undefined if there is none.
 * @throws {MediaError} if one of them is damaged.
 */
export function readComposedTextures(bytes: Uint8Array, patchNames: Uint8Array | undefined): ComposedTexture[] {
  const names = patchNames ? readPatchNames(patchNames) : [];
  const nameOf = (number: number) => names[number] ?? `number ${number} of PNAMES`;
  return readPatchTextures(bytes).map(({ patches, ...texture }) => {
    return { ...texture, layers: patches.map(({ number, left, top }) => ({ name: nameOf(number), left, top })) };
  });
}

/** Returns a picture mirrored, and then turned clockwise. */
function placedPicture(picture: Picture, { isFlippedX, isFlippedY, turns = 0 }: TextureLayer): Picture {
  if (!isFlippedX && !isFlippedY && turns === 0) return picture;
  const { width, height, rgba } = picture;
  const placed = turns % 2 === 0 ? emptyPicture(width, height) : emptyPicture(height, width);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [fx, fy] = [isFlippedX ? width - 1 - x : x, isFlippedY ? height - 1 - y : y];
      const [tx, ty] =
        [[fx, fy], [height - 1 - fy, fx], [width - 1 - fx, height - 1 - fy], [fy, width - 1 - fx]][turns] ??
          [fx, fy];
      const [from, target] = [(y * width + x) * 4, ((ty ?? 0) * placed.width + (tx ?? 0)) * 4];
      for (let channel = 0; channel < 4; channel++) placed.rgba[target + channel] = rgba[from + channel] ?? 0;
    }
  }
  return placed;
}

/** Draws a pixel over another. */
function drawPixel(to: Uint8Array, target: number, from: Uint8Array, source: number, layer: TextureLayer): void {
  const { style = "copy", opacity = 1 } = layer;
  if (from[source + 3] === 0) return;
  if (style === "copy") {
    for (let channel = 0; channel < 4; channel++) to[target + channel] = from[source + channel] ?? 0;
    return;
  }
  const share = (from[source + 3] ?? 0) / 255 * opacity;
  const below = (to[target + 3] ?? 0) / 255;
  const above = style === "add" ? below : share + below * (1 - share);
  for (let channel = 0; channel < 3; channel++) {
    const [one, other] = [from[source + channel] ?? 0, to[target + channel] ?? 0];
    const mixed = style === "add" ? other + one * share : (one * share + other * below * (1 - share)) / (above || 1);
    to[target + channel] = Math.min(255, Math.round(mixed));
  }
  to[target + 3] = Math.round(255 * above);
}

/**
 * Composes a texture; uncovered pixels are transparent.
 * @param patchOf Returns the picture of a patch by its name; undefined if it is missing.
 * @param drawn Counts the pixels of all textures of a conversion.
 * @throws {MediaError} if the texture or its patches are too large.
 */
export function composeTexture(
  { width, height, layers }: Pick<ComposedTexture, "width" | "height" | "layers">,
  patchOf: (name: string) => Picture | undefined,
  drawn: DrawnPixels = new DrawnPixels(),
): Picture {
  requireSize(width, height);
  const composed = emptyPicture(width, height);
  for (const layer of layers) {
    const { left, top } = layer;
    const found = patchOf(layer.name);
    if (!found) continue;
    drawn.spend(found.width * found.height);
    const patch = placedPicture(found, layer);
    const [firstX, endX] = [Math.max(0, -left), Math.min(patch.width, width - left)];
    const [firstY, endY] = [Math.max(0, -top), Math.min(patch.height, height - top)];
    for (let y = firstY; y < endY; y++) {
      for (let x = firstX; x < endX; x++) {
        const target = ((top + y) * width + left + x) * 4;
        drawPixel(composed.rgba, target, patch.rgba, (y * patch.width + x) * 4, layer);
      }
    }
  }
  return composed;
}
