/**
 * Shows a model: frames, skins, size, and missing skins.
 * @module
 */
import type { Input, Results } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { decodeMdlSkin, type Model, type Point, readModel } from "../../media/mod.ts";
import { counted, grouped } from "../output/human.ts";
import type { Page } from "../output/page.ts";
import { oneRow } from "../output/results.ts";
import type { Part } from "../output/text.ts";
import type { ModelRow, PictureRow, SkinRow } from "../rows/show_rows.ts";
import type { ShownContext, ShownFile } from "./file.ts";
import { NeededNames } from "./needed_names.ts";
import { paletteOf, present, refusePictureOptions } from "./picture.ts";

async function skinRows(context: ShownContext, file: ShownFile, model: Model): Promise<SkinRow[]> {
  if (model.format === "MDL") return model.skins.map((name) => ({ name, file: null, found: "embedded", lacks: [] }));
  const needed = await NeededNames.of(context, file, 3);
  const own = model.skins.map((name) => ({ name, file: null }));
  const inFiles = needed.skins.flatMap(({ name, needs }) => needs.map((skin) => ({ name: skin, file: name })));
  // The images of a skin file replace those in the model.
  const named = inFiles.length > 0 ? inFiles : own;
  return named.map((row) => ({ ...row, ...needed.found(row.name, model.format === "MD2" ? "file" : "image") }));
}

function pointText(point: Point): string {
  return `(${point.join(", ")})`;
}

function printSkins(page: Page, input: Input, file: ShownFile, rows: readonly SkinRow[]): void {
  const isLong = input.options.flag("long");
  const missing = rows.filter(({ found, lacks }) => found === null || lacks.length > 0);
  for (const { name, file: from, found, lacks } of isLong ? rows : missing) {
    const naming = from === null ? "" : `, named by ${from}`;
    const state = found === null
      ? `missing from ${file.view}${naming}`
      : lacks.length > 0
      ? `its shader lacks ${lacks.join(", ")}${naming}`
      : `${found}${naming}`;
    page.line(
      "  skin ",
      { text: name, style: found === null || lacks.length > 0 ? "unusable" : "dim" },
      `  ${state}`,
    );
  }
}

function printModel(page: Page, input: Input, file: ShownFile, model: Model, rows: readonly SkinRow[]): void {
  page.line(
    { text: file.qpath, style: "heading" },
    `  ${model.format} model, version ${model.version}: ${counted(model.triangles, "triangle")}, ` +
      `${counted(model.vertices, "vertex", "vertices")}, ${counted(model.frames, "frame")}, ` +
      counted(rows.length, "skin"),
  );
  const { low, high } = model.bounds;
  const size = high.map((value, axis) => Number((value - (low[axis] ?? 0)).toPrecision(4)));
  const fields: [string, Part][] = [["box", `${pointText(low)} to ${pointText(high)}, ${size.join(" x ")}`]];
  const animations = model.animations.map(({ name, frames }) => frames === 1 ? name : `${name} ${grouped(frames)}`);
  const shown = input.options.flag("long") ? animations : animations.slice(0, maxAnimations);
  const more = animations.length > shown.length ? `, and ${animations.length - shown.length} more` : "";
  fields.push(["frames", `${shown.join(", ")}${more}`]);
  for (const { name, triangles, vertices } of model.surfaces) {
    fields.push(["surface", `${name}: ${counted(triangles, "triangle")}, ${counted(vertices, "vertex", "vertices")}`]);
  }
  const joints = [...new Set(model.tags)];
  const namedJoints = input.options.flag("long") ? joints : joints.slice(0, maxJoints);
  const others = joints.length > namedJoints.length ? `, and ${joints.length - namedJoints.length} more` : "";
  if (joints.length > 0) fields.push([model.format === "IQM" ? "joints" : "tags", namedJoints.join(", ") + others]);
  page.fields(fields);
  printSkins(page, input, file, rows);
}

/** Maximum number of listed animations without --long. */
const maxAnimations = 12;
/** Maximum number of listed tags or joints without --long. */
const maxJoints = 24;

async function* showSkin(
  context: ShownContext,
  input: Input,
  file: ShownFile,
  model: Model,
  name: string,
): Results<PictureRow> {
  if (model.format !== "MDL") {
    throw new CommandError(`the skins of ${file.qpath} are files: ${model.skins.join(", ") || "none is named"}`);
  }
  const number = /^\d{1,6}$/.test(name) ? Number(name) : model.skins.length;
  if (number >= model.skins.length) {
    throw new CommandError(
      `${file.qpath} has no skin "${name}"; it has ${counted(model.skins.length, "skin")}, from 0 on`,
    );
  }
  const palette = await paletteOf(context, "quake");
  const picture = decodeMdlSkin(file.bytes, number, palette);
  const title = `skin ${number} of an MDL`;
  yield* present(input, file, { picture, title, format: "mdl", palette: palette.origin, texture: name });
}

/**
 * Shows a model, or a skin in it.
 * @throws {MediaError} if it is damaged.
 */
export async function* showModel(context: ShownContext, input: Input, file: ShownFile): Results<ModelRow | PictureRow> {
  const model = readModel(file.bytes);
  const name = input.options.value("texture");
  if (name !== undefined) return yield* showSkin(context, input, file, model, name);
  refusePictureOptions(input, file, "a model", model.format === "MDL");
  const { qpath, view } = file;
  const skins = await skinRows(context, file, model);
  const missing = new Set(skins.flatMap(({ found, lacks, name }) => found === null ? [name] : lacks));
  yield oneRow(
    { qpath, view, type: "model", ...model, skins, missing: [...missing] },
    (page) => printModel(page, input, file, model, skins),
  );
}
