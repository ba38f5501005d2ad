/**
 * Shows a map: version, entities, textures, and missing textures.
 * @module
 */
import type { Input, Results } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { countClasses, decodeMip, type Entity, type GameMap, parseEntities, readBsp } from "../../media/mod.ts";
import { counted, grouped, humanSize } from "../output/human.ts";
import type { Page } from "../output/page.ts";
import { oneRow } from "../output/results.ts";
import type { Part } from "../output/text.ts";
import type { EntitiesRow, MapRow, PictureRow, TextureRow } from "../rows/show_rows.ts";
import type { ShownContext, ShownFile } from "./file.ts";
import { NeededNames } from "./needed_names.ts";
import { paletteOf, present, refusePictureOptions } from "./picture.ts";

/** Textures that no surface shows are not loaded, and undrawn ones need no image. */
function isMissing({ surfaces, found }: TextureRow): boolean {
  return found === null && surfaces > 0;
}

/** Names that map compilers write for surfaces without a texture. */
const noTexture: ReadonlySet<string> = new Set(["noshader", "flareShader"]);

async function textureRows(context: ShownContext, file: ShownFile, map: GameMap): Promise<TextureRow[]> {
  const isQuake2 = map.format === "Quake 2";
  const isQuake3 = map.version === 46 || map.version === 47;
  const needed = isQuake2 || isQuake3 ? await NeededNames.of(context, file, 2) : undefined;
  return map.textures.map(({ name, offset, surfaces }): TextureRow => {
    if (offset !== null) return { name, surfaces, found: "embedded", lacks: [] };
    if (isQuake3 && noTexture.has(name)) return { name, surfaces: 0, found: null, lacks: [] };
    if (!needed || surfaces === 0) return { name, surfaces, found: null, lacks: [] };
    const found = isQuake2 ? needed.found(`textures/${name}.wal`, "file") : needed.found(name, "image");
    return { name, surfaces, ...found };
  });
}

function printEntities(page: Page, entities: readonly Entity[]): void {
  const world = entities.find((entity) => entity.get("classname") === "worldspawn");
  const fields = Array.from(world ?? [], ([key, value]): [string, Part] => [key, value]);
  if (fields.length > 0) {
    page.line({ text: "worldspawn", style: "heading" });
    page.fields(fields.filter(([key]) => key !== "classname").map(([key, value]) => [`  ${key}`, value]));
  }
  page.table(countClasses(entities), [
    { title: "COUNT", align: "right", cell: ({ count }) => grouped(count) },
    {
      title: "CLASS",
      cell: ({ classname }) => classname === "" ? { text: "(no classname)", style: "dim" } : classname,
    },
  ]);
}

function describeMissing({ name, surfaces }: TextureRow, format: string): Part[] {
  const facts: Part = { text: `  ${counted(surfaces, "surface")}`, style: "dim" };
  if (name !== "") return [{ text: `  ${name}`, style: "unusable" }, facts];
  return [{
    text: `  (a texture without a name: the compiler of this ${format} map did not find it)`,
    style: "unusable",
  }, facts];
}

/** Prints the textures of a map that the view lacks, with --long all of them. */
export function printTextures(
  page: Page,
  input: Input,
  file: ShownFile,
  rows: readonly TextureRow[],
  format = "",
): void {
  if (input.options.flag("long")) {
    page.table(rows, [
      { title: "SURFACES", align: "right", cell: ({ surfaces }) => grouped(surfaces) },
      {
        title: "FOUND",
        cell: (row) =>
          isMissing(row) ? { text: "missing", style: "unusable" } : { text: row.found ?? "not used", style: "dim" },
      },
      { title: "TEXTURE", cell: ({ name }) => name },
    ]);
  }
  const missing = rows.filter(isMissing);
  const incomplete = rows.filter(({ lacks }) => lacks.length > 0);
  if (missing.length === 0 && incomplete.length === 0) {
    page.line(`${counted(rows.length, "texture")}, none of those it shows is missing from ${file.view}`);
    return;
  }
  page.line(`${counted(rows.length, "texture")}; missing from ${file.view}:`);
  for (const row of missing) page.line(...describeMissing(row, format));
  for (const { name, lacks } of incomplete) {
    const facts: Part = { text: `  an image of the shader ${name}`, style: "dim" };
    for (const image of lacks) page.line({ text: `  ${image}`, style: "unusable" }, facts);
  }
}

/** Returns the facts of a map, for programs. */
function mapRow(file: ShownFile, map: GameMap, rows: readonly TextureRow[]): MapRow {
  const world = map.entities.find((entity) => entity.get("classname") === "worldspawn");
  return {
    qpath: file.qpath,
    view: file.view,
    type: "map",
    format: map.format,
    version: map.version,
    vertices: map.vertices,
    surfaces: map.surfaces,
    models: map.models,
    entities: map.entities.length,
    classes: countClasses(map.entities),
    worldspawn: Object.fromEntries(world ?? []),
    textures: [...rows],
    missing: [...rows.filter(isMissing).map(({ name }) => name), ...new Set(rows.flatMap(({ lacks }) => lacks))],
  };
}

async function* showTexture(
  context: ShownContext,
  input: Input,
  file: ShownFile,
  map: GameMap,
  name: string,
): Results<PictureRow> {
  const texture = map.textures.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (!texture) throw new CommandError(`${file.qpath} has no texture "${name}"; show -l lists them`);
  if (texture.offset === null) throw new CommandError(`texture ${texture.name} is not in ${file.qpath}: it is a file`);
  const isOwn = map.format === "Half-Life";
  const decoded = decodeMip(file.bytes, texture.offset, await paletteOf(context, "quake"), isOwn);
  const title = `texture ${texture.name} of a ${map.format} map`;
  const { picture, palette } = decoded;
  yield* present(input, file, {
    picture,
    title,
    format: "mip",
    palette: palette.origin,
    texture: texture.name,
  });
}

/**
 * Shows a map, or one of its textures.
 * @throws {MediaError} if it is damaged.
 */
export async function* showMap(context: ShownContext, input: Input, file: ShownFile): Results<MapRow | PictureRow> {
  const map = readBsp(file.bytes);
  const name = input.options.value("texture");
  if (name !== undefined) return yield* showTexture(context, input, file, map, name);
  refusePictureOptions(input, file, "a map", true);
  const rows = await textureRows(context, file, map);
  const counts = [
    counted(map.surfaces, "surface"),
    counted(map.vertices, "vertex", "vertices"),
    counted(map.models, "model"),
    counted(map.entities.length, "entity", "entities"),
  ];
  yield oneRow(() => mapRow(file, map, rows), (page) => {
    page.line(
      { text: file.qpath, style: "heading" },
      `  ${map.format} map, version ${map.version}, ${humanSize(file.bytes.length)}: ${counts.join(", ")}`,
    );
    printEntities(page, map.entities);
    printTextures(page, input, file, rows, map.format);
  });
}

/**
 * Shows the entities of a map from a separate file.
 * @throws {MediaError} if it is damaged.
 */
export async function* showEntities(input: Input, file: ShownFile): Results<EntitiesRow> {
  refusePictureOptions(input, file, "a list of entities", false);
  const entities = parseEntities(new TextDecoder("windows-1252").decode(file.bytes));
  const world = entities.find((entity) => entity.get("classname") === "worldspawn");
  const row: EntitiesRow = {
    qpath: file.qpath,
    view: file.view,
    type: "entities",
    entities: entities.length,
    classes: countClasses(entities),
    worldspawn: Object.fromEntries(world ?? []),
  };
  yield oneRow(row, (page) => {
    page.line({ text: file.qpath, style: "heading" }, `  ${counted(entities.length, "entity", "entities")}`);
    printEntities(page, entities);
  });
}
