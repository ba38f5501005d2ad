/**
 * Writes extracted files below a directory: each appears only when it is complete, and never outside.
 * @module
 */
import { join } from "@std/path";
import { isDiskFull, writeProblem } from "./core/errors.ts";

/** Makes the error of a file that cannot be written, with a message. */
export type WriteFailure = (sentence: string, details: { readonly member?: string; readonly cause: unknown }) => Error;

/** Returns the directory of a path; empty for a file name. */
export function parentOf(path: string): string {
  const end = path.lastIndexOf("/");
  return end < 0 ? "" : path.slice(0, end);
}

/**
 * Directory into which files are written without following existing symbolic links. Its path may contain links; it is
 * used as given, because write permission is granted for that path.
 */
export class OutputDirectory {
  readonly #root: string;
  readonly #failure: WriteFailure;
  readonly #safe = new Set<string>([""]);
  /** Temporary names are unique within an extraction and across extractions. */
  readonly #prefix = crypto.randomUUID();
  #partials = 0;

  private constructor(root: string, failure: WriteFailure) {
    this.#root = join(root);
    this.#failure = failure;
  }

  /**
   * Makes a directory and missing parents, and prepares writing below it.
   * @param failure Makes the errors, including the error if a part of the path is a file.
   */
  static async make(root: string, failure: WriteFailure): Promise<OutputDirectory> {
    try {
      await Deno.mkdir(root, { recursive: true });
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists || error instanceof Deno.errors.NotADirectory)) throw error;
      const sentence = `cannot write below ${root}: it is a file, or lies below one; name a directory`;
      throw failure(sentence, { cause: error });
    }
    return new OutputDirectory(root, failure);
  }

  /**
   * Makes the directory `relativePath` and its parents.
   * @param member The file that needs it.
   */
  make(relativePath: string, member = relativePath): void {
    if (this.#safe.has(relativePath)) return;
    this.make(parentOf(relativePath), member);
    const path = this.#pathOf(relativePath);
    try {
      Deno.mkdirSync(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      const information = Deno.lstatSync(path);
      if (!information.isDirectory) {
        const what = information.isSymlink ? "a symbolic link, which is not followed" : "a file";
        throw this.#failure(`${member} cannot be extracted: ${path} is ${what}`, { cause: error });
      }
    }
    this.#safe.add(relativePath);
  }

  /**
   * Writes a file with a temporary name, sets its time and renames it, so that no partial file is visible. Synchronous,
   * because awaiting each step of a small file takes several times as long as the step.
   */
  write(target: string, member: string, content: Uint8Array, mtime: number): void {
    this.make(parentOf(target), member);
    const partial = this.#partial(target);
    try {
      writeDated(partial, content, mtime);
      Deno.renameSync(partial, this.#pathOf(target));
    } catch (error) {
      removeIfThere(partial);
      throw this.#problem(error, partial, member);
    }
  }

  /** Writes a file like {@linkcode OutputDirectory.write}, from a stream. */
  async writeStream(
    { target, member, mtime, signal }: {
      target: string;
      member: string;
      mtime: number;
      signal?: AbortSignal | undefined;
    },
    content: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    this.make(parentOf(target), member);
    const partial = this.#partial(target);
    try {
      await writePieces(partial, content, mtime, signal);
      await Deno.rename(partial, this.#pathOf(target));
    } catch (error) {
      removeIfThere(partial);
      throw this.#problem(error, partial, member);
    }
  }

  /**
   * Returns the path of a file or directory. `join` would take as long as the system calls, and both parts are
   * normalized.
   */
  #pathOf(relativePath: string): string {
    return relativePath === "" ? this.#root : `${this.#root}/${relativePath}`;
  }

  #partial(target: string): string {
    return `${this.#pathOf(parentOf(target))}/.${this.#prefix}-${this.#partials++}.part`;
  }

  #problem(error: unknown, partial: string, member: string): unknown {
    const problem = isDiskFull(error) ? undefined : writeProblem(error, partial);
    if (problem === undefined) return error;
    return this.#failure(`${member} ${problem}`, { member, cause: error });
  }
}

function writeDated(path: string, content: Uint8Array, mtime: number): void {
  Deno.writeFileSync(path, content, { createNew: true });
  setTime(path, mtime);
}

async function writePieces(
  path: string,
  content: AsyncIterable<Uint8Array>,
  mtime: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  {
    using file = await Deno.open(path, { write: true, createNew: true });
    for await (const piece of content) {
      signal?.throwIfAborted();
      // deno-lint-ignore no-await-in-loop -- a short write is followed by the rest
      for (let done = 0; done < piece.length;) done += await file.write(piece.subarray(done));
    }
  }
  setTime(path, mtime);
}

/** Sets the time by path: for an open file, Deno requires write permission for its real path, with links resolved. */
function setTime(path: string, mtime: number): void {
  const date = new Date(mtime);
  Deno.utimeSync(path, date, date);
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It was not created, or is already renamed.
  }
}
