/**
 * Telling the launcher how the start went, and parting from its terminal. The launcher gives the number of a descriptor
 * in `PAKFS_READY_FD`, to which one line is written: the exit code, and behind a 0 the socket.
 * @module
 */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { CLibrary } from "./native/c_library.ts";

/** The launcher's end of the start, if a launcher waits. */
export class Readiness {
  readonly #fileDescriptor: number | undefined;
  readonly #library: CLibrary;
  #told = false;

  constructor(library: CLibrary) {
    this.#library = library;
    const number = Number(Deno.env.get("PAKFS_READY_FD") ?? "");
    this.#fileDescriptor = Number.isInteger(number) && number > 2 ? number : undefined;
  }

  /** Whether the launcher waits, and this process is to go on in the background. */
  get isBackground(): boolean {
    return this.#fileDescriptor !== undefined;
  }

  /** Tells that the daemon answers at `socket`, and lives on with its standard streams on `logFile`. */
  succeed(socket: string, logFile: string): void {
    if (this.#fileDescriptor === undefined) return;
    this.#redirect(logFile);
    this.#tell(`0 ${socket}`);
  }

  /** Tells that the daemon ends with an exit code. */
  fail(code: number): void {
    this.#tell(String(code));
  }

  #tell(line: string): void {
    if (this.#told || this.#fileDescriptor === undefined) return;
    this.#told = true;
    this.#library.write(this.#fileDescriptor, new TextEncoder().encode(`${line}\n`));
    this.#library.close(this.#fileDescriptor);
  }

  #redirect(logFile: string): void {
    mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
    const log = this.#library.openForAppending(logFile);
    if (log < 0) return;
    this.#library.duplicate(log, 1);
    this.#library.duplicate(log, 2);
    this.#library.close(log);
  }
}
