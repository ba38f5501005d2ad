/**
 * The files of a view for conversions. The files that a conversion requests are recorded: its result is valid as long
 * as they are unchanged.
 * @module
 */
import { isDoom3, mergesDefinitions } from "../../engines/mod.ts";
import { maxConvertedFile, MediaError, type NamedFile } from "../../media/mod.ts";
import { at, type ContentReader, none } from "../../index/mod.ts";
import {
  type Copies,
  type KnownDefinition,
  maxDefinition,
  type ShaderIndex,
  shaderIndex,
  ShaderSurroundings,
  type ShownName,
} from "../../questions/mod.ts";
import { judgedCandidates, type View } from "../../views/mod.ts";
import { anyImage, entryAt, everyCopy } from "../shared/conversions.ts";

/** Maximum bytes of an input that is kept for the conversions that follow, such as a palette. */
const maxKeptInput = 64 * 1024;
const maxKeptInputs = 64;

/** Reads files of one view. */
export class ViewFiles {
  readonly view: View;
  readonly #content: ContentReader;
  readonly #kept = new Map<number, Uint8Array>();
  #shaders: ShaderIndex | undefined;

  constructor(view: View, content: ContentReader) {
    this.view = view;
    this.#content = content;
  }

  /**
   * Reads a whole file.
   * @param isInput Whether later conversions may request it too.
   * @throws {MediaError} if it is too large.
   * @throws {ArchiveError} if it is damaged or changed.
   */
  async read(entry: number, isInput = false): Promise<Uint8Array> {
    const known = this.#kept.get(entry);
    if (known) return known;
    const size = this.sizeOf(entry);
    if (size > maxConvertedFile) throw new MediaError(`it has ${size} bytes; up to ${maxConvertedFile} are converted`);
    const bytes = await this.start(entry, size);
    if (!isInput || size > maxKeptInput) return bytes;
    const own = bytes.slice();
    this.#kept.set(entry, own);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKeptInputs && oldest !== undefined) this.#kept.delete(oldest);
    return own;
  }

  /** Reads the beginning of a file. */
  start(entry: number, length: number): Promise<Uint8Array> {
    return this.#content.read(entry, 0, length);
  }

  /** Returns the bytes of a file. */
  sizeOf(entry: number): number {
    return at(this.view.snapshot.columns.entrySizes, entry);
  }

  /** Returns the view's shaders, which are read when the first is asked about. */
  shaders(): Promise<ShaderIndex> {
    return Promise.try(() => this.#shaders ??= shaderIndex(this.view, (entry) => this.#content.readWhole(entry)));
  }

  /** Returns the definition of a shader as written in its file. */
  async definitionOf({ definition: { offset, end }, file: { entry } }: KnownDefinition): Promise<Uint8Array> {
    const length = Math.min(end - offset, maxDefinition);
    return (await this.#content.read(entry, offset, length)).slice();
  }
}

/** Answers one conversion from a view, and notes what it asks for. */
export class NotedSurroundings extends ShaderSurroundings {
  readonly #files: ViewFiles;
  /** Requested paths; a path with a trailing slash stands for all files in that directory. */
  readonly asked = new Set<string>();

  constructor(files: ViewFiles) {
    super();
    this.#files = files;
  }

  async file(qpath: string): Promise<NamedFile | undefined> {
    this.asked.add(qpath);
    const entry = entryAt(this.#files.view, qpath);
    return entry === none ? undefined : { qpath, bytes: await this.#files.read(entry, true) };
  }

  protected override copies(qpath: string): Promise<Copies> {
    this.asked.add(everyCopy(qpath));
    const { view } = this.#files;
    const usable = judgedCandidates(view, qpath).filter(({ reason }) => reason === null).map(({ entry, source }) => {
      return { source: source.path, size: this.#files.sizeOf(entry), read: () => this.#files.read(entry, true) };
    });
    return Promise.resolve({ usable, areMerged: mergesDefinitions(view.game.profile.loadList) });
  }

  protected override async shown(name: string): Promise<ShownName> {
    const index = await this.#files.shaders();
    // It depends on all files of shaders.
    this.asked.add(`${index.rules.folder.directory}/`);
    const { answers, images } = index.answer(name);
    return {
      answers,
      isMaterial: isDoom3(index.rules.dialect),
      images: () => {
        this.asked.add(anyImage(name));
        return images;
      },
      definition: async () => {
        const winner = index.winner(name);
        return winner && await this.#files.definitionOf(winner);
      },
    };
  }
}
