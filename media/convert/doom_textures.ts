/**
 * Finds the textures of a view for Doom's engines by the names in maps: composed ones, and pictures.
 * @module
 */
import { type ComposedTexture, composeTexture, DrawnPixels, readComposedTextures } from "../composed_texture.ts";
import { MediaError } from "../core/reader.ts";
import { fileKindOf, isPicture } from "../file_kind.ts";
import { emptyPicture, IndexedPicture, type Picture } from "../pictures/picture.ts";
import { compressedPng, storedPng } from "../pictures/png_writer.ts";
import { drawSheet, rowsLayout } from "../pictures/sheet.ts";
import { readTextureDefinitions } from "../texture_definitions.ts";
import type { Converter, LoadedFile, NamedFile, Surroundings } from "./converter.ts";
import { unknownPalette, viewPalette } from "./palette.ts";
import { pictureOf } from "./pictures.ts";
import { isText } from "./text.ts";

/** Maximum pixels of all pictures of one conversion. */
const maxPixels = 64 * 1024 * 1024;
/** Pixels that a texture counts for at least: thousands of small ones may name one another. */
const leastPixels = 4096;
/** Maximum depth of textures that are composed of textures. */
const maxDepth = 8;

/** A texture with its picture. */
export interface DoomTexture {
  readonly picture: Picture;
  /** Pixels per unit of the map. */
  readonly scaleX: number;
  readonly scaleY: number;
  /** Names of patches that are missing, and what could not be drawn of it. */
  readonly faults: readonly string[];
}

/** Textures of one view. */
export class DoomTextures {
  readonly #surroundings: Surroundings;
  readonly #pictures = new Map<string, Promise<Picture | undefined>>();
  #definitions: Promise<ReadonlyMap<string, ComposedTexture>> | undefined;
  #pixels = 0;
  #drawn = new DrawnPixels();

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /**
   * Returns the texture of a wall; undefined if the view has none.
   * @throws {MediaError} if it is damaged.
   */
  async wall(name: string): Promise<DoomTexture | undefined> {
    return await this.#composed(name) ?? await this.#whole(name);
  }

  /**
   * Returns the texture of a floor or ceiling; undefined if the view has none.
   * @throws {MediaError} if it is damaged.
   */
  async flat(name: string): Promise<DoomTexture | undefined> {
    return await this.#whole(name.includes("/") ? name : `flats/${name}`) ?? await this.#composed(name);
  }

  /**
   * Composes a texture.
   * @throws {MediaError} if it, or one of its patches, is damaged or too large.
   */
  async compose(texture: ComposedTexture, depth = 0): Promise<DoomTexture> {
    const patches = new Map<string, Picture | undefined>();
    for (const { name } of texture.layers) {
      // deno-lint-ignore no-await-in-loop -- one patch after the other, and each once
      if (!patches.has(name)) patches.set(name, await this.#patch(name, texture.name, depth));
    }
    const picture = indexed(composeTexture(texture, (name) => patches.get(name), this.#drawn));
    const missing = [...patches].filter(([, patch]) => !patch).map(([name]) => `patch ${name} is missing`);
    const undrawn = texture.unfollowed?.map((property) => `${property} is not drawn`) ?? [];
    const { scaleX = 1, scaleY = 1 } = texture;
    return { picture, scaleX, scaleY, faults: [...missing, ...undrawn] };
  }

  /**
   * Composes a texture for a file of its own, whose bounds do not depend on what was composed before.
   * @throws {MediaError} as {@linkcode DoomTextures.compose}.
   */
  async composeAlone(texture: ComposedTexture): Promise<DoomTexture> {
    this.#drawn = new DrawnPixels();
    if (this.#pixels > maxPixels / 2) {
      this.#pictures.clear();
      this.#pixels = 0;
    }
    return await this.compose(texture);
  }

  /** Returns a composed texture by its name in any case. */
  async #definition(name: string): Promise<ComposedTexture | undefined> {
    return (await (this.#definitions ??= this.#readDefinitions())).get(name.toUpperCase());
  }

  async #composed(name: string): Promise<DoomTexture | undefined> {
    const texture = await this.#definition(name);
    return texture && await this.#composeKept(texture, 0);
  }

  /** Composes a texture that is kept, or is a part of another. */
  async #composeKept(texture: ComposedTexture, depth: number): Promise<DoomTexture> {
    this.#spend(Math.max(leastPixels, texture.width * texture.height));
    return await this.compose(texture, depth);
  }

  #spend(pixels: number): void {
    this.#pixels += pixels;
    if (this.#pixels > maxPixels) throw new MediaError(`its textures have more than ${maxPixels} pixels`);
  }

  async #whole(name: string): Promise<DoomTexture | undefined> {
    const picture = await this.#picture(name);
    return picture && { picture, scaleX: 1, scaleY: 1, faults: [] };
  }

  async #patch(name: string, user: string, depth: number): Promise<Picture | undefined> {
    const found = await this.#picture(name.includes("/") ? name : `patches/${name}`);
    if (found || depth >= maxDepth || name.toUpperCase() === user.toUpperCase()) return found;
    const texture = await this.#definition(name);
    return texture && (await this.#composeKept(texture, depth + 1)).picture;
  }

  #picture(name: string): Promise<Picture | undefined> {
    const key = name.toUpperCase();
    const known = this.#pictures.get(key) ?? this.#readPicture(name);
    this.#pictures.set(key, known);
    return known;
  }

  async #readPicture(name: string): Promise<Picture | undefined> {
    const file = await this.#surroundings.image(name);
    if (!file) return undefined;
    const kind = fileKindOf(file.qpath, file.bytes);
    if (kind === undefined || !isPicture(kind)) throw new MediaError(`${file.qpath} is no picture`);
    const { picture } = await pictureOf(kind, file.bytes, async (game) => {
      return await viewPalette(this.#surroundings, game) ?? unknownPalette;
    });
    this.#spend(picture.width * picture.height);
    return picture;
  }

  /** Returns the files with a lump that the engine reads, in load order. */
  async #all(name: string): Promise<readonly LoadedFile[]> {
    for (const path of [name, `lumps/${name}`]) {
      // deno-lint-ignore no-await-in-loop -- a WAD without an engine has its lumps in a folder
      const found = await this.#surroundings.files?.(path);
      if (found && found.length > 0) return found;
    }
    return [];
  }

  async #readDefinitions(): Promise<ReadonlyMap<string, ComposedTexture>> {
    const found = new Map<string, ComposedTexture>();
    const names = await this.#all("PNAMES");
    const [first, second] = [await this.#all("TEXTURE1"), await this.#all("TEXTURE2")];
    const isOf = ({ source }: LoadedFile) => (other: LoadedFile) => other.source === source;
    // Of one file TEXTURE1 comes before TEXTURE2, and earlier textures before later ones.
    const tables = [
      ...first.flatMap((table) => [...second.filter(isOf(table)), table]),
      ...second.filter((table) => !first.some(isOf(table))),
    ];
    for (const table of tables) {
      const own = names.find(isOf(table)) ?? names.at(-1);
      for (const texture of readComposedTextures(table.bytes, own?.bytes).toReversed()) {
        found.set(texture.name.toUpperCase(), texture);
      }
    }
    for (const { bytes } of await this.#all("TEXTURES")) {
      for (const texture of readTextureDefinitions(bytes)) {
        if (!texture.isReplacement) found.set(texture.name.toUpperCase(), texture);
      }
    }
    return found;
  }
}

const isBinary = /(?:^|\/)texture[12](?:~\d+)?$/i;

/** Returns the textures that a file defines, each once. */
async function texturesOf({ qpath, bytes }: NamedFile, surroundings: Surroundings): Promise<ComposedTexture[]> {
  const names = async () => (await surroundings.file(qpath.replace(/[^/]*$/, "PNAMES")))?.bytes;
  const all: readonly ComposedTexture[] = isBinary.test(qpath)
    ? readComposedTextures(bytes, await names()).toReversed()
    : readTextureDefinitions(bytes).filter(({ isReplacement }) => !isReplacement);
  return [...new Map(all.map((texture) => [texture.name.toUpperCase(), texture])).values()];
}

/** Draws all textures of a file on one sheet, without those that cannot be drawn. */
async function textureSheet(file: NamedFile, surroundings: Surroundings): Promise<Uint8Array> {
  const textures = await texturesOf(file, surroundings);
  rowsLayout(textures.map(({ width, height }) => ({ width: Math.max(1, width), height: Math.max(1, height) })));
  const pictures = new DoomTextures(surroundings);
  const found: Picture[] = [];
  for (const texture of textures) {
    // deno-lint-ignore no-await-in-loop -- one after the other bounds memory
    const drawn = await pictures.compose(texture).catch((error) => {
      if (!(error instanceof MediaError)) throw error;
      return emptyPicture(Math.max(1, texture.width), Math.max(1, texture.height));
    });
    found.push("picture" in drawn ? drawn.picture : drawn);
  }
  return storedPng(drawSheet(found, (picture) => picture, rowsLayout));
}

function textureRow(name: string, title: string, paths: RegExp, accepts?: Converter["accepts"]): Converter {
  return {
    ...{ name, title, extensions: ["", "txt"], paths, to: "png", convert: textureSheet, ...accepts && { accepts } },
    parts: async (file, surroundings) => {
      const pictures = new DoomTextures(surroundings);
      return (await texturesOf(file, surroundings)).map((texture) => ({
        name: `textures/${texture.name.replace(/\.\w+$/, "")}`,
        convert: async () => {
          const { picture, faults } = await pictures.composeAlone(texture);
          if (faults.length > 0) throw new MediaError(faults.join("; "));
          return compressedPng(storedPng(picture));
        },
      }));
    },
  };
}

/** Converters of textures that are composed of patches. */
export const doomTextureConverters: readonly Converter[] = [
  textureRow("texture1-png", "textures of Doom, composed: a sheet, or each in `textures/`", isBinary),
  textureRow(
    "textures-png",
    "textures of GZDoom's `TEXTURES`, likewise",
    /(?:^|\/)textures(?:~\d+|\.[^/]*)?$/i,
    (start) => isText(start),
  ),
];

/** Returns a picture with at most 256 colours as indices of them, a quarter of the size. */
function indexed(picture: Picture): Picture {
  const { width, height, rgba } = picture;
  const view = new DataView(rgba.buffer, rgba.byteOffset);
  const numbers = new Map<number, number>();
  const indices = new Uint8Array(width * height);
  let hole: number | undefined;
  for (let pixel = 0; pixel < indices.length; pixel++) {
    const opacity = rgba[pixel * 4 + 3];
    if (opacity !== 0 && opacity !== 255) return picture;
    // One colour stands for all holes.
    const colour = opacity === 0 ? 0 : view.getUint32(pixel * 4);
    let number = numbers.get(colour);
    if (number === undefined) {
      number = numbers.size;
      if (number === 256) return picture;
      numbers.set(colour, number);
      if (opacity === 0) hole = number;
    }
    indices[pixel] = number;
  }
  const colours = new Uint8Array(768);
  for (const [colour, number] of numbers) {
    colours.set([colour >>> 24, colour >>> 16 & 255, colour >>> 8 & 255], number * 3);
  }
  return new IndexedPicture(width, height, indices, { colours, origin: "the file itself" }, hole);
}
