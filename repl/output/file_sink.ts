/**
 * A file for results, given by the user.
 * @module
 */
import { CommandError, failureOf } from "./failure.ts";
import type { Sink } from "./sink.ts";

/** A file after `>`, `>>`, `.output` or `.once`. */
export class FileSink implements Sink, Disposable {
  readonly terminal = false;
  readonly #file: Deno.FsFile;

  /**
   * Opens the file, created if it is missing.
   * @param options.append Whether results are appended; otherwise the file is truncated.
   * @throws {CommandError} if it cannot be written.
   */
  constructor(path: string, { append = false }: { append?: boolean } = {}) {
    try {
      this.#file = Deno.openSync(path, { create: true, ...append ? { append } : { write: true, truncate: true } });
    } catch (error) {
      throw new CommandError(`cannot write ${failureOf(error).message}`, { cause: error });
    }
  }

  columns(): number {
    return 80;
  }

  rows(): number {
    return 24;
  }

  write(bytes: Uint8Array): number {
    return this.#file.writeSync(bytes);
  }

  close(): void {
    this.#file.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
