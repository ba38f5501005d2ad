/**
 * Shows a sprite: the pictures of an SPR, or the files of an SP2.
 * @module
 */
import type { Input, Results } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { decodeFrame, frameSheet, Reader, readSprite, readSpriteList } from "../../media/mod.ts";
import { counted } from "../output/human.ts";
import { oneRow } from "../output/results.ts";
import type { PictureRow, SpriteFrameRow, SpriteRow } from "../rows/show_rows.ts";
import type { ShownContext, ShownFile } from "./file.ts";
import { NeededNames } from "./needed_names.ts";
import { paletteOf, present, refusePictureOptions } from "./picture.ts";

/**
 * Shows all frames of an SPR as one picture, or the frame given by `--texture`.
 * @throws {MediaError} if it is damaged.
 */
export async function* showSprite(context: ShownContext, input: Input, file: ShownFile): Results<PictureRow> {
  const reader = new Reader(file.bytes);
  const sprite = readSprite(reader);
  const { frames, colours, facing } = sprite;
  const own = { colours: colours ?? new Uint8Array(768), origin: "the file itself" };
  const palette = colours || sprite.isRgba ? own : await paletteOf(context, "quake");
  const wanted = input.options.value("texture");
  if (wanted === undefined) {
    const title = `SPR sprite, ${facing}, ${counted(frames.length, "frame")}`;
    const picture = frameSheet(reader, sprite, palette);
    yield* present(input, file, { picture, title, format: "spr", palette: palette.origin });
    return;
  }
  const frame = /^\d{1,6}$/.test(wanted) ? frames[Number(wanted)] : undefined;
  if (!frame) {
    throw new CommandError(
      `${file.qpath} has no frame "${wanted}"; it has ${counted(frames.length, "frame")}, from 0 on`,
    );
  }
  const picture = decodeFrame(reader, sprite, frame, palette);
  const title = `frame ${wanted} of an SPR sprite`;
  yield* present(input, file, { picture, title, format: "spr", palette: palette.origin, texture: wanted });
}

/**
 * Shows the frames of an SP2, and marks those whose files are missing from the view.
 * @throws {MediaError} if it is damaged.
 */
export async function* showSpriteList(context: ShownContext, input: Input, file: ShownFile): Results<SpriteRow> {
  const frames = readSpriteList(new Reader(file.bytes));
  refusePictureOptions(input, file, "an SP2 sprite, whose frames are files", false);
  const needed = await NeededNames.of(context, file, 1);
  const rows = frames.map((frame): SpriteFrameRow => ({
    ...frame,
    found: needed.found(frame.name, "file").found !== null,
  }));
  const missing = [...new Set(rows.filter(({ found }) => !found).map(({ name }) => name))];
  const { qpath, view } = file;
  yield oneRow({ qpath, view, type: "sprite", format: "SP2", frames: rows, missing }, (page) => {
    page.line({ text: qpath, style: "heading" }, `  SP2 sprite, ${counted(frames.length, "frame")}`);
    page.table(rows, [
      { title: "PIXELS", align: "right", cell: ({ width, height }) => `${width} x ${height}` },
      { title: "FILE", cell: ({ name, found: isFound }) => ({ text: name, style: isFound ? "dim" : "unusable" }) },
      { title: "", cell: ({ found: isFound }) => isFound ? "" : `missing from ${view}` },
    ]);
  });
}
