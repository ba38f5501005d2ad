/**
 * Converts files of a view.
 * @module
 */
import {
  accepting,
  compressedPng,
  type Converter,
  converterOf,
  convertersOf,
  MediaError,
  type NamedFile,
  type Palette,
  startBytes,
  type Surroundings,
  type Target,
} from "../../media/mod.ts";
import type { Caller } from "../connection.ts";
import { maxRead } from "../limits.ts";
import { errorCodes, RpcError } from "../messages.ts";
import { drawnImages } from "../../questions/mod.ts";
import { contentOf } from "./content.ts";
import { ExtractionError, isOfOneFile } from "./extraction.ts";
import type { CallOptions } from "./options.ts";

/** Maximum bytes of a file that is converted. */
const maxFile = 256 * 1024 * 1024;
/** Maximum bytes of a file that is kept: palettes and skins serve many conversions. */
const maxKept = 256 * 1024;
/** Maximum number of files and images that are kept. */
const keptCount = 64;
/** Maximum bytes of a shader that are searched for images. */
const maxShaderText = 256 * 1024;

const latin = new TextDecoder("windows-1252");

/** The files of a view, for its conversions. */
export class ViewFiles implements Surroundings {
  readonly #caller: Caller;
  readonly #view: { readonly view?: string };
  readonly #options: CallOptions;
  readonly #kept = new Map<string, Promise<NamedFile | undefined>>();
  /** Palette that is used instead of the view's. */
  readonly palette: Palette | undefined;

  constructor(
    caller: Caller,
    view: { readonly view?: string },
    { palette, ...options }: CallOptions & { readonly palette?: Palette | undefined } = {},
  ) {
    this.palette = palette;
    this.#caller = caller;
    this.#view = view;
    this.#options = options;
  }

  /** Returns a file; small ones are read once. */
  file(qpath: string): Promise<NamedFile | undefined> {
    return this.#once(`file ${qpath}`, () => unlessNoFile(this.read(qpath)));
  }

  /** Returns the first {@linkcode startBytes} of a file, and the bytes of all of it. */
  async start(qpath: string): Promise<{ bytes: Uint8Array; size: number }> {
    const params = { ...this.#view, qpath, offset: 0, length: startBytes };
    const { data, size } = await this.#caller.call("read", params, this.#options);
    return { bytes: Uint8Array.fromBase64(data), size };
  }

  /** Returns the picture of a texture or shader. */
  image(name: string): Promise<NamedFile | undefined> {
    return this.#once(`image ${name}`, () => this.#image(name));
  }

  /**
   * Reads a file.
   * @throws {RpcError} if it is missing, unreadable or too large.
   */
  async read(qpath: string): Promise<NamedFile> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    const range = { ...this.#options, length: maxFile + 1 };
    for await (const piece of contentOf(this.#caller, { ...this.#view, qpath }, range)) {
      pieces.push(piece);
      size += piece.length;
    }
    if (size > maxFile) {
      const message = `${qpath}: over ${maxFile / 1024 / 1024} MiB are not converted`;
      throw new RpcError({ code: errorCodes.unreadable, message });
    }
    const bytes = new Uint8Array(size);
    let offset = 0;
    for (const piece of pieces) {
      bytes.set(piece, offset);
      offset += piece.length;
    }
    return { qpath, bytes };
  }

  #once(key: string, read: () => Promise<NamedFile | undefined>): Promise<NamedFile | undefined> {
    const known = this.#kept.get(key);
    if (known) return known;
    if (this.#kept.size >= keptCount) this.#kept.clear();
    const reading = read();
    this.#kept.set(key, reading);
    const forget = () => void this.#kept.delete(key);
    reading.then((file) => file && file.bytes.length > maxKept ? forget() : undefined, forget);
    return reading;
  }

  /** Returns the definition that the engine uses for a shader. */
  async shader(name: string): Promise<string | undefined> {
    const { answers, definitions: [definition] } = await this.#shader(name);
    if (answers !== "shader" || !definition) return undefined;
    return latin.decode(await this.#definition(definition));
  }

  async #image(name: string): Promise<NamedFile | undefined> {
    const { answers, images, definitions: [definition], rules } = await this.#shader(name);
    if (answers === "image") return await this.#firstOf(images);
    if (answers !== "shader" || !definition) return undefined;
    const text = await this.#definition(definition);
    for (const drawn of new Set(drawnImages(text, rules === "doom3"))) {
      // deno-lint-ignore no-await-in-loop -- the first that exists is drawn
      const file = await this.#firstOf((await this.#shader(drawn)).images);
      if (file) return file;
    }
    return await this.#firstOf(images);
  }

  #shader(name: string) {
    return this.#caller.call("shader", { ...this.#view, name }, this.#options);
  }

  async #firstOf(images: readonly { qpath: string; usable: boolean }[]): Promise<NamedFile | undefined> {
    const image = images.find(({ usable }) => usable);
    return image && await this.file(image.qpath);
  }

  async #definition(
    { qpath, offset, length }: { readonly qpath: string; readonly offset: number; readonly length: number },
  ): Promise<Uint8Array> {
    const params = { ...this.#view, qpath, offset, length: Math.min(length, maxShaderText, maxRead) };
    const { data } = await this.#caller.call("read", params, this.#options);
    return Uint8Array.fromBase64(data);
  }
}

/** Returns undefined for a path that is missing, a directory, or no path: files name others by what their authors had. */
async function unlessNoFile<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (error.code === errorCodes.notFound || error.code === errorCodes.invalidParams) return undefined;
    throw error;
  }
}

/** Returns whether the path of a file lets it be converted, to a format or any. */
export function isConvertible(qpath: string, to?: Target): boolean {
  return converterOf(qpath, to) !== undefined;
}

/** Returns the converter for a file, to a format or the usual one; undefined if it has none. */
export async function converterFor(files: ViewFiles, qpath: string, to?: Target): Promise<Converter | undefined> {
  const candidates = convertersOf(qpath, to);
  const [first] = candidates;
  if (!first?.accepts) return first;
  const { bytes, size } = await files.start(qpath);
  return accepting(candidates, bytes, size);
}

/**
 * Converts a file of a view.
 * @throws {ExtractionError} if it, or a file that it needs, is damaged; the message begins with its path.
 * @throws {RpcError} if it cannot be read.
 */
export async function convertedFile(files: ViewFiles, qpath: string, converter: Converter): Promise<Uint8Array> {
  const file = await files.read(qpath);
  try {
    const bytes = await converter.convert(file, files);
    return converter.to === "png" ? compressedPng(bytes) : bytes;
  } catch (error) {
    // A RangeError is more memory than there is.
    if (!(error instanceof MediaError || error instanceof RangeError || isOfOneFile(error))) throw error;
    throw new ExtractionError(`${qpath}: ${error.message}`, { cause: error });
  }
}
