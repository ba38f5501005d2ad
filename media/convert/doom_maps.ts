/**
 * Converters of maps of Doom's engines: plans, and glTF with the textures that the view's engine would show.
 * @module
 */
import { MediaError } from "../core/reader.ts";
import { doomGeometry, type DoomTextureUse, type TextureSize, texturesOfDoomMap } from "../maps/doom_geometry.ts";
import { type DoomMap, lumpsOfMapWad, readDoomMap, readTextMap } from "../maps/doom_map.ts";
import { doomMapPlan } from "../maps/doom_plan.ts";
import type { Converter, NamedFile, Surroundings, Target } from "./converter.ts";
import { type DoomTexture, DoomTextures } from "./doom_textures.ts";
import { GltfDocument, type Json } from "./gltf/document.ts";
import { addMap } from "./gltf/map_scene.ts";
import { type Surface, Textures } from "./textures.ts";

/** Returns a lump of a map by its name; undefined if the map has none. */
type LumpOf = (name: string) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

/** Reads a map from its lumps. @throws {MediaError} if one is missing. */
async function mapFrom(lump: LumpOf): Promise<DoomMap> {
  const text = await lump("TEXTMAP");
  if (text) return readTextMap(text);
  const needed = async (name: string) => {
    const found = await lump(name);
    if (!found) throw new MediaError(`its map has no ${name}`);
    return found;
  };
  const [lines, points] = [await needed("LINEDEFS"), await needed("VERTEXES")];
  const [sides, sectors] = [await needed("SIDEDEFS"), await needed("SECTORS")];
  const [things, isHexen] = [await lump("THINGS"), await lump("BEHAVIOR") !== undefined];
  return readDoomMap({ lines, points, sides, sectors, things, isHexen });
}

/**
 * Reads the map of Doom that a file is, opens or is a part of.
 * @throws {MediaError} if it is damaged, or lacks a lump.
 */
export async function doomMapOf(
  { qpath, bytes }: NamedFile,
  surroundings: Pick<Surroundings, "file">,
): Promise<DoomMap> {
  if (/\.wad$/i.test(qpath)) return await mapFrom(lumpsOfMapWad(bytes));
  // The empty lump that opens a map has its name; the map's lumps are in a folder of that name.
  const [, marker] = /^(?:lumps\/)?([^/]+)$/.exec(qpath) ?? [];
  const folder = marker === undefined ? qpath.replace(/[^/]*$/, "") : `maps/${marker}/`;
  return await mapFrom(async (name) => {
    const path = `${folder}${name}`;
    return path.toUpperCase() === qpath.toUpperCase() ? bytes : (await surroundings.file(path))?.bytes;
  });
}

/** Name of the node of all floors and walls. */
const rootName = "map";

const encoder = new TextEncoder();

/** Size of textures that are missing. */
const unknownSize = { width: 64, height: 64 } as const;

/** A texture of a map, its picture, or the reason why it has none. */
interface Found {
  readonly texture?: DoomTexture;
  readonly fault?: Readonly<Record<string, Json>>;
}

async function find({ use, name }: DoomTextureUse, textures: DoomTextures): Promise<Found> {
  try {
    const texture = use === "flat" ? await textures.flat(name) : await textures.wall(name);
    return texture ? { texture } : { fault: { missing: name } };
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    return { fault: { damaged: `${name}: ${error.message}` } };
  }
}

/**
 * Converts a map to glTF.
 * @throws {MediaError} if it is damaged or too large.
 */
async function doomScene(file: NamedFile, surroundings: Surroundings): Promise<Uint8Array> {
  const map = await doomMapOf(file, surroundings);
  const pictures = new DoomTextures(surroundings);
  const found = new Map<string, Found>();
  const keyOf = ({ use, name }: DoomTextureUse) => `${use === "flat"} ${name}`;
  for (const use of texturesOfDoomMap(map)) {
    // deno-lint-ignore no-await-in-loop -- one after the other bounds memory
    if (!found.has(keyOf(use))) found.set(keyOf(use), await find(use, pictures));
  }
  const sizeOf = (use: DoomTextureUse): TextureSize => {
    const texture = found.get(keyOf(use))?.texture;
    if (!texture) return unknownSize;
    const { picture: { width, height }, scaleX, scaleY } = texture;
    return { width: width / scaleX, height: height / scaleY };
  };
  const { surfaces, textures, things, unclosed } = doomGeometry(map, sizeOf);
  const document = new GltfDocument();
  const materials = new Textures(document, surroundings);
  const painted = surfaces.map((surface) => {
    const use = textures[surface.texture];
    if (!use) throw new RangeError(`texture ${surface.texture} is outside of ${textures.length}`);
    const { texture, fault } = found.get(keyOf(use)) ?? {};
    const look: Surface = { isUnlit: true, ...use.use === "middle" && { opacity: "mask" } };
    return { ...surface, material: materials.found(use.name, texture?.picture, look, fault ?? faultsOf(texture)) };
  });
  const extras = {
    ...unclosed.length > 0 && { unclosedSectors: unclosed },
    ...map.unfollowed.length > 0 && { unfollowed: map.unfollowed },
  };
  return document.finish(
    addMap(document, painted, things, rootName),
    Object.keys(extras).length > 0 ? extras : undefined,
  );
}

function faultsOf(texture: DoomTexture | undefined): Readonly<Record<string, Json>> | undefined {
  return texture && texture.faults.length > 0 ? { damaged: texture.faults.join("; ") } : undefined;
}

function row(name: string, title: string, to: Target, extension: string, paths: RegExp): Converter {
  return {
    name,
    title,
    extensions: [extension],
    paths,
    to,
    convert: async (file, surroundings) =>
      to === "glb"
        ? await doomScene(file, surroundings)
        : encoder.encode(doomMapPlan(await doomMapOf(file, surroundings))),
  };
}

/** Names of the lumps that open maps, without those that only a list of maps knows. */
const markers = /^(?:lumps\/)?(?:e\dm\d{1,2}|map\d{2,3})$/;
const parts = /(^|\/)maps\/[^/]+\/(?:linedefs|textmap)$/;
const wads = /(^|\/)maps\/[^/]+\.wad$/;

/** Returns a row for the empty lumps that open maps: other lumps with such a name have content. */
function marker(name: string, title: string, to: Target): Converter {
  return { ...row(name, title, to, "", markers), accepts: (_, fileSize) => fileSize === 0 };
}

/** Converters of maps of Doom. */
export const doomMapConverters: readonly Converter[] = [
  marker("doom-glb", "maps of Doom, Heretic, Hexen and Strife", "glb"),
  marker("doom-svg", "such maps from above", "svg"),
  row("doom-lines-svg", "lines of such maps: the map from above", "svg", "", parts),
  row("doom-lines-glb", "lines of such maps: the map", "glb", "", parts),
  row("doom-wad-glb", "such maps in WADs", "glb", "wad", wads),
  row("doom-wad-svg", "such maps in WADs from above", "svg", "wad", wads),
];
