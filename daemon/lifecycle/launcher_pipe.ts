/**
 * Telling the launcher how the start goes. The launcher gives the number of a descriptor in `PAKFS_READY_FD` and reads
 * lines from it: messages and progress, and last the exit code, behind a 0 with the socket. A daemon started so lives on
 * in the background, with its standard streams on its log already.
 * @module
 */
import type { CLibrary } from "../../system/c_library.ts";

/** The launcher's end of the start, if a launcher waits. */
export class Readiness {
  readonly #library: CLibrary;
  #fileDescriptor: number | undefined;

  constructor(library: CLibrary) {
    this.#library = library;
    const number = Number(Deno.env.get("PAKFS_READY_FD") ?? "");
    this.#fileDescriptor = Number.isInteger(number) && number > 2 ? number : undefined;
  }

  /** Whether a launcher waits. */
  get isAwaited(): boolean {
    return this.#fileDescriptor !== undefined;
  }

  /** Shows a message to the user, if a launcher waits. */
  message(text: string): void {
    for (const line of text.split("\n")) this.#write(`! ${line}`);
  }

  /** Shows how far the start is, if a launcher waits on a terminal. */
  progress(text: string): void {
    this.#write(`~ ${text}`);
  }

  /** Tells that the daemon answers at `socket`. */
  succeed(socket: string): void {
    this.#end(`0 ${socket}`);
  }

  /** Tells that the daemon ends with an exit code. */
  fail(code: number): void {
    this.#end(String(code));
  }

  #end(line: string): void {
    if (this.#fileDescriptor === undefined) return;
    this.#write(line);
    this.#library.close(this.#fileDescriptor);
    this.#fileDescriptor = undefined;
  }

  #write(line: string): void {
    if (this.#fileDescriptor === undefined) return;
    this.#library.write(this.#fileDescriptor, new TextEncoder().encode(`${line}\n`));
  }
}
