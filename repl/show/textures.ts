/**
 * Shows the textures of Doom in a `TEXTURE1`: a list, or a single texture composed of its patches.
 * @module
 */
import { ask, type Input, inView, type Results } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { type ComposedTexture, DoomTextures, readComposedTextures } from "../../media/mod.ts";
import { counted } from "../output/human.ts";
import { oneRow } from "../output/results.ts";
import type { PictureRow, TexturesRow } from "../rows/show_rows.ts";
import type { ShownContext, ShownFile } from "./file.ts";
import { fileIfPresent, paletteOf, present, refusePictureOptions } from "./picture.ts";

async function* showTexture(
  context: ShownContext,
  input: Input,
  file: ShownFile,
  texture: ComposedTexture,
): Results<PictureRow> {
  const palette = await paletteOf(context, "doom");
  const { ViewFiles } = await import("../../protocol/library/conversion.ts");
  const files = new ViewFiles({ call: (method, params) => ask(context, method, params) }, inView(context), { palette });
  const { picture, faults } = await new DoomTextures(files).compose(texture);
  for (const fault of faults) context.output.warning(`texture ${texture.name} of ${file.view}: ${fault}`);
  const title = `texture ${texture.name} of ${counted(texture.layers.length, "patch", "patches")}`;
  const { origin } = palette;
  yield* present(input, file, { picture, title, format: "texture", palette: origin, texture: texture.name });
}

/**
 * Shows the textures of a file, or one of them.
 * @throws {MediaError} if it is damaged.
 */
export async function* showTextures(
  context: ShownContext,
  input: Input,
  file: ShownFile,
): Results<TexturesRow | PictureRow> {
  const list = await fileIfPresent(context, file.qpath.replace(/[^/]*$/, "PNAMES"));
  const textures = readComposedTextures(file.bytes, list?.bytes);
  const wanted = input.options.value("texture");
  if (wanted !== undefined) {
    const texture = textures.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    if (!texture) throw new CommandError(`${file.qpath} has no texture "${wanted}"; show -l lists them`);
    return yield* showTexture(context, input, file, texture);
  }
  refusePictureOptions(input, file, "textures of Doom", true);
  const rows = textures.map(({ name, width, height, layers }) => ({
    ...{ name, width, height },
    patches: layers.map((patch) => patch.name),
  }));
  yield oneRow({ qpath: file.qpath, view: file.view, type: "textures", textures: rows }, (page) => {
    page.line({ text: file.qpath, style: "heading" }, `  ${counted(rows.length, "texture")} of Doom`);
    page.table(rows, [
      { title: "PIXELS", align: "right", cell: ({ width, height }) => `${width} x ${height}` },
      { title: "NAME", cell: ({ name }) => name },
      { title: "PATCHES", cell: ({ patches }) => ({ text: patches.join(" "), style: "dim" }) },
    ]);
  });
}
