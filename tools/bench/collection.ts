/**
 * A collection of very many small packs, as in a collection of every map ever made, on which the index is measured.
 * Made once and kept.
 * @module
 */
import { join } from "node:path";
import { formatNamed } from "../../formats/table.ts";

/** Size of a collection. */
export interface CollectionSize {
  readonly packs: number;
  readonly files: number;
}

/** 4,000 packs with 254,000 files. */
export const mapCollection: CollectionSize = { packs: 4000, files: 254_000 };
/** 4,000 packs with a million files. */
export const millionFiles: CollectionSize = { packs: 4000, files: 1_000_000 };

/** Version of the collection. Raise it when the content changes: older collections are then rebuilt. */
const generation = 1;
const kinds = ["wall", "floor", "trim", "light", "sky", "door", "pipe", "grate", "stone", "metal"];

/** Paths of one pack: a map with its picture and script, and textures that other packs have in part too. */
function pathsOf(pack: number, count: number): string[] {
  const name = `map${String(pack).padStart(4, "0")}`;
  const paths = [`maps/${name}.bsp`, `maps/${name}.aas`, `levelshots/${name}.tga`, `scripts/${name}.shader`];
  for (let index = paths.length; index < count; index++) {
    const set = index % 5 === 0 ? `shared${pack % 40}` : name;
    paths.push(`textures/${set}/${kinds[index % kinds.length]}${String(index).padStart(2, "0")}.jpg`);
  }
  return paths;
}

/** The base directory of the collection below `cache`, made if it is not there yet. `report` hears what takes long. */
export async function prepareCollection(
  cache: string,
  size: CollectionSize,
  report: (text: string) => void,
): Promise<string> {
  const folder = join(cache, `collection-${size.packs}x${size.files}-${generation}`);
  const done = join(folder, "complete");
  if (await Deno.stat(done).then(() => true, () => false)) return join(folder, "quake3");
  report(`making ${size.packs} packs with ${size.files} files in ${folder}`);
  const base = join(folder, "quake3", "baseq3");
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(base, { recursive: true });
  const content = new TextEncoder().encode("not much, as it is never read");
  const write = formatNamed("zip")?.write;
  if (!write) throw new Error("Zips cannot be written");
  for (let pack = 0; pack < size.packs; pack++) {
    const path = join(base, pack === 0 ? "pak0.pk3" : `map${String(pack).padStart(4, "0")}.pk3`);
    const count = Math.floor(size.files * (pack + 1) / size.packs) - Math.floor(size.files * pack / size.packs);
    const entries = pathsOf(pack, count).map((name) => ({ path: name, content: () => content, mtime: 1e12 }));
    // deno-lint-ignore no-await-in-loop -- one pack after the other
    await Deno.writeFile(path, ReadableStream.from(write(entries, { path, method: "store" })));
  }
  await Deno.writeTextFile(done, "");
  return join(folder, "quake3");
}
