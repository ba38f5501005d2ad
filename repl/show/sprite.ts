/**
 * Showing a sprite: the pictures of an SPR, or the files that an SP2 names.
 * @module
 */
import type { Context, Input } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { Reader } from "../../preview/reader.ts";
import { decodeFrame, frameSheet, readSprite, readSpriteList } from "../../preview/sprite.ts";
import { counted, Table } from "../output/render.ts";
import type { ShownFile } from "./file.ts";
import { forEach, Lookups } from "./lookups.ts";
import { paletteOf, present, refusePictureOptions } from "./picture.ts";

/** A frame of an SP2, and whether the view has its file. */
export interface SpriteFrameRow {
  /** The file that is its picture. */
  readonly name: string;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** Whether the view has the file. */
  readonly found: boolean;
}

/**
 * Shows all frames of an SPR as one picture, or the one that `--texture` numbers.
 * @throws {PreviewError} if it is damaged.
 */
export async function showSprite(context: Context, input: Input, file: ShownFile): Promise<void> {
  const reader = new Reader(file.bytes);
  const sprite = readSprite(reader);
  const { frames, colours, facing } = sprite;
  const palette = colours ? { colours, origin: "the file itself" } : await paletteOf(context, "quake");
  const wanted = input.options.value("texture");
  if (wanted === undefined) {
    const title = `SPR sprite, ${facing}, ${counted(frames.length, "frame")}`;
    const picture = frameSheet(reader, sprite, palette);
    return await present(context, input, file, { picture, title, format: "spr", palette: palette.origin });
  }
  const frame = /^\d{1,6}$/.test(wanted) ? frames[Number(wanted)] : undefined;
  if (!frame) {
    throw new CommandError(
      `${file.qpath} has no frame "${wanted}"; it has ${counted(frames.length, "frame")}, from 0 on`,
    );
  }
  const picture = decodeFrame(reader, sprite, frame, palette);
  const title = `frame ${wanted} of an SPR sprite`;
  await present(context, input, file, { picture, title, format: "spr", palette: palette.origin, texture: wanted });
}

/**
 * Shows the frames of an SP2, with those marked whose files the view lacks.
 * @throws {PreviewError} if it is damaged.
 */
export async function showSpriteList(context: Context, input: Input, file: ShownFile): Promise<void> {
  const { output } = context;
  const frames = readSpriteList(new Reader(file.bytes));
  refusePictureOptions(input, file, "an SP2 sprite, whose frames are files", false);
  const lookups = new Lookups(context);
  const names = [...new Set(frames.map(({ name }) => name))];
  const answers = await forEach(names, (name) => lookups.hasFile(name), () => {});
  const found = new Map(names.map((name, index) => [name, answers[index] ?? false]));
  const rows = frames.map((frame): SpriteFrameRow => ({ ...frame, found: found.get(frame.name) ?? false }));
  const missing = names.filter((name) => !found.get(name));
  if (output.json) {
    const { qpath, view } = file;
    return output.row({ qpath, view, type: "sprite", format: "SP2", frames: rows, missing });
  }
  output.line({ text: file.qpath, style: "heading" }, `  SP2 sprite, ${counted(frames.length, "frame")}`);
  const table = new Table(output, [{ title: "PIXELS", align: "right" }, { title: "FILE" }, { title: "" }]);
  for (const { name, width, height, found: isThere } of rows) {
    const state = isThere ? "" : `missing from ${file.view}`;
    table.add(`${width} x ${height}`, { text: name, style: isThere ? "dim" : "unusable" }, state);
  }
  table.end();
}
