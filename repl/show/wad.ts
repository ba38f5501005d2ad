/**
 * Shows a texture WAD: its lumps, or the picture of one.
 * @module
 */
import type { Input, Results } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { decodeLump, readWad } from "../../media/mod.ts";
import { counted, humanSize } from "../output/human.ts";
import { oneRow } from "../output/results.ts";
import type { PictureRow, TextureWadRow } from "../rows/show_rows.ts";
import type { ShownContext, ShownFile } from "./file.ts";
import { paletteOf, present, refusePictureOptions } from "./picture.ts";

/**
 * Shows a WAD, or one of its lumps.
 * @throws {MediaError} if it is damaged.
 */
export async function* showWad(
  context: ShownContext,
  input: Input,
  file: ShownFile,
): Results<TextureWadRow | PictureRow> {
  const lumps = readWad(file.bytes);
  const wanted = input.options.value("texture");
  if (wanted !== undefined) {
    const lump = lumps.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    if (!lump) throw new CommandError(`${file.qpath} has no lump "${wanted}"; show -l lists them`);
    const { picture, palette } = decodeLump(file.bytes, lump, await paletteOf(context, "quake"));
    const title = `${lump.type} ${lump.name} of a WAD`;
    const shown = { picture, title, format: lump.type, palette: palette.origin, texture: lump.name };
    yield* present(input, file, shown);
    return;
  }
  refusePictureOptions(input, file, "a WAD", true);
  const rows = lumps.map(({ name, type, size, width, height }) => ({ name, type, size, width, height }));
  yield oneRow({ qpath: file.qpath, view: file.view, type: "wad", lumps: rows }, (page) => {
    page.line({ text: file.qpath, style: "heading" }, `  texture WAD, ${counted(lumps.length, "lump")}`);
    page.table(rows, [
      { title: "SIZE", align: "right", cell: ({ size }) => humanSize(size) },
      { title: "TYPE", cell: ({ type }) => ({ text: type, style: "dim" }) },
      { title: "PIXELS", align: "right", cell: ({ width, height }) => width === null ? "" : `${width} x ${height}` },
      { title: "NAME", cell: ({ name }) => name },
    ]);
  });
}
