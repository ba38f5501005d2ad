/**
 * Combines the frames of a sprite into one picture.
 * @module
 */
import { emptyPicture, type Picture, requireSize } from "./picture.ts";

/** Size of a frame. */
export type FrameSize = Pick<Picture, "width" | "height">;

/**
 * Returns the columns of a sheet and the size of its fields, each as large as the largest frame.
 * @throws {MediaError} if the sheet would be too large or empty.
 */
export function sheetLayout(frames: readonly FrameSize[]) {
  const columns = Math.ceil(Math.sqrt(frames.length));
  const rows = Math.ceil(frames.length / Math.max(1, columns));
  const fieldWidth = frames.reduce((most, { width }) => Math.max(most, width), 0);
  const fieldHeight = frames.reduce((most, { height }) => Math.max(most, height), 0);
  requireSize(columns * fieldWidth, rows * fieldHeight);
  return { columns, fieldWidth, fieldHeight, width: columns * fieldWidth, height: rows * fieldHeight };
}

/**
 * Draws frames on one sheet, row by row, each in the upper left corner of its field.
 * @param draw Decodes a frame; called in order.
 * @throws {MediaError} if the sheet would be too large or empty.
 */
export function drawSheet<Frame extends FrameSize>(frames: readonly Frame[], draw: (frame: Frame) => Picture): Picture {
  const { columns, fieldWidth, fieldHeight, width: sheetWidth, height: sheetHeight } = sheetLayout(frames);
  const sheet = emptyPicture(sheetWidth, sheetHeight);
  for (const [index, frame] of frames.entries()) {
    const { width, height, rgba } = draw(frame);
    const left = (index % columns) * fieldWidth;
    const top = Math.floor(index / columns) * fieldHeight;
    for (let y = 0; y < height; y++) {
      sheet.rgba.set(rgba.subarray(y * width * 4, (y + 1) * width * 4), ((top + y) * sheetWidth + left) * 4);
    }
  }
  return sheet;
}
