/**
 * Pictures of a view as textures of glTF, without duplicates. PNG and JPEG are embedded unchanged.
 * @module
 */
import { MediaError, Reader } from "../core/reader.ts";
import { fileKindOf, isPicture } from "../file_kind.ts";
import { isPng } from "../pictures/png.ts";
import { hasTransparency, IndexedPicture, type Picture } from "../pictures/picture.ts";
import { storedPng } from "../pictures/png_writer.ts";
import type { NamedFile, Surroundings } from "./converter.ts";
import { type PaletteGame, unknownPalette, viewPalette } from "./palette.ts";
import { pictureOf } from "./pictures.ts";
import type { GltfDocument, Json, Material, Sampling } from "./gltf/document.ts";
import { type Look, lookOf } from "./gltf/shader_look.ts";

/** Maximum pictures of one result. */
const maxPictures = 4096;

/** A texture, or the reason why only a colour is used. */
interface Loaded {
  readonly texture?: number;
  readonly isTransparent?: boolean;
  readonly extras?: Readonly<Record<string, Json>>;
}

/** Colour of surfaces whose picture is missing. */
const grey = [0.5, 0.5, 0.5, 1] as const;

/** Properties of a surface besides its picture. */
export type Surface = Pick<Material, "light" | "isUnlit" | "opacity" | "isTwoSided" | "colour">;

/** Textures and materials of one result. */
export class Textures {
  readonly #document: GltfDocument;
  readonly #surroundings: Surroundings;
  readonly #loaded = new Map<string, Promise<Loaded>>();
  readonly #looks = new Map<string, Promise<Look>>();
  readonly #materials = new Map<string, number>();
  readonly #pictures = new Map<Picture, number>();

  constructor(document: GltfDocument, surroundings: Surroundings) {
    this.#document = document;
    this.#surroundings = surroundings;
  }

  /** Returns the look of a shader; empty if the view does not define it. */
  look(name: string): Promise<Look> {
    const known = this.#looks.get(name) ?? this.#readLook(name);
    this.#looks.set(name, known);
    return known;
  }

  async #readLook(name: string): Promise<Look> {
    const definition = await this.#surroundings.shader?.(name);
    return definition === undefined ? {} : lookOf(definition);
  }

  /** Returns whether the view has a picture for a name. */
  async has(name: string): Promise<boolean> {
    return (await this.#load(name, false)).texture !== undefined;
  }

  /** Returns the material of a shader or picture of the view; grey if it cannot be shown. */
  async named(name: string, surface: Surface = {}): Promise<number> {
    const look = await this.look(name);
    const loaded = await this.#load(name, look.isAdded === true);
    return this.#material(name, loaded, { ...surface, ...surfaceOf(look) });
  }

  /** Returns the material of a generated picture or one in the file; grey if it cannot be decoded. */
  pictured(name: string, decode: () => Picture, sampling: Sampling, surface: Surface = {}): number {
    const loaded = this.#attempt(name, () => {
      const picture = decode();
      const texture = this.#document.texture(name, storedPng(picture), sampling);
      return { texture, isTransparent: hasHole(picture) };
    });
    return this.#material(name, loaded, loaded.isTransparent ? { opacity: "mask", ...surface } : surface);
  }

  /** Returns the material of a picture, with what is to be said of it; grey without one. */
  found(name: string, picture: Picture | undefined, surface: Surface, extras: Loaded["extras"]): number {
    const known = picture && this.#pictures.get(picture);
    const texture = picture && (known ?? this.#document.texture(name, storedPng(picture), "pixels"));
    if (picture && texture !== undefined) this.#pictures.set(picture, texture);
    return this.#material(name, { ...texture !== undefined && { texture }, ...extras && { extras } }, surface);
  }

  /** Returns the material of a surface whose picture the view lacks. */
  missing(name: string, surface: Surface = {}): number {
    return this.#material(name, { extras: { missing: name } }, surface);
  }

  #material(name: string, { texture, extras }: Loaded, surface: Surface): number {
    const material = {
      name,
      ...surface,
      ...texture === undefined ? { colour: surface.colour ?? grey } : { texture },
      ...extras && { extras },
    };
    const key = JSON.stringify(material);
    const known = this.#materials.get(key) ?? this.#document.material(material);
    this.#materials.set(key, known);
    return known;
  }

  #load(name: string, isAdded: boolean): Promise<Loaded> {
    const key = `${isAdded} ${name}`;
    const known = this.#loaded.get(key) ?? this.#read(name, isAdded);
    if (this.#loaded.size >= maxPictures) throw new MediaError(`it shows more than ${maxPictures} pictures`);
    this.#loaded.set(key, known);
    return known;
  }

  async #read(name: string, isAdded: boolean): Promise<Loaded> {
    const file = await this.#surroundings.image(name);
    if (!file) return { extras: { missing: name } };
    try {
      return await this.#decode(file, isAdded);
    } catch (error) {
      return damaged(file.qpath, error);
    }
  }

  async #decode(file: NamedFile, isAdded: boolean): Promise<Loaded> {
    const { qpath, bytes } = file;
    const kind = fileKindOf(qpath, bytes);
    if (kind === undefined || !isPicture(kind)) throw new MediaError("it is no picture");
    if (!isAdded && (kind === "jpeg" || kind === "png")) {
      requireHeader(bytes);
      return { texture: this.#document.texture(qpath, bytes, "smooth") };
    }
    const paletteOf = async (game: PaletteGame) => await viewPalette(this.#surroundings, game) ?? unknownPalette;
    const { picture } = await pictureOf(kind, bytes, paletteOf);
    const isPaletteArt = picture instanceof IndexedPicture || kind === "pcx";
    const png = storedPng(isAdded ? lightOf(picture) : picture);
    return { texture: this.#document.texture(qpath, png, isPaletteArt ? "pixels" : "smooth") };
  }

  #attempt(name: string, load: () => Loaded): Loaded {
    try {
      return load();
    } catch (error) {
      return damaged(name, error);
    }
  }
}

/** Rejects pictures that viewers would reject, by their first bytes. */
function requireHeader(bytes: Uint8Array): void {
  const reader = new Reader(bytes);
  if (!isPng(bytes)) return reader.require(0, 20, "a JPEG");
  reader.require(0, 33, "a PNG");
  if (!reader.startsWith("IHDR", 12)) throw new MediaError("it has no header");
}

function damaged(name: string, error: unknown): Loaded {
  if (!(error instanceof MediaError)) throw error;
  return { extras: { damaged: `${name}: ${error.message}` } };
}

function hasHole(picture: Picture): boolean {
  if (!(picture instanceof IndexedPicture)) return hasTransparency(picture);
  return picture.transparent !== undefined && picture.indices.includes(picture.transparent);
}

function surfaceOf({ opacity, isTwoSided }: Look): Surface {
  return { ...opacity && { opacity }, ...isTwoSided && { isTwoSided } };
}

/** Returns a picture with its brightness as opacity, so that mixing it is nearly the same as adding its light. */
function lightOf({ width, height, rgba }: Picture): Picture {
  const light = new Uint8Array(rgba.length);
  for (let offset = 0; offset < rgba.length; offset += 4) {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(offset, offset + 3);
    const brightest = Math.max(red, green, blue);
    if (brightest === 0) continue;
    light.set([red, green, blue].map((value) => Math.round(value * 255 / brightest)), offset);
    light[offset + 3] = brightest;
  }
  return { width, height, rgba: light };
}
