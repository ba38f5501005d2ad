/**
 * Answers what a conversion needs besides its file, and notes what was requested.
 * @module
 */
import type { NamedFile, Surroundings } from "../media/mod.ts";
import { inputName } from "./result_cache.ts";

/** The files of a view as one conversion saw them. */
export class NotedSurroundings implements Surroundings {
  readonly #files: Surroundings;
  readonly #inputs: Set<string>;
  #hasNames = false;

  /** @param qpath Path of the file that is converted. */
  constructor(files: Surroundings, qpath: string) {
    this.#files = files;
    this.#inputs = new Set([inputName(qpath)]);
  }

  /** Paths that were looked up; null if names of images or shaders were, which many files can answer. */
  get inputs(): ReadonlySet<string> | null {
    return this.#hasNames ? null : this.#inputs;
  }

  file(qpath: string): Promise<NamedFile | undefined> {
    this.#inputs.add(inputName(qpath));
    return this.#files.file(qpath);
  }

  image(name: string): Promise<NamedFile | undefined> {
    this.#hasNames = true;
    return this.#files.image(name);
  }

  shader(name: string): Promise<string | undefined> {
    this.#hasNames = true;
    return this.#files.shader?.(name) ?? Promise.resolve(undefined);
  }
}
