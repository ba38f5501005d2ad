/**
 * Converts files of a view.
 * @module
 */
import {
  accepting,
  Conversions,
  type Converter,
  convertersOf,
  maxConvertedFile,
  MediaError,
  type NamedFile,
  type Palette,
  startBytes,
  type Target,
} from "../../media/mod.ts";
import type { Caller } from "../connection.ts";
import { maxRead } from "../limits.ts";
import { errorCodes, RpcError } from "../messages.ts";
import { type Copies, maxDefinition, ShaderSurroundings, type ShownName } from "../../questions/mod.ts";
import { convertedDirectory } from "../../system/mod.ts";
import { contentOf } from "./content.ts";
import { ExtractionError, isOfOneFile } from "./extraction.ts";
import type { CallOptions } from "./options.ts";

/** Maximum bytes of a file that is kept: palettes and skins serve many conversions. */
const maxKept = 256 * 1024;
/** Maximum number of cached files and images. */
const keptCount = 64;

/** The files of a view, for its conversions. */
export class ViewFiles extends ShaderSurroundings {
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
    super();
    this.palette = palette;
    this.#caller = caller;
    this.#view = view;
    this.#options = options;
  }

  /** Returns a file; small ones are read once. */
  file(qpath: string): Promise<NamedFile | undefined> {
    return this.#once(`file ${qpath}`, () => unlessNoFile(this.read(qpath)));
  }

  /** Returns the first {@linkcode startBytes} of a file, and its size. */
  async start(qpath: string): Promise<{ bytes: Uint8Array; size: number }> {
    const params = { ...this.#view, qpath, offset: 0, length: startBytes };
    const { data, size } = await this.#caller.call("read", params, this.#options);
    return { bytes: Uint8Array.fromBase64(data), size };
  }

  /** Returns the picture of a texture or shader. */
  override image(name: string): Promise<NamedFile | undefined> {
    return this.#once(`image ${name}`, () => super.image(name));
  }

  /**
   * Reads a file.
   * @param candidate Number of the candidate, as in `which`; 1 is the winner.
   * @throws {RpcError} if it is missing, unreadable or too large.
   */
  async read(qpath: string, candidate = 1): Promise<NamedFile & { readonly bytes: Uint8Array<ArrayBuffer> }> {
    const file = { ...this.#view, qpath, ...candidate > 1 && { candidate } };
    const pieces = await Array.fromAsync(
      contentOf(this.#caller, file, { ...this.#options, maxSize: maxConvertedFile }),
    );
    const [first = new Uint8Array(0)] = pieces;
    return { qpath, bytes: pieces.length < 2 ? first : new Uint8Array(await new Blob(pieces).arrayBuffer()) };
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

  protected override async copies(qpath: string): Promise<Copies> {
    const { candidates, mergesDefinitions: areMerged = false } = await this.#caller.call(
      "which",
      { ...this.#view, qpath },
      this.#options,
    );
    const usable = candidates.filter((candidate) => candidate.usable).map(({ rank, source, size }) => {
      return { source, size, read: async () => (await this.read(qpath, rank)).bytes };
    });
    return { usable, areMerged };
  }

  protected override async shown(name: string): Promise<ShownName> {
    const { answers, images, definitions: [definition], rules } = await this.#caller.call(
      "shader",
      { ...this.#view, name },
      this.#options,
    );
    return {
      answers,
      isMaterial: rules === "doom3",
      images: () => images,
      definition: async () => {
        if (!definition) return undefined;
        const { qpath, offset, length } = definition;
        const params = { ...this.#view, qpath, offset, length: Math.min(length, maxDefinition, maxRead) };
        return Uint8Array.fromBase64((await this.#caller.call("read", params, this.#options)).data);
      },
    };
  }
}

/**
 * Returns undefined for a path that is missing, invalid or a directory: names in files are from their authors' disks.
 */
async function unlessNoFile<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (error.code === errorCodes.notFound || error.code === errorCodes.invalidParams) return undefined;
    throw error;
  }
}

/** Returns whether the path of a file allows converting it, to a format or any. */
export function isConvertible(qpath: string, to?: Target): boolean {
  return convertersOf(qpath, to).length > 0;
}

/** Returns the converter for a file, to a format or the default one; undefined if there is none. */
export async function converterFor(files: ViewFiles, qpath: string, to?: Target): Promise<Converter | undefined> {
  const candidates = convertersOf(qpath, to);
  const [first] = candidates;
  if (!first?.accepts) return first;
  const { bytes, size } = await files.start(qpath);
  return accepting(candidates, bytes, size);
}

/** A part of a file that is converted to a file of its own. */
export interface ConvertedPart {
  /** Path in the view, without an extension. */
  readonly qpath: string;
  convert(): Promise<Uint8Array>;
}

/**
 * Returns the parts of a file that are converted to files of their own; undefined if it is converted as a whole.
 * @throws {ExtractionError} if it is damaged; the message begins with its path.
 * @throws {RpcError} if it cannot be read.
 */
export async function convertedParts(
  files: ViewFiles,
  qpath: string,
  { parts }: Converter,
): Promise<readonly ConvertedPart[] | undefined> {
  if (!parts) return undefined;
  const folder = qpath.replace(/[^/]*$/, "");
  const found = await naming(qpath, async () => await parts(await files.read(qpath), files));
  return found.map(({ name, convert }) => {
    const path = folder + name;
    return { qpath: path, convert: () => naming(path, convert) };
  });
}

/** Begins messages about damage with a path. */
async function naming<Value>(qpath: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    // A RangeError means insufficient memory.
    if (!(error instanceof MediaError || error instanceof RangeError || isOfOneFile(error))) throw error;
    throw new ExtractionError(`${qpath}: ${error.message}`, { cause: error });
  }
}

/** Conversions of this program. */
let conversions: Conversions | undefined;

/**
 * Converts a file of a view.
 * @throws {ExtractionError} if it, or an input of its conversion, is damaged; the message begins with its path.
 * @throws {RpcError} if it cannot be read.
 */
export async function convertedFile(files: ViewFiles, qpath: string, { to }: Converter): Promise<Uint8Array> {
  const file = await files.read(qpath);
  return await naming(qpath, () => {
    conversions ??= new Conversions(convertedDirectory());
    return conversions.get(file, to === "png" ? "compressed" : to, files);
  });
}
