/**
 * Converters of models to glTF, with the skins that the view's engine would show.
 * @module
 */
import { Reader } from "../core/reader.ts";
import { readAse } from "../models/ase.ts";
import type { Geometry, Mesh } from "../models/geometry.ts";
import { decodeHalfLifeTexture, halfLifeTextures, openHalfLife } from "../models/half_life.ts";
import { readLwo } from "../models/lwo.ts";
import { readMd5 } from "../models/md5.ts";
import { decodeMdlSkin } from "../models/mdl.ts";
import { openModel } from "../models/model_file.ts";
import { readSkin } from "../models/skin.ts";
import { IndexedPicture } from "../pictures/picture.ts";
import type { Converter, NamedFile, Surroundings } from "./converter.ts";
import { GltfDocument } from "./gltf/document.ts";
import { addModel, type MeshMaterials } from "./gltf/model_scene.ts";
import { Textures } from "./textures.ts";
import { unknownPalette, viewPalette } from "./palette.ts";
import { playerClips } from "./player_clips.ts";

/** Returns a path without its extension. */
function stemOf(qpath: string): string {
  return qpath.replace(/\.[^./]*$/, "");
}

/** A skin: its name, and the material of each mesh. */
export interface Skin {
  readonly name: string;
  readonly materials: readonly number[];
}

/** Returns the materials of the meshes of a model with these skins. */
export function asMaterials(skins: readonly Skin[]): MeshMaterials {
  return { of: (mesh) => skins[0]?.materials[mesh] ?? 0, variants: skins.length > 1 ? skins : [] };
}

/** Skins of Quake, which are in the file. */
async function mdlSkins({ bytes }: NamedFile, surroundings: Surroundings, textures: Textures): Promise<Skin[]> {
  const palette = await viewPalette(surroundings, "quake") ?? unknownPalette;
  // Pixels of the last colour are holes in models with that flag (sezero/quakespasm Quake/gl_model.h, `MF_HOLEY`).
  const isHoley = (new Reader(bytes).u32(76) & 0x4000) !== 0;
  return readNames(bytes).map((name): Skin => {
    const decode = () => {
      const picture = decodeMdlSkin(bytes, Number(name), palette);
      if (!isHoley || !(picture instanceof IndexedPicture)) return picture;
      return new IndexedPicture(picture.width, picture.height, picture.indices, palette, 255);
    };
    const title = `skin ${name}`;
    return { name: title, materials: [textures.pictured(title, decode, "pixels")] };
  });
}

function readNames(bytes: Uint8Array): readonly string[] {
  return openModel(bytes).facts().skins;
}

/** Skins of Quake 2: the files named in the model, else the files of players (`players/`: `skin.pcx`). */
async function md2Skins({ qpath, bytes }: NamedFile, textures: Textures): Promise<Skin[]> {
  const directory = qpath.replace(/[^/]*$/, "");
  const named = [...new Set(readNames(bytes))].filter((name) => name !== "");
  const found: string[] = [];
  for (const [index, name] of [...named, `${directory}skin.pcx`, `${stemOf(qpath)}.pcx`].entries()) {
    // deno-lint-ignore no-await-in-loop -- the last two are tried only if the others are missing
    if ((index < named.length || found.length === 0) && await textures.has(name)) found.push(name);
  }
  if (found.length === 0) {
    return [{ name: "missing", materials: [textures.missing(named[0] ?? `${directory}skin.pcx`)] }];
  }
  return await Promise.all(found.map(async (name) => ({ name, materials: [await textures.named(name)] })));
}

/** Further skins of Quake 3 for players. */
const teams = ["red", "blue"] as const;
/** Maximum bytes of a skin file. */
const maxSkinText = 64 * 1024;

/** Skins of Quake 3: the shaders of the surfaces, or of skin files next to the model. */
async function shaderSkins(
  { qpath }: NamedFile,
  meshes: readonly Mesh[],
  surroundings: Surroundings,
  textures: Textures,
): Promise<Skin[]> {
  const skinOf = async (name: string, shaderOf: (mesh: Mesh) => string | undefined): Promise<Skin> => ({
    name,
    materials: await Promise.all(meshes.map((mesh) => {
      const shader = shaderOf(mesh) || mesh.shaders[0] || "";
      return shader === "" ? textures.missing(mesh.name) : textures.named(shader);
    })),
  });
  // Low-detail models have the skins of the detailed one.
  const stem = stemOf(qpath).replace(/_\d$/, "");
  const files = await Promise.all(["default", ...teams].map(async (name) => {
    const file = await surroundings.file(`${stem}_${name}.skin`);
    return file && { name, shaders: new Map(readSkin(file.bytes.subarray(0, maxSkinText))) };
  }));
  const skins = files.filter((file) => file !== undefined);
  if (skins.length === 0) return [await skinOf("default", () => undefined)];
  return await Promise.all(
    skins.map(({ name, shaders }) => skinOf(name, (mesh) => shaders.get(mesh.name.toLowerCase()))),
  );
}

/** Skins of Half-Life, which are in the file or in one next to it. */
function halfLifeSkins(file: Reader, meshes: readonly Mesh[], textures: Textures): Skin[] {
  const listed = halfLifeTextures(file);
  const materials = meshes.map(({ shaders: [name = ""] }) => {
    const texture = listed.find((one) => one.name === name);
    if (!texture) return textures.missing(name);
    return textures.pictured(name, () => decodeHalfLifeTexture(file, texture), "smooth");
  });
  return [{ name: "default", materials }];
}

async function halfLifeModel(
  file: NamedFile,
  surroundings: Surroundings,
  textures: Textures,
): Promise<[Geometry, Skin[]]> {
  const reader = new Reader(file.bytes);
  const isElsewhere = reader.i32(180) === 0;
  const other = isElsewhere ? await surroundings.file(`${stemOf(file.qpath)}t.mdl`) : undefined;
  const texturesAt = other ? new Reader(other.bytes) : reader;
  const geometry = openHalfLife(reader, texturesAt).geometry();
  return [geometry, halfLifeSkins(texturesAt, geometry.meshes, textures)];
}

/** Returns the shape of a model with its animations, and its skins; the first skin is the default. */
export async function modelOf(
  file: NamedFile,
  surroundings: Surroundings,
  textures: Textures,
): Promise<[Geometry, Skin[]]> {
  const { qpath, bytes } = file;
  const reader = new Reader(bytes);
  if (reader.startsWith("MD5Version")) {
    const beside = await surroundings.file(`${stemOf(qpath)}.md5anim`);
    const name = stemOf(qpath).split("/").at(-1) ?? "";
    const geometry = readMd5(bytes, beside ? [{ name, bytes: beside.bytes }] : []);
    return [geometry, await shaderSkins(file, geometry.meshes, surroundings, textures)];
  }
  const flat = reader.startsWith("*3DSMAX") ? readAse(bytes) : reader.startsWith("FORM") ? readLwo(bytes) : undefined;
  if (flat) return [flat, await shaderSkins(file, flat.meshes, surroundings, textures)];
  if (reader.startsWith("IDST")) return await halfLifeModel(file, surroundings, textures);
  const geometry = openModel(bytes).geometry();
  if (reader.startsWith("IDPO")) return [geometry, await mdlSkins(file, surroundings, textures)];
  if (reader.startsWith("IDP2")) return [geometry, await md2Skins(file, textures)];
  const clips = await playerClips(qpath, geometry, surroundings);
  const still = clips.find(({ name }) => /^(?:TORSO_STAND|LEGS_IDLE)$/.test(name))?.first ?? 0;
  return [{ ...geometry, clips, still }, await shaderSkins(file, geometry.meshes, surroundings, textures)];
}

/**
 * Converts a model of any kind to glTF.
 * @throws {MediaError} if it is damaged, or has no triangles.
 */
export async function convertModel(file: NamedFile, surroundings: Surroundings): Promise<Uint8Array> {
  const document = new GltfDocument();
  const textures = new Textures(document, surroundings);
  return finishModel(file, document, textures, await modelOf(file, surroundings, textures));
}

/**
 * Converts a model to glTF without its animations.
 * @throws {MediaError} if it is damaged, or has no triangles.
 */
export async function convertStill(file: NamedFile, surroundings: Surroundings): Promise<Uint8Array> {
  const document = new GltfDocument();
  const textures = new Textures(document, surroundings);
  const [geometry, skins] = await modelOf(file, surroundings, textures);
  return finishModel(file, document, textures, [stillOf(geometry), skins]);
}

/** Returns the shape of a model without its animations. */
export function stillOf(geometry: Geometry): Geometry {
  const { meshes, tags, still = 0 } = geometry;
  // Models with joints have one frame, whatever the frames of their animations.
  const frame = <Frame>(frames: readonly Frame[]) => frames.slice(Math.min(still, frames.length - 1), still + 1);
  const { still: _, ...others } = geometry;
  return {
    ...others,
    ...tags && { tags: { ...tags, frames: frame(tags.frames) } },
    meshes: meshes.map((mesh) => ({ ...mesh, frames: frame(mesh.frames) })),
    clips: [],
  };
}

function finishModel(
  file: NamedFile,
  document: GltfDocument,
  textures: Textures,
  [geometry, skins]: readonly [Geometry, readonly Skin[]],
): Uint8Array {
  const title = stemOf(file.qpath).split("/").at(-1) ?? "";
  const shown = skins.length > 0 ? skins : [{ name: "", materials: [textures.missing("skin")] }];
  return document.finish(addModel(document, geometry, asMaterials(shown), title));
}

function modelRow(name: string, title: string, extension = name): Converter {
  return { name: `${name}-glb`, title, extensions: [extension], to: "glb", convert: convertModel, still: convertStill };
}

/** Converters of models. */
export const modelConverters: readonly Converter[] = [
  modelRow("mdl", "models of Quake and Half-Life"),
  modelRow("md2", "models of Quake 2"),
  modelRow("md3", "models of Quake 3"),
  modelRow("mdc", "models of Return to Castle Wolfenstein"),
  modelRow("iqm", "Inter-Quake models"),
  modelRow("md5", "models of Doom 3", "md5mesh"),
  modelRow("ase", "models of Doom 3 and q3map2 without motion"),
  modelRow("lwo", "models of Doom 3 without motion, LightWave"),
];
