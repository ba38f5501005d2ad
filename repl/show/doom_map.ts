/**
 * Shows a map of Doom's engines: its format, parts, things, and missing textures.
 * @module
 */
import { type DoomMap, doomMapOf, type DoomSurface } from "../../media/mod.ts";
import { ask, type Input, inView, type Results } from "../command/command.ts";
import { counted, grouped } from "../output/human.ts";
import { oneRow } from "../output/results.ts";
import type { MapRow, TextureRow } from "../rows/show_rows.ts";
import type { ShownContext, ShownFile } from "./file.ts";
import { printTextures } from "./map.ts";
import { NeededNames } from "./needed_names.ts";
import { refusePictureOptions } from "./picture.ts";

/** Returns the names of textures, floors in their folder, with the number of their uses. */
function usesOf({ sides, sectors }: DoomMap): Map<string, number> {
  const uses = new Map<string, number>();
  const add = ({ texture }: DoomSurface, folder: string) => {
    if (texture === "-" || texture === "") return;
    const name = texture.includes("/") ? texture : folder + texture;
    uses.set(name, (uses.get(name) ?? 0) + 1);
  };
  for (const { upper, lower, middle } of sides) for (const surface of [upper, lower, middle]) add(surface, "");
  for (const { floor, ceiling } of sectors) for (const plane of [floor, ceiling]) add(plane, "flats/");
  return uses;
}

function classesOf({ things }: DoomMap): MapRow["classes"] {
  const groups = Map.groupBy(things, ({ type }) => type);
  return Array.from(groups, ([type, { length }]) => ({ classname: `thing ${type}`, count: length }))
    .sort((a, b) => b.count - a.count || a.classname.localeCompare(b.classname, "en", { numeric: true }));
}

/**
 * Shows a map.
 * @throws {MediaError} if it is damaged.
 */
export async function* showDoomMap(context: ShownContext, input: Input, file: ShownFile): Results<MapRow> {
  refusePictureOptions(input, file, "a map", false);
  const { ViewFiles } = await import("../../protocol/library/conversion.ts");
  const files = new ViewFiles({ call: (method, params) => ask(context, method, params) }, inView(context));
  const map = await doomMapOf(file, files);
  // Only some lumps of a map refer to textures; the map to all of them.
  const qpath = /^maps\/([^/]+)\/[^/]+$/i.exec(file.qpath)?.[1] ?? file.qpath;
  const needed = await NeededNames.of(context, { ...file, qpath }, 2);
  const textures = Array.from(usesOf(map), ([name, surfaces]): TextureRow => {
    return { name, surfaces, ...needed.found(name, "image") };
  });
  const classes = classesOf(map);
  const row: MapRow = {
    qpath: file.qpath,
    view: file.view,
    type: "map",
    format: map.format,
    version: null,
    vertices: map.points.length,
    surfaces: textures.reduce((sum, { surfaces }) => sum + surfaces, 0),
    models: 1,
    entities: map.things.length,
    classes,
    worldspawn: {},
    textures,
    missing: textures.filter(({ found }) => found === null).map(({ name }) => name),
  };
  const counts = [
    counted(map.sectors.length, "sector"),
    counted(map.lines.length, "line"),
    counted(map.sides.length, "side"),
    counted(map.points.length, "vertex", "vertices"),
    counted(map.things.length, "thing"),
  ];
  yield oneRow(row, (page) => {
    page.line({ text: file.qpath, style: "heading" }, `  map in the format of ${map.format}: ${counts.join(", ")}`);
    page.table(classes, [
      { title: "COUNT", align: "right", cell: ({ count }) => grouped(count) },
      { title: "CLASS", cell: ({ classname }) => classname },
    ]);
    printTextures(page, input, file, textures);
  });
}
