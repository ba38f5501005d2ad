/**
 * Scales pictures to the available space.
 * @module
 */
import { byteAt } from "../../formats/parts.ts";
import { emptyPicture, type Picture } from "../pictures/picture.ts";

/** Maximum size of a displayed picture, in pixels. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

/** Returns the size of a picture scaled down to fit into `room` with its proportions. */
export function fittingSize({ width, height }: Picture, room: Room): { width: number; height: number } {
  const factor = Math.min(1, room.width / width, room.height / height);
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/** Resizes a picture: each pixel is the mean of the pixels that it replaces, or the nearest one. */
export function scaled(picture: Picture, width: number, height: number): Picture {
  if (picture.width === width && picture.height === height) return picture;
  const result = emptyPicture(width, height);
  for (let y = 0; y < height; y++) {
    const top = Math.floor(y * picture.height / height);
    const bottom = Math.max(top + 1, Math.floor((y + 1) * picture.height / height));
    for (let x = 0; x < width; x++) {
      const left = Math.floor(x * picture.width / width);
      const right = Math.max(left + 1, Math.floor((x + 1) * picture.width / width));
      putMean(picture, left, top, right, bottom, result.rgba, (y * width + x) * 4);
    }
  }
  return result;
}

function putMean(
  { width, rgba }: Picture,
  left: number,
  top: number,
  right: number,
  bottom: number,
  target: Uint8Array,
  offset: number,
): void {
  let [red, green, blue, opacity] = [0, 0, 0, 0];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const from = (y * width + x) * 4;
      const weight = byteAt(rgba, from + 3);
      red += byteAt(rgba, from) * weight;
      green += byteAt(rgba, from + 1) * weight;
      blue += byteAt(rgba, from + 2) * weight;
      opacity += weight;
    }
  }
  if (opacity === 0) return;
  target[offset] = Math.round(red / opacity);
  target[offset + 1] = Math.round(green / opacity);
  target[offset + 2] = Math.round(blue / opacity);
  target[offset + 3] = Math.round(opacity / ((right - left) * (bottom - top)));
}

/** Greys of the checkerboard behind translucent pixels, as in picture editors. */
const behind: readonly [number, number] = [102, 153];
/** Pixels of a field of the checkerboard. */
const fieldSide = 4;

/** Returns an opaque picture on a checkerboard of grey squares. */
export function flattened({ width, height, rgba }: Picture): Picture {
  const flat = rgba.slice();
  for (let pixel = 0; pixel < width * height; pixel++) {
    const opacity = byteAt(flat, pixel * 4 + 3);
    if (opacity === 255) continue;
    const field = Math.floor(pixel % width / fieldSide) + Math.floor(pixel / width / fieldSide);
    const grey = behind[field % 2 === 0 ? 0 : 1];
    for (let offset = pixel * 4; offset < pixel * 4 + 3; offset++) {
      flat[offset] = Math.round((byteAt(flat, offset) * opacity + grey * (255 - opacity)) / 255);
    }
    flat[pixel * 4 + 3] = 255;
  }
  return { width, height, rgba: flat };
}
