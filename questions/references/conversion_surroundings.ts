/**
 * Answers conversions about the names that models and maps give to surfaces: alike from an index in this process and
 * through the protocol, as results are kept for both.
 * @module
 */
import {
  type LoadedFile,
  maxConvertedFile,
  MediaError,
  type NamedFile,
  type WholeSurroundings,
} from "../../media/mod.ts";
import { drawnImages } from "./drawn_images.ts";

/** Maximum bytes of a definition. */
export const maxDefinition = 256 * 1024;

/** The shader or image that the engine shows for a name. */
export interface ShownName {
  readonly answers: "shader" | "image" | null;
  /** Whether it is a material of Doom 3. */
  readonly isMaterial: boolean;
  /** Returns the images of the name, in the order in which the engine would use them. */
  images(): readonly { readonly qpath: string; readonly usable: boolean }[];
  /** Returns the first {@linkcode maxDefinition} of the definition that the engine uses; undefined if there is none. */
  definition(): Promise<Uint8Array | undefined>;
}

/** One of the files at a path. */
export interface Copy {
  /** Pack or directory that it is from. */
  readonly source: string;
  /** Size in bytes. */
  readonly size: number;
  read(): Promise<Uint8Array>;
}

/** The files at a path. */
export interface Copies {
  /** Files that the engine can use, the winner first. */
  readonly usable: readonly Copy[];
  /** Whether the engine reads all of them, the winner last. */
  readonly areMerged: boolean;
}

const latin = new TextDecoder("windows-1252");

/** Answers conversions by the files of a view, and by what its engine shows for names. */
export abstract class ShaderSurroundings implements WholeSurroundings {
  abstract file(qpath: string): Promise<NamedFile | undefined>;

  protected abstract copies(qpath: string): Promise<Copies>;

  protected abstract shown(name: string): Promise<ShownName>;

  /** @throws {MediaError} if the files are too large together. */
  async files(qpath: string): Promise<readonly LoadedFile[]> {
    const { usable, areMerged } = await this.copies(qpath);
    const files = areMerged ? usable.toReversed() : usable.slice(0, 1);
    const size = files.reduce((sum, file) => sum + file.size, 0);
    if (size > maxConvertedFile) {
      throw new MediaError(`${files.length} copies of ${qpath} have ${size} bytes; up to ${maxConvertedFile} are read`);
    }
    return await Promise.all(files.map(async ({ source, read }) => ({ qpath, source, bytes: await read() })));
  }

  async image(name: string): Promise<NamedFile | undefined> {
    const { answers, isMaterial, images, definition } = await this.shown(name);
    const text = answers === "shader" ? await definition() : undefined;
    for (const drawn of text ? new Set(drawnImages(text, isMaterial)) : []) {
      // deno-lint-ignore no-await-in-loop -- the first that exists is drawn
      const file = await this.#firstOf((await this.shown(drawn)).images());
      if (file) return file;
    }
    return await this.#firstOf(images());
  }

  async shader(name: string): Promise<string | undefined> {
    const { answers, images, definition } = await this.shown(name);
    // An image decides too which of both answers.
    images();
    const text = answers === "shader" ? latin.decode(await definition()) : "";
    return text.includes("{") ? text.slice(text.indexOf("{")) : undefined;
  }

  async #firstOf(images: readonly { readonly qpath: string; readonly usable: boolean }[]) {
    const image = images.find(({ usable }) => usable);
    return image && await this.file(image.qpath);
  }
}
