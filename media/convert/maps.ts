/**
 * Converters of maps to glTF, with the textures in them or those that the view's engine would show.
 * @module
 */
import { addedLump, readBsp, readMapGeometry } from "../maps/bsp.ts";
import type { Light, MapSurface } from "../maps/map_geometry.ts";
import type { MapTexture } from "../maps/map_reader.ts";
import { MediaError, Reader } from "../core/reader.ts";
import type { Palette } from "../pictures/palette.ts";
import { storedPng } from "../pictures/png_writer.ts";
import { decodeMip, readMipHeader } from "../pictures/quake_picture.ts";
import { decodeLump, type Lump, readWad } from "../pictures/wad.ts";
import { isModel } from "../models/model_file.ts";
import type { Converter, NamedFile, Surroundings } from "./converter.ts";
import { doomMapConverters } from "./doom_maps.ts";
import { GltfDocument } from "./gltf/document.ts";
import { addMap, isUnlit, type PaintedSurface } from "./gltf/map_scene.ts";
import { convertModel } from "./models.ts";
import { unknownPalette, viewPalette } from "./palette.ts";
import { type Surface, Textures } from "./textures.ts";

/**
 * Returns the material of surfaces, and the size of the picture if texture coordinates are pixels; undefined to hide
 * them.
 */
type Paint = (texture: MapTexture, surface: Surface) => Promise<Pick<PaintedSurface, "material" | "size"> | undefined>;

/** Size of pictures that are missing. */
const unknownSize = { width: 64, height: 64 };

/** Half-Life's textures are in packs, which the world entity lists with paths on the author's disk. */
async function namedWads(world: string | undefined, surroundings: Surroundings): Promise<[NamedFile, Lump[]][]> {
  const names = (world ?? "").split(";").map((path) => path.replaceAll("\\", "/").split("/").at(-1)?.trim() ?? "");
  const files = await Promise.all(
    [...new Set(names)].filter((name) => name !== "").map((name) => surroundings.file(name)),
  );
  return files.flatMap((file): [NamedFile, Lump[]][] => {
    try {
      return file ? [[file, readWad(file.bytes)]] : [];
    } catch (error) {
      if (error instanceof MediaError) return [];
      throw error;
    }
  });
}

/** Creates materials from textures in the map, or in packs next to it. */
function embeddedPaint(
  bytes: Uint8Array,
  palette: Palette,
  wads: readonly [NamedFile, Lump[]][],
  textures: Textures,
  isHalfLife: boolean,
  replacement: (name: string) => Promise<string | undefined>,
): Paint {
  const reader = new Reader(bytes);
  const sampling = isHalfLife ? "smooth" : "pixels";
  return async ({ name, offset }, surface) => {
    const { width, height } = offset === null ? unknownSize : readMipHeader(reader, offset);
    if (width < 1 || height < 1) throw new MediaError(`texture ${name} is empty`, { offset: offset ?? 0 });
    const other = await replacement(name);
    if (other !== undefined) {
      const holes: Surface = name.startsWith("{") ? { opacity: "mask" } : {};
      return { material: await textures.named(other, { ...holes, ...surface }), size: { width, height } };
    }
    if (offset !== null) {
      const decode = () => decodeMip(bytes, offset, palette, isHalfLife).picture;
      return { material: textures.pictured(name, decode, sampling, surface), size: { width, height } };
    }
    for (const [file, lumps] of wads) {
      const lump = lumps.find((one) => one.type === "miptex" && one.name.toLowerCase() === name.toLowerCase());
      if (!lump?.width || !lump.height) continue;
      const decode = () => decodeLump(file.bytes, lump, palette).picture;
      const size = { width: lump.width, height: lump.height };
      return { material: textures.pictured(name, decode, sampling, surface), size };
    }
    return { material: textures.missing(name, surface), size: unknownSize };
  };
}

/**
 * Returns a function that finds the picture that replaces a texture of Quake: for this map, else for all. Engines write
 * `#` for the star of liquids (sezero/quakespasm Quake/gl_model.c, `Mod_LoadTextures`; DarkPlaces
 * `R_SkinFrame_LoadExternal`).
 */
function replacements(qpath: string, textures: Textures): (name: string) => Promise<string | undefined> {
  const map = /([^/]*)\.[^./]*$/.exec(qpath)?.[1] ?? "";
  return async (name) => {
    const file = name.replace(/^\*/, "#").toLowerCase();
    for (const path of [`textures/${map}/${file}`, `textures/${file}`]) {
      // deno-lint-ignore no-await-in-loop -- the first that exists is shown
      if (file !== "" && await textures.has(path)) return path;
    }
    return undefined;
  };
}

/** Creates materials from the files of Quake 2, whose sizes are used even if another picture replaces them. */
function walPaint(surroundings: Surroundings, textures: Textures): Paint {
  return async ({ name }, surface) => {
    const path = `textures/${name}.wal`;
    const material = await textures.named(path, surface);
    const file = await surroundings.file(path);
    if (!file || file.bytes.length < 40) return { material, size: unknownSize };
    const reader = new Reader(file.bytes);
    const [width, height] = [reader.u32(32), reader.u32(36)];
    return { material, size: width > 0 && height > 0 ? { width, height } : unknownSize };
  };
}

/** Creates materials from shaders. */
function shaderPaint(textures: Textures): Paint {
  return async ({ name }, surface) => {
    const { isHidden } = await textures.look(name);
    return isHidden || /^(?:noshader)?$/i.test(name) ? undefined : { material: await textures.named(name, surface) };
  };
}

/**
 * Returns the coloured light of a map of Quake, samples of three bytes: from the file next to it (`QLIT`, i32 1), else
 * from the map, as in QuakeSpasm-Spiked (`Mod_LoadLighting`).
 */
function colouredLight(map: Uint8Array, file: NamedFile | undefined): Uint8Array | undefined {
  const reader = file && file.bytes.length >= 8 ? new Reader(file.bytes) : undefined;
  if (file && reader?.startsWith("QLIT") && reader.i32(4) === 1) return file.bytes.subarray(8);
  return addedLump(map, "RGBLIGHTING");
}

/**
 * Converts a map to glTF.
 * @throws {MediaError} if it is damaged or too large.
 */
async function convertMap(file: NamedFile, surroundings: Surroundings): Promise<Uint8Array> {
  const { qpath, bytes } = file;
  // Models that replace Quake's boxes have the names of maps (DarkPlaces detects both by content).
  if (isModel(new Reader(bytes))) return await convertModel(file, surroundings);
  const facts = readBsp(bytes);
  const isShaders = facts.format === "Quake 3" || facts.format === "RTCW or Quake Live";
  const isQuake1 = facts.format === "Quake" || facts.format === "Quake BSP2";
  const lit = isQuake1 ? await surroundings.file(qpath.replace(/\.[^./]*$/, ".lit")) : undefined;
  const { surfaces, lightPages } = readMapGeometry(bytes, isQuake1 ? colouredLight(bytes, lit) : undefined);
  const document = new GltfDocument();
  const textures = new Textures(document, surroundings);
  const light = lightPages.map((page, index) => document.texture(`light ${index}`, storedPng(page, "rgb"), "light"));
  const paint = await paintOf(file, facts, surroundings, textures, isShaders);
  const painted: PaintedSurface[] = [];
  for (const surface of surfaces) {
    const texture = facts.textures[surface.texture];
    if (!texture) throw new MediaError(`a surface shows texture ${surface.texture} of ${facts.textures.length}`);
    // deno-lint-ignore no-await-in-loop -- materials are numbered in the order of the surfaces
    const look = await paint(texture, surfaceOf(surface, light));
    if (look) painted.push({ ...surface, ...look });
  }
  return document.finish(addMap(document, painted, facts.entities));
}

async function paintOf(
  { qpath, bytes }: NamedFile,
  { format, entities }: ReturnType<typeof readBsp>,
  surroundings: Surroundings,
  textures: Textures,
  isShaders: boolean,
): Promise<Paint> {
  if (isShaders) return shaderPaint(textures);
  if (format === "Quake 2") return walPaint(surroundings, textures);
  const palette = await viewPalette(surroundings, "quake") ?? unknownPalette;
  const isHalfLife = format === "Half-Life";
  const wads = isHalfLife ? await namedWads(entities[0]?.get("wad"), surroundings) : [];
  const replacement = isHalfLife ? () => Promise.resolve(undefined) : replacements(qpath, textures);
  return embeddedPaint(bytes, palette, wads, textures, isHalfLife, replacement);
}

function surfaceOf({ light, opacity }: MapSurface, pages: readonly number[]): Surface {
  const page = pageOf(light, pages);
  return {
    ...page !== undefined && { light: page },
    ...isUnlit(light) && { isUnlit: true },
    ...opacity < 1 && { opacity: "blend", colour: [1, 1, 1, opacity] },
  };
}

function pageOf(light: Light, pages: readonly number[]): number | undefined {
  return typeof light === "object" ? pages[light.page] : undefined;
}

/** Converters of maps. */
export const mapConverters: readonly Converter[] = [
  {
    name: "bsp-glb",
    title: "maps of Quake, Half-Life, Quake 2 and 3",
    extensions: ["bsp"],
    to: "glb",
    convert: convertMap,
  },
  ...doomMapConverters,
];
