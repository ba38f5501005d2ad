/**
 * The files of a view as conversions ask for them. What each conversion asks for is noted: its result holds as long as
 * these files do.
 * @module
 */
import { isDoom3 } from "../../engines/mod.ts";
import { MediaError, type NamedFile, type Surroundings } from "../../media/mod.ts";
import { at, type ContentReader, none } from "../../index/mod.ts";
import { drawnImages, type KnownDefinition, type ShaderIndex, shaderIndex } from "../../questions/mod.ts";
import type { View } from "../../views/mod.ts";
import { anyImage, entryAt } from "../shared/conversions.ts";
import type { RequestQueue } from "../shared/request_queue.ts";

const decoder = new TextDecoder("windows-1252");

/** Maximum bytes of a shader. */
const maxShaderText = 256 * 1024;
/** Larger files are not converted; bytes. */
const maxFile = 256 * 1024 * 1024;
/** Maximum bytes of an input that is kept for the conversions that follow, such as a palette. */
const maxKeptInput = 64 * 1024;
const maxKeptInputs = 64;

/** Reads files of one view. */
export class ViewFiles {
  readonly view: View;
  readonly #content: ContentReader;
  readonly #queue: Pick<RequestQueue, "busySince" | "isRefusing">;
  readonly #kept = new Map<number, Uint8Array>();
  #shaders: ShaderIndex | undefined;

  /** @param queue Notes since when a file system has not answered. */
  constructor(view: View, content: ContentReader, queue: Pick<RequestQueue, "busySince" | "isRefusing">) {
    this.view = view;
    this.#queue = queue;
    this.#content = content;
  }

  /**
   * Reads a whole file.
   * @param isInput Whether conversions that follow may ask for it too.
   * @throws {MediaError} if it is too large.
   * @throws {ArchiveError} if it is damaged or changed.
   */
  async read(entry: number, isInput = false): Promise<Uint8Array> {
    const known = this.#kept.get(entry);
    if (known) return known;
    const size = this.sizeOf(entry);
    if (size > maxFile) throw new MediaError(`it has ${size} bytes; up to ${maxFile} are converted`);
    const bytes = await this.start(entry, size);
    if (!isInput || size > maxKeptInput) return bytes;
    const own = bytes.slice();
    this.#kept.set(entry, own);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKeptInputs && oldest !== undefined) this.#kept.delete(oldest);
    return own;
  }

  /** Reads the beginning of a file. */
  async start(entry: number, length: number): Promise<Uint8Array> {
    return await this.#measured(() => this.#content.read(entry, 0, length));
  }

  /** Returns the bytes of a file. */
  sizeOf(entry: number): number {
    return at(this.view.snapshot.columns.entrySizes, entry);
  }

  /** Returns the view's shaders, which are read when the first is asked about. */
  async shaders(): Promise<ShaderIndex> {
    if (this.#shaders) return this.#shaders;
    const read = () => shaderIndex(this.view, (entry) => this.#content.readWhole(entry));
    this.#shaders = await this.#measured(() => Promise.try(read));
    return this.#shaders;
  }

  /** Returns the definition of a shader, as its file has it. */
  async definitionOf({ definition: { offset, end }, file: { entry } }: KnownDefinition): Promise<Uint8Array> {
    const length = Math.min(end - offset, maxShaderText);
    return (await this.#measured(() => this.#content.read(entry, offset, length))).slice();
  }

  /** Reads; while that takes, the file system may hang. */
  async #measured<Value>(read: () => Promise<Value>): Promise<Value> {
    this.#queue.busySince = Date.now();
    try {
      return await read();
    } finally {
      this.#queue.busySince = 0;
      this.#queue.isRefusing = false;
    }
  }
}

/** Answers one conversion from a view, and notes what it asks for. */
export class NotedSurroundings implements Surroundings {
  readonly #files: ViewFiles;
  /** Paths that were requested; those that end with a slash are directories, for all files in them. */
  readonly asked = new Set<string>();

  constructor(files: ViewFiles) {
    this.#files = files;
  }

  async file(qpath: string): Promise<NamedFile | undefined> {
    this.asked.add(qpath);
    const entry = entryAt(this.#files.view, qpath);
    return entry === none ? undefined : { qpath, bytes: await this.#files.read(entry, true) };
  }

  async image(name: string): Promise<NamedFile | undefined> {
    const index = await this.#shaders();
    const { answers } = index.answer(name);
    const winner = index.winner(name);
    if (answers === "shader" && winner) {
      for (const drawn of new Set(drawnImages(await this.#files.definitionOf(winner), isDoom3(index.rules.dialect)))) {
        // deno-lint-ignore no-await-in-loop -- the first that exists is drawn
        const file = await this.#imageFile(index, drawn);
        if (file) return file;
      }
    }
    return await this.#imageFile(index, name);
  }

  async shader(name: string): Promise<string | undefined> {
    const index = await this.#shaders();
    this.asked.add(anyImage(name));
    const winner = index.answer(name).answers === "shader" ? index.winner(name) : undefined;
    if (!winner) return undefined;
    const text = decoder.decode(await this.#files.definitionOf(winner));
    return text.includes("{") ? text.slice(text.indexOf("{")) : undefined;
  }

  /** Returns the shaders of the view; the conversion depends on all of their files. */
  async #shaders(): Promise<ShaderIndex> {
    const index = await this.#files.shaders();
    this.asked.add(`${index.rules.folder.directory}/`);
    return index;
  }

  async #imageFile(index: ShaderIndex, name: string): Promise<NamedFile | undefined> {
    this.asked.add(anyImage(name));
    const image = index.answer(name).images.find(({ usable }) => usable);
    return image && await this.file(image.qpath);
  }
}
