/**
 * Shows the textures of Doom in a `TEXTURE1`: a list, or a single texture composed of its patches.
 * @module
 */
import type { Input, Results } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import {
  composeTexture,
  fileKindOf,
  isPicture,
  type PatchTexture,
  type Picture,
  pictureOf,
  readPatchNames,
  readPatchTextures,
} from "../../media/mod.ts";
import { counted } from "../output/human.ts";
import { oneRow } from "../output/results.ts";
import type { PictureRow, TexturesRow } from "../rows/show_rows.ts";
import type { ShownContext, ShownFile } from "./file.ts";
import { fileIfPresent, paletteOf, present, refusePictureOptions } from "./picture.ts";

/** Folders for the lumps of patches, in search order; a single WAD has `lumps/`. */
const folders = ["patches/", "", "lumps/", "sprites/", "flats/", "textures/", "graphics/"];

/** Returns the picture of a patch; undefined if it is missing. */
async function patchPicture(context: ShownContext, name: string): Promise<Picture | undefined> {
  for (const folder of folders) {
    // deno-lint-ignore no-await-in-loop -- the next is only looked for if this one is missing
    const file = await fileIfPresent(context, folder + name);
    const kind = file && fileKindOf(file.qpath, file.bytes);
    if (!file || kind === undefined || !isPicture(kind)) continue;
    // deno-lint-ignore no-await-in-loop -- as above
    return (await pictureOf(kind, file.bytes, (game) => paletteOf(context, game))).picture;
  }
  return undefined;
}

async function* showTexture(
  context: ShownContext,
  input: Input,
  file: ShownFile,
  texture: PatchTexture,
  names: readonly string[],
): Results<PictureRow> {
  const pictures = new Map<number, Picture | undefined>();
  for (const { number } of texture.patches) {
    if (pictures.has(number)) continue;
    // deno-lint-ignore no-await-in-loop -- one patch after the other bounds memory
    const picture = await patchPicture(context, names[number] ?? "");
    if (!picture) context.output.warning(`its patch ${names[number] ?? number} is missing from ${file.view}`);
    pictures.set(number, picture);
  }
  const picture = composeTexture(texture, (number) => pictures.get(number));
  const { origin } = await paletteOf(context, "doom");
  const title = `texture ${texture.name} of ${counted(texture.patches.length, "patch", "patches")}`;
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
  const textures = readPatchTextures(file.bytes);
  const list = await fileIfPresent(context, file.qpath.replace(/[^/]*$/, "PNAMES"));
  const names = list ? readPatchNames(list.bytes) : [];
  const wanted = input.options.value("texture");
  if (wanted !== undefined) {
    const texture = textures.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    if (!texture) throw new CommandError(`${file.qpath} has no texture "${wanted}"; show -l lists them`);
    return yield* showTexture(context, input, file, texture, names);
  }
  refusePictureOptions(input, file, "textures of Doom", true);
  const rows = textures.map(({ name, width, height, patches }) => ({
    ...{ name, width, height },
    patches: patches.map(({ number }) => names[number] ?? String(number)),
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
