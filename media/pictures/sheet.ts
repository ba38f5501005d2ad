/**
 * Combines the frames of a sprite, or textures, into one picture.
 * @module
 */
import { emptyPicture, type Picture, requireSize } from "./picture.ts";

/** Size of a frame. */
export type FrameSize = Pick<Picture, "width" | "height">;

/** Size of a sheet, and the position of each frame. */
export interface SheetLayout extends FrameSize {
  readonly places: readonly (readonly [left: number, top: number])[];
}

function largest(sizes: readonly number[]): number {
  return sizes.reduce((most, size) => Math.max(most, size), 0);
}

/**
 * Lays frames out in fields, each as large as the largest frame.
 * @throws {MediaError} if the sheet would be too large or empty.
 */
export function sheetLayout(frames: readonly FrameSize[]): SheetLayout {
  const columns = Math.ceil(Math.sqrt(frames.length));
  const rows = Math.ceil(frames.length / Math.max(1, columns));
  const [fieldWidth, fieldHeight] = [
    largest(frames.map(({ width }) => width)),
    largest(frames.map(({ height }) => height)),
  ];
  const [width, height] = [columns * fieldWidth, rows * fieldHeight];
  requireSize(width, height);
  const places = frames.map((_, index) =>
    [(index % columns) * fieldWidth, Math.floor(index / columns) * fieldHeight] as const
  );
  return { width, height, places };
}

/**
 * Lays frames of different sizes out in rows, as high as their highest frame; the sheet is about as high as wide.
 * @throws {MediaError} if the sheet would be too large or empty.
 */
export function rowsLayout(frames: readonly FrameSize[]): SheetLayout {
  const area = frames.reduce((sum, { width, height }) => sum + width * height, 0);
  const end = Math.max(Math.ceil(Math.sqrt(area)), largest(frames.map(({ width }) => width)));
  let [left, top, rowHeight, width] = [0, 0, 0, 0];
  const places = frames.map((frame) => {
    if (left + frame.width > end) [left, top, rowHeight] = [0, top + rowHeight, 0];
    const place = [left, top] as const;
    left += frame.width;
    [rowHeight, width] = [Math.max(rowHeight, frame.height), Math.max(width, left)];
    return place;
  });
  requireSize(width, top + rowHeight);
  return { width, height: top + rowHeight, places };
}

/**
 * Draws frames on one sheet, row by row, each in the upper left corner of its place.
 * @param draw Decodes a frame; called in order.
 * @throws {MediaError} if the sheet would be too large or empty.
 */
export function drawSheet<Frame extends FrameSize>(
  frames: readonly Frame[],
  draw: (frame: Frame) => Picture,
  layout: (frames: readonly FrameSize[]) => SheetLayout = sheetLayout,
): Picture {
  const { width: sheetWidth, height: sheetHeight, places } = layout(frames);
  const sheet = emptyPicture(sheetWidth, sheetHeight);
  for (const [index, frame] of frames.entries()) {
    const { width, height, rgba } = draw(frame);
    const [left, top] = places[index] ?? [0, 0];
    for (let y = 0; y < height; y++) {
      sheet.rgba.set(rgba.subarray(y * width * 4, (y + 1) * width * 4), ((top + y) * sheetWidth + left) * 4);
    }
  }
  return sheet;
}
