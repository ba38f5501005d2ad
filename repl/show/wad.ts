/**
 * Showing a texture WAD: its lumps, or the picture of one.
 * @module
 */
import type { Context, Input } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { decodeLump, readWad } from "../../preview/wad.ts";
import { counted, humanSize, Table } from "../output/render.ts";
import type { ShownFile } from "./file.ts";
import { paletteOf, present, refusePictureOptions } from "./picture.ts";

/**
 * Shows a WAD, or one of its lumps.
 * @throws {PreviewError} if it is damaged.
 */
export async function showWad(context: Context, input: Input, file: ShownFile): Promise<void> {
  const { output } = context;
  const lumps = readWad(file.bytes);
  const wanted = input.options.value("texture");
  if (wanted !== undefined) {
    const lump = lumps.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    if (!lump) throw new CommandError(`${file.qpath} has no lump "${wanted}"`);
    const { picture, palette } = decodeLump(file.bytes, lump, await paletteOf(context, "quake"));
    const title = `${lump.type} ${lump.name} of a WAD`;
    const shown = { picture, title, format: lump.type, palette: palette.origin, texture: lump.name };
    return await present(context, input, file, shown);
  }
  refusePictureOptions(input, file, "a WAD", true);
  const rows = lumps.map(({ name, type, size, width, height }) => ({ name, type, size, width, height }));
  if (output.json) return output.row({ qpath: file.qpath, view: file.view, type: "wad", lumps: rows });
  output.line({ text: file.qpath, style: "heading" }, `  texture WAD, ${counted(lumps.length, "lump")}`);
  const table = new Table(output, [
    { title: "SIZE", align: "right" },
    { title: "TYPE" },
    { title: "PIXELS", align: "right" },
    { title: "NAME" },
  ]);
  for (const { name, type, size, width, height } of rows) {
    table.add(humanSize(size), { text: type, style: "dim" }, width === null ? "" : `${width} x ${height}`, name);
  }
  table.end();
}
